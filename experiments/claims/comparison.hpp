// One line of a predicate: "alibi at 2L <= 1.02 * alibi at L".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/tree.hpp"

namespace ropewalk {

/// A length relative to the trained one, L: "L", "2L", "L+10".
struct LengthTerm {
  std::string text;
  std::int64_t multiple = 1;  ///< of L
  std::int64_t plus = 0;      ///< tokens

  std::int64_t of(std::int64_t trained) const { return multiple * trained + plus; }
  bool operator==(const LengthTerm&) const = default;
};

/// What is measured of one run of a series.
struct Term {
  std::string series;
  std::optional<LengthTerm> length;  ///< none: the measure has no length, as a speed

  bool operator==(const Term&) const = default;
};

/// factor * term, or factor * term / divisor.
struct Side {
  double factor = 1;
  Term term;
  std::optional<Term> divisor;
};

struct Comparison {
  std::string text;  ///< as it was written
  config::Place place;
  Side left;
  std::string compare;  ///< <=, >=, < or >
  Side right;

  bool strict() const { return compare.size() == 1; }
  /// Whether the left side is to be the smaller one.
  bool upwards() const { return compare[0] == '<'; }
  /// The terms of both sides.
  std::vector<Term> terms() const;
};

/// Throws `UsageError` with what was expected instead; the place is left to the caller.
LengthTerm parse_length(const std::string& text);

/// Names of series may have blanks, but none of < > = * /. Throws like `parse_length`.
Comparison parse_comparison(const std::string& text);

}  // namespace ropewalk
