// A quantity that grows with the length of a sequence, known at some lengths.
#pragma once

#include <map>

#include "framework/core/shape.hpp"

namespace ropewalk {

/// What a token takes is linear in the length between two neighbours, and beyond the last two: so is a·length + b·length², the
/// cost of a forward pass, met exactly. Nothing shrinks beyond what is known.
class Growth {
 public:
  void add(Index length, double value) { per_token_[length] = value / static_cast<double>(length); }
  double at(Index length) const;

 private:
  std::map<Index, double> per_token_;
};

}  // namespace ropewalk
