#include "experiments/report/rotary_table.hpp"

#include <fmt/core.h>

#include <optional>
#include <set>

#include "experiments/report/table.hpp"

namespace ropewalk {
namespace {

constexpr const char* kMeaning =
    "critical: elements of a head that turn at least once within the trained length, of those that turn (Liu et al. 2023)\n"
    "serves: tokens within which no offset makes a query prefer a random key to one like itself under this base, before any\n"
    "        scaling (Men et al. 2024)\n"
    "least base: the smallest that serves a length; above it there are others that do not, so look at what this one serves\n";

std::string format_bound(const std::optional<double>& bound) { return bound ? fmt::format("{:.0f}", *bound) : "none"; }

}  // namespace

std::string format_rotary_table(const std::vector<RotaryRow>& rows) {
  if (rows.empty()) return "";
  std::vector<Row> cells{
      {"rotation", "base", "critical", "serves", "trained length", "least base", "longest length", "least base"}};
  for (const RotaryRow& row : rows) {
    const RotaryFacts& facts = row.facts;
    cells.push_back({row.label.empty() ? "all runs" : row.label, fmt::format("{:.10g}", facts.base),
                     fmt::format("{} of {}", facts.critical_dimension, facts.width),
                     facts.serves < facts.longest ? fmt::format("{}", facts.serves) : fmt::format("{}, all", facts.serves),
                     fmt::format("{}", facts.trained), format_bound(facts.trained_bound), fmt::format("{}", facts.longest),
                     format_bound(facts.longest_bound)});
  }
  return format_table(cells) + "\n" + kMeaning;
}

std::string format_rotary_table(const std::vector<Group>& groups) {
  std::vector<RotaryRow> rows;
  for (const Group& group : groups) {
    std::set<RotaryFacts> different;  // several only where groups pool runs of several lengths or bases
    for (const ReportedRun* run : group.runs) {
      if (run->record.rotary) different.insert(*run->record.rotary);
    }
    for (const RotaryFacts& facts : different) rows.push_back({group.label, facts});
  }
  return format_rotary_table(rows);
}

}  // namespace ropewalk
