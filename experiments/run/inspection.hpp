// What a config's positional scheme does to a sequence, for looking and for checking.
#pragma once

#include "experiments/config/plan.hpp"
#include "experiments/record/checkpoint.hpp"
#include "experiments/record/inspection.hpp"

namespace ropewalk {

/// The run's model in double, as it starts or, if `trained` is not null, with the parameters of a checkpoint, on one sequence of
/// random tokens that is the same whatever the seed, at positions 0, 1, …. Schemes that read the tokens (abacus, segment) or a
/// layer's input (forget) show what they do to that sequence.
///
/// Throws `UsageError` if the scheme cannot serve the length, or if the maps of all pairs of tokens would take more than 4 GiB,
/// and so about 8 GiB of memory while they are written; `FileError` if the checkpoint is not one of this model.
Inspection inspect(const config::RunConfig& run, Index length, const Checkpoint* trained);

}  // namespace ropewalk
