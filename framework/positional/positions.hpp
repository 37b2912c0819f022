// Positions of the tokens of a batch. They are real numbers in double precision whatever the model's type is.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "framework/core/tensor.hpp"

namespace ropewalk::positional {

/// Position of each index of a sequence: one row that all sequences of a batch share, or a row for each.
class Positions {
 public:
  Positions() = default;
  Positions(std::vector<double> shared) : values_(std::move(shared)) {}
  Positions(std::initializer_list<double> shared) : values_(shared) {}
  /// Row by row; as many rows as `sequences`.
  Positions(std::vector<double> values, Index sequences);

  Index sequences() const { return sequences_; }
  Index length() const { return static_cast<Index>(values_.size()) / sequences_; }
  double at(Index sequence, Index index) const { return values_[static_cast<std::size_t>(sequence * length() + index)]; }
  /// All rows, one after the other.
  const std::vector<double>& values() const { return values_; }

  /// Indices begin … end − 1 of every row.
  Positions part(Index begin, Index end) const;
  /// The nearest whole numbers; halves go up.
  Positions nearest() const;
  /// The same as i32 [sequences, length].
  Tensor rounded() const;
  bool whole() const;

  bool operator==(const Positions&) const = default;

 private:
  std::vector<double> values_;
  Index sequences_ = 1;
};

/// first, first + 1, …
Positions contiguous(Index length, double first = 0);

/// Positions of the queries and of the keys of one attention; the same where nothing comes from a cache.
struct Places {
  Positions queries, keys;

  Places(const Positions& both) : queries(both), keys(both) {}
  Places(Positions queries, Positions keys) : queries(std::move(queries)), keys(std::move(keys)) {}

  /// True if query position less key position depends on the difference of their indices alone, in all sequences alike.
  bool even() const;
  /// Smallest and largest query position less key position within a sequence, of all sequences; zeros if there are none.
  std::pair<double, double> span() const;
  bool whole() const { return queries.whole() && keys.whole(); }
  Places nearest() const { return {queries.nearest(), keys.nearest()}; }
};

}  // namespace ropewalk::positional
