#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using toy::Heads;

constexpr Index hidden = 5;
const Heads x{2, 7, 4};

struct Fire {
  double c, threshold;
  std::unique_ptr<positional::Scheme> scheme = toy::prepared("fire", {{"width", hidden}}, {.width = 8, .heads = 2, .length = 16});
  std::vector<double> w1, b1, w2, b2;

  Fire(double c, double threshold) : c(c), threshold(threshold) {
    toy::set(*scheme, "c", {c});
    toy::set(*scheme, "threshold", {threshold});
    w1 = toy::set_normal(*scheme, "mlp.0.weight").values();
    b1 = toy::set_normal(*scheme, "mlp.0.bias").values();
    w2 = toy::set_normal(*scheme, "mlp.2.weight").values();
    b2 = toy::set_normal(*scheme, "mlp.2.bias").values();
  }

  /// f(ψ(Δ)/ψ(max(m, threshold))), Li et al. 2023, equations 4 and 5; c and the threshold as they are used.
  double bias(Index head, double distance, double position, double used_c, double used_threshold) const {
    const auto psi = [&](double value) { return std::log(used_c * value + 1); };
    const double input = psi(distance) / psi(std::max(position, used_threshold));
    double sum = b2[static_cast<std::size_t>(head)];
    for (std::size_t u = 0; u < hidden; ++u) {
      sum += w2[static_cast<std::size_t>(head) * hidden + u] * std::max(0.0, w1[u] * input + b1[u]);
    }
    return sum;
  }

  void expect(double used_c, double used_threshold) const {
    for (const positional::Positions& at : toy::kinds_of_positions) {
      toy::expect_scores(x, *scheme, at, [&](Index h, Index i, Index j) {
        const double m = at.at(0, i), n = at.at(0, j);
        return x.product(h, i, j) / 2 + bias(h, std::abs(m - n), std::max(m, n), used_c, used_threshold);
      });
    }
  }
};

// Under the mask the larger position is the query's.
TEST(Fire, BiasIsAFunctionOfTheDistanceRelativeToTheLargerPosition) {
  Fire(0.3, 4.5).expect(0.3, 4.5);  // some positions below the threshold, some above
  Fire(2, 0.5).expect(2, 0.5);      // all but 0 above
  Fire(0.1, 100).expect(0.1, 100);  // all below
}

TEST(Fire, CAndTheThresholdAreKeptAboveTheirLeast) {
  Fire(-1, 4.5).expect(0.01, 4.5);
  Fire(0.3, -7).expect(0.3, 0.01);
}

TEST(Fire, OutsideTheirBoundsTheyHaveNoGradient) {
  for (const auto& [c, threshold] : {std::pair{-1.0, 4.5}, {0.3, -7.0}, {0.3, 4.5}}) {
    for (const positional::Positions& at : toy::kinds_of_positions) {
      const Fire fire(c, threshold);
      const Tensors found = toy::attention_gradients(x, toy::terms_of(*fire.scheme, at),
                                                     {toy::symbol(*fire.scheme, "c"), toy::symbol(*fire.scheme, "threshold")});
      EXPECT_EQ(found[0].item() != 0, c > 0);
      EXPECT_EQ(found[1].item() != 0, threshold > 0);
    }
  }
}

TEST(Fire, StartsAsItsAuthorsDoWithTheThresholdInsideTheTrainedLength) {
  const auto scheme = toy::prepared("fire", {}, {.width = 8, .heads = 2, .length = 64});
  EXPECT_EQ(toy::symbol(*scheme, "c").item(), 0.1);
  EXPECT_EQ(toy::symbol(*scheme, "threshold").item(), 16.5);
  EXPECT_EQ(toy::symbol(*scheme, "mlp.0.weight").shape(), (Shape{32, 1}));
  EXPECT_EQ(toy::symbol(*scheme, "mlp.2.weight").shape(), (Shape{2, 32}));
}

}  // namespace
}  // namespace ropewalk
