// Sums whose order depends on how many terms there are, not on when they come: the same bits on any number of threads.
#pragma once

#include <mutex>
#include <vector>

#include "framework/core/tensor.hpp"

namespace ropewalk {

/// ((0 + 1) + (2 + 3)) + …
double tree_sum(std::vector<double> values);

/// The same sum of rows [size] that come from several threads in any order. Whoever brings the second of a pair adds the two, and
/// the row that is then free serves the next term: beside the terms being made, no more than the unpaired ones are held.
class TreeSum {
 public:
  TreeSum(Index count, Index size, Type type);

  Index count() const { return static_cast<Index>(waiting_.size()); }

  /// A row for a term, its contents undefined.
  Tensor take();
  /// A row that holds nothing of use any more.
  void give_back(Tensor row);
  /// Term `index` is in `row`, or the sum of the `span` terms from there on, made elsewhere. The last of `count` terms completes
  /// the sum.
  void put(Index index, Tensor row, Index span = 1);
  /// Takes out a sum that begins with term `index` and waits for what it is added to: that addition is made elsewhere.
  Tensor remove(Index index);
  /// The sum, until the first `take` for the next one.
  const Tensor& total() const { return total_; }

 private:
  /// The sum of terms index … index + span − 1, waiting for what it is added to.
  struct Waiting {
    Tensor row;
    Index span = 0;
  };

  Index size_;
  Type type_;
  std::mutex mutex_;
  std::vector<Waiting> waiting_;  ///< by index
  Tensors free_;
  Tensor total_;
};

}  // namespace ropewalk
