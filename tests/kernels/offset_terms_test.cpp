// Offset terms of attention against the dense reference, and what must hold of them to the bit.
#include "tests/kernels/dense_attention.hpp"

namespace ropewalk::kernels {
namespace {

constexpr OffsetSide kSides[] = {OffsetSide::query, OffsetSide::key, OffsetSide::value};
constexpr Spacing kSpacings[] = {Spacing::contiguous, Spacing::gaps, Spacing::own_gaps, Spacing::reversed, Spacing::scattered};

std::vector<OffsetCase> on_every_side(Index low, Index high) {
  return {{OffsetSide::query, low, high}, {OffsetSide::key, low, high, true}, {OffsetSide::value, low, high}};
}

/// Each side by itself, with every spacing: clipped on both sides, on one, not at all, to one row, and all on one side of the
/// table.
std::vector<AttentionCase> single_cases() {
  std::vector<AttentionCase> all;
  for (OffsetSide side : kSides) {
    for (Spacing spacing : kSpacings) {
      for (const auto& [low, high] : {std::pair<Index, Index>{-8, 8}, {0, 40}, {-600, 600}, {3, 3}, {500, 510}, {-510, -500}}) {
        AttentionCase c{16, 70, 150, spacing != Spacing::reversed, Turn::none, false, 2, 1};
        c.offsets = {{side, low, high}};
        c.spacing = spacing;
        all.push_back(c);
      }
    }
  }
  return all;
}

/// Every width with every length, all sides at once; masks, rotations, biases, spacings and clips taking turns.
std::vector<AttentionCase> combined_cases() {
  std::vector<AttentionCase> all;
  const Turn turns[] = {Turn::none, Turn::interleaved, Turn::half, Turn::partial};
  int turn = 0;
  for (Index width : {3, 8, 16, 33}) {
    for (Index length : {1, 2, 17, 130, 300}) {
      for (bool causal : {true, false}) {
        AttentionCase c{width, length, length, causal, turns[turn % 4], turn % 3 == 0, 2, length < 300 ? 2 : 1, turn % 2 == 0};
        const Spacing spacing = kSpacings[turn % 5];
        c.spacing = causal && spacing == Spacing::reversed ? Spacing::contiguous : spacing;
        c.offsets = turn % 7 < 3 ? on_every_side(-10, 12) : on_every_side(1 - length, length - 1);
        all.push_back(c);
        ++turn;
      }
    }
  }
  for (Spacing spacing : {Spacing::contiguous, Spacing::own_gaps}) {
    for (Turn rotation : turns) {
      for (const AttentionCase& lopsided : {AttentionCase{16, 5, 140, true, rotation, true},     // queries continue a longer past
                                            AttentionCase{20, 70, 33, true, rotation, true},     // the first queries see no key
                                            AttentionCase{32, 33, 300, false, rotation, true}})  // several blocks of keys
      {
        AttentionCase c = lopsided;
        c.spacing = spacing;
        c.offsets = {{OffsetSide::query, -20, 20},       {OffsetSide::value, -300, 300, true},
                     {OffsetSide::query, -5, 500, true}, {OffsetSide::key, 0, 0},
                     {OffsetSide::value, 2, 9},          {OffsetSide::key, -7, 90}};
        all.push_back(c);
      }
    }
  }
  return all;
}

template <class T>
class OffsetTermsTest : public ::testing::Test {};
TYPED_TEST_SUITE(OffsetTermsTest, ElementTypes);

TYPED_TEST(OffsetTermsTest, EachSideAgreesWithTheDenseReference) {
  for (const AttentionCase& c : single_cases()) {
    SCOPED_TRACE(describe(c));
    expect_dense_attention<TypeParam>(c, kAttentionTolerance<TypeParam>);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(OffsetTermsTest, TermsTogetherAgreeWithTheDenseReference) {
  for (const AttentionCase& c : combined_cases()) {
    SCOPED_TRACE(describe(c));
    expect_dense_attention<TypeParam>(c, kAttentionTolerance<TypeParam>);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(OffsetTermsTest, GradientsThatNobodyAsksForChangeNoBitOfTheOthers) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Spacing spacing : {Spacing::contiguous, Spacing::gaps}) {
      const AttentionCase c{20, 70, 90, true, Turn::interleaved, false, 2, 2, false, on_every_side(-30, 30), spacing};
      AttentionArrays<T> all(c), some(c), none(c);
      for (AttentionArrays<T>* arrays : {&all, &some, &none}) kernels.attention(arrays->forward());
      kernels.attention_gradient(all.forward(), all.backward());
      AttentionGradient<T> gradient = some.backward();
      some.dterms[0] = some.dterms[2] = nullptr;
      kernels.attention_gradient(some.forward(), gradient);
      gradient = none.backward();
      gradient.doffsets = {};
      kernels.attention_gradient(none.forward(), gradient);
      for (const AttentionArrays<T>* arrays : {&some, &none}) {
        EXPECT_EQ(arrays->dquery, all.dquery);
        EXPECT_EQ(arrays->dkey, all.dkey);
        EXPECT_EQ(arrays->dvalue, all.dvalue);
      }
      EXPECT_EQ(some.offsets[1].gradient, all.offsets[1].gradient);
      EXPECT_NE(some.offsets[1].gradient, none.offsets[1].gradient);
      const OffsetArrays<T> untouched(c.offsets[0], c.heads, c.width, 10);
      EXPECT_EQ(some.offsets[0].gradient, untouched.gradient);
    }
  });
}

TYPED_TEST(OffsetTermsTest, RowThatSeesNoKeyGivesZerosEverywhere) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Spacing spacing : {Spacing::contiguous, Spacing::gaps}) {
      AttentionArrays<T> arrays({16, 9, 4, true, Turn::none, false, 2, 2, false, on_every_side(-3, 3), spacing});
      kernels.attention(arrays.forward());
      kernels.attention_gradient(arrays.forward(), arrays.backward());
      const Index blind = 5 * 2 * 16;  // queries 0 … 4 of the first batch row, both heads
      for (Index i = 0; i < blind; ++i) {
        ASSERT_EQ(arrays.output[i], 0);
        ASSERT_EQ(arrays.dquery[i], 0);
      }
      EXPECT_EQ(arrays.log_sum_exp[0], -std::numeric_limits<T>::infinity());
      for (const OffsetArrays<T>& offset : arrays.offsets) {
        for (T value : offset.gradient) ASSERT_TRUE(std::isfinite(value));
      }
    }
  });
}

