#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

constexpr Index kRows = 5;
constexpr double kEpsilon = 1e-5;

/// Means over a row in long double, of x (0 for RMS norm) and of its spread.
struct Statistics {
  Real mean = 0;
  Real reciprocal = 0;
};

template <class T>
Statistics statistics(const T* x, Index columns, bool centred) {
  Statistics s;
  for (Index c = 0; c < columns && centred; ++c) s.mean += x[c] / static_cast<Real>(columns);
  Real spread = 0;
  for (Index c = 0; c < columns; ++c) spread += (x[c] - s.mean) * (x[c] - s.mean) / static_cast<Real>(columns);
  s.reciprocal = 1 / std::sqrt(spread + static_cast<T>(kEpsilon));
  return s;
}

struct Gradients {
  std::vector<Real> dx, dweight, dbias;
};

/// From the Jacobian of xhat = (x - mean) * reciprocal, summed plainly:
/// dxhat_i/dx_j = reciprocal (same - centred/n - xhat_i xhat_j/n).
template <class T>
Gradients reference_gradients(const std::vector<T>& x, const std::vector<T>& weight, const std::vector<T>& dy, Index columns,
                              bool centred) {
  Gradients g{std::vector<Real>(x.size()), std::vector<Real>(columns), std::vector<Real>(columns)};
  for (Index r = 0; r < kRows; ++r) {
    const Index start = r * columns;
    const Statistics s = statistics(&x[start], columns, centred);
    const auto xhat = [&](Index c) { return (x[start + c] - s.mean) * s.reciprocal; };
    for (Index i = 0; i < columns; ++i) {
      g.dweight[i] += dy[start + i] * xhat(i);
      g.dbias[i] += dy[start + i];
      for (Index j = 0; j < columns; ++j) {
        const Real jacobian = s.reciprocal * ((i == j ? 1 : 0) - ((centred ? 1 : 0) + xhat(i) * xhat(j)) / columns);
        g.dx[start + j] += static_cast<Real>(dy[start + i]) * weight[i] * jacobian;
      }
    }
  }
  return g;
}

template <class T>
class Normalisation : public ::testing::Test {};
TYPED_TEST_SUITE(Normalisation, ElementTypes);

TYPED_TEST(Normalisation, LayerNorm) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index columns : {1, 7, 16, 17, 100}) {
      const std::vector<T> x = normal_values<T>(kRows * columns, 1, 2.0), weight = normal_values<T>(columns, 2);
      const std::vector<T> bias = normal_values<T>(columns, 3), dy = normal_values<T>(kRows * columns, 4);
      std::vector<T> y(x.size()), mean(kRows), reciprocal(kRows), dx(x.size()), dweight(columns, T(9)), dbias(columns, T(9));
      kernels.layer_norm(x.data(), weight.data(), bias.data(), y.data(), mean.data(), reciprocal.data(), kRows, columns,
                         static_cast<T>(kEpsilon));
      kernels.layer_norm_gradient(x.data(), weight.data(), mean.data(), reciprocal.data(), dy.data(), dx.data(), dweight.data(),
                                  dbias.data(), kRows, columns, false);
      std::vector<Real> expected(x.size());
      for (Index i = 0; i < kRows * columns; ++i) {
        const Statistics s = statistics(&x[i / columns * columns], columns, true);
        expected[i] = (x[i] - s.mean) * s.reciprocal * weight[i % columns] + bias[i % columns];
      }
      const Gradients gradients = reference_gradients(x, weight, dy, columns, true);
      const double tolerance = (columns == 1 ? 200 : 5) * kTolerance<T>;  // one column: 1/sqrt(epsilon) magnifies rounding
      expect_close(y, expected, tolerance, "value");
      expect_close(dx, gradients.dx, tolerance, "dx");
      expect_close(dweight, gradients.dweight, tolerance, "dweight");
      expect_close(dbias, gradients.dbias, tolerance, "dbias");

      std::vector<T> added(x.size(), T(3));
      kernels.layer_norm_gradient(x.data(), weight.data(), mean.data(), reciprocal.data(), dy.data(), added.data(),
                                  dweight.data(), dbias.data(), kRows, columns, true);
      for (std::size_t i = 0; i < added.size(); ++i) expected[i] = Real(3) + dx[i];
      expect_close(added, expected, kTolerance<T>, "dx added to 3");
    }
  });
}

TYPED_TEST(Normalisation, RmsNorm) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index columns : {1, 7, 16, 17, 100}) {
      const std::vector<T> x = normal_values<T>(kRows * columns, 5, 2.0), weight = normal_values<T>(columns, 6);
      const std::vector<T> dy = normal_values<T>(kRows * columns, 7);
      std::vector<T> y(x.size()), reciprocal(kRows), dx(x.size()), dweight(columns, T(9));
      kernels.rms_norm(x.data(), weight.data(), y.data(), reciprocal.data(), kRows, columns, static_cast<T>(kEpsilon));
      kernels.rms_norm_gradient(x.data(), weight.data(), reciprocal.data(), dy.data(), dx.data(), dweight.data(), kRows, columns,
                                false);
      std::vector<Real> expected(x.size());
      for (Index i = 0; i < kRows * columns; ++i) {
        expected[i] = x[i] * statistics(&x[i / columns * columns], columns, false).reciprocal * weight[i % columns];
      }
      const Gradients gradients = reference_gradients(x, weight, dy, columns, false);
      expect_close(y, expected, 5 * kTolerance<T>, "value");
      expect_close(dx, gradients.dx, 5 * kTolerance<T>, "dx");
      expect_close(dweight, gradients.dweight, 5 * kTolerance<T>, "dweight");

      std::vector<T> added(x.size(), T(3));
      kernels.rms_norm_gradient(x.data(), weight.data(), reciprocal.data(), dy.data(), added.data(), dweight.data(), kRows,
                                columns, true);
      for (std::size_t i = 0; i < added.size(); ++i) expected[i] = Real(3) + dx[i];
      expect_close(added, expected, kTolerance<T>, "dx added to 3");
    }
  });
}

TYPED_TEST(Normalisation, NaNSpreadsOverItsRowOnly) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    std::vector<T> x = normal_values<T>(40, 8), ones(20, T(1)), y(40), mean(2), reciprocal(2);
    x[19] = std::numeric_limits<T>::quiet_NaN();
    kernels.layer_norm(x.data(), ones.data(), ones.data(), y.data(), mean.data(), reciprocal.data(), 2, 20, T(kEpsilon));
    for (Index i = 0; i < 40; ++i) EXPECT_EQ(std::isnan(y[i]), i < 20);
    kernels.rms_norm(x.data(), ones.data(), y.data(), reciprocal.data(), 2, 20, T(kEpsilon));
    for (Index i = 0; i < 40; ++i) EXPECT_EQ(std::isnan(y[i]), i < 20);
  });
}

}  // namespace
}  // namespace ropewalk::kernels
