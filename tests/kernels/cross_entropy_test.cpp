#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

template <class T>
Real reference_log_sum_exp(const T* row, Index columns) {
  Real total = 0;
  for (Index c = 0; c < columns; ++c) total += std::exp(static_cast<Real>(row[c]));
  return std::log(total);
}

template <class T>
class CrossEntropy : public ::testing::Test {};
TYPED_TEST_SUITE(CrossEntropy, ElementTypes);

TYPED_TEST(CrossEntropy, ValueAndGradientAgreeWithReference) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index columns : {1, 7, 16, 17, 100}) {
      const std::int32_t classes = static_cast<std::int32_t>(columns);
      const std::vector<std::int32_t> target{0, classes - 1, -1, classes / 2};
      const std::vector<T> logits = normal_values<T>(4 * columns, 1, 3.0), dloss = normal_values<T>(4, 2);
      std::vector<T> loss(4, T(9)), log_sum_exp(4), dlogits(4 * columns, T(9));
      kernels.cross_entropy(logits.data(), target.data(), loss.data(), log_sum_exp.data(), 4, columns);
      kernels.cross_entropy_gradient(logits.data(), target.data(), log_sum_exp.data(), dloss.data(), dlogits.data(), 4, columns);

      std::vector<Real> expected_loss(4), expected_gradient(4 * columns);
      for (Index r = 0; r < 4; ++r) {
        if (target[r] < 0) continue;
        const Real normaliser = reference_log_sum_exp(&logits[r * columns], columns);
        expected_loss[r] = normaliser - logits[r * columns + target[r]];
        for (Index c = 0; c < columns; ++c) {
          expected_gradient[r * columns + c] =
              dloss[r] * (std::exp(logits[r * columns + c] - normaliser) - (c == target[r] ? 1 : 0));
        }
      }
      expect_close(loss, expected_loss, 4 * kTolerance<T>, "loss");
      expect_close(dlogits, expected_gradient, 4 * kTolerance<T>, "gradient");
    }
  });
}

TYPED_TEST(CrossEntropy, DivergedLogitsGiveANonFiniteLoss) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
      std::vector<T> logits = normal_values<T>(40, 3);
      logits[33] = bad;
      const std::int32_t target = 2;
      T loss = 0, log_sum_exp = 0;
      kernels.cross_entropy(logits.data(), &target, &loss, &log_sum_exp, 1, 40);
      EXPECT_FALSE(std::isfinite(loss));
    }
  });
}

TYPED_TEST(CrossEntropy, LargeLogitsStayExact) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const std::vector<T> logits{T(1e4), T(-1e4)};
    const std::int32_t target = 1;
    T loss = 0, log_sum_exp = 0;
    kernels.cross_entropy(logits.data(), &target, &loss, &log_sum_exp, 1, 2);
    EXPECT_EQ(loss, T(2e4));
  });
}

}  // namespace
}  // namespace ropewalk::kernels
