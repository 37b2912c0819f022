#include "experiments/config/overridden.hpp"

#include <fmt/core.h>

namespace ropewalk::config {
namespace {

// 2: typed with --set; 1: in the config itself; 0: in a file that it extends.
int rank(const Place& place, const std::string& origin) {
  if (place.origin.starts_with("--set ")) return 2;
  return place.origin == origin ? 1 : 0;
}

// The value inside `tree` that was given with the highest rank.
const Tree& latest(const Tree& tree, const std::string& origin) {
  const Tree* found = &tree;
  for (const Entry& entry : tree.entries) {
    const Tree& inner = latest(entry.value, origin);
    if (found == &tree || rank(inner.place, origin) > rank(found->place, origin)) found = &inner;
  }
  for (const Tree& item : tree.items) {
    const Tree& inner = latest(item, origin);
    if (rank(inner.place, origin) > rank(found->place, origin)) found = &inner;
  }
  return *found;
}

// A setting of a list's element is no axis: without it the others would still be varied.
std::string remedy(const Varied& setting) {
  const std::string instead = fmt::format("give {} instead", setting.where);
  const bool is_axis = setting.where.find(".list[") == std::string::npos;
  return is_axis ? fmt::format("{}, or remove the axis with {}=null", instead, setting.where) : instead;
}

}  // namespace

void complain_of_overridden(const Tree& config, const std::vector<Varied>& settings, const std::string& origin,
                            Complaints& complaints) {
  for (const Varied& setting : settings) {
    const Tree* value =
        setting.path == "seed" ? nullptr : value_at(config, split_path(setting.path));  // seeds are counted from `seed`
    if (!value) continue;
    const Tree& given = latest(*value, origin);
    if (rank(given.place, origin) <= rank(setting.place, origin)) continue;
    complaints.add(given.place, setting.path,
                   fmt::format("expected no value, since the sweep at {} varies it, got {}; {}", to_string(setting.place),
                               describe(given), remedy(setting)));
  }
}

}  // namespace ropewalk::config
