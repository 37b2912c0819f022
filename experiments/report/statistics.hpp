// What a handful of seeds says about a mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ropewalk {

struct Interval {
  double low;
  double high;
};

/// Arithmetic mean; NaN of nothing.
double mean(const std::vector<double>& values);

/// Of fewer values, the interval is their range: of 3, every resample of one value is likelier than a tail.
inline constexpr std::size_t kFewestForBootstrap = 4;

/// Intervals of means of many groups, of which neighbours often have as many values: which of them a resample consists of is
/// drawn once.
class Bootstrap {
 public:
  /// 95 % percentile bootstrap interval of the mean (Efron 1979) from 10 000 resamples of a fixed random stream: equal values,
  /// equal interval. None for fewer than two values, nor if one of them is not finite. Of two or three values it is their whole
  /// range.
  std::optional<Interval> interval(const std::vector<double>& values);

 private:
  void draw(std::size_t count);

  std::size_t count_ = 0;             ///< of values, for which `drawn_` is
  std::vector<std::uint32_t> drawn_;  ///< [resamples, count], indices of values
};

/// What to call the intervals of groups that have such numbers of `counted` things: "range over seeds" of two or three, "95 %
/// bootstrap interval" of more, and both where there are both. Empty if none has two.
std::string name_of_intervals(const std::vector<std::size_t>& counts, const std::string& counted);

}  // namespace ropewalk
