#include "experiments/run/rotary_facts.hpp"

#include <gtest/gtest.h>

#include "framework/positional/rope_facts.hpp"
#include "tests/run/toy.hpp"

namespace ropewalk {
namespace {

/// For heads of 32.
std::optional<RotaryFacts> facts_of(const std::string& position, Index trained, Index longest) {
  const std::string config =
      fmt::format("model: {{heads: 2, width: 64, position: {}}}\ntrain: {{length: {}}}\nevaluate: {{lengths: [{}]}}\nname: toy\n",
                  position, trained, longest);
  return rotary_facts(config::parse_plan(config, "toy").runs.front().settings.model, trained, longest);
}

TEST(RotaryFacts, AreThoseOfTheRotatedPart) {
  const auto facts = facts_of("{kind: rope, base: 500, fraction: 0.5}", 64, 1024);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->base, 500);
  EXPECT_EQ(facts->width, 16);
  EXPECT_EQ(facts->trained, 64);
  EXPECT_EQ(facts->longest, 1024);
  EXPECT_EQ(facts->critical_dimension, 6);  // 2·⌈8·ln(64/2π)/ln 500⌉ = 2·⌈2.99⌉
  EXPECT_EQ(facts->trained_bound, positional::base_lower_bound(16, 64));
  EXPECT_EQ(facts->longest_bound, positional::base_lower_bound(16, 1024));
}

TEST(RotaryFacts, OfAHybridAreThoseOfItsRotaryPart) {
  EXPECT_EQ(facts_of("{kind: sum, parts: [{kind: alibi}, {kind: rope, base: 7}]}", 64, 128),
            facts_of("{kind: rope, base: 7}", 64, 128));
}

TEST(RotaryFacts, OfAGridGoByItsLongerSide) {
  const auto facts = facts_of("{kind: axial_rope}", 64, 256);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->width, 16);
  EXPECT_EQ(facts->trained, 8);
  EXPECT_EQ(facts->longest, 16);
}

TEST(RotaryFacts, AreNoneWhereNothingTurns) {
  for (const char* kind : {"none", "sinusoidal", "alibi"})
    EXPECT_FALSE(facts_of(std::string("{kind: ") + kind + "}", 64, 128)) << kind;
}

}  // namespace
}  // namespace ropewalk
