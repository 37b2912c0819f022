#include "experiments/claims/rotary_rows.hpp"

#include <fmt/core.h>

#include <map>
#include <set>
#include <tuple>

#include "experiments/report/measure.hpp"
#include "experiments/report/number.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

/// What tells rows apart, in the order in which they are shown.
struct Line {
  std::int64_t width;
  std::int64_t stage;
  double first_base;
  double base;

  auto operator<=>(const Line&) const = default;
};

struct Seen {
  RotaryFacts facts;
  std::vector<Measured> effective;
};

/// Of each seed, or once if they agree.
std::string tokens(const std::vector<Measured>& values) {
  std::vector<std::string> texts;
  for (const Measured& value : values) texts.push_back(fmt::format("{}{:.0f}", value.at_least ? "≥" : "", value.value));
  if (std::set(texts.begin(), texts.end()).size() == 1) texts.resize(1);
  return join(texts, ", ");
}

std::string number(double base) { return fmt::format("{:.10g}", base); }

std::string bound(const std::optional<double>& base) { return base ? fmt::format("{:.0f}", *base) : "none"; }

double base_of(const Settings& settings) {
  const auto found = settings.find("model.position.base");
  return found == settings.end() ? 0 : parse_number(found->second).value_or(0);
}

std::map<Line, Seen> lines_of(const Study& study, Evidence& evidence) {
  static const Question question{find_metric("loss"), {}};
  std::map<Line, Seen> lines;
  for (const StudyRun& run : study.runs()) {
    const ReportedRun* found = evidence.find_run(study, run);
    if (!found || !found->done() || !found->record.rotary) continue;
    const RotaryFacts& facts = *found->record.rotary;
    Seen& seen = lines[{facts.width, run.run->stage, base_of(run.first), facts.base}];
    seen.facts = facts;
    if (const auto effective = effective_length_measure(question)(*found)) seen.effective.push_back(*effective);
  }
  return lines;
}

}  // namespace

std::vector<Row> rotary_rows(const Study& study, Evidence& evidence) {
  const std::map<Line, Seen> lines = lines_of(study, evidence);
  std::set<double> bases;
  for (const auto& [line, seen] : lines) bases.insert(line.base);
  std::vector<Row> rows;
  if (bases.size() < 2) return rows;
  rows.push_back({"head width", "base", "trained from base", "trained length", "critical dimension", "least base for it",
                  "serves", "effective length"});
  for (const auto& [line, seen] : lines) {
    rows.push_back({std::to_string(line.width), number(line.base), number(line.first_base), std::to_string(seen.facts.trained),
                    std::to_string(seen.facts.critical_dimension), bound(seen.facts.trained_bound),
                    std::to_string(seen.facts.serves), tokens(seen.effective)});
  }
  return rows;
}

}  // namespace ropewalk
