// Changing a sweep that is there already: with a file that extends it, or with `--set`.
#pragma once

#include <vector>

#include "experiments/config/merge.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Makes of the `sweep` of a merged config what `over` asks for: null takes away what `base` has under that key, and how a random
/// axis is drawn is replaced whole.
void settle_sweep(Tree& merged, const Tree& base, const Tree& over);

/// Joins names again that a path to something in a sweep was split at: they are paths themselves. `sweep.grid.train.betas[0]`
/// leads to the axis `train.betas[0]`, but where there is an axis of the name before the first index, to one of its values.
void join_axis_names(const Tree& config, std::vector<Step>& steps);

/// Takes away what is at the path of a null inside `sweep`; false if there is nothing, or if it is no null.
bool remove_from_sweep(Tree& config, const Assignment& assignment);

}  // namespace ropewalk::config
