#include "experiments/config/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "experiments/config/complaints.hpp"
#include "experiments/config/cross_check.hpp"
#include "experiments/config/decode.hpp"
#include "experiments/config/encode.hpp"
#include "experiments/config/in_words.hpp"
#include "experiments/config/load.hpp"
#include "experiments/config/overridden.hpp"
#include "experiments/config/parse.hpp"
#include "experiments/config/run_id.hpp"
#include "experiments/config/sweep.hpp"

namespace ropewalk::config {
namespace {

// Settings at their defaults, to look things up in.
struct Scratch {
  Settings settings;
  Fields fields;
  Scratch() { settings.describe(fields); }
};

std::string in_words(const std::vector<AxisValue>& axes) {
  std::string words;
  for (const AxisValue& axis : axes) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", axis.path, axis.value);
  return words;
}

class Planner {
 public:
  Planner(Tree config, const std::string& origin, Complaints& complaints)
      : config_(std::move(config)), origin_(origin), complaints_(complaints) {
    beside_.push_back("sweep");
    scratch_.settings.resolve();  // so that ids are compared with defaults that are resolved like the runs
  }

  Plan plan() {
    const std::vector<Strand> strands = read_sweep(config_, complaints_);
    config_.erase("sweep");
    plan_.experiment = take_experiment(config_, complaints_);
    complain_of_overridden(config_, strands, origin_, complaints_);
    check_what_axes_hide();
    for (const Point& point : points(strands, complaints_)) add_run(point);
    complaints_.raise();
    plan_.name = plan_.runs.front().settings.name;
    return std::move(plan_);
  }

 private:
  // What an axis replaces is not in any point, but a mistake in it is still one.
  void check_what_axes_hide() {
    Scratch scratch;
    decode(config_, scratch.fields, complaints_, beside_);
  }

  void add_run(const Point& point) {
    Tree tree = config_;
    Complaints found;
    for (const Assignment& assignment : point) assign(tree, assignment, &scratch_.fields, found);
    RunConfig run;
    Fields fields;
    run.settings.describe(fields);
    decode(tree, fields, found, beside_);
    cross_check(tree, run.settings, found);
    complaints_.add(found);
    if (!found.empty()) return;
    run.settings.resolve();
    const Tree resolved = encode(fields);  // before the settings move away
    finish(std::move(run), resolved, point);
  }

  void finish(RunConfig run, const Tree& resolved, const Point& point) {
    run.id = run_id(resolved, scratch_.fields);
    run.yaml = to_yaml(resolved);
    for (const Assignment& assignment : point) run.axes.push_back({join_path(assignment.steps), in_words(assignment.value)});
    const auto [first, is_new] = index_.emplace(run.id, plan_.runs.size());
    if (is_new) {
      plan_.runs.push_back(std::move(run));
    } else {
      plan_.warnings.push_back(fmt::format("sweep: ({}) and ({}) are the same run {}; it is done once",
                                           in_words(plan_.runs[first->second].axes), in_words(run.axes), run.id));
    }
  }

  Tree config_;
  const std::string& origin_;
  Complaints& complaints_;
  Scratch scratch_;
  std::vector<std::string> beside_ = experiment_settings();  // keys that are read before the runs are
  Plan plan_;
  std::map<std::string, std::size_t> index_;  // of runs by id
};

// The outer before the inner, and a kind before the settings beside it, in whatever order they were typed: a section replaces all
// that is in it, and choosing a kind drops the settings of another.
std::vector<std::string> outer_first(std::vector<std::string> sets) {
  const auto rank = [](const std::string& set) {
    const std::string path = set.substr(0, set.find('='));
    return std::pair(split_path(path).size(), path.ends_with(".kind") ? 0 : 1);
  };
  const auto before = [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); };
  std::stable_sort(sets.begin(), sets.end(), before);
  return sets;
}

Plan finish(Tree tree, const std::string& origin, const std::vector<std::string>& sets, Complaints& complaints) {
  Scratch scratch;
  for (const std::string& set : outer_first(sets)) apply_set(tree, set, &scratch.fields, complaints);
  const std::string yaml = to_yaml(tree);
  Plan plan = Planner(std::move(tree), origin, complaints).plan();
  plan.yaml = yaml;
  return plan;
}

}  // namespace

Plan load_plan(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  Complaints complaints;
  Scratch scratch;
  Tree tree = load_file(file, &scratch.fields, complaints);
  const Place top{file.string(), 1, 1};
  if (tree.is(Tree::Form::map) && !tree.find("name")) {
    tree.at_or_add("name", top) = Tree::scalar(file.stem().string(), top);
  }
  return finish(std::move(tree), file.string(), sets, complaints);
}

Plan parse_plan(const std::string& text, const std::string& origin, const std::vector<std::string>& sets) {
  Complaints complaints;
  std::optional<Tree> tree = parse(text, origin, Lines::shown, complaints);
  if (!tree) complaints.raise();
  return finish(std::move(*tree), origin, sets, complaints);
}

std::vector<SettingInfo> every_setting() {
  Scratch scratch;
  std::vector<SettingInfo> settings = list_settings(scratch.fields);
  Experiment experiment;
  Fields fields;
  experiment.describe(fields);
  for (SettingInfo& setting : list_settings(fields)) settings.push_back(std::move(setting));
  settings.push_back({"extends", "text", "", "", "file whose settings apply where this one is silent, relative to this one"});
  settings.push_back({"sweep.grid", "axes", "{}", "", "setting: [values]; every combination is a run"});
  settings.push_back({"sweep.zip", "axes", "{}", "equally many values", "setting: [values]; the axes move together"});
  settings.push_back(
      {"sweep.seeds", "integer or list of integers", "", ">= 1, or each >= 0", "how many seeds, counted from `seed`, or which"});
  return settings;
}

}  // namespace ropewalk::config
