#include "experiments/config/sweep_edits.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "experiments/config/sweep_checks.hpp"

namespace ropewalk::config {
namespace {

class SweepPath {
 public:
  SweepPath(const Tree& tree, std::vector<Step>& steps) : tree_(tree), steps_(steps) {}

  void join_names() {
    if (is_key(0, "sweep")) join_below(1);
  }

 private:
  // `at`: the step after one that is a map of a sweep.
  void join_below(std::size_t at) {
    if (is_key(at, "grid") || is_key(at, "zip")) {
      join_name(at + 1);
    } else if (is_key(at, "random") && is_key(at + 1, "axes")) {
      join_name(at + 2);
    } else if (is_key(at, "list") && is_index(at + 1)) {
      is_sweep_key(at + 2) ? join_below(at + 2) : join_name(at + 2);
    } else if (is_key(at, "exclude") && is_index(at + 1)) {
      join_name(at + 2);
    }
  }

  // What is there under the name before the first index is meant by that name, and the index picks one of its values.
  void join_name(std::size_t at) {
    if (at >= steps_.size()) return;
    const auto first = steps_.begin() + static_cast<std::ptrdiff_t>(at);
    auto last = std::find_if(first, steps_.end(), [](const Step& step) { return step.index() != 0; });
    std::vector<Step> named(steps_.begin(), first);
    named.emplace_back(join_path({first, last}));
    if (!value_at(tree_, named)) last = steps_.end();
    const std::string name = join_path({first, last});
    steps_.erase(first, last);
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at), name);
  }

  bool is_key(std::size_t at, const char* name) const { return at < steps_.size() && steps_[at] == Step(std::string(name)); }
  bool is_index(std::size_t at) const { return at < steps_.size() && steps_[at].index() != 0; }
  bool is_sweep_key(std::size_t at) const {
    return std::any_of(sweep_keys().begin(), sweep_keys().end(), [&](const std::string& key) { return is_key(at, key.c_str()); });
  }

  const Tree& tree_;
  std::vector<Step>& steps_;
};

// No setting can be null.
void remove_nulls(Tree& merged, const Tree& base, const Tree& over) {
  for (const Entry& entry : over.entries) {
    const Entry* below = base.find(entry.key);
    if (!below) continue;
    if (entry.value.is(Tree::Form::null)) {
      merged.erase(entry.key);
    } else if (Entry* inside = merged.find(entry.key)) {
      remove_nulls(inside->value, below->value, entry.value);
    }
  }
}

// `{range: …}` over `{log: …}` is no map of both.
void replace_draws(Tree& merged, const Tree& over) {
  const std::vector<Step> path = {"random", "axes"};
  const Tree* given = value_at(over, path);
  if (!given) return;
  Tree& axes = merged.find("random")->value.find("axes")->value;
  for (const Entry& entry : given->entries) {
    if (Entry* axis = axes.find(entry.key)) axis->value = entry.value;
  }
}

}  // namespace

void settle_sweep(Tree& merged, const Tree& base, const Tree& over) {
  const Entry *below = base.find("sweep"), *above = over.find("sweep");
  if (!below || !above) return;
  if (above->value.is(Tree::Form::null)) return merged.erase("sweep");
  Tree& sweep = merged.find("sweep")->value;
  replace_draws(sweep, above->value);
  remove_nulls(sweep, below->value, above->value);
}

void join_axis_names(const Tree& config, std::vector<Step>& steps) { SweepPath(config, steps).join_names(); }

bool remove_from_sweep(Tree& config, const Assignment& assignment) {
  const bool removes = assignment.value.is(Tree::Form::null) && assignment.steps[0] == Step(std::string("sweep")) &&
                       assignment.steps.back().index() == 0;
  if (!removes || !value_at(config, assignment.steps)) return false;
  Tree* outer = const_cast<Tree*>(value_at(config, std::span(assignment.steps).first(assignment.steps.size() - 1)));
  outer->erase(std::get<std::string>(assignment.steps.back()));
  return true;
}

}  // namespace ropewalk::config
