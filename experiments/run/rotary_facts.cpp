#include "experiments/run/rotary_facts.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "framework/positional/rope_facts.hpp"

namespace ropewalk {
namespace {

/// Searched for once: the runs of a sweep ask for the same few.
std::optional<double> known_bound(Index width, Index length) {
  static std::mutex mutex;
  static std::map<std::pair<Index, Index>, std::optional<double>> known;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace({width, length});
  if (is_new) place->second = positional::base_lower_bound(width, length);
  return place->second;
}

}  // namespace

std::optional<RotaryFacts> rotary_facts(const nn::TransformerSettings& model, Index trained, Index longest) {
  const auto turning = [&](Index length) { return model.position->turning(model.context(length)); };
  const auto here = turning(trained), there = turning(longest);
  if (!here || !there) return {};
  return RotaryFacts{.base = here->base,
                     .width = here->width,
                     .trained = here->trained,
                     .longest = there->trained,
                     .critical_dimension = positional::critical_dimension(here->width, here->base, here->trained),
                     .trained_bound = known_bound(here->width, here->trained),
                     .longest_bound = known_bound(there->width, there->trained),
                     .serves = positional::first_failing_offset(here->width, here->base, there->trained)};
}

}  // namespace ropewalk
