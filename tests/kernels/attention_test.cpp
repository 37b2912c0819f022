#include <thread>

#include "tests/kernels/dense_attention.hpp"

namespace ropewalk::kernels {
namespace {

/// Every width with every length, masks, rotations and biases taking turns; then the lopsided ones.
std::vector<AttentionCase> cases() {
  std::vector<AttentionCase> all;
  const Turn turns[] = {Turn::none, Turn::interleaved, Turn::half, Turn::partial};
  int turn = 0;
  for (Index width : {1, 3, 16, 20, 32, 64}) {
    for (Index length : {1, 2, 17, 64, 65, 130}) {
      for (bool causal : {true, false}) {
        all.push_back({width, length, length, causal, turns[turn % 4], turn % 3 == 0});
        ++turn;
      }
    }
  }
  for (Turn rotation : {Turn::interleaved, Turn::half, Turn::partial}) {
    all.push_back({.width = 16, .queries = 70, .keys = 70, .causal = true, .turn = rotation, .bias = false, .own_tables = true});
  }
  for (Turn rotation : turns) {
    for (bool bias : {false, true}) {
      all.push_back({16, 5, 140, true, rotation, bias});    // queries continue a longer past
      all.push_back({20, 70, 33, true, rotation, bias});    // the first queries see no key
      all.push_back({32, 33, 300, false, rotation, bias});  // several blocks of keys
      all.push_back({16, 300, 300, true, rotation, bias, 1, 1});
    }
  }
  return all;
}

template <class T>
class AttentionTest : public ::testing::Test {};
TYPED_TEST_SUITE(AttentionTest, ElementTypes);

TYPED_TEST(AttentionTest, ForwardAndBackwardAgreeWithTheDenseReference) {
  using T = TypeParam;
  for (const AttentionCase& c : cases()) {
    SCOPED_TRACE(describe(c));
    expect_dense_attention<T>(c, kAttentionTolerance<T>);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(AttentionTest, RowThatSeesNoKeyGivesZerosEverywhere) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    AttentionArrays<T> arrays({.width = 16, .queries = 9, .keys = 4, .causal = true, .turn = Turn::none, .bias = false});
    kernels.attention(arrays.forward());
    kernels.attention_gradient(arrays.forward(), arrays.backward());
    const Index blind = 5 * 2 * 16;  // queries 0 … 4 of the first batch row, both heads
    for (Index i = 0; i < blind; ++i) {
      ASSERT_EQ(arrays.output[i], 0);
      ASSERT_EQ(arrays.dquery[i], 0);
    }
    EXPECT_EQ(arrays.log_sum_exp[0], -std::numeric_limits<T>::infinity());
    for (T value : arrays.dkey) ASSERT_TRUE(std::isfinite(value));
  });
}

TYPED_TEST(AttentionTest, BiasOfMinusInfinityMasksAWholeRow) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    AttentionArrays<T> arrays({16, 40, 40, true, Turn::interleaved, true, 1, 1});
    std::fill(arrays.bias.values.begin() + 20 * 40, arrays.bias.values.begin() + 21 * 40, -std::numeric_limits<T>::infinity());
    kernels.attention(arrays.forward());
    kernels.attention_gradient(arrays.forward(), arrays.backward());
    for (Index c = 0; c < 16; ++c) {
      EXPECT_EQ(arrays.output[20 * 16 + c], 0);
      EXPECT_EQ(arrays.dquery[20 * 16 + c], 0);
    }
    for (T value : arrays.dvalue) ASSERT_TRUE(std::isfinite(value));
    for (T value : arrays.bias.gradient) ASSERT_TRUE(std::isfinite(value));
  });
}

TYPED_TEST(AttentionTest, NaNReachesTheRowsThatSeeItAndNoOther) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (bool in_key : {true, false}) {
      AttentionArrays<T> arrays({16, 200, 200, true, Turn::none, false, 1, 1});
      (in_key ? arrays.key : arrays.value)[150 * 16] = std::numeric_limits<T>::quiet_NaN();
      kernels.attention(arrays.forward());
      for (Index i = 0; i < 200; ++i) ASSERT_EQ(std::isnan(arrays.output[i * 16]), i >= 150) << "query " << i << ", " << in_key;
    }
  });
}

