#include "experiments/run/share.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

TEST(Share, TogetherTheyAreTheWholePlanAndNoRunIsInTwo) {
  for (std::size_t runs = 0; runs < 12; ++runs) {
    for (std::size_t count = 1; count < 15; ++count) {
      std::size_t sizes = 0;
      for (std::size_t index = 1; index <= count; ++index) sizes += Share{index, count}.size(runs);
      EXPECT_EQ(sizes, runs) << count;
      for (std::size_t position = 0; position < runs; ++position) {
        int holders = 0;
        for (std::size_t index = 1; index <= count; ++index) holders += Share{index, count}.holds(position);
        EXPECT_EQ(holders, 1) << position << " of " << runs << " in " << count;
      }
    }
  }
}

TEST(Share, ItsSizeIsWhatItHolds) {
  for (const Share share : {Share{1, 3}, Share{2, 3}, Share{3, 3}, Share{7, 9}}) {
    std::size_t held = 0;
    for (std::size_t position = 0; position < 100; ++position) held += share.holds(position);
    EXPECT_EQ(share.size(100), held);
  }
}

TEST(Share, IsStrided) {
  const Share share = parse_share("2/3");
  std::vector<std::size_t> held;
  for (std::size_t position = 0; position < 10; ++position) {
    if (share.holds(position)) held.push_back(position);
  }
  EXPECT_THAT(held, testing::ElementsAre(1, 4, 7));
}

TEST(Share, WithoutOneItIsEverything) {
  EXPECT_TRUE(Share().holds(0) && Share().holds(1));
  EXPECT_EQ(Share().size(5), 5u);
}

TEST(Share, RefusesWhatIsNone) {
  for (const char* text : {"", "3", "/", "0/3", "4/3", "1/0", "1/", "/2", "-1/3", "1/3/5", " 1/3", "1/3x", "1.5/3",
                           "99999999999999999999999/99999999999999999999999"}) {
    SCOPED_TRACE(text);
    try {
      parse_share(text);
      ADD_FAILURE() << "expected an error";
    } catch (const UsageError& error) {
      EXPECT_EQ(error.what(), std::string("--share: expected I/N with I from 1 to N, such as 3/10, got ") + text);
    }
  }
}

}  // namespace
}  // namespace ropewalk
