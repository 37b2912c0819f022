#include "experiments/config/planner.hpp"

#include <fmt/core.h>

#include <map>
#include <set>
#include <utility>

#include "experiments/config/cross_check.hpp"
#include "experiments/config/decode.hpp"
#include "experiments/config/encode.hpp"
#include "experiments/config/idle.hpp"
#include "experiments/config/in_words.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/config/overridden.hpp"
#include "experiments/config/resolved.hpp"
#include "experiments/config/run_id.hpp"
#include "experiments/config/scratch.hpp"
#include "experiments/config/stages.hpp"
#include "experiments/config/sweep.hpp"

namespace ropewalk::config {
namespace {

std::string in_words(const std::vector<AxisValue>& axes) {
  std::string words;
  for (const AxisValue& axis : axes) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", axis.path, axis.value);
  return words.empty() ? "the config as it is" : words;
}

class Planner {
 public:
  Planner(Tree config, const std::string& origin, Complaints& complaints)
      : config_(std::move(config)), origin_(origin), complaints_(complaints) {
    beside_.push_back("sweep");
    scratch_.settings.resolve();  // so that ids are compared with defaults that are resolved like the runs
  }

  Plan plan() {
    const Place place = place_of(config_, "sweep");
    Sweep sweep = expand();
    exclusions_ = Exclusions(std::move(sweep.conditions));
    config_.erase("sweep");
    plan_.experiment = take_experiment(config_, complaints_);
    complain_of_overridden(config_, sweep.settings, origin_, complaints_);
    check_what_axes_hide();
    for (const Point& point : sweep.points) add_run(point);
    check_exclusions(place, sweep.points.size());
    complaints_.raise();
    plan_.name = plan_.runs.front().settings.name;
    return std::move(plan_);
  }

 private:
  Sweep expand() {
    Scratch scratch;
    return expand_sweep(config_, scratch.fields, complaints_);
  }

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
    for (const Assignment* assignment : outer_first(point)) assign(tree, *assignment, &scratch_.fields, found);
    const std::vector<Tree> later = take_stages(tree, found);
    Stage first = decoded(tree, found);
    if (is_excluded(point, first.settings, later, found)) return;
    settle(first, tree, 0, found);
    std::vector<Stage> stages = followed(std::move(first), later, found);
    complaints_.add(found);
    if (found.empty()) add_chain(std::move(stages), point);
  }

  Stage decoded(const Tree& tree, Complaints& complaints) {
    Stage stage;
    Fields fields;
    stage.settings.describe(fields);
    decode(tree, fields, complaints, beside_);
    return stage;
  }

  // Holds its settings against each other and leaves none of them open; with mistakes, it counts as one at the defaults.
  void settle(Stage& stage, const Tree& tree, std::int64_t trained_before, Complaints& complaints) {
    cross_check(tree, stage.settings, complaints);
    if (!complaints.empty()) return;
    for (const std::string& line : idle_settings(stage.settings)) warn(line);
    stage.settings.resolve(trained_before);
    stage.resolved = tree_of(stage.settings);
  }

  // Each stage is checked as what is left of the one before makes it. After a mistake it is read over the defaults, and what does
  // not go together there is not its fault.
  std::vector<Stage> followed(Stage first, const std::vector<Tree>& later, Complaints& complaints) {
    std::vector<Stage> stages = {std::move(first)};
    for (std::size_t i = 0; i < later.size(); ++i) {
      const bool sound = complaints.empty();
      const Stage& before = stages.back();
      Complaints found;
      const Tree tree = with_stage(sound ? before.resolved : encode(scratch_.fields), later[i], &scratch_.fields);
      Stage stage = decoded(tree, found);
      if (sound) settle(stage, tree, before.settings.train.length, found);
      complaints.add(in_stage(found, i, later[i]));
      stages.push_back(std::move(stage));
    }
    return stages;
  }

  // Before settings are held against each other, so that impossible combinations can be left out.
  bool is_excluded(const Point& point, Settings settings, const std::vector<Tree>& later, const Complaints& found) {
    if (point.conditions.empty()) return false;
    settings.resolve();
    return exclusions_.leave_out(point.conditions, with_stages(std::move(settings), later), found);
  }

  // With all stages, as far as they can be read: their mistakes are found later, unless the point is left out.
  Tree with_stages(Settings settings, const std::vector<Tree>& later) {
    Tree resolved = tree_of(settings), before = resolved, stages = Tree::list();
    for (const Tree& tree : later) {
      Complaints ignored;
      Stage stage = decoded(with_stage(before, tree, &scratch_.fields), ignored);
      stage.settings.resolve(settings.train.length);
      settings = std::move(stage.settings);
      before = tree_of(settings);
      stages.items.push_back(stage_of(before));
    }
    resolved.find("train")->value.find("stages")->value = std::move(stages);
    return resolved;
  }

  void check_exclusions(const Place& sweep, std::size_t points) {
    for (const std::string& line : exclusions_.idle()) warn(line);
    if (!plan_.runs.empty() || points == 0 || !complaints_.empty()) return;
    complaints_.add(sweep, "sweep", expected("at least one run", fmt::format("{} points, every one of them excluded", points)));
  }

  // The same of many points is said once.
  void warn(const std::string& line) {
    if (warned_.insert(line).second) plan_.warnings.push_back(line);
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
      run.stage = static_cast<int>(i) + 1;
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
    for (const Assignment& assignment : point.assignments) {
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
  Exclusions exclusions_{{}};
  Plan plan_;
  std::set<std::string> warned_;
  std::map<std::string, std::size_t> index_;  // of runs by id
};

}  // namespace

Plan plan_runs(Tree config, const std::string& origin, Complaints& complaints) {
  return Planner(std::move(config), origin, complaints).plan();
}

}  // namespace ropewalk::config
