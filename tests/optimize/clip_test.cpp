#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/optimize/optimizer.hpp"

namespace ropewalk::optimize {
namespace {

TEST(GlobalNorm, IsEuclidean) {
  EXPECT_EQ(global_norm(Tensor::of(std::vector<double>{3, 0, -4}, {3})), 5);
  EXPECT_EQ(global_norm(Tensor::zeros({0})), 0);
}

TEST(GlobalNorm, IsSummedInDouble) {
  EXPECT_NEAR(global_norm(Tensor::full({1'000'000}, 1e-3)), 1.0, 1e-7);
  EXPECT_NEAR(global_norm(Tensor::full({4}, 1e30)), 2e30, 1e24) << "the squares are beyond single precision";
}

TEST(GlobalNorm, ShowsWhatIsNotFinite) {
  for (Index place : {0, 5, 36}) {
    for (Type type : {Type::f32, Type::f64}) {
      std::vector<double> values(37, 1.0);
      values[static_cast<std::size_t>(place)] = std::nan("");
      EXPECT_TRUE(std::isnan(global_norm(Tensor::of(values, {37}, type))));
      values[static_cast<std::size_t>(place)] = -std::numeric_limits<double>::infinity();
      EXPECT_TRUE(std::isinf(global_norm(Tensor::of(values, {37}, type))));
    }
  }
}

TEST(Clip, BringsLargeGradientsDownToTheLimit) {
  EXPECT_EQ(clip_factor(4, 1), 0.25);
  EXPECT_EQ(clip_factor(1, 1), 1);
  EXPECT_EQ(clip_factor(0.5, 1), 1);
  EXPECT_EQ(clip_factor(0, 1), 1);
}

TEST(Clip, ALimitOfZeroMeansNone) { EXPECT_EQ(clip_factor(1e9, 0), 1); }

}  // namespace
}  // namespace ropewalk::optimize
