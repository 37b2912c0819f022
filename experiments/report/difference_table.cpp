#include "experiments/report/difference_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/report/cell.hpp"
#include "experiments/report/length_table.hpp"
#include "experiments/report/pairs.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

/// Pairs of which both count.
std::vector<Pair> counted_pairs(const Group& group, const Group& baseline, const Question& question,
                                const std::vector<std::string>& pairing) {
  std::vector<Pair> pairs = pairs_of(group, baseline, pairing);
  std::erase_if(pairs, [&](const Pair& pair) {
    return !question.evaluation.counts(*pair.run) || !question.evaluation.counts(*pair.baseline);
  });
  return pairs;
}

std::vector<double> differences(const std::vector<Pair>& pairs, const Measure& measure) {
  std::vector<double> values;
  for (const Pair& pair : pairs) {
    const auto value = measure(*pair.run), from = measure(*pair.baseline);
    if (!value || !from) continue;
    const double difference = value->value - from->value;
    if (!std::isnan(difference)) values.push_back(difference);  // as that of two infinite values is
  }
  return values;
}

/// What the signs mean, and how little where there are so few pairs that the range is all there is.
std::string format_signs(std::size_t most, std::size_t fewest) {
  if (most < 2) return "";
  std::string text = "\nhigher, lower: the whole interval is on that side of 0";
  if (fewest < kFewestForBootstrap) {
    text += fmt::format("; {} pairs are so by chance once in {}, so ask for more seeds", fewest, 1 << (fewest - 1));
  }
  return text + "\n";
}

}  // namespace

std::string format_difference_table(const std::vector<Group>& groups, const std::string& baseline, const Question& question,
                                    const std::vector<std::string>& pairing) {
  const Group& from = find_baseline(groups, baseline);
  const std::vector<std::int64_t> lengths = lengths_of(groups);
  Cells cells("pairs");
  std::vector<Row> rows{{"run", "pairs"}};
  for (const std::int64_t length : lengths) rows.front().push_back(fmt::format("{}", length));
  std::size_t most = 0, fewest = kFewestForBootstrap;
  for (const Group& group : groups) {
    if (&group == &from) continue;
    const std::vector<Pair> pairs = counted_pairs(group, from, question, pairing);
    most = std::max(most, pairs.size());
    if (pairs.size() > 1) fewest = std::min(fewest, pairs.size());
    Row& row = rows.emplace_back(Row{group.label.empty() ? "all runs" : group.label, fmt::format("{}", pairs.size())});
    for (const std::int64_t length : lengths) {
      row.push_back(
          cells.difference(differences(pairs, value_measure(question, length)), pairs.size(), question.metric.decimals));
    }
  }
  return fmt::format("{} less that of {}, {}, paired by {}{}\n\n{}", question.metric.name, baseline, question.evaluation.name(),
                     join(pairing, ", "), cells.meaning(), format_table(rows)) +
         format_signs(most, fewest);
}

}  // namespace ropewalk
