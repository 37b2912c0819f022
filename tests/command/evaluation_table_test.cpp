#include "experiments/command/evaluation_table.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ropewalk {
namespace {

TEST(EvaluationTable, HasATableForEachProtocolAndADashWhereNothingIsScored) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  EvaluateSeries series;
  series.step = {20};
  series.stage = {1};
  series.protocol = {"nonoverlapping", "sliding"};
  series.length = {64, 1024};
  series.loss = {2, nothing, 2.25, 2.5};
  series.perplexity = {7.389056, nothing, 9.487736, 12.182494};
  series.bits_per_byte = {2.885390, nothing, 3.246064, 3.606738};
  series.token_accuracy = {0.5, nothing, 0.25, 0.125};
  series.scored = {640, 0, 500, 400};
  EXPECT_EQ(evaluation_table(series),
            "\nnonoverlapping\n\n"
            "length  perplexity  loss  bits_per_byte  token_accuracy  scored\n"
            "---------------------------------------------------------------\n"
            "64      7.38906     2     2.88539        0.5             640\n"
            "1024    -           -     -              -               0\n"
            "\nsliding\n\n"
            "length  perplexity  loss  bits_per_byte  token_accuracy  scored\n"
            "---------------------------------------------------------------\n"
            "64      9.48774     2.25  3.24606        0.25            500\n"
            "1024    12.1825     2.5   3.60674        0.125           400\n");
}

TEST(EvaluationTable, HasATableForEachQuantityOfAttentionIfThatWasLookedAt) {
  EvaluateSeries series;
  series.attention = {.layer = {0, 1},
                      .head = {0},
                      .length = {64, 1024},
                      .entropy = {2.5, 3.25, 1, std::numeric_limits<double>::quiet_NaN()},
                      .mean_distance = {12, 100.125, 0.5, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(evaluation_table(series),
            "\nattention: mean entropy by length, nats\n\n"
            "layer  head  64   1024\n"
            "----------------------\n"
            "0      0     2.5  3.25\n"
            "1      0     1    -\n"
            "\nattention: mean distance by length, tokens\n\n"
            "layer  head  64   1024\n"
            "-------------------------\n"
            "0      0     12   100.125\n"
            "1      0     0.5  -\n");
}

}  // namespace
}  // namespace ropewalk
