#include "framework/ops/rotation.hpp"

#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk {
namespace {

/// Interleaved: (a, b) pairs laid side by side; half: all first elements, then all second ones.
Tensor join_pairs(const Tensor& a, const Tensor& b, bool interleaved) {
  if (!interleaved) return concatenate({a, b}, -1);
  Shape single = a.shape(), joined = a.shape();
  single.push_back(1);
  joined.back() *= 2;
  return reshape(concatenate({reshape(a, single), reshape(b, single)}, -1), joined);
}

/// `count` rows of a table from `begin` on, broadcasting to [B, H, count, pairs].
Tensor rows_of_table(const Tensor& table, Index begin, Index count) {
  const Tensor rows = slice(table, -2, begin, begin + count);
  return table.rank() == 3 ? reshape(rows, {table.dim(0), 1, count, table.dim(2)}) : rows;
}

}  // namespace

RotationTables grown(const RotationTables& tables, const Tensor& rate, const Tensor& positions, double centre) {
  const Index pairs = rate.size();
  Tensor factor = Tensor::empty(tables.cosine.shape(), Type::f64);
  check(factor.size() == positions.size() * pairs, "rotation: {} positions do not fit tables {}", positions.size(),
        tables.cosine.shape());
  const double *at = positions.data<double>(), *per_token = rate.data<double>();
  for (Index i = 0; i < positions.size(); ++i) {
    for (Index j = 0; j < pairs; ++j) factor.data<double>()[i * pairs + j] = std::exp(per_token[j] * (at[i] - centre));
  }
  const Type type = tables.cosine.type();
  const auto times = [&](const Tensor& table) { return convert(multiply(convert(table, Type::f64), factor), type); };
  return {times(tables.cosine), times(tables.sine), tables.interleaved};
}

Tensor rotated(const Tensor& x, const RotationTables& tables, Index begin) {
  if (!tables.defined()) return x;
  const Index pairs = tables.cosine.dim(-1), turning = 2 * pairs;
  const Tensor cosine = rows_of_table(tables.cosine, begin, x.dim(2)), sine = rows_of_table(tables.sine, begin, x.dim(2));
  const Tensor a = tables.interleaved ? slice(x, -1, 0, turning, 2) : slice(x, -1, 0, pairs);
  const Tensor b = tables.interleaved ? slice(x, -1, 1, turning, 2) : slice(x, -1, pairs, turning);
  const Tensor turned = join_pairs(subtract(multiply(a, cosine), multiply(b, sine)), add(multiply(a, sine), multiply(b, cosine)),
                                   tables.interleaved);
  return concatenate({turned, slice(x, -1, turning, x.dim(-1))}, -1);
}

}  // namespace ropewalk
