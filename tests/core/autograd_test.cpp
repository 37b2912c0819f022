#include "framework/core/autograd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/errors.hpp"

namespace ropewalk {
namespace {

using Doubles = std::vector<double>;

Tensor vector_of(Doubles values) {
  const auto size = static_cast<Index>(values.size());
  return Tensor::of(values, {size}, Type::f64);
}

Tensor transformed(const Tensor& x, double factor, double offset) {
  Doubles values = x.values();
  for (double& value : values) value = factor * value + offset;
  return Tensor::of(values, x.shape(), Type::f64);
}

/// factor · x, the simplest op there is.
Tensor times(const Tensor& x, double factor) {
  return record(transformed(x, factor, 0), {x}, [factor](const Tensor& dy) { return Tensors{transformed(dy, factor, 0)}; });
}

Tensor plus(const Tensor& a, const Tensor& b) {
  Doubles values = a.values();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += b.values()[i];
  return record(Tensor::of(values, a.shape(), Type::f64), {a, b}, [](const Tensor& dy) { return Tensors{dy, dy}; });
}

/// The sum of all elements, as a scalar.
Tensor total(const Tensor& x) {
  double sum = 0;
  for (double value : x.values()) sum += value;
  return record(Tensor::scalar(sum, Type::f64), {x},
                [shape = x.shape()](const Tensor& dy) { return Tensors{dy.view(shape, Strides(shape.size(), 0), 0)}; });
}

/// x², whose rule reads the saved input.
Tensor squared(const Tensor& x) {
  Doubles values = x.values();
  for (double& value : values) value *= value;
  return record(Tensor::of(values, x.shape(), Type::f64), {x}, [saved = x.detach()](const Tensor& dy) {
    Doubles flowing = dy.values(), at = saved.values();
    for (std::size_t i = 0; i < at.size(); ++i) flowing[i] *= 2 * at[i];
    return Tensors{Tensor::of(flowing, saved.shape(), Type::f64)};
  });
}

TEST(Gradients, FlowThroughAChain) {
  const Tensor x = parameter(vector_of({1, 2, 3}));
  EXPECT_EQ(gradients(total(times(squared(x), 5)), {x})[0].values(), (Doubles{10, 20, 30}));
}

TEST(Gradients, AddUpWhereADiamondCloses) {
  const Tensor x = parameter(vector_of({1, -2}));
  const Tensor root = times(x, 3);
  const Tensor loss = total(plus(squared(root), times(root, 7)));
  EXPECT_EQ(gradients(loss, {x})[0].values(), (Doubles{18 * 1 + 21, 18 * -2 + 21}));
}

TEST(Gradients, AddUpOverTheSameInputTwice) {
  const Tensor x = parameter(vector_of({4, 5}));
  EXPECT_EQ(gradients(total(plus(x, x)), {x})[0].values(), (Doubles{2, 2}));
  EXPECT_EQ(gradients(total(plus(plus(x, x), x)), {x})[0].values(), (Doubles{3, 3}));
}

// A rule may hand one tensor to several inputs: adding to one of them must not change the other.
TEST(Gradients, SharedStorageIsNotOverwritten) {
  const Tensor a = parameter(vector_of({1})), b = parameter(vector_of({2}));
  const Tensor loss = total(plus(plus(a, b), times(a, 10)));
  const Tensors found = gradients(loss, {a, b});
  EXPECT_EQ(found[0].values(), (Doubles{11}));
  EXPECT_EQ(found[1].values(), (Doubles{1}));
}

/// factor · x, whose rule leaves its gradient where the walk says.
Tensor times_in_place(const Tensor& x, double factor) {
  return record(transformed(x, factor, 0), {x}, [factor](Flow& flow) {
    const Destination target = flow.destination(0);
    const Doubles flowing = flow.dy().values();
    double* sum = target.tensor.data<double>();
    for (std::size_t i = 0; i < flowing.size(); ++i) sum[i] = (target.adds ? sum[i] : 0) + factor * flowing[i];
  });
}

TEST(Flow, ARuleAddsToWhatOthersHaveLeft) {
  const Tensor x = parameter(vector_of({1, 2}));
  const Tensor root = times_in_place(x, 3);
  EXPECT_EQ(gradients(total(plus(times_in_place(root, 5), times(root, 7))), {x})[0].values(), (Doubles{36, 36}));
  const Tensor again = times_in_place(x, 3);
  EXPECT_EQ(gradients(total(plus(times(again, 7), times_in_place(again, 5))), {x})[0].values(), (Doubles{36, 36}));
}

// `plus` hands one tensor to both of its inputs: adding to it for one must not show in the other.
TEST(Flow, WhatIsAddedToIsNotSharedWithOthers) {
  const Tensor a = parameter(vector_of({1})), b = parameter(vector_of({2}));
  const Tensor loss = total(plus(plus(a, b), times_in_place(a, 10)));
  const Tensors found = gradients(loss, {a, b});
  EXPECT_EQ(found[0].values(), (Doubles{11}));
  EXPECT_EQ(found[1].values(), (Doubles{1}));
}

TEST(Flow, OnlyTrackedInputsAreWanted) {
  const Tensor x = parameter(vector_of({1})), constant = vector_of({2});
  std::vector<bool> wanted;
  const Tensor y = record(copy(x), {x, constant}, [&](Flow& flow) {
    for (std::size_t i = 0; i < flow.inputs(); ++i) wanted.push_back(flow.wanted(i));
    flow.give(0, flow.dy());
    flow.give(1, flow.dy());
  });
  EXPECT_EQ(gradients(total(y), {x})[0].values(), (Doubles{1}));
  EXPECT_EQ(wanted, (std::vector<bool>{true, false}));
}

class GradientSums : public testing::Test {
 protected:
  Tensor a_ = parameter(vector_of({1, 2})), b_ = parameter(vector_of({3, 4})), unused_ = parameter(vector_of({5}));
  Tensor sum_a_ = vector_of({NAN, NAN}), sum_b_ = vector_of({NAN, NAN}), sum_unused_ = vector_of({NAN});
  GradientSum sums_{{a_, b_, unused_}, {sum_a_, sum_b_, sum_unused_}};
};

TEST_F(GradientSums, AddUpOverLossesInTheStorageGiven) {
  sums_.add(total(plus(squared(a_), times_in_place(b_, 2))));
  sums_.add(total(plus(times(a_, 10), times_in_place(plus(b_, b_), 3))));
  sums_.add(total(times(a_, 100)));
  sums_.finish();
  EXPECT_EQ(sum_a_.values(), (Doubles{112, 114}));
  EXPECT_EQ(sum_b_.values(), (Doubles{8, 8}));
  EXPECT_EQ(sum_unused_.values(), (Doubles{0}));
}

TEST_F(GradientSums, AreThoseOfOneWalkBitForBit) {
  const auto loss = [&] { return total(plus(plus(squared(a_), times(a_, 0.1)), times_in_place(squared(b_), 1.0 / 3))); };
  sums_.add(loss());
  sums_.finish();
  const Tensors expected = gradients(loss(), {a_, b_});
  EXPECT_EQ(sum_a_.values(), expected[0].values());
  EXPECT_EQ(sum_b_.values(), expected[1].values());
}

TEST_F(GradientSums, AcceptOnlyLeaves) {
  EXPECT_EQ(message([&] { GradientSum({times(a_, 2)}, {sum_a_}); }),
            "gradients: expected parameters, got a tensor that is not a leaf");
}

// Doubling 60 times takes 60 visits; a walk that followed paths would take 2^60.
TEST(Gradients, VisitEveryPlaceOnce) {
  const Tensor x = parameter(vector_of({1}));
  Tensor y = x;
  for (int i = 0; i < 60; ++i) y = plus(y, y);
  EXPECT_EQ(gradients(total(y), {x})[0].item(), 0x1p60);
}

TEST(Gradients, OfUnusedParametersAreZeros) {
  const Tensor x = parameter(vector_of({1, 2})), unused = parameter(Tensor::zeros({2, 3}));
  const Tensors found = gradients(total(x), {unused, x});
  EXPECT_EQ(found[0].shape(), (Shape{2, 3}));
  EXPECT_EQ(found[0].type(), Type::f32);
  EXPECT_EQ(found[0].values(), Doubles(6, 0.0));
  EXPECT_EQ(found[1].values(), (Doubles{1, 1}));
}

TEST(Gradients, AnUndefinedOneMeansZero) {
  const Tensor x = parameter(vector_of({1, 2}));
  const Tensor y = record(x.detach(), {x}, [](const Tensor&) { return Tensors{Tensor()}; });
  EXPECT_EQ(gradients(total(plus(y, times(x, 3))), {x})[0].values(), (Doubles{3, 3}));
}

TEST(Gradients, OfALossThatIsAParameter) {
  const Tensor x = parameter(Tensor::scalar(3, Type::f64));
  EXPECT_EQ(gradients(x, {x})[0].item(), 1);
}

TEST(Gradients, AreReducedOverBroadcastAxes) {
  const Tensor x = parameter(vector_of({1, 2}));
  const Tensor spread = record(x.view({3, 2}, {0, 1}, 0), {x}, [](const Tensor& dy) { return Tensors{dy}; });
  EXPECT_EQ(gradients(total(spread), {x})[0].values(), (Doubles{3, 3}));
}

TEST(ReduceTo, SumsOverWhatWasRepeated) {
  const Tensor x = Tensor::of(Doubles{1, 2, 3, 4, 5, 6}, {2, 3}, Type::f64);
  EXPECT_EQ(reduce_to(x, {3}).values(), (Doubles{5, 7, 9}));
  EXPECT_EQ(reduce_to(x, {2, 1}).values(), (Doubles{6, 15}));
  EXPECT_EQ(reduce_to(x, {}).values(), (Doubles{21}));
  EXPECT_EQ(reduce_to(Tensor::zeros({0, 3}, Type::f64), {1, 3}).values(), (Doubles{0, 0, 0}));
  EXPECT_TRUE(reduce_to(x, {2, 3}).shares(x));
}

TEST(Record, OutputIsHandedToTheRule) {
  const Tensor x = parameter(vector_of({2}));
  const Tensor y = record(vector_of({8}), {x}, [](const Tensor& output, const Tensor&) { return Tensors{output}; });
  EXPECT_EQ(gradients(total(y), {x})[0].item(), 8);
}

TEST(NoGradientScope, RecordsNothingWhileItLives) {
  const Tensor x = parameter(vector_of({1}));
  {
    const NoGradient outer;
    { const NoGradient inner; }
    EXPECT_FALSE(times(x, 2).tracked()) << "an inner scope must not end the outer one";
    EXPECT_FALSE(recording({x}));
  }
  EXPECT_TRUE(times(x, 2).tracked());
  EXPECT_FALSE(times(x.detach(), 2).tracked());
}

TEST(Gradients, AreNotThemselvesRecorded) {
  const Tensor x = parameter(vector_of({3}));
  EXPECT_FALSE(gradients(total(squared(x)), {x})[0].tracked());
}

TEST(Gradients, RefuseWhatCannotBeWalked) {
  const Tensor x = parameter(vector_of({1, 2}));
  const Tensor loss = total(squared(x));
  gradients(loss, {x});
  EXPECT_EQ(message([&] { gradients(loss, {x}); }),
            "gradients: this part of the graph was walked before, and its saved values are freed");
  EXPECT_EQ(message([&] { gradients(squared(x), {x}); }), "gradients: expected a scalar, got shape [2]");
  EXPECT_EQ(message([&] { gradients(Tensor::scalar(1), {x}); }), "gradients: the loss depends on no parameter");
  EXPECT_EQ(message([&] { gradients(total(x), {times(x, 2)}); }),
            "gradients: expected parameters, got a tensor that is not a leaf");
  const Tensor faulty = record(x.detach(), {x}, [](const Tensor&) { return Tensors{}; });
  EXPECT_EQ(message([&] { gradients(total(faulty), {x}); }), "gradients: a rule gave 0 gradients for 1 inputs");
}

class MeteredGraph : public testing::Test {
 protected:
  /// Bytes of tensors alive now, without what is cached.
  std::int64_t live() const {
    trim_memory();
    return meter_->held();
  }