// The rows of a block share vectors: what one of them makes of an infinite score must not decide over the others.
TYPED_TEST(AttentionTest, AnInfiniteScoreSpoilsItsOwnRowAlone) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const AttentionCase c{16, 320, 320, true, Turn::none, false, 1, 1};
    AttentionArrays<T> plain(c);
    kernels.attention(plain.forward());
    for (Index spoilt : {40, 287, 300, 319}) {
      AttentionArrays<T> arrays(c);
      for (Index d = 0; d < 16; ++d) arrays.query[spoilt * 16 + d] *= std::numeric_limits<T>::max() / T(2);
      kernels.attention(arrays.forward());
      for (Index i = 0; i < 320 * 16; ++i) {
        if (i / 16 == spoilt) continue;
        ASSERT_EQ(arrays.output[i], plain.output[i]) << "query " << i / 16 << ", spoilt " << spoilt;
      }
    }
  });
}

TYPED_TEST(AttentionTest, NaNInAGradientReachesTheKeysThatItsRowSeesAndNoOther) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    AttentionArrays<T> arrays({16, 200, 200, true, Turn::none, true, 1, 1});
    kernels.attention(arrays.forward());
    arrays.doutput[150 * 16] = std::numeric_limits<T>::quiet_NaN();
    kernels.attention_gradient(arrays.forward(), arrays.backward());
    for (Index i = 0; i < 200; ++i) {
      ASSERT_EQ(std::isnan(arrays.dquery[i * 16]), i == 150) << "query " << i;
      ASSERT_EQ(std::isnan(arrays.dvalue[i * 16]), i <= 150) << "key " << i;
      ASSERT_EQ(std::isnan(arrays.dkey[i * 16]), i <= 150) << "key " << i;
      ASSERT_EQ(std::isnan(arrays.bias.gradient[150 * 200 + i]), i <= 150) << "key " << i;
    }
  });
}

// Whatever the earlier blocks of keys have left has to vanish before a block whose scores are beyond exp's range above theirs.
TYPED_TEST(AttentionTest, LaterBlocksOfKeysMayOutweighTheEarlierWholly) {
  using T = TypeParam;
  const AttentionCase c{16, 40, 400, false, Turn::none, true, 1, 1};
  const auto arrays_of = [&] {
    AttentionArrays<T> arrays(c);
    for (Index entry = 0; entry < c.queries * c.keys; ++entry) {
      const Index query = entry / c.keys, key = entry % c.keys;
      arrays.bias.values[entry] += static_cast<T>(query < 35 ? 1024 * (key / 128) : 0);
    }
    return arrays;
  };
  const DenseAttention expected = dense_attention(arrays_of());
  for_every_table<T>([&](const Table<T>& kernels) {
    AttentionArrays<T> arrays = arrays_of();
    kernels.attention(arrays.forward());
    expect_close(arrays.output, expected.output, sizeof(T) == sizeof(float) ? 1e-3 : 1e-12, "output");
  });
}

TYPED_TEST(AttentionTest, HugeScoresDoNotOverflow) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    AttentionArrays<T> arrays({16, 70, 70, true, Turn::none, false, 1, 1});
    for (T& q : arrays.query) q *= T(1e4);
    kernels.attention(arrays.forward());
    kernels.attention_gradient(arrays.forward(), arrays.backward());
    for (T value : arrays.output) ASSERT_TRUE(std::isfinite(value));
    for (T value : arrays.dkey) ASSERT_TRUE(std::isfinite(value));
  });
}

