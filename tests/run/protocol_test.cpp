#include "experiments/run/protocol.hpp"

#include <gtest/gtest.h>

#include <map>

#include "framework/core/error.hpp"

namespace ropewalk {
namespace {

/// How often each target x[1 … tokens − 1] is scored.
std::map<Index, int> scored_targets(const std::vector<Window>& windows, Index length) {
  std::map<Index, int> counts;
  for (const Window& window : windows) {
    for (Index i = window.first; i < length; ++i) ++counts[window.start + i + 1];
  }
  return counts;
}

TEST(Protocol, NonoverlappingWindowsTileTheTextAndDropTheRaggedRest) {
  const auto windows = protocol_windows("nonoverlapping", 10, {35, 1, 1, 10});
  ASSERT_EQ(windows.size(), 3u);  // targets reach x[30]; a fourth window would need x[40]
  EXPECT_EQ(windows[2].start, 20);
  const auto counts = scored_targets(windows, 10);
  EXPECT_EQ(counts.size(), 30u);
  EXPECT_EQ(counts.begin()->first, 1);
  EXPECT_EQ(counts.rbegin()->first, 30);
}

TEST(Protocol, TheLastTargetMayBeTheLastToken) {
  EXPECT_EQ(protocol_windows("nonoverlapping", 10, {21, 1, 1, 10}).size(), 2u);
  EXPECT_EQ(protocol_windows("nonoverlapping", 10, {20, 1, 1, 10}).size(), 1u);
  EXPECT_EQ(protocol_windows("nonoverlapping", 10, {10, 1, 1, 10}).size(), 0u);
}

TEST(Protocol, SlidingScoresEveryTargetOnceWithTheLongestContextThereIs) {
  for (Index stride : {1, 3, 10}) {
    const auto windows = protocol_windows("sliding", 10, {50, stride, 1, 10});
    const auto counts = scored_targets(windows, 10);
    for (const auto& [target, count] : counts) EXPECT_EQ(count, 1) << "target " << target << ", stride " << stride;
    EXPECT_EQ(counts.begin()->first, 1);
    EXPECT_EQ(counts.size(), static_cast<std::size_t>(counts.rbegin()->first));
    for (std::size_t w = 1; w < windows.size(); ++w) EXPECT_EQ(windows[w].first, 10 - stride);
  }
}

TEST(Protocol, FixedTargetScoresTheSameTargetsAtEveryLength) {
  const ProtocolSettings settings{100, 1, 4, 32};
  const auto longest = scored_targets(protocol_windows("fixed_target", 32, settings), 32);
  EXPECT_EQ(longest.size(), 12u);  // blocks end at 32, 64, 96
  EXPECT_EQ(longest.begin()->first, 29);
  for (Index length : {4, 8, 16}) {
    EXPECT_EQ(scored_targets(protocol_windows("fixed_target", length, settings), length), longest) << "length " << length;
  }
}

TEST(Protocol, RefusesAnUnknownName) { EXPECT_THROW(protocol_windows("random", 10, {35, 1, 1, 10}), Error); }

}  // namespace
}  // namespace ropewalk
