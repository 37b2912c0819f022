#include "experiments/config/sweep_checks.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "experiments/config/encode.hpp"
#include "experiments/config/expectation.hpp"
#include "experiments/config/experiment.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/text/nearest.hpp"
#include "experiments/config/schema.hpp"

namespace ropewalk::config {
namespace {

// Null takes away what a base gives (see load_file), so one that is still there had nothing to take.
std::string got(const Tree& tree) {
  return tree.is(Tree::Form::null) ? "nothing, and nothing is inherited that this could remove" : describe(tree);
}

}  // namespace

const std::vector<std::string>& sweep_keys() {
  static const std::vector<std::string> keys{"grid", "zip", "list", "random", "seeds", "exclude"};
  return keys;
}

bool check_map(const Tree& tree, const std::string& where, Complaints& complaints) {
  if (!tree.is(Tree::Form::map)) complaints.add(tree.place, where, expected("a map", got(tree)));
  return tree.is(Tree::Form::map);
}

void check_keys(const Tree& map, const std::vector<std::string>& known, const std::string& where, Complaints& complaints) {
  for (const Entry& entry : map.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::string what = "a known setting (" + comma_separated(known) + ")";
    complaints.add(entry.place, join(where, entry.key), expected(what, entry.key, nearest(entry.key, known)));
  }
}

bool check_varies(const std::string& path, const Place& place, const std::string& where, Complaints& complaints) {
  // The others stand for the run or the experiment and not for what is computed, or are gone before there are runs.
  std::vector<std::string> fixed = experiment_settings();
  fixed.insert(fixed.end(), {"name", "extends", "sweep"});
  const std::string first = path.substr(0, path.find_first_of(".["));
  const bool varies = !split_path(path).empty() && std::find(fixed.begin(), fixed.end(), first) == fixed.end();
  if (!varies) complaints.add(place, where, expected("a setting that changes what a run computes", path));
  return varies;
}

bool check_values(const Tree& values, const std::string& where, Complaints& complaints, const std::string& what) {
  if (!values.is(Tree::Form::list)) {
    const std::string near = values.is(Tree::Form::null) ? "" : fmt::format("[{}]", flow_yaml(values));
    complaints.add(values.place, where, expected(fmt::format("a list of {}s", what), got(values), near));
  } else if (values.items.empty()) {
    complaints.add(values.place, where, expected("at least one " + what, "an empty list"));
  }
  return values.is(Tree::Form::list) && !values.items.empty();
}

}  // namespace ropewalk::config
