#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

constexpr Index kRows = 3;

template <class T>
std::vector<Real> reference_softmax(const std::vector<T>& x, Index columns, bool logarithm) {
  std::vector<Real> y(x.size());
  for (std::size_t start = 0; start < x.size(); start += columns) {
    Real largest = x[start], total = 0;
    for (Index c = 0; c < columns; ++c) largest = std::max<Real>(largest, x[start + c]);
    for (Index c = 0; c < columns; ++c) total += std::exp(x[start + c] - largest);
    for (Index c = 0; c < columns; ++c) {
      const Real log_weight = x[start + c] - largest - std::log(total);
      y[start + c] = logarithm ? log_weight : std::exp(log_weight);
    }
  }
  return y;
}

/// Gradient of sum(y dy) with respect to x, from the Jacobian dy_i/dx_j.
template <class T>
std::vector<Real> reference_gradient(const std::vector<T>& x, const std::vector<T>& dy, Index columns, bool logarithm) {
  const std::vector<Real> p = reference_softmax(x, columns, false);
  std::vector<Real> dx(x.size());
  for (std::size_t start = 0; start < x.size(); start += columns) {
    for (Index i = 0; i < columns; ++i) {
      for (Index j = 0; j < columns; ++j) {
        const Real same = i == j ? 1 : 0;
        dx[start + j] += dy[start + i] * (logarithm ? same - p[start + j] : p[start + i] * (same - p[start + j]));
      }
    }
  }
  return dx;
}

template <class T>
class Softmax : public ::testing::Test {};
TYPED_TEST_SUITE(Softmax, ElementTypes);

TYPED_TEST(Softmax, ValueAndGradientAgreeWithReference) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index columns : {1, 7, 16, 17, 100}) {
      for (bool logarithm : {false, true}) {
        const std::vector<T> x = normal_values<T>(kRows * columns, 1, 3.0), dy = normal_values<T>(kRows * columns, 2);
        std::vector<T> y(x.size()), dx(x.size());
        kernels.softmax(x.data(), y.data(), kRows, columns, logarithm);
        kernels.softmax_gradient(y.data(), dy.data(), dx.data(), kRows, columns, logarithm);
        expect_close(y, reference_softmax(x, columns, logarithm), kTolerance<T>, "value");
        expect_close(dx, reference_gradient(x, dy, columns, logarithm), 4 * kTolerance<T>, "gradient");
      }
    }
  });
}

TYPED_TEST(Softmax, LargeScoresDoNotOverflow) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const std::vector<T> x{T(1e4), T(-1e4), T(1e4)};
    std::vector<T> y(3);
    kernels.softmax(x.data(), y.data(), 1, 3, false);
    EXPECT_EQ(y, (std::vector<T>{T(0.5), 0, T(0.5)}));
  });
}

TYPED_TEST(Softmax, FullyMaskedRowGivesZeroWeightsAndZeroGradients) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const std::vector<T> x(19, -std::numeric_limits<T>::infinity()), dy = normal_values<T>(19, 3), zeros(19);
    std::vector<T> y(19, T(5)), dx(19, T(5));
    kernels.softmax(x.data(), y.data(), 1, 19, false);
    EXPECT_EQ(y, zeros);
    kernels.softmax_gradient(y.data(), dy.data(), dx.data(), 1, 19, false);
    EXPECT_EQ(dx, zeros);
    kernels.softmax(x.data(), y.data(), 1, 19, true);
    EXPECT_EQ(y, x);
    kernels.softmax_gradient(y.data(), dy.data(), dx.data(), 1, 19, true);
    EXPECT_EQ(dx, zeros);
  });
}

TYPED_TEST(Softmax, NaNAndInfinityShowAsNaN) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
      std::vector<T> x = normal_values<T>(20, 4), y(20);
      x[18] = bad;
      kernels.softmax(x.data(), y.data(), 1, 20, false);
      EXPECT_TRUE(std::isnan(y[18]));
      EXPECT_TRUE(std::isinf(bad) || std::isnan(y[0]));
    }
  });
}

}  // namespace
}  // namespace ropewalk::kernels
