// Which of many runs a command is about: `--only` and `--tag`.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

struct RunFilter {
  std::vector<std::string> only = {};  ///< shell patterns of which one has to match the whole id; none: any id will do
  std::vector<std::string> tags = {};  ///< all of which a run has to have

  bool accepts(const std::string& run_id) const;
  bool accepts(const std::string& run_id, const std::vector<std::string>& run_tags) const;
};

/// Throws `UsageError` for a pattern of the filter that matches none of the ids, and names those that come nearest.
void expect_matches(const RunFilter& filter, const std::vector<std::string>& run_ids);

/// Throws `UsageError` for a tag of the filter that no run has; `tags` are those of each run.
void expect_tags(const RunFilter& filter, const std::vector<std::vector<std::string>>& tags);

}  // namespace ropewalk
