// What a positional scheme does, as tensors, and the file of `ropewalk inspect`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/record/run_record.hpp"
#include "framework/core/tensor.hpp"

namespace ropewalk {

/// How pairs of elements of queries and keys turn in a sequence of N tokens.
struct InspectedRotation {
  Tensor cosine, sine;            ///< [N, pairs], with what scaling makes of them
  std::vector<double> frequency;  ///< [pairs], radians a token, after scaling
  std::string layout;             ///< interleaved: pair j is (2j, 2j + 1); half: (j, j + pairs)
  RotaryFacts facts;              ///< the longest length is that of the N tokens
};

/// Of one sequence of N tokens, all in double. What a scheme does not have is undefined, and absent from the file.
struct Inspection {
  std::string config;                ///< resolved, YAML
  std::int64_t trained_length = 0;   ///< tokens
  std::int64_t step = 0;             ///< optimizer steps that the model was trained
  std::vector<std::int64_t> tokens;  ///< [N]
  Tensor token_embedding;            ///< [N, D]
  Tensor embedding;                  ///< [N, D], what is added to it
  Tensor sum;                        ///< [N, D]
  std::optional<InspectedRotation> rotation;
  Tensor slopes;           ///< [H]
  Tensor bias;             ///< [H, N, N], row: query; what is added to scores whatever queries and keys are
  Tensor scores, weights;  ///< [H, N, N], of the first layer
};

/// A dataset's path and shape.
using Datasets = std::vector<std::pair<std::string, Shape>>;

/// Replaces the file whole; equal inspections give equal bytes. Lets go of each tensor once it is in the file, and returns what
/// is there. Throws `FileError`.
Datasets write_inspection(const std::filesystem::path& path, Inspection inspection);

}  // namespace ropewalk