TYPED_TEST(AttentionTest, LaterTokenChangesNoBitOfAnEarlierOutput) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const AttentionCase c{20, 150, 150, true, Turn::interleaved, true, 1, 1};
    AttentionArrays<T> before(c), after(c);
    for (Index i = 140 * 20; i < 150 * 20; ++i) after.key[i] = after.value[i] = T(50);
    kernels.attention(before.forward());
    kernels.attention(after.forward());
    for (Index i = 0; i < 140 * 20; ++i) ASSERT_EQ(before.output[i], after.output[i]);
    EXPECT_NE(before.output[145 * 20], after.output[145 * 20]);
  });
}

TYPED_TEST(AttentionTest, SameBitsTwiceAndOnAnotherThread) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const AttentionCase c{20, 65, 130, true, Turn::half, true};
    AttentionArrays<T> here(c), there(c);
    const auto run = [&](AttentionArrays<T>& arrays) {
      kernels.attention(arrays.forward());
      kernels.attention_gradient(arrays.forward(), arrays.backward());
    };
    run(here);
    here.bias.gradient.assign(here.bias.gradient.size(), 0);
    run(here);
    std::thread(run, std::ref(there)).join();
    EXPECT_EQ(here.output, there.output);
    EXPECT_EQ(here.dquery, there.dquery);
    EXPECT_EQ(here.dkey, there.dkey);
    EXPECT_EQ(here.dvalue, there.dvalue);
    EXPECT_EQ(here.bias.gradient, there.bias.gradient);
  });
}

TYPED_TEST(AttentionTest, DistanceBiasAddsAndCollectsByQueryMinusKey) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    const Index most = 45, stride = 48;
    const std::vector<T> row = normal_values<T>(2 * most, 1), dscores = normal_values<T>(most * stride, 2);
    // Strips narrower and wider than a vector, with fewer rows than lanes, as many, more, and several times as many.
    for (Index query_count : {1, 3, 16, 21, 32, 45}) {
      for (Index key_count : {1, 2, 8, 16, 17, 45}) {
        SCOPED_TRACE(std::to_string(query_count) + " queries, " + std::to_string(key_count) + " keys");
        const Range queries{3, 3 + query_count}, keys{2, 2 + key_count};
        const Index offset = key_count - 2;  // so that the last key and the first query meet at row[0]
        const Index distances = query_count + key_count - 1;
        std::vector<T> scores(most * stride), drow(distances);
        std::vector<Real> expected(most * stride), expected_gradient(distances);
        for (Index j = 0; j < key_count; ++j) {
          for (Index i = 0; i < query_count; ++i) {
            const Index distance = (queries.begin + i) - (keys.begin + j) + offset;
            expected[j * stride + i] = row[distance];
            expected_gradient[distance] += dscores[j * stride + i];
          }
        }
        kernels.add_distance_bias(row.data(), offset, queries, keys, scores.data(), stride);
        kernels.collect_distance_bias(drow.data(), offset, queries, keys, dscores.data(), stride);
        expect_close(scores, expected, 0, "scores");
        expect_close(drow, expected_gradient, kTolerance<T>, "row");
      }
    }
  });
}

TYPED_TEST(AttentionTest, PiecesOfTheQueriesGiveTheBitsOfTheWhole) {
  using T = TypeParam;
  for_every_table<T>([](const Table<T>& kernels) {
    for (const AttentionCase& c :
         {AttentionCase{20, 150, 150, true, Turn::interleaved, true, 3, 2}, AttentionCase{16, 70, 300, true, Turn::half, false},
          AttentionCase{20, 150, 150, true, Turn::interleaved, false, 3, 2, /*own_tables=*/true},
          AttentionCase{16, 90, 40, true, Turn::none, true}, AttentionCase{32, 150, 150, false, Turn::partial, true}}) {
      SCOPED_TRACE(describe(c));
      AttentionArrays<T> whole(c), pieces(c);
      kernels.attention(whole.forward());
      attend_in_pieces(kernels, pieces);
      EXPECT_EQ(pieces.output, whole.output);
      EXPECT_EQ(pieces.log_sum_exp, whole.log_sum_exp);
    }
  });
}

}  // namespace
}  // namespace ropewalk::kernels
