#include "experiments/text/nearest.hpp"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

const std::vector<std::string> kinds = {"none", "sinusoidal", "learned", "rope", "alibi", "t5"};

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("rope", "rope"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("layres", "layers"), 1u);
}

TEST(Nearest, FindsTypos) {
  EXPECT_EQ(nearest("rop", kinds), "rope");
  EXPECT_EQ(nearest("abili", kinds), "alibi");
  EXPECT_EQ(nearest("RoPE", kinds), "rope");
  EXPECT_EQ(nearest("sin", kinds), "sinusoidal");
  EXPECT_EQ(nearest("t6", kinds), "t5");
}

TEST(Nearest, PrefersTheNearer) { EXPECT_EQ(nearest("step", {"stages", "steps", "stop"}), "steps"); }

TEST(Nearest, HasNothingToSayAboutStrangers) {
  EXPECT_EQ(nearest("fourier", kinds), "");
  EXPECT_EQ(nearest("x", kinds), "");
  EXPECT_EQ(nearest("rope", {}), "");
}

}  // namespace
}  // namespace ropewalk