TYPED_TEST(OffsetTermsTest, NoKeysOrNoQueriesReadNothingAndGiveZeros) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (bool causal : {true, false}) {
      AttentionArrays<T> no_keys({16, 3, 0, causal, Turn::interleaved, false, 1, 1, false, on_every_side(-3, 3)});
      AttentionArrays<T> no_queries({16, 0, 3, causal, Turn::interleaved, false, 1, 1, false, on_every_side(-3, 3)});
      for (AttentionArrays<T>* arrays : {&no_keys, &no_queries}) {
        kernels.attention(arrays->forward());
        kernels.attention_gradient(arrays->forward(), arrays->backward());
      }
      for (const auto& zeros : {no_keys.output, no_keys.dquery, no_queries.dkey, no_queries.dvalue}) {
        for (T value : zeros) EXPECT_EQ(value, 0);
      }
    }
  });
}

TYPED_TEST(OffsetTermsTest, NaNReachesTheRowsThatSeeItAndNoOther) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Spacing spacing : {Spacing::contiguous, Spacing::gaps}) {
      for (bool in_key : {true, false}) {
        AttentionArrays<T> arrays({16, 200, 200, true, Turn::half, false, 1, 1, false, on_every_side(-50, 50), spacing});
        (in_key ? arrays.key : arrays.value)[150 * 16] = std::numeric_limits<T>::quiet_NaN();
        kernels.attention(arrays.forward());
        kernels.attention_gradient(arrays.forward(), arrays.backward());
        for (Index i = 0; i < 200; ++i) {
          ASSERT_EQ(std::isnan(arrays.output[i * 16]), i >= 150) << "query " << i << ", in key " << in_key;
          ASSERT_EQ(std::isnan(arrays.dquery[i * 16]), i >= 150) << "query " << i << ", in key " << in_key;
        }
      }
    }
  });
}

