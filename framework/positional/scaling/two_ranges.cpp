#include "framework/positional/scaling/two_ranges.hpp"

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk::positional {
namespace {

class ProductInTwoRanges final : public ScoreTerm {
 public:
  ProductInTwoRanges(const Places& places, double window, const PairRotation& near, const PairRotation& far)
      : places_(places), window_(window), near_(near), far_(far) {}

  bool has_fused() const override { return false; }

  Tensor dense(const DenseBlock& block, const Tensors&) const override {
    const Tensor far = is_far(block), near = subtract(Tensor::full(far.shape(), 1, far.type()), far);
    return add(multiply(product(block, near_), near), multiply(product(block, far_), far));
  }

 private:
  static Tensor product(const DenseBlock& block, const PairRotation& rotation) {
    const Tensor q = rotated(block.query, rotation.queries, block.queries.begin), k = rotated(block.key, rotation.keys);
    return scale(matmul(q, transpose(k)), block.scale);
  }

  /// 1 for pairs further apart than the window, else 0: [S, 1, q, k].
  Tensor is_far(const DenseBlock& block) const {
    const Index sequences = places_.queries.sequences();
    std::vector<double> result;
    for (Index s = 0; s < sequences; ++s) {
      for (Index i = block.queries.begin; i < block.queries.end; ++i) {
        for (Index j = 0; j < block.keys(); ++j) result.push_back(places_.queries.at(s, i) - places_.keys.at(s, j) > window_);
      }
    }
    return Tensor::of(result, {sequences, 1, block.queries.size(), block.keys()}, block.query.type());
  }

  Places places_;
  double window_;
  PairRotation near_, far_;
};

}  // namespace

std::shared_ptr<ScoreTerm> product_in_two_ranges(const Places& places, double window, const PairRotation& near,
                                                 const PairRotation& far) {
  return std::make_shared<ProductInTwoRanges>(places, window, near, far);
}

}  // namespace ropewalk::positional