  static constexpr Index elements_ = 1 << 12, bytes_ = elements_ * 8;
  std::shared_ptr<Meter> meter_ = std::make_shared<Meter>();
  MeterScope scope_{meter_};
};

TEST_F(MeteredGraph, IsFreedWithItsLastHandle) {
  const Tensor x = parameter(Tensor::full({elements_}, 1.0, Type::f64));
  {
    const Tensor loss = total(squared(plus(squared(x), x)));
    EXPECT_GE(live(), 2 * bytes_);
  }
  EXPECT_EQ(live(), bytes_) << "a cycle, or a hidden owner, keeps a graph alive that nobody holds";
}

TEST_F(MeteredGraph, OutputsThatRulesReadMakeNoCycle) {
  const Tensor x = parameter(Tensor::full({elements_}, 1.0, Type::f64));
  record(copy(x), {x}, [](const Tensor& y, const Tensor&) { return Tensors{y}; });
  EXPECT_EQ(live(), bytes_);
}

TEST_F(MeteredGraph, SavedValuesAreFreedDuringTheWalk) {
  const Tensor x = parameter(Tensor::full({elements_}, 1.0, Type::f64));
  std::int64_t before = 0, during = 0;
  Tensor y = record(copy(x), {x}, [&](const Tensor& dy) {
    during = live();
    return Tensors{dy};
  });
  for (int i = 0; i < 10; ++i) y = squared(y);
  const Tensor loss = total(y);
  y = Tensor();
  before = live();
  gradients(loss, {x});
  EXPECT_GE(before, 11 * bytes_);
  EXPECT_LE(during, 4 * bytes_) << "the parameter, the gradient on its way and the probe's own output may be left";
}

TEST(Release, AMillionOpsDoNotOverflowTheStack) {
  const Tensor x = parameter(vector_of({1}));
  Tensor y = x;
  for (int i = 0; i < 1'000'000; ++i) {
    y = record(y.detach(), {y}, [](const Tensor& dy) { return Tensors{dy}; });
  }
  y = Tensor();
  EXPECT_TRUE(x.unique());
}

TEST(Release, AMillionOpsAreWalkedAndReleased) {
  const Tensor x = parameter(Tensor::scalar(1, Type::f64));
  Tensor y = x;
  for (int i = 0; i < 1'000'000; ++i) {
    y = record(y.detach(), {y}, [](const Tensor& dy) { return Tensors{dy}; });
  }
  EXPECT_EQ(gradients(y, {x})[0].item(), 1);
}

}  // namespace
}  // namespace ropewalk