TYPED_TEST(OffsetTermsTest, NaNInAGradientReachesTheKeysThatItsRowSeesAndNoOther) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Spacing spacing : {Spacing::contiguous, Spacing::gaps}) {
      AttentionArrays<T> arrays({16, 200, 200, true, Turn::none, false, 1, 1, false, on_every_side(-50, 50), spacing});
      kernels.attention(arrays.forward());
      arrays.doutput[150 * 16] = std::numeric_limits<T>::quiet_NaN();
      kernels.attention_gradient(arrays.forward(), arrays.backward());
      for (Index i = 0; i < 200; ++i) {
        ASSERT_EQ(std::isnan(arrays.dquery[i * 16]), i == 150) << "query " << i;
        ASSERT_EQ(std::isnan(arrays.dkey[i * 16]), i <= 150) << "key " << i;
        ASSERT_EQ(std::isnan(arrays.dvalue[i * 16]), i <= 150) << "key " << i;
      }
    }
  });
}

TYPED_TEST(OffsetTermsTest, LaterTokenChangesNoBitOfAnEarlierOutput) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Spacing spacing : {Spacing::contiguous, Spacing::gaps}) {
      const AttentionCase c{20, 150, 150, true, Turn::interleaved, false, 1, 1, false, on_every_side(-149, 149), spacing};
      AttentionArrays<T> before(c), after(c);
      for (Index i = 140 * 20; i < 150 * 20; ++i) after.key[i] = after.value[i] = T(50);
      kernels.attention(before.forward());
      kernels.attention(after.forward());
      for (Index i = 0; i < 140 * 20; ++i) ASSERT_EQ(before.output[i], after.output[i]);
      EXPECT_NE(before.output[145 * 20], after.output[145 * 20]);
    }
  });
}

TYPED_TEST(OffsetTermsTest, PiecesOfTheQueriesGiveTheBitsOfTheWhole) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (Spacing spacing : kSpacings) {
      for (AttentionCase c :
           {AttentionCase{20, 150, 150, true, Turn::interleaved, true, 3, 2, true},
            AttentionCase{16, 70, 300, true, Turn::half, false}, AttentionCase{16, 90, 40, true, Turn::none, true},
            AttentionCase{33, 150, 150, false, Turn::partial, true}}) {
        c.offsets = on_every_side(-40, 200);
        c.spacing = spacing;
        SCOPED_TRACE(describe(c));
        AttentionArrays<T> whole(c), pieces(c);
        kernels.attention(whole.forward());
        attend_in_pieces(kernels, pieces);
        EXPECT_EQ(pieces.output, whole.output);
        EXPECT_EQ(pieces.log_sum_exp, whole.log_sum_exp);
      }
    }
  });
}

TYPED_TEST(OffsetTermsTest, DistancesBetweenTheFarthestPositionsDoNotOverflow) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    AttentionArrays<T> far({16, 2, 2, false, Turn::none, false, 1, 1, false, on_every_side(-3, 3)}), near(far);
    far.query_positions = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    far.key_positions = {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
    near.query_positions = {-5, 5};
    near.key_positions = {5, -5};
    for (AttentionArrays<T>* arrays : {&far, &near}) {
      kernels.attention(arrays->forward());
      kernels.attention_gradient(arrays->forward(), arrays->backward());
    }
    EXPECT_EQ(far.output, near.output);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(far.offsets[i].gradient, near.offsets[i].gradient);
  });
}

}  // namespace
}  // namespace ropewalk::kernels
