// Matrix multiplication: the library against the reference, and the reference against a triple loop.
#include "framework/kernels/gemm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <tuple>

#include "framework/core/random.hpp"

namespace ropewalk::kernels {
namespace {

template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;  // of sums of up to 100 products of size 1

/// A matrix in storage of its own, by rows or by columns, with a line of padding that must stay as it is.
template <class T>
class Stored {
 public:
  Stored(Index rows, Index columns, bool by_columns, const char* purpose)
      : rows_(rows), columns_(columns), by_columns_(by_columns), leading_((by_columns ? rows : columns) + 3) {
    Stream stream = Random(6).stream(purpose);
    const Index lines = by_columns ? columns : rows;
    for (Index i = 0; i < lines * leading_ + 1; ++i) values_.push_back(static_cast<T>(stream.normal()));
  }

  Matrix<T> matrix() { return {values_.data(), rows_, columns_, row_stride(), column_stride()}; }
  Matrix<const T> read() const { return {values_.data(), rows_, columns_, row_stride(), column_stride()}; }
  T at(Index row, Index column) const { return values_[static_cast<std::size_t>(row * row_stride() + column * column_stride())]; }
  const std::vector<T>& values() const { return values_; }

 private:
  Index row_stride() const { return by_columns_ ? 1 : leading_; }
  Index column_stride() const { return by_columns_ ? leading_ : 1; }

  Index rows_, columns_;
  bool by_columns_;
  Index leading_;
  std::vector<T> values_;
};

template <class T>
void expect_close(const std::vector<T>& found, const std::vector<T>& expected, double scale) {
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
    largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
  }
  EXPECT_LE(largest, tolerance<T> * scale);
}

struct Sizes {
  Index m, n, k;
};

std::ostream& operator<<(std::ostream& out, const Sizes& s) { return out << "M " << s.m << " N " << s.n << " K " << s.k; }

template <class Function>
void for_all_sizes(Function function) {
  constexpr Index extents[] = {0, 1, 3, 16, 17, 64, 100};
  for (Index m : extents) {
    for (Index n : extents) {
      for (Index k : extents) {
        const Sizes sizes{m, n, k};
        SCOPED_TRACE(testing::PrintToString(sizes));
        function(sizes);
      }
    }
  }
}

template <class T>
Epilogue<T> adding(bool accumulate) {
  Epilogue<T> epilogue;
  epilogue.accumulate = accumulate;
  return epilogue;
}

/// Whether a and b lie by columns; whether the product is added to what is there.
class Gemm : public testing::TestWithParam<std::tuple<bool, bool, bool>> {
 protected:
  template <class T>
  void expect_reference(Sizes s) {
    const auto [a_turned, b_turned, accumulate] = GetParam();
    const Stored<T> a(s.m, s.k, a_turned, "a"), b(s.k, s.n, b_turned, "b");
    Stored<T> c(s.m, s.n, false, "c"), reference = c;
    gemm(a.read(), b.read(), c.matrix(), adding<T>(accumulate));
    gemm_reference(a.read(), b.read(), reference.matrix(), adding<T>(accumulate));
    expect_close(c.values(), reference.values(), 10);
  }

