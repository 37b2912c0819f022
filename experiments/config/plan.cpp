#include "experiments/config/plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/config/complaints.hpp"
#include "experiments/config/encode.hpp"
#include "experiments/config/load.hpp"
#include "experiments/config/parse.hpp"
#include "experiments/config/planner.hpp"
#include "experiments/config/scratch.hpp"
#include "experiments/config/sweep.hpp"

namespace ropewalk::config {
namespace {

// In whatever order they were typed.
std::vector<std::string> outer_first(std::vector<std::string> sets) {
  const auto rank = [](const std::string& set) { return outer_rank(split_path(set.substr(0, set.find('=')))); };
  const auto before = [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); };
  std::stable_sort(sets.begin(), sets.end(), before);
  return sets;
}

Plan finish(Tree tree, const std::string& origin, const std::vector<std::string>& sets, Complaints& complaints) {
  Scratch scratch;
  for (const std::string& set : outer_first(sets)) apply_set(tree, set, &scratch.fields, complaints);
  const std::string yaml = to_yaml(tree);
  Plan plan = plan_runs(std::move(tree), origin, complaints);
  plan.yaml = yaml;
  return plan;
}

}  // namespace

Plan load_plan(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  Complaints complaints;
  Scratch scratch;
  Tree tree = load_file(file, &scratch.fields, complaints);
  const Place top{file.string(), 1, 1};
  if (!tree.is(Tree::Form::map)) {
    complaints.add(tree.place, "", expected("a map of settings", describe(tree)));
    complaints.raise();  // nothing more can be said of it
  }
  if (!tree.find("name")) tree.at_or_add("name", top) = Tree::scalar(file.stem().string(), top);
  return finish(std::move(tree), file.string(), sets, complaints);
}

Plan parse_plan(const std::string& text, const std::string& origin, const std::vector<std::string>& sets) {
  Complaints complaints;
  std::optional<Tree> tree = parse(text, origin, Lines::shown, complaints);
  if (!tree) complaints.raise();
  return finish(std::move(*tree), origin, sets, complaints);
}

}  // namespace ropewalk::config
