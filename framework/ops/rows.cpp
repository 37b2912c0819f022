#include "framework/ops/rows.hpp"

namespace ropewalk {

Tensor as_rows(const Tensor& x) {
  const Tensor source = packed(x);
  const Index columns = x.dim(-1);
  const Index rows = columns == 0 ? size_of(Shape(x.shape().begin(), x.shape().end() - 1)) : x.size() / columns;
  return source.view({rows, columns}, {columns, 1}, 0);
}

}  // namespace ropewalk
