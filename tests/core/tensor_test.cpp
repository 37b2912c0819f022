#include "framework/core/tensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/errors.hpp"

namespace ropewalk {
namespace {

using Doubles = std::vector<double>;

TEST(Tensor, KnowsItsShapeAndValues) {
  const Tensor x = Tensor::of(Doubles{1, 2, 3, 4, 5, 6}, {2, 3}, Type::f64);
  EXPECT_EQ(x.rank(), 2);
  EXPECT_EQ(x.dim(0), 2);
  EXPECT_EQ(x.dim(-1), 3);
  EXPECT_EQ(x.size(), 6);
  EXPECT_EQ(x.strides(), (Strides{3, 1}));
  EXPECT_EQ(x.values(), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(Tensor().defined());
}

TEST(Tensor, IsMadeInEveryType) {
  EXPECT_EQ(Tensor::full({2}, 2.5).values(), (Doubles{2.5, 2.5}));
  EXPECT_EQ(Tensor::full({2}, 2.5, Type::i32).values(), (Doubles{2, 2}));
  EXPECT_EQ(Tensor::of(std::vector<std::int32_t>{-3, 7}, {2}).values(), (Doubles{-3, 7}));
  EXPECT_EQ(Tensor::zeros({0, 3}).values(), Doubles{});
  EXPECT_EQ(Tensor::scalar(1.5, Type::f64).item(), 1.5);
}

TEST(Tensor, AViewSharesStorage) {
  const Tensor x = Tensor::of(Doubles{1, 2, 3, 4, 5, 6}, {2, 3}, Type::f64);
  const Tensor column = x.view({2}, {3}, 1);
  EXPECT_EQ(column.values(), (Doubles{2, 5}));
  EXPECT_TRUE(column.shares(x));
  EXPECT_FALSE(x.unique());
  EXPECT_EQ(column.view({1}, {1}, 3).item(), 5) << "offsets of views add up";
  x.data<double>()[4] = 50;
  EXPECT_EQ(column.values(), (Doubles{2, 50}));
}

TEST(Tensor, ContiguityIsARowMajorOrder) {
  const Tensor x = Tensor::zeros({2, 3}, Type::f64);
  EXPECT_TRUE(x.contiguous());
  EXPECT_FALSE(x.view({3, 2}, {1, 3}, 0).contiguous());
  EXPECT_FALSE(x.view({2, 3}, {0, 1}, 0).contiguous());
  EXPECT_TRUE(x.view({1, 3}, {99, 1}, 0).contiguous()) << "the stride of an axis of one does not matter";
  EXPECT_TRUE(x.view({3, 1}, {1, 99}, 0).contiguous());
  EXPECT_TRUE(x.view({3, 0}, {7, 9}, 0).contiguous());
}

TEST(Tensor, PackedCopiesOnlyWhatIsNotInOrder) {
  const Tensor x = Tensor::of(Doubles{1, 2, 3, 4, 5, 6}, {2, 3}, Type::f64);
  EXPECT_TRUE(packed(x).shares(x));
  EXPECT_FALSE(copy(x).shares(x));
  const Tensor turned = packed(x.view({3, 2}, {1, 3}, 0));
  EXPECT_TRUE(turned.contiguous());
  EXPECT_EQ(turned.values(), (Doubles{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(packed(x.view({2, 2}, {0, 2}, 0)).values(), (Doubles{1, 3, 1, 3}));
  const Tensor odd = x.view({1, 3, 1}, {99, 1, 77}, 0);
  EXPECT_TRUE(packed(odd).shares(x));
  EXPECT_EQ(packed(odd).strides(), (Strides{3, 1, 1})) << "kernels may rely on the strides, whatever the extents";
}

TEST(Convert, RoundsBetweenTypes) {
  const Tensor x = Tensor::of(Doubles{1.0 / 3, -2.75, 1e300}, {3}, Type::f64);
  const Doubles narrow = convert(x, Type::f32).values();
  EXPECT_EQ(narrow[0], static_cast<double>(1.0f / 3.0f));
  EXPECT_TRUE(std::isinf(narrow[2]));
  EXPECT_EQ(convert(x.view({2}, {1}, 0), Type::i32).values(), (Doubles{0, -2}));
  const Tensor whole = Tensor::of(std::vector<std::int32_t>{16777217}, {1});
  EXPECT_EQ(convert(whole, Type::f64).item(), 16777217);
  EXPECT_EQ(convert(whole, Type::f32).item(), 16777216);
}

TEST(Convert, FollowsStrides) {
  const Tensor x = Tensor::of(Doubles{1, 2, 3, 4, 5, 6}, {2, 3}, Type::f64);
  EXPECT_EQ(convert(x.view({3, 2}, {1, 3}, 0), Type::f32).values(), (Doubles{1, 4, 2, 5, 3, 6}));
}

TEST(Tensor, RefusesWhatDoesNotFit) {
  EXPECT_EQ(message([] { Tensor::empty({2, -1}); }), "a tensor cannot have the shape [2, -1]");
  EXPECT_EQ(message([] { Tensor::of(Doubles{1, 2}, {3}); }), "2 values do not fill a tensor of shape [3]");
  EXPECT_EQ(message([] { Tensor::of(std::vector<std::int32_t>{1}, {2, 2}); }), "1 values do not fill a tensor of shape [2, 2]");
  EXPECT_EQ(message([] { Tensor::zeros({2}).data<double>(); }), "a tensor of f32 was read as f64");
  EXPECT_EQ(message([] { Tensor::zeros({2}).item(); }), "item: expected one element, got shape [2]");
  EXPECT_EQ(message([] { Tensor::zeros({2}).dim(1); }), "dim: axis 1 is outside a tensor of 1 axes");
  EXPECT_EQ(message([] { dispatch(Type::i32, [](auto) {}); }), "expected a tensor of f32 or f64, got i32");
}

}  // namespace
}  // namespace ropewalk
