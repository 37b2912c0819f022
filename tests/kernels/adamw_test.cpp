#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

template <class T>
class AdamW : public ::testing::Test {};
TYPED_TEST_SUITE(AdamW, ElementTypes);

TYPED_TEST(AdamW, FollowsTheRecurrenceOverSeveralSteps) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index n : kSizes) {
      std::vector<T> parameter = normal_values<T>(n, 1), m(n), v(n);
      std::vector<Real> expected(parameter.begin(), parameter.end()), first(n), second(n);
      for (int t = 1; t <= 5; ++t) {
        const AdamStep step{.rate = 0.01,
                            .beta1 = 0.9,
                            .beta2 = 0.98,
                            .epsilon = 1e-8,
                            .decay = 0.1,
                            .correction1 = 1 - std::pow(0.9, t),
                            .correction2 = 1 - std::pow(0.98, t),
                            .gradient_scale = 0.5};
        const std::vector<T> gradient = normal_values<T>(n, 10 + t);
        kernels.adamw(step, gradient.data(), parameter.data(), m.data(), v.data(), n);
        for (Index i = 0; i < n; ++i) {
          const Real g = step.gradient_scale * static_cast<Real>(gradient[i]);
          first[i] = 0.9 * first[i] + (1 - 0.9) * g;
          second[i] = 0.98 * second[i] + (1 - 0.98) * g * g;
          expected[i] -= step.rate * step.decay * expected[i];
          expected[i] -= step.rate * (first[i] / step.correction1) / (std::sqrt(second[i] / step.correction2) + step.epsilon);
        }
      }
      expect_close(parameter, expected, kTolerance<T>, "parameter");
      expect_close(m, first, kTolerance<T>, "first moment");
      expect_close(v, second, kTolerance<T>, "second moment");
    }
  });
}

TYPED_TEST(AdamW, NaNGradientShows) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    T gradient = std::numeric_limits<T>::quiet_NaN(), parameter = 1, m = 0, v = 0;
    kernels.adamw({.rate = 0.1, .beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-8}, &gradient, &parameter, &m, &v, 1);
    EXPECT_TRUE(std::isnan(parameter));
  });
}

}  // namespace
}  // namespace ropewalk::kernels
