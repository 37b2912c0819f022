#include <functional>
#include <map>

#include "tests/kernels/support.hpp"

namespace ropewalk::kernels {
namespace {

constexpr Real kPi = 3.14159265358979323846264338327950288L;

Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
Real log_sigmoid(Real x) { return std::min(x, Real(0)) - std::log1p(std::exp(-std::abs(x))); }
Real normal_density(Real x) { return std::exp(-x * x / 2) / std::sqrt(2 * kPi); }
Real normal_distribution(Real x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }
Real tanh_argument(Real x) { return std::sqrt(2 / kPi) * (x + 0.044715L * x * x * x); }

Real gelu_tanh(Real x) { return x * (1 + std::tanh(tanh_argument(x))) / 2; }
Real gelu_tanh_slope(Real x) {
  const Real t = std::tanh(tanh_argument(x));
  return (1 + t) / 2 + x * (1 - t * t) / 2 * std::sqrt(2 / kPi) * (1 + 3 * 0.044715L * x * x);
}

struct Reference {
  std::string name;
  std::function<Real(Real)> value;
  std::function<Real(Real)> slope;
  bool positive = false;  // only defined for x > 0
};

const std::map<Unary, Reference>& references() {
  static const std::map<Unary, Reference> table{
      {Unary::exp, {"exp", [](Real x) { return std::exp(x); }, [](Real x) { return std::exp(x); }}},
      {Unary::log, {"log", [](Real x) { return std::log(x); }, [](Real x) { return 1 / x; }, true}},
      {Unary::tanh, {"tanh", [](Real x) { return std::tanh(x); }, [](Real x) { return 1 - std::tanh(x) * std::tanh(x); }}},
      {Unary::sigmoid, {"sigmoid", sigmoid, [](Real x) { return sigmoid(x) * (1 - sigmoid(x)); }}},
      {Unary::relu, {"relu", [](Real x) { return x < 0 ? 0 : x; }, [](Real x) -> Real { return x > 0 ? 1 : 0; }}},
      {Unary::silu,
       {"silu", [](Real x) { return x * sigmoid(x); }, [](Real x) { return sigmoid(x) * (1 + x * (1 - sigmoid(x))); }}},
      {Unary::gelu,
       {"gelu", [](Real x) { return x * normal_distribution(x); },
        [](Real x) { return normal_distribution(x) + x * normal_density(x); }}},
      {Unary::gelu_tanh, {"gelu_tanh", gelu_tanh, gelu_tanh_slope}},
      {Unary::negate, {"negate", [](Real x) { return -x; }, [](Real) -> Real { return -1; }}},
      {Unary::square_root,
       {"square_root", [](Real x) { return std::sqrt(x); }, [](Real x) { return 0.5L / std::sqrt(x); }, true}},
      {Unary::log_sigmoid, {"log_sigmoid", log_sigmoid, [](Real x) { return sigmoid(-x); }}},
  };
  return table;
}

template <class T>
std::vector<T> inputs_of(const Reference& reference, Index n) {
  std::vector<T> x = normal_values<T>(n, 1, 2.0);
  if (reference.positive) {
    for (T& value : x) value = std::abs(value) + T(0.25);
  }
  return x;
}

template <class T>
class Elementwise : public ::testing::Test {};
TYPED_TEST_SUITE(Elementwise, ElementTypes);

TYPED_TEST(Elementwise, UnaryAgreesWithReferenceAtEverySizeAndStride) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (const auto& [kind, reference] : references()) {
      for (Index n : kSizes) {
        for (Index stride : {0, 1, 2}) {
          const std::vector<T> x = inputs_of<T>(reference, 2 * n + 1);
          std::vector<T> y(n);
          std::vector<Real> expected(n);
          for (Index i = 0; i < n; ++i) expected[i] = reference.value(x[i * stride]);
          kernels.unary(kind, x.data(), stride, y.data(), n);
          expect_close(y, expected, kTolerance<T>, reference.name);
        }
      }
    }
  });
}

