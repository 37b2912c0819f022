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
#include "experiments/config/stages.hpp"
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
    Tree tree = config_;
    take_stages(tree, complaints_);  // which are read for each point
    decode(tree, scratch.fields, complaints_, beside_);
  }

  // A stage as if it were the whole training.
  struct Stage {
    Settings settings;
    Tree resolved;
  };

  void add_run(const Point& point) {
    Tree tree = config_;
    Complaints found;
    for (const Assignment& assignment : point) assign(tree, assignment, &scratch_.fields, found);
    std::vector<Stage> stages = stages_of(std::move(tree), found);
    complaints_.add(found);
    if (found.empty()) add_chain(std::move(stages), point);
  }

  // Each stage is checked as what is left of the one before makes it. While that has mistakes, it is read over the defaults, and
  // what does not go together there is not its fault.
  std::vector<Stage> stages_of(Tree tree, Complaints& complaints) {
    const std::vector<Tree> later = take_stages(tree, complaints);
    std::vector<Stage> stages = {read_stage(tree, 0, complaints)};
    for (std::size_t i = 0; i < later.size(); ++i) {
      Complaints found;
      const Stage& before = stages.back();
      const Tree laid = with_stage(before.resolved, later[i], &scratch_.fields);
      if (complaints.empty()) {
        stages.push_back(read_stage(laid, before.settings.train.length, found));
      } else {
        Scratch scratch;
        decode(laid, scratch.fields, found);
      }
      complaints.add(in_stage(found, i, later[i]));
    }
    return stages;
  }

  Stage read_stage(const Tree& tree, std::int64_t trained_before, Complaints& complaints) {
    Stage stage;
    Fields fields;
    stage.settings.describe(fields);
    Complaints found;
    decode(tree, fields, found, beside_);
    cross_check(tree, stage.settings, found);
    complaints.add(found);
    if (found.empty()) stage.settings.resolve(trained_before);
    stage.resolved = encode(found.empty() ? fields : scratch_.fields);
    return stage;
  }

  // The run with all stages, after those that end with an earlier one.
  void add_chain(std::vector<Stage> stages, const Point& point) {
    Tree resolved = stages.front().resolved;
    Tree& later = resolved.find("train")->value.find("stages")->value;
    std::string before;
    std::int64_t steps_before = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (i > 0) later.items.push_back(stage_of(stages[i].resolved));
      RunConfig run;
      run.id = run_id(resolved, scratch_.fields);
      run.settings = std::move(stages[i].settings);
      run.yaml = to_yaml(resolved);
      run.before = std::exchange(before, run.id);
      run.steps_before = steps_before;
      steps_before = run.steps();
      run.asked = i + 1 == stages.size();
      run.axes = axes_of(point, run.asked);
      add(std::move(run));
    }
  }

  // Of a run that is there for others, only what is decided in its stages.
  static std::vector<AxisValue> axes_of(const Point& point, bool all) {
    std::vector<AxisValue> axes;
    for (const Assignment& assignment : point) {
      const std::string path = join_path(assignment.steps);
      if (all || !path.starts_with("train.stages")) axes.push_back({path, in_words(assignment.value)});
    }
    return axes;
  }

  void add(RunConfig run) {
    const auto [place, is_new] = index_.emplace(run.id, plan_.runs.size());
    if (is_new) return plan_.runs.push_back(std::move(run));
    RunConfig& first = plan_.runs[place->second];
    if (first.asked && run.asked) {
      plan_.warnings.push_back(fmt::format("sweep: ({}) and ({}) are the same run {}; it is done once", in_words(first.axes),
                                           in_words(run.axes), run.id));
    } else if (run.asked) {
      first.asked = true;
      first.axes = std::move(run.axes);
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
  return Planner(std::move(tree), origin, complaints).plan();
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
  const std::vector<SettingInfo> stages = stage_settings(settings);
  const auto place = std::ranges::find(settings, "train.stages", &SettingInfo::path);
  *place = {"train.stages", "list of sections", "[]", "", place->help};
  settings.insert(place + 1, stages.begin(), stages.end());
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
