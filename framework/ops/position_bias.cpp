#include "framework/ops/position_bias.hpp"

#include <algorithm>

#include "framework/ops/layout.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk {
namespace {

using kernels::Range;

const std::int32_t* row_of(const Tensor& positions, Index batch) {
  return positions.data<std::int32_t>() + (positions.dim(0) > 1 ? batch : 0) * positions.dim(1);
}

template <class T>
class Hook final : public kernels::ScoreBias<T> {
 public:
  Hook(const Tensor& values, Index nearest, const Tensor& query_positions, const Tensor& key_positions, bool collects)
      : values_(packed(values)), nearest_(nearest), query_positions_(query_positions), key_positions_(key_positions) {
    if (collects) collected_ = Tensor::zeros(values.shape(), values.type());
  }

  void add(Index batch, Index head, Range queries, Range keys, T* scores, Index stride) const override {
    kernels::table<T>().add_position_bias(row(values_, head), -nearest_, positions(batch), queries, keys, scores, stride);
  }

  void collect(Index batch, Index head, Range queries, Range keys, const T* dscores, Index stride) override {
    kernels::table<T>().collect_position_bias(row(collected_, head), -nearest_, positions(batch), queries, keys, dscores, stride);
  }

  Tensors gradients() const { return {collected_}; }

 private:
  kernels::Positions positions(Index batch) const { return {row_of(query_positions_, batch), row_of(key_positions_, batch)}; }
  static T* row(const Tensor& x, Index head) { return x.data<T>() + head * x.dim(1); }

  Tensor values_, collected_;
  Index nearest_;
  Tensor query_positions_, key_positions_;
};

class PositionBias final : public ScoreTerm {
 public:
  PositionBias(const Tensor& values, Index nearest, const Tensor& query_positions, const Tensor& key_positions)
      : values_(values), nearest_(nearest), query_positions_(packed(query_positions)), key_positions_(packed(key_positions)) {}

  Tensors inputs() const override { return {values_}; }

  Tensor dense(const DenseBlock& block, const Tensors& inputs) const override {
    const Index sequences = query_positions_.dim(0), queries = block.queries.size(), keys = block.keys();
    const Tensor index = Tensor::empty({sequences, queries, keys}, Type::i32);
    std::int32_t* at = index.data<std::int32_t>();
    for (Index s = 0; s < sequences; ++s) {
      for (Index i = block.queries.begin; i < block.queries.end; ++i) {
        for (Index j = 0; j < keys; ++j) {
          *at++ = row_of(query_positions_, s)[i] - row_of(key_positions_, s)[j] - static_cast<std::int32_t>(nearest_);
        }
      }
    }
    return permute(gather(inputs[0], 1, index), {1, 0, 2, 3});
  }

  FusedBias fused(Index heads, Index queries, Index keys, Type type, bool collects) const override {
    check(values_.dim(0) == heads && query_positions_.dim(1) == queries && key_positions_.dim(1) == keys,
          "attention: a bias {} by {} query and {} key positions does not cover {} heads, {} queries and {} keys",
          values_.shape(), query_positions_.dim(1), key_positions_.dim(1), heads, queries, keys);
    check(values_.type() == type, "attention: bias {} and queries {} differ in type", name_of(values_.type()), name_of(type));
    return fuse<Hook>(type, values_, nearest_, query_positions_, key_positions_, collects);
  }

 private:
  Tensor values_;
  Index nearest_;
  Tensor query_positions_, key_positions_;
};

/// The smallest and the largest of the positions that a sequence has.
std::pair<Index, Index> extremes(const Tensor& positions, Index sequence) {
  const std::int32_t* row = row_of(positions, sequence);
  const auto [least, most] = std::minmax_element(row, row + positions.dim(1));
  return {*least, *most};
}

void check_covered(const Tensor& values, Index nearest, const Tensor& query_positions, const Tensor& key_positions) {
  if (query_positions.size() == 0 || key_positions.size() == 0) return;
  for (Index s = 0; s < std::max(query_positions.dim(0), key_positions.dim(0)); ++s) {
    const auto [first_query, last_query] = extremes(query_positions, s);
    const auto [first_key, last_key] = extremes(key_positions, s);
    check(first_query - last_key >= nearest && last_query - first_key < nearest + values.dim(1),
          "position_bias: distances {} to {} are not within the {} values from {} on", first_query - last_key,
          last_query - first_key, values.dim(1), nearest);
  }
}

}  // namespace

std::shared_ptr<ScoreTerm> position_bias(const Tensor& values, Index nearest, const Tensor& query_positions,
                                         const Tensor& key_positions) {
  check(values.rank() == 2 && query_positions.rank() == 2 && key_positions.rank() == 2,
        "position_bias: expected values [H, N] and positions [S, T], got {}, {} and {}", values.shape(), query_positions.shape(),
        key_positions.shape());
  check_covered(values, nearest, packed(query_positions), packed(key_positions));
  return std::make_shared<PositionBias>(values, nearest, query_positions, key_positions);
}

}  // namespace ropewalk