  void expect_triple_loop(Sizes s) {
    const auto [a_turned, b_turned, accumulate] = GetParam();
    const Stored<double> a(s.m, s.k, a_turned, "a"), b(s.k, s.n, b_turned, "b");
    Stored<double> c(s.m, s.n, false, "c"), expected = c;
    for (Index i = 0; i < s.m; ++i) {
      for (Index j = 0; j < s.n; ++j) {
        double& sum = expected.matrix().data[i * expected.matrix().row_stride + j];
        if (!accumulate) sum = 0;
        for (Index l = 0; l < s.k; ++l) sum += a.at(i, l) * b.at(l, j);
      }
    }
    gemm_reference(a.read(), b.read(), c.matrix(), adding<double>(accumulate));
    expect_close(c.values(), expected.values(), 10);
  }
};

TEST_P(Gemm, SinglePrecisionIsTheReference) {
  for_all_sizes([this](Sizes sizes) { expect_reference<float>(sizes); });
}
TEST_P(Gemm, DoublePrecisionIsTheReference) {
  for_all_sizes([this](Sizes sizes) { expect_reference<double>(sizes); });
}
TEST_P(Gemm, ReferenceIsATripleLoop) {
  for_all_sizes([this](Sizes sizes) { expect_triple_loop(sizes); });
}

INSTANTIATE_TEST_SUITE_P(Transposes, Gemm, testing::Combine(testing::Bool(), testing::Bool(), testing::Bool()));

TEST(GemmSingle, OverwritesWhatIsNotANumber) {
  const Stored<float> a(3, 4, false, "a"), b(4, 5, false, "b");
  std::vector<float> c(15, std::numeric_limits<float>::quiet_NaN());
  gemm(a.read(), b.read(), {c.data(), 3, 5, 5, 1});
  for (float value : c) EXPECT_TRUE(std::isfinite(value));
}

/// The activation; whether there are a bias and an addend; whether a and b lie by columns.
class GemmEpilogue : public testing::TestWithParam<std::tuple<Activation, bool, bool, bool, bool>> {
 protected:
  template <class T>
  void expect_composition(Sizes s) {
    const auto [activation, has_bias, has_addend, a_turned, b_turned] = GetParam();
    const Stored<T> a(s.m, s.k, a_turned, "a"), b(s.k, s.n, b_turned, "b"), bias(1, s.n, false, "bias");
    const Stored<T> addend(s.m, s.n, false, "addend");
    Stored<T> c(s.m, s.n, false, "c"), expected = c;
    Epilogue<T> epilogue;
    epilogue.activation = activation;
    if (has_bias) epilogue.bias = bias.read().data;
    if (has_addend) epilogue.addend = addend.read().data;
    gemm(a.read(), b.read(), c.matrix(), epilogue);
    gemm_reference(a.read(), b.read(), expected.matrix());
    for (Index row = 0; row < s.m; ++row) {
      T* values = expected.matrix().data + row * expected.matrix().row_stride;
      if (has_bias) {
        for (Index j = 0; j < s.n; ++j) values[j] += bias.at(0, j);
      }
      if (activation != Activation::none) table<T>().unary(function_of(activation), values, 1, values, s.n);
      if (has_addend) {
        for (Index j = 0; j < s.n; ++j) values[j] += addend.at(row, j);
      }
    }
    expect_close(c.values(), expected.values(), 10);
  }
};

TEST_P(GemmEpilogue, SinglePrecisionIsTheComposition) {
  for_all_sizes([this](Sizes sizes) { expect_composition<float>(sizes); });
}
TEST_P(GemmEpilogue, DoublePrecisionIsTheComposition) {
  for_all_sizes([this](Sizes sizes) { expect_composition<double>(sizes); });
}

INSTANTIATE_TEST_SUITE_P(Activations, GemmEpilogue,
                         testing::Combine(testing::Values(Activation::none, Activation::relu, Activation::silu, Activation::gelu,
                                                          Activation::gelu_tanh),
                                          testing::Bool(), testing::Bool(), testing::Bool(), testing::Bool()));

// One primitive and one set of arguments a thread serve every call of a shape: the arguments must not stay where they were.
TEST(GemmEpilogue, ACallDoesNotRememberTheOneBefore) {
  const Stored<float> a(4, 8, false, "a"), b(8, 16, false, "b"), first(1, 16, false, "first"), second(1, 16, false, "second");
  Stored<float> c(4, 16, false, "c"), expected = c;
  for (const Stored<float>* bias : {&first, &second}) {
    Epilogue<float> epilogue;
    epilogue.bias = bias->read().data;
    gemm(a.read(), b.read(), c.matrix(), epilogue);
    gemm_reference(a.read(), b.read(), expected.matrix(), epilogue);
    expect_close(c.values(), expected.values(), 10);
  }
}

TEST(GemmEpilogue, NotANumberStaysVisibleThroughEveryActivation) {
  for (Activation activation : {Activation::none, Activation::relu, Activation::silu, Activation::gelu, Activation::gelu_tanh}) {
    Stored<float> a(4, 8, false, "a");
    const Stored<float> b(8, 16, false, "b"), bias(1, 16, false, "bias");
    Stored<float> c(4, 16, false, "c");
    a.matrix().data[0] = std::numeric_limits<float>::quiet_NaN();
    Epilogue<float> epilogue;
    epilogue.activation = activation;
    epilogue.bias = bias.read().data;
    gemm(a.read(), b.read(), c.matrix(), epilogue);
    for (Index j = 0; j < 16; ++j) EXPECT_TRUE(std::isnan(c.at(0, j))) << static_cast<int>(activation);
  }
}

// A thread keeps the plans of some hundred shapes and then begins anew.
TEST(GemmEpilogue, ServesMoreShapesThanAreKept) {
  const Stored<float> b(8, 16, false, "b"), bias(1, 16, false, "bias");
  Epilogue<float> epilogue;
  epilogue.bias = bias.read().data;
  for (int round = 0; round < 2; ++round) {
    for (Index rows = 2; rows < 300; ++rows) {
      const Stored<float> a(rows, 8, false, "a");
      Stored<float> c(rows, 16, false, "c"), expected = c;
      gemm(a.read(), b.read(), c.matrix(), epilogue);
      gemm_reference(a.read(), b.read(), expected.matrix(), epilogue);
      expect_close(c.values(), expected.values(), 10);
    }
  }
}

TEST(GemmEpilogue, EitherAddsToTheResultOrHasMoreToAdd) {
  const Stored<double> a(2, 2, false, "a");
  Stored<double> c(2, 2, false, "c");
  Epilogue<double> epilogue = adding<double>(true);
  epilogue.bias = a.read().data;
  EXPECT_THROW(gemm_reference(a.read(), a.read(), c.matrix(), epilogue), Error);
}

}  // namespace
}  // namespace ropewalk::kernels