TYPED_TEST(Elementwise, UnaryGradientAgreesWithDerivative) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (const auto& [kind, reference] : references()) {
      for (Index n : kSizes) {
        const std::vector<T> x = inputs_of<T>(reference, n), dy = normal_values<T>(n, 2);
        std::vector<T> y(n), dx(n);
        std::vector<Real> expected(n);
        for (Index i = 0; i < n; ++i) {
          y[i] = static_cast<T>(reference.value(x[i]));
          expected[i] = dy[i] * reference.slope(x[i]);
        }
        kernels.unary_gradient(kind, x.data(), y.data(), dy.data(), dx.data(), n);
        expect_close(dx, expected, 4 * kTolerance<T>, reference.name);
      }
    }
  });
}

TYPED_TEST(Elementwise, NaNIsNeverHidden) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for_every_table<T>([&](const Table<T>& kernels) {
    for (const auto& [kind, reference] : references()) {
      T y = 0, dx = 0;
      const T one = 1;
      kernels.unary(kind, &nan, 1, &y, 1);
      EXPECT_TRUE(std::isnan(y)) << reference.name;
      if (kind == Unary::negate) continue;  // its slope is constant
      kernels.unary_gradient(kind, &nan, &y, &one, &dx, 1);
      EXPECT_TRUE(std::isnan(dx)) << reference.name;
    }
  });
}

TYPED_TEST(Elementwise, ExtremesSaturateOrOverflowAsTheFunctionDoes) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity();
  for_every_table<T>([&](const Table<T>& kernels) {
    const auto value = [&](Unary kind, T x) {
      T y = 0;
      kernels.unary(kind, &x, 1, &y, 1);
      return y;
    };
    EXPECT_EQ(value(Unary::exp, 0), 1);
    EXPECT_EQ(value(Unary::exp, -infinity), 0);
    EXPECT_EQ(value(Unary::exp, T(-1e4)), 0);
    EXPECT_EQ(value(Unary::exp, T(1e4)), infinity);
    EXPECT_EQ(value(Unary::exp, infinity), infinity);
    EXPECT_EQ(value(Unary::tanh, infinity), 1);
    EXPECT_EQ(value(Unary::tanh, T(-1e4)), -1);
    EXPECT_EQ(value(Unary::sigmoid, T(-1e4)), 0);
    EXPECT_EQ(value(Unary::sigmoid, infinity), 1);
    for (Unary gate : {Unary::relu, Unary::silu, Unary::gelu, Unary::gelu_tanh}) {
      EXPECT_EQ(value(gate, T(1e4)), T(1e4));
      EXPECT_EQ(value(gate, infinity), infinity);
      EXPECT_EQ(value(gate, T(-1e4)), 0);
    }
    EXPECT_EQ(value(Unary::log_sigmoid, T(-1e4)), T(-1e4));
    EXPECT_EQ(value(Unary::log_sigmoid, -infinity), -infinity);
    EXPECT_EQ(value(Unary::log_sigmoid, T(1e4)), 0);
    EXPECT_EQ(value(Unary::log_sigmoid, infinity), 0);
    EXPECT_EQ(value(Unary::log, 0), -infinity);
    EXPECT_TRUE(std::isnan(value(Unary::log, -1)));
    EXPECT_TRUE(std::isnan(value(Unary::square_root, -1)));
  });
}

TYPED_TEST(Elementwise, SlopeOfLogSigmoidSaturates) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity();
  const std::vector<T> x{-infinity, T(-1e4), 0, T(1e4), infinity}, dy(x.size(), T(1));
  for_every_table<T>([&](const Table<T>& kernels) {
    std::vector<T> y(x.size()), dx(x.size());
    kernels.unary(Unary::log_sigmoid, x.data(), 1, y.data(), 5);
    kernels.unary_gradient(Unary::log_sigmoid, x.data(), y.data(), dy.data(), dx.data(), 5);
    EXPECT_EQ(dx, (std::vector<T>{1, 1, T(0.5), 0, 0}));
  });
}

TYPED_TEST(Elementwise, ValueAndGradientInOnePassAreThoseOfTwo) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (const auto& [kind, reference] : references()) {
      for (Index n : kSizes) {
        std::vector<T> x = inputs_of<T>(reference, n), dy = normal_values<T>(n, 2), y(n), dx(n);
        kernels.unary(kind, x.data(), 1, y.data(), n);
        kernels.unary_gradient(kind, x.data(), y.data(), dy.data(), dx.data(), n);
        kernels.unary_with_gradient(kind, x.data(), dy.data(), n);
        EXPECT_EQ(x, y) << reference.name;
        expect_close(dy, std::vector<Real>(dx.begin(), dx.end()), kTolerance<T>, reference.name);
      }
    }
  });
}

