#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

template <class T>
class Rows : public ::testing::Test {};
TYPED_TEST_SUITE(Rows, ElementTypes);

TYPED_TEST(Rows, SumAndSumOfSquares) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index n : kSizes) {
      const std::vector<T> x = normal_values<T>(n, 1);
      Real total = 0, squares = 0;
      for (T value : x) {
        total += value;
        squares += static_cast<Real>(value) * value;
      }
      expect_close(kernels.sum(x.data(), n), total, 10 * kTolerance<T>, "sum");
      expect_close(kernels.sum_of_squares(x.data(), n), squares, 1e-14, "sum_of_squares");
    }
  });
}

TYPED_TEST(Rows, SumDoesNotDependOnTheAddress) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const std::vector<T> x = normal_values<T>(259, 2);
    for (Index shift = 1; shift < 20; ++shift) {
      std::vector<T> moved(static_cast<std::size_t>(shift));
      moved.insert(moved.end(), x.begin(), x.end());
      EXPECT_EQ(kernels.sum(moved.data() + shift, 259), kernels.sum(x.data(), 259));
      EXPECT_EQ(kernels.sum_of_squares(moved.data() + shift, 259), kernels.sum_of_squares(x.data(), 259));
    }
  });
}

TYPED_TEST(Rows, MaximumFindsEveryPlaceAndPropagatesNaN) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index n : {1, 7, 16, 17, 100}) {
      for (Index place = 0; place < n; ++place) {
        std::vector<T> x(n, T(-3));
        x[place] = 2;
        EXPECT_EQ(kernels.maximum(x.data(), n), 2);
        x[place] = std::numeric_limits<T>::quiet_NaN();
        EXPECT_TRUE(std::isnan(kernels.maximum(x.data(), n))) << place << " of " << n;
      }
    }
  });
}

TYPED_TEST(Rows, ColumnSum) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index rows : {0, 1, 5}) {
      for (Index columns : kSizes) {
        const std::vector<T> x = normal_values<T>(rows * columns, 3);
        std::vector<T> sums(columns, T(9));
        std::vector<Real> expected_sums(columns);
        for (Index i = 0; i < rows * columns; ++i) expected_sums[i % columns] += x[i];
        kernels.column_sum(x.data(), sums.data(), rows, columns, false);
        expect_close(sums, expected_sums, kTolerance<T>, "column_sum");
        std::vector<T> onto(columns, T(2));
        kernels.column_sum(x.data(), onto.data(), rows, columns, true);
        for (Index c = 0; c < columns; ++c) EXPECT_EQ(onto[c], T(2) + sums[c]);
      }
    }
  });
}

}  // namespace
}  // namespace ropewalk::kernels
