// What the kernel tests share: inputs, every instruction set in turn, and comparison with a reference in long double.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "framework/kernels/kernels.hpp"

namespace ropewalk::kernels {

using Real = long double;
using ElementTypes = ::testing::Types<float, double>;

/// Sizes around vector widths and register tiles.
inline const std::vector<Index> kSizes{0, 1, 7, 16, 17, 100, 259};

template <class T>
std::vector<T> normal_values(Index n, unsigned seed, double scale = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0, scale);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = static_cast<T>(normal(generator));
  return values;
}

/// Calls body(table) for every instruction set that this processor runs.
template <class T, class Body>
void for_every_table(Body body) {
  for (const std::string& name : instruction_sets()) {
    SCOPED_TRACE(name);
    body(table<T>(name));
  }
}

/// Rounding allowed relative to max(1, |expected|).
template <class T>
constexpr double kTolerance = sizeof(T) == sizeof(float) ? 2e-6 : 1e-14;

/// NaN equals NaN, infinity equals itself, the rest agrees to `tolerance` * max(1, |expected|).
inline void expect_close(Real actual, Real expected, double tolerance, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what << ": got " << actual;
  } else if (std::isinf(expected)) {
    EXPECT_EQ(actual, expected) << what;
  } else {
    EXPECT_NEAR(static_cast<double>(actual), static_cast<double>(expected),
                tolerance * std::max(1.0, static_cast<double>(std::abs(expected))))
        << what;
  }
}

template <class T>
void expect_close(const std::vector<T>& actual, const std::vector<Real>& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    expect_close(static_cast<Real>(actual[i]), expected[i], tolerance, what + " [" + std::to_string(i) + "]");
    if (::testing::Test::HasFailure()) return;  // one line tells enough
  }
}

}  // namespace ropewalk::kernels
