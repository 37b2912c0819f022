// The name of a run: what it computes, and nothing else, decides it.
#pragma once

#include <string>

#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// `position-rope-base-500-seed-1-steps-500-3f9c2a71d0`: the positional scheme with its settings that are not at their
/// defaults, the seed, then every other setting that is not at the program's default, as far as 80 characters reach; a list of
/// kinds as `sum-sinusoidal-alibi-slopes-learned`. Other lists, free text and settings that the model implies are left to the
/// hash. Then 40 bits, in hex, of a hash of the whole resolved config without `name`. Both parts come from the resolved config
/// alone (a later stage adds `stage-2` and what it changes), so the same run has the same id in whatever sweep or file, and in
/// whatever order, it appears. `defaults`: scratch settings at the program's defaults.
std::string run_id(const Tree& resolved, Fields& defaults);

}  // namespace ropewalk::config
