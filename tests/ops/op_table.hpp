// The one table of operations: each with the inputs it is tried on and the naive computation it must equal.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/ops/arrays.hpp"

namespace ropewalk {

/// Where inputs are drawn from: a difference quotient must not straddle a kink or a pole.
enum class Domain { any, positive, away_from_zero };

struct OpRow {
  std::string name;
  std::vector<std::vector<Shape>> shapes;  ///< sets of input shapes
  std::function<Tensor(const Tensors&)> function;
  std::function<naive::Array(const naive::Arrays&)> naive;
  Domain domain = Domain::any;
  bool distinct = false;  ///< equal elements make it lose its derivative, or nearly so
};

/// How a test names a row.
inline void PrintTo(const OpRow& row, std::ostream* out) { *out << row.name; }

/// Every differentiable operation of framework/ops.
const std::vector<OpRow>& op_table();

}  // namespace ropewalk
