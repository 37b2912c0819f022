// How far one run carries beyond its trained length, in single numbers.
#pragma once

#include <cstdint>
#include <optional>

#include "experiments/report/curve.hpp"

namespace ropewalk {

/// A number of one run; `at_least` if the evaluated lengths ended before it was reached.
struct Measured {
  double value;
  bool at_least = false;
};

/// The longest evaluated length in tokens, from the trained one on, whose loss is at most 1.02 times that at the trained length.
/// None if the loss there is missing or infinite.
std::optional<Measured> effective_length(const Curve& loss, std::int64_t trained);

/// Tokens past the trained length before perplexity passes 1.01 times what it is there, as in section 2 of the ALiBi paper
/// (Press, Smith, Lewis 2021). Between two evaluated lengths the loss is taken to be linear in the logarithm of the length; a
/// length without a value ends the walk. None if the loss at the trained length is missing or infinite.
std::optional<Measured> tokens_gained(const Curve& loss, std::int64_t trained);

/// The mean of a metric over log2 of the length, from the trained length to the longest: the area under the curve by trapezoids,
/// over its width. None if a value is missing, the first is infinite, or nothing is evaluated beyond the trained length.
std::optional<Measured> area(const Curve& curve, std::int64_t trained);

/// The most that a loss rises from one evaluated length to the next, in nats per doubling of the length, from the trained length
/// on; below 0 if it falls all the way. None if a value is missing or infinite, or nothing is evaluated beyond the trained
/// length.
std::optional<Measured> steepest_rise(const Curve& loss, std::int64_t trained);

}  // namespace ropewalk
