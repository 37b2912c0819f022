#include "experiments/report/pairs.hpp"

#include <algorithm>
#include <map>

#include "experiments/errors.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

using Key = std::vector<std::string>;

Key key_of(const ReportedRun& run, const std::vector<std::string>& pairing) {
  Key key;
  for (const std::string& path : pairing) {
    const auto found = run.settings.find(path);
    key.push_back(found == run.settings.end() ? "" : found->second);
  }
  return key;
}

std::map<Key, const ReportedRun*> by_key(const Group& group, const std::vector<std::string>& pairing) {
  std::map<Key, const ReportedRun*> runs;
  for (const ReportedRun* run : group.runs) {
    if (runs.emplace(key_of(*run, pairing), run).second) continue;
    throw UsageError(fmt::format("--baseline: expected one run of '{}' for each {}, got several; give --group-by more settings",
                                 group.label, join(pairing, ", ")));
  }
  return runs;
}

}  // namespace

std::vector<Pair> pairs_of(const Group& group, const Group& baseline, const std::vector<std::string>& pairing) {
  const auto partners = by_key(baseline, pairing);
  std::vector<Pair> pairs;
  for (const auto& [key, run] : by_key(group, pairing)) {
    const auto found = partners.find(key);
    if (found != partners.end()) pairs.push_back({run, found->second});
  }
  return pairs;
}

std::string sign_of(const std::optional<Interval>& interval) {
  if (interval && interval->high < 0) return "lower";
  if (interval && interval->low > 0) return "higher";
  return "undecided";
}

const Group& find_baseline(const std::vector<Group>& groups, const std::string& label) {
  const auto found = std::ranges::find(groups, label, &Group::label);
  if (found != groups.end()) return *found;
  std::vector<std::string> labels;
  for (const Group& group : groups) labels.push_back("\n  " + group.label);
  const bool several = std::ranges::any_of(groups, [&](const Group& group) { return group.label.starts_with(label + ", "); });
  throw UsageError(
      fmt::format("--baseline '{}': expected what stands in a row under `run`, one of{}{}", label, join(labels, ""),
                  several ? "\n--where leaves fewer of them, --group-by model.position.kind makes one of several" : ""));
}

}  // namespace ropewalk
