#include "framework/ops/cumulate.hpp"

#include "framework/ops/layout.hpp"

namespace ropewalk {
namespace {

/// Sums along `axis` from its first element on, or from its last one back.
Tensor running_sums(const Tensor& x, int axis, bool back) {
  const Tensor input = packed(x);
  Tensor y = Tensor::empty(x.shape(), x.type());
  const Index count = x.dim(axis);
  Index inner = 1;
  for (int a = axis + 1; a < x.rank(); ++a) inner *= x.dim(a);
  const Index step = back ? -inner : inner;
  dispatch(x.type(), [&]<class T>(T) {
    for (Index line = 0; count > 0 && line < x.size() / count; ++line) {
      Index at = line / inner * count * inner + line % inner + (back ? (count - 1) * inner : 0);
      double total = 0;
      for (Index k = 0; k < count; ++k, at += step) {
        total += static_cast<double>(input.data<T>()[at]);
        y.data<T>()[at] = static_cast<T>(total);
      }
    }
  });
  return y;
}

}  // namespace

Tensor cumulative_sum(const Tensor& x, int axis) {
  const int along = normalize_axis(axis, x.rank(), "cumulative_sum");
  return record(running_sums(x.detach(), along, false), {x},
                [along](const Tensor& dy) { return Tensors{running_sums(dy, along, true)}; });
}

}  // namespace ropewalk
