// Numbers over several runs as cells of a table.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/measure.hpp"
#include "experiments/report/statistics.hpp"
#include "experiments/report/table.hpp"

namespace ropewalk {

inline constexpr const char* kNothing = "-";  ///< a cell without a value

/// Makes the cells of a table, and knows afterwards what they are.
class Cells {
 public:
  /// `counted`: what there are several of in a row, such as seeds.
  explicit Cells(std::string counted) : counted_(std::move(counted)) {}

  /// The mean over the runs of a group that count with its interval in brackets, if it has one and the values are not all the
  /// same: `5.50 [5.00, 6.00]`; after a `≥` if one of the values is `at_least`, before ` (2)` if fewer runs have one than count.
  std::string of(const Group& group, const Measure& measure, const Question& question, int decimals);

  /// The mean difference over `pairs` with a sign before every number and what `sign_of` its interval says behind:
  /// `+0.50 [+0.25, +0.75] higher`.
  std::string difference(const std::vector<double>& differences, std::size_t pairs, int decimals);

  /// `: mean over seeds [range over seeds]`; nothing if no cell has an interval.
  std::string meaning() const;
  /// A line for the legend; empty if no cell has fewer values than its row says.
  std::string meaning_of_fewer() const;

 private:
  std::string fewer(std::size_t values, std::size_t all);

  std::string counted_;
  Bootstrap bootstrap_;
  std::vector<std::size_t> counts_;  ///< of values, a cell each
  bool has_fewer_ = false;
};

/// How many runs of a group count.
std::size_t count_of(const Group& group, const Question& question);

/// The first cells of a group: its label, and how many of its runs count, `1 of 2`.
Row row_of(const Group& group, const Question& question);

}  // namespace ropewalk
