// The state a run resumes from, and `checkpoint.h5`, where it is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk {

struct NamedArray {
  std::string name;  ///< as in PyTorch: blocks.0.attention.qkv.weight
  Shape shape;
  std::vector<float> values;  ///< row by row
};

/// Random numbers are counter-based, so the step is all there is to their state.
struct Checkpoint {
  std::int64_t step = 0;    ///< optimizer steps done
  std::int64_t tokens = 0;  ///< trained on so far
  double seconds = 0;       ///< training time so far, evaluation excluded
  std::string run_id;
  std::string config;  ///< resolved, YAML
  std::vector<NamedArray> parameters;
  std::vector<NamedArray> first_moment, second_moment;  ///< of the optimizer, for the parameters that have them
};

/// Replaces the file whole; equal checkpoints give equal bytes. Throws `Error` if an array's values do not fill its shape or its
/// name cannot be one, else `FileError`.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Arrays come in the order they were written. Throws `FileError` if the file is missing, damaged, or not of this format and
/// version.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace ropewalk
