#include "framework/positional/rope_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {
namespace {

// Σ_j cos(m·θ_j) for consecutive offsets m, a chunk at a time: cos(a + b) = cos a·cos b − sin a·sin b, where a is the angle at
// the start of the chunk and b that within it, so that only the starts have to be turned from chunk to chunk.
class CosineSums {
 public:
  CosineSums(double base, Index width) : frequencies_(frequencies(base, width)) {
    for (double frequency : frequencies_) within_.push_back(turns(frequency));
  }

  // The first offset in [from, to) with a negative sum, or `to`.
  Index first_negative(Index from, Index to) const {
    std::vector<Turn> starts, steps;
    for (double frequency : frequencies_) {
      starts.push_back(turn(static_cast<double>(from) * frequency));
      steps.push_back(turn(chunk * frequency));
    }
    for (Index start = from; start < to; start += chunk) {
      const std::array<double, chunk> sums = sums_from(starts);
      const auto end = sums.begin() + std::min<Index>(chunk, to - start);
      const auto found = std::find_if(sums.begin(), end, [](double sum) { return sum < 0; });
      if (found != end) return start + (found - sums.begin());
      for (std::size_t j = 0; j < starts.size(); ++j) starts[j] = both(starts[j], steps[j]);
    }
    return to;
  }

 private:
  static constexpr int chunk = 16;
  struct Turn {
    double cosine, sine;
  };
  struct Turns {
    std::array<double, chunk> cosine, sine;
  };

  static Turn turn(double angle) { return {std::cos(angle), std::sin(angle)}; }
  static Turn both(Turn a, Turn b) { return {a.cosine * b.cosine - a.sine * b.sine, a.cosine * b.sine + a.sine * b.cosine}; }

  // By 0, 1, … chunk − 1 tokens.
  static Turns turns(double frequency) {
    const Turn step = turn(frequency);
    Turns turns;
    Turn at{1, 0};
    for (int i = 0; i < chunk; ++i, at = both(at, step)) {
      turns.cosine[i] = at.cosine;
      turns.sine[i] = at.sine;
    }
    return turns;
  }

  std::array<double, chunk> sums_from(const std::vector<Turn>& starts) const {
    std::array<double, chunk> sums{};
    for (std::size_t j = 0; j < starts.size(); ++j) {
      const auto [cosine, sine] = starts[j];
      for (int i = 0; i < chunk; ++i) sums[i] += cosine * within_[j].cosine[i] - sine * within_[j].sine[i];
    }
    return sums;
  }

  std::vector<double> frequencies_;
  std::vector<Turns> within_;
};

}  // namespace

Index critical_dimension(Index width, double base, Index length) {
  const double turning = std::log(static_cast<double>(length) / (2 * std::numbers::pi)) / std::log(base);  // part of the pairs
  const double pairs = std::ceil(static_cast<double>(width) / 2 * turning);
  return 2 * static_cast<Index>(std::clamp(pairs, 0.0, static_cast<double>(width / 2)));
}

Index first_failing_offset(Index width, double base, Index length) { return CosineSums(base, width).first_negative(0, length); }

std::optional<double> base_lower_bound(Index width, Index length) {
  // A base fails near the offset at which the one before it failed: mostly a look around there spares the whole context.
  constexpr Index around = 128;
  Index failed = 0;
  double base = base_step;
  for (int step = 1; base <= largest_base; base = std::pow(base_step, ++step)) {
    const CosineSums sums(base, width);
    const Index first = std::max<Index>(0, failed - around), last = std::min(length, failed + around);
    failed = sums.first_negative(first, last);
    if (failed == last) failed = sums.first_negative(0, length);
    if (failed == length) return base;
  }
  return std::nullopt;
}

}  // namespace ropewalk::positional
