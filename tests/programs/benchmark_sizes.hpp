// The models that speed is measured on; scripts/ropewalk/benchmark/sizes.py has the same.
#pragma once

#include <map>
#include <string>

#include "framework/core/shape.hpp"

namespace ropewalk {

struct Size {
  Index width, layers, heads, length, batch;

  Index head_width() const { return width / heads; }
  /// Sequences that one thread works on at a time: those of one of the 4 shards that a batch is cut into by default.
  Index shard() const { return batch / 4; }
  Index shard_tokens() const { return shard() * length; }
};

inline const std::map<std::string, Size> sizes{
    {"S", {64, 2, 4, 64, 32}}, {"M", {128, 4, 4, 128, 16}}, {"L", {256, 6, 8, 256, 8}}};

inline constexpr Index vocabulary = 256;

}  // namespace ropewalk
