// Parameters so many that threads share them: no bit depends on how.
#include "framework/core/parallel.hpp"

#include <gtest/gtest.h>

#include "framework/core/random.hpp"
#include "framework/optimize/adamw.hpp"

namespace ropewalk::optimize {
namespace {

constexpr Index count = 1'000'003;

struct Result {
  std::vector<double> parameters, first, second;
  double norm;

  bool operator==(const Result&) const = default;
};

Result step() {
  const Tensor parameters = normal({count}, 1.0, Random(1).stream("parameters")),
               gradient = normal({count}, 1.0, Random(2).stream("gradient"));
  const Moments moments{Tensor::zeros({count}), Tensor::zeros({count})};
  AdamW().update(parameters, gradient, moments, {{0, 300'001, true}, {300'001, 700'000, false}, {700'000, count, true}}, 0.1, 0.5,
                 1);
  return {parameters.values(), moments.first.values(), moments.second.values(), global_norm(gradient)};
}

TEST(Stretches, CoverEveryElementOnce) {
  for (Index size : {Index{0}, Index{1}, Index{1} << 18, (Index{1} << 18) + 1, count}) {
    Index at = 0;
    for_each_stretch(size, [&](Index begin, Index end) {
      EXPECT_EQ(begin, at);
      EXPECT_LT(begin, end);
      at = end;
    });
    EXPECT_EQ(at, size);
  }
}

TEST(Stretches, AreTheSameInAnyOrder) {
  const Result in_order = step();
  Index pieces = 0;
  const ParallelScope scope([&](Index number, const std::function<void(Index)>& piece) {
    pieces += number;
    for (Index i = number - 1; i >= 0; --i) piece(i);
  });
  EXPECT_TRUE(step() == in_order);
  EXPECT_GT(pieces, 2) << "the update and the norm each take more than one piece";
}

}  // namespace
}  // namespace ropewalk::optimize
