// What models without positions, or with symmetric ones, can know of the order of their tokens.
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

/// Logits of the tokens taken in another order, put back in the old one: equal to the logits of the old order if the model cannot
/// tell the two apart.
double difference_in_order(const nn::TransformerSettings& settings, const std::vector<Index>& order) {
  const toy::Model model(settings);
  const Index length = static_cast<Index>(order.size());
  const Tensor tokens = toy::tokens(1, length), moved = Tensor::empty(tokens.shape(), Type::i32);
  for (Index i = 0; i < length; ++i) {
    moved.data<std::int32_t>()[i] = tokens.data<std::int32_t>()[order[static_cast<std::size_t>(i)]];
  }
  const std::vector<double> here = model(tokens).values(), there = model(moved).values();
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t v = 0; v < toy::vocabulary; ++v) {
      const std::size_t from = static_cast<std::size_t>(order[i]) * toy::vocabulary + v;
      largest = std::max(largest, std::abs(there[i * toy::vocabulary + v] - here[from]));
    }
  }
  return largest;
}

const std::vector<Index> shuffled{3, 0, 6, 1, 5, 2, 4}, backwards{6, 5, 4, 3, 2, 1, 0};

TEST(Order, AnEncoderWithoutPositionsIsABagOfWords) {
  EXPECT_LT(difference_in_order(toy::settings("encoder", "none"), shuffled), 1e-12);
}

TEST(Order, UnderTheMaskOrderMattersEvenWithoutPositions) {
  EXPECT_GT(difference_in_order(toy::settings("decoder", "none"), shuffled), 1e-3);
}

TEST(Order, AnEncoderWithSymmetricAlibiCannotTellLeftFromRightButNearFromFar) {
  EXPECT_LT(difference_in_order(toy::settings("encoder", "alibi"), backwards), 1e-12);
  EXPECT_GT(difference_in_order(toy::settings("encoder", "alibi"), shuffled), 1e-4);
  EXPECT_GT(difference_in_order(toy::settings("decoder", "alibi"), backwards), 1e-3);
}

TEST(Order, OtherEncodersTellLeftFromRight) {
  for (const char* scheme : {"sinusoidal", "learned", "rope", "t5"}) {
    EXPECT_GT(difference_in_order(toy::settings("encoder", scheme), backwards), 1e-4) << scheme;
  }
}

}  // namespace
}  // namespace ropewalk
