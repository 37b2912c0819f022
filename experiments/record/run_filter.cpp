#include "experiments/record/run_filter.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

bool matches(const std::string& pattern, const std::string& id) { return ::fnmatch(pattern.c_str(), id.c_str(), 0) == 0; }

/// Letters of the pattern to insert, drop or replace until it matches a part of the id; `*` stands for any letters, `?` for one.
std::size_t distance(const std::string& pattern, const std::string& id) {
  std::vector<std::size_t> before(id.size() + 1), here(id.size() + 1);
  std::iota(before.begin(), before.end(), 0);
  for (const char letter : "*" + pattern + "*") {
    const bool any = letter == '*';
    here[0] = before[0] + (any ? 0 : 1);
    for (std::size_t j = 1; j <= id.size(); ++j) {
      const bool same = letter == '?' || letter == id[j - 1];
      here[j] =
          any ? std::min(before[j], here[j - 1]) : std::min({before[j - 1] + (same ? 0 : 1), before[j] + 1, here[j - 1] + 1});
    }
    std::swap(before, here);
  }
  return before.back();
}

std::string nearest(const std::string& pattern, std::vector<std::string> ids) {
  constexpr std::size_t shown = 3;
  const auto is_nearer = [&](const std::string& a, const std::string& b) { return distance(pattern, a) < distance(pattern, b); };
  std::stable_sort(ids.begin(), ids.end(), is_nearer);
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, ids.size()); ++i) text += (i == 0 ? "" : ", ") + ids[i];
  return text;
}

}  // namespace

bool RunFilter::accepts(const std::string& run_id) const {
  return only.empty() || std::ranges::any_of(only, [&](const std::string& pattern) { return matches(pattern, run_id); });
}

bool RunFilter::accepts(const std::string& run_id, const std::vector<std::string>& run_tags) const {
  const auto has = [&](const std::string& tag) { return std::ranges::find(run_tags, tag) != run_tags.end(); };
  return accepts(run_id) && std::ranges::all_of(tags, has);
}

void expect_matches(const RunFilter& filter, const std::vector<std::string>& run_ids) {
  for (const std::string& pattern : filter.only) {
    if (std::ranges::any_of(run_ids, [&](const std::string& id) { return matches(pattern, id); })) continue;
    const std::string what = fmt::format("--only {}: expected a pattern that matches the whole id of", pattern);
    if (run_ids.empty()) throw UsageError(what + " a run, and there are no runs");
    throw UsageError(
        fmt::format("{} one of {} runs, as '*rope*' does; nearest: {}", what, run_ids.size(), nearest(pattern, run_ids)));
  }
}

void expect_tags(const RunFilter& filter, const std::vector<std::vector<std::string>>& tags) {
  std::set<std::string> known;
  for (const std::vector<std::string>& of_run : tags) known.insert(of_run.begin(), of_run.end());
  for (const std::string& tag : filter.tags) {
    if (known.contains(tag)) continue;
    std::string there;
    for (const std::string& one : known) there += (there.empty() ? ": " : ", ") + one;
    throw UsageError(fmt::format("--tag {}: expected a tag that one of the runs has{}", tag,
                                 known.empty() ? ", and none has any; `tags` in a config gives them" : there));
  }
}

}  // namespace ropewalk
