#include "framework/ops/rotation.hpp"

#include <algorithm>
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

std::vector<double> RotationGrowth::positions_of(Index query) const {
  return slice(query_positions, -1, query, query + 1).values();
}

double RotationGrowth::exponent_over(Index count) const {
  const Tensor positions = packed(query_positions);
  const std::vector<double> rates = rate.values();
  double fastest = 0, longest = 0;
  for (double per_token : rates) fastest = std::max(fastest, std::abs(per_token));
  const Index length = positions.dim(-1);
  for (Index row = 0; row < positions.size(); row += length) {
    const double* at = positions.data<double>() + row;
    for (Index begin = 0; begin < length; begin += count) {
      longest = std::max(longest, std::abs(at[std::min(begin + count, length) - 1] - at[begin]));
    }
  }
  return fastest * longest;
}

RotationTables grown(const RotationTables& tables, const Tensor& rate, const Tensor& positions,
                     const std::vector<double>& centres) {
  const Index pairs = rate.size(), length = positions.dim(-1);
  Tensor factor = Tensor::empty(tables.cosine.shape(), Type::f64);
  check(factor.size() == positions.size() * pairs, "rotation: {} positions do not fit tables {}", positions.size(),
        tables.cosine.shape());
  check(static_cast<Index>(centres.size()) * length == positions.size(), "rotation: {} centres do not fit positions {}",
        centres.size(), positions.shape());
  const double *at = positions.data<double>(), *per_token = rate.data<double>();
  for (Index i = 0; i < positions.size(); ++i) {
    const double away = at[i] - centres[static_cast<std::size_t>(i / length)];
    for (Index j = 0; j < pairs; ++j) factor.data<double>()[i * pairs + j] = std::exp(per_token[j] * away);
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