// The float functions are our own polynomials: their stated errors, over the whole range.
TEST(FloatFunctions, StayWithinTheirStatedErrors) {
  for_every_table<float>([](const Table<float>& kernels) {
    const auto largest_error = [&](Unary kind, double from, double to, auto reference, bool relative) {
      double largest = 0;
      for (int i = 0; i <= 20000; ++i) {
        const float x = static_cast<float>(from + (to - from) * i / 20000);
        float y = 0;
        kernels.unary(kind, &x, 1, &y, 1);
        const double expected = static_cast<double>(reference(static_cast<Real>(x)));
        largest = std::max(largest, std::abs(y - expected) / (relative ? std::abs(expected) + 1e-300 : 1.0));
      }
      return largest;
    };
    const auto& functions = references();
    EXPECT_LT(largest_error(Unary::exp, -86.8, 88.72, functions.at(Unary::exp).value, true), 1.2e-7);
    EXPECT_LT(largest_error(Unary::tanh, -12, 12, functions.at(Unary::tanh).value, true), 2.5e-7);
    EXPECT_LT(largest_error(Unary::sigmoid, -86, 30, functions.at(Unary::sigmoid).value, true), 2.5e-7);
    EXPECT_LT(largest_error(Unary::log_sigmoid, -100, 86, functions.at(Unary::log_sigmoid).value, true), 4e-7);
    EXPECT_LT(largest_error(Unary::gelu, -5, 5, functions.at(Unary::gelu).value, false), 6e-7);
    EXPECT_LT(largest_error(Unary::gelu, -5, -0.01, functions.at(Unary::gelu).value, true), 1.5e-6);
  });
}

TYPED_TEST(Elementwise, BinaryAgreesWithReferenceAtEveryStride) {
  using T = TypeParam;
  const std::map<Binary, std::function<T(T, T)>> operations{{Binary::add, [](T a, T b) { return a + b; }},
                                                            {Binary::subtract, [](T a, T b) { return a - b; }},
                                                            {Binary::multiply, [](T a, T b) { return a * b; }},
                                                            {Binary::divide, [](T a, T b) { return a / b; }}};
  for_every_table<T>([&](const Table<T>& kernels) {
    for (const auto& [kind, operation] : operations) {
      for (Index n : kSizes) {
        for (Index left : {0, 1, 2}) {
          for (Index right : {0, 1, 3}) {
            const std::vector<T> a = normal_values<T>(2 * n + 1, 3), b = normal_values<T>(3 * n + 1, 4);
            std::vector<T> y(n), expected(n);
            for (Index i = 0; i < n; ++i) expected[i] = operation(a[i * left], b[i * right]);
            kernels.binary(kind, a.data(), left, b.data(), right, y.data(), n);
            EXPECT_EQ(y, expected);
          }
        }
      }
    }
  });
}

TYPED_TEST(Elementwise, AccumulateAdds) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Index n : kSizes) {
      const std::vector<T> x = normal_values<T>(n, 5), before = normal_values<T>(n, 6);
      std::vector<T> y = before, expected(n);
      for (Index i = 0; i < n; ++i) expected[i] = before[i] + x[i];
      kernels.accumulate(x.data(), y.data(), n);
      EXPECT_EQ(y, expected);
    }
  });
}

TYPED_TEST(Elementwise, ValueDependsNeitherOnAddressNorOnIndex) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (const auto& [kind, reference] : references()) {
      const std::vector<T> x = inputs_of<T>(reference, 100);
      std::vector<T> whole(100), shifted(100);
      kernels.unary(kind, x.data(), 1, whole.data(), 100);
      for (Index start = 0; start < 20; ++start) {
        kernels.unary(kind, x.data() + start, 1, shifted.data() + start, 100 - start);
        for (Index i = start; i < 100; ++i) ASSERT_EQ(whole[i], shifted[i]) << reference.name;
      }
    }
  });
}

}  // namespace
}  // namespace ropewalk::kernels
