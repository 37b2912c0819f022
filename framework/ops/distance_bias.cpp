#include "framework/ops/distance_bias.hpp"

#include <algorithm>

#include "framework/ops/select.hpp"

namespace ropewalk {
namespace {

using kernels::Range;

/// Copy of a matrix with each row read from its end: by query − key instead of key − query, or back.
Tensor reversed(const Tensor& x) {
  const Tensor rows = copy(x);
  dispatch(x.type(), [&]<class T>(T) {
    for (Index r = 0; r < rows.dim(0); ++r) {
      std::reverse(rows.data<T>() + r * rows.dim(1), rows.data<T>() + (r + 1) * rows.dim(1));
    }
  });
  return rows;
}

template <class T>
class Hook final : public kernels::ScoreBias<T> {
 public:
  Hook(const Tensor& values, Index keys, bool collects) : values_(reversed(values)), offset_(keys - 1) {
    if (collects) collected_ = Tensor::zeros(values.shape(), values.type());
  }

  void add(Index, Index head, Range queries, Range keys, T* scores, Index stride) const override {
    kernels::table<T>().add_distance_bias(row(values_, head), offset_, queries, keys, scores, stride);
  }

  void collect(Index, Index head, Range queries, Range keys, const T* dscores, Index stride) override {
    kernels::table<T>().collect_distance_bias(row(collected_, head), offset_, queries, keys, dscores, stride);
  }

  Tensors gradients() const { return {reversed(collected_)}; }

 private:
  static T* row(const Tensor& x, Index head) { return x.data<T>() + head * x.dim(1); }

  Tensor values_, collected_;
  Index offset_;
};

class DistanceBias final : public ScoreTerm {
 public:
  explicit DistanceBias(const Tensor& values) : values_(values) {}

  Tensors inputs() const override { return {values_}; }

  Tensor dense(const DenseBlock& block, const Tensors& inputs) const override {
    check_covers(block.query.dim(1), block.all_queries, block.all_keys);
    const Index rows = block.queries.size(), columns = block.keys();
    Tensor index = Tensor::empty({rows, columns}, Type::i32);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) {
        index.data<std::int32_t>()[i * columns + j] =
            static_cast<std::int32_t>(j - i - block.queries.begin + block.all_queries - 1);
      }
    }
    return gather(inputs[0], 1, index);
  }

  FusedBias fused(Index heads, Index queries, Index keys, Type type, bool collects) const override {
    check_covers(heads, queries, keys);
    check(values_.type() == type, "attention: bias {} and queries {} differ in type", name_of(values_.type()), name_of(type));
    return fuse<Hook>(type, values_, keys, collects);
  }

 private:
  void check_covers(Index heads, Index queries, Index keys) const {
    check(values_.dim(0) == heads && (queries * keys == 0 || values_.dim(1) == queries + keys - 1),
          "attention: a distance bias {} does not cover {} heads, {} queries and {} keys", values_.shape(), heads, queries, keys);
  }

  Tensor values_;
};

}  // namespace

std::shared_ptr<ScoreTerm> distance_bias(const Tensor& values) {
  check(values.rank() == 2, "distance_bias: expected values [H, queries + keys - 1], got {}", values.shape());
  return std::make_shared<DistanceBias>(values);
}

}  // namespace ropewalk
