// Where positions come from: a separate axis from the scheme that uses them.
#pragma once

#include <memory>

#include "framework/core/registry.hpp"
#include "framework/positional/positions.hpp"

namespace ropewalk::positional {

class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual void describe(Fields&) {}
  /// Positions of a sequence of `length` tokens.
  virtual Positions positions(Index length) const = 0;
};

/// Every sampler there is.
const Registry<Sampler>& samplers();

}  // namespace ropewalk::positional
