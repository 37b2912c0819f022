#include "experiments/claims/results_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "experiments/claims/rotary_rows.hpp"
#include "experiments/claims/tables.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '|' || letter == '<' || letter == '*') result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result;
}

std::string line_of(const Row& row) {
  std::string text = "|";
  for (const std::string& cell : row) text += " " + escaped(cell) + " |";
  return text + "\n";
}

std::string table(const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::string text = line_of(rows.front()) + "|";
  for (std::size_t i = 0; i < rows.front().size(); ++i) text += "---|";
  text += "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) text += line_of(rows[i]);
  return text + "\n";
}

/// The picture that a command draws: what follows --output, as a .png unless it names another.
fs::path picture_of(const std::string& command) {
  std::istringstream words(command.substr(command.find("--output ") + 9));
  fs::path file;
  words >> file;
  return file.has_extension() ? file : fs::path(file.string() + ".png");
}

std::string figure(const Claim& claim, const fs::path& page) {
  if (claim.figure.empty()) return "";
  const fs::path picture = fs::proximate(fs::absolute(picture_of(claim.figure)), fs::absolute(page).parent_path());
  return fmt::format("![{}]({})\n\n`{}`\n\n", escaped(claim.text), picture.generic_string(), claim.figure);
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{} s", std::lround(seconds));
  return fmt::format("{} min", std::lround(seconds / 60));
}

std::string section(const Judgement& judgement, const fs::path& page) {
  const Claim& claim = *judgement.claim;
  std::string text = fmt::format("### {}: {}\n\n{}. {}.\n\n", claim.id, to_string(judgement.verdict), escaped(claim.text),
                                 escaped(claim.source));
  text += fmt::format("Published: {}.\n\n", escaped(claim.published.what)) + table(published_rows(claim.published));
  text += "Series:\n\n" + table(series_rows(claim));
  if (const auto rows = measured_rows(judgement); !rows.empty()) {
    text += "Measured at multiples of the trained length L, mean over runs [as below]:\n\n" + table(rows);
  }
  const std::string brackets = meaning_of_brackets(judgement);
  text += fmt::format("Judged{}:\n\n", brackets.empty() ? "" : ", mean over pairs [" + brackets + "]") +
          table(comparison_rows(judgement.predicate));
  if (!judgement.tried.empty()) text += "Also looked at, deciding nothing:\n\n" + table(comparison_rows(judgement.tried));
  text += fmt::format("Why a toy can show it: {}\n\n", escaped(claim.toy));
  if (!claim.note.empty()) text += fmt::format("Note: {}\n\n", escaped(claim.note));
  text += fmt::format("{} of {} runs of `{}`, {} of training on one core.\n\n", judgement.done, judgement.runs,
                      claim.study.generic_string(), duration(judgement.training_seconds));
  return text + figure(claim, page);
}

std::vector<Row> summary(const std::vector<Judgement>& judgements) {
  std::vector<Row> rows{{"claim", "verdict", "comparisons that hold", "says", "runs", "training on one core"}};
  for (const Judgement& judgement : judgements) {
    const Claim& claim = *judgement.claim;
    rows.push_back({claim.id, to_string(judgement.verdict), held(judgement), claim.text,
                    fmt::format("{} of {}", judgement.done, judgement.runs), duration(judgement.training_seconds)});
  }
  return rows;
}

/// Each once.
std::vector<const Study*> studies_of(const std::vector<ClaimOfStudy>& claims) {
  std::vector<const Study*> studies;
  for (const ClaimOfStudy& one : claims) {
    if (std::ranges::count(studies, one.study) == 0) studies.push_back(one.study);
  }
  return studies;
}

/// The smallest and the largest of some numbers: "132864", or "132864 to 330496"; nothing of none.
std::string range(const std::set<std::int64_t>& numbers) {
  if (numbers.empty()) return "";
  if (numbers.size() == 1) return std::to_string(*numbers.begin());
  return fmt::format("{} to {}", *numbers.begin(), *numbers.rbegin());
}

Row row_of(const Study& study, Evidence& evidence) {
  std::string begun, finished;
  std::set<std::string> machines;
  std::set<std::int64_t> parameters, tokens;
  std::size_t done = 0;
  for (const StudyRun& run : study.runs()) {
    const ReportedRun* found = evidence.find_run(study, run);
    if (!found || !found->done()) continue;
    const RunRecord& record = found->record;
    ++done;
    if (begun.empty() || record.started < begun) begun = record.started;
    finished = std::max(finished, record.finished);
    machines.insert(record.machine);
    parameters.insert(record.parameters);
    if (!record.train.tokens.empty()) tokens.insert(record.train.tokens.back());
  }
  return {fmt::format("`build/ropewalk run {}`", study.file().generic_string()),
          fmt::format("{} of {}", done, study.runs().size()),
          range(parameters),
          range(tokens),
          begun,
          finished,
          join({machines.begin(), machines.end()}, "; ")};
}

std::vector<Row> study_rows(const std::vector<ClaimOfStudy>& claims, Evidence& evidence) {
  std::vector<Row> rows{
      {"study", "runs done", "parameters of a model", "tokens seen in training", "first begun", "last finished", "machine"}};
  for (const Study* study : studies_of(claims)) rows.push_back(row_of(*study, evidence));
  return rows;
}

constexpr const char* kAboutJudging = R"(
A comparison is reproduced if the whole 95 % interval of the difference between its sides, paired by seed, is on the side that it
asks for; not reproduced if it is all on the other; undecided if it is on both, or if runs are missing. A claim is reproduced if all
of its comparisons are, and not if one is not. The interval is a percentile bootstrap over pairs; of three pairs it is their range,
and three agree in sign by chance once in 4 even where there is no effect. L is the length that a run was trained on first, in
tokens, which are bytes. A side of a comparison has its factor in it. Predicates were committed before the runs that judge them; what
was also looked at, and notes, partly later.

)";

constexpr const char* kAboutBases = R"(
Critical dimension: elements of a head that turn at least once within the trained length (Liu et al. 2023). Least base: the smallest
that serves the trained length; serves: tokens within which no offset makes a query prefer a random key to one like itself (Men et
al. 2024). Effective length: the longest evaluated one whose loss is within 2 % of that at the trained length, of each seed where
they differ.

)";

std::string rotary(const std::vector<ClaimOfStudy>& claims, Evidence& evidence) {
  std::string text;
  for (const Study* study : studies_of(claims)) {
    const auto rows = rotary_rows(*study, evidence);
    if (!rows.empty())
      text += fmt::format("## Bases of {}: theory beside measurement\n", study->plan().name) + kAboutBases + table(rows);
  }
  return text;
}

}  // namespace

std::string results_page(const std::vector<Judgement>& judgements, const std::vector<ClaimOfStudy>& claims, Evidence& evidence,
                         const PageOrigin& origin) {
  std::string text = fmt::format(
      "# Published claims, re-run at toy scale\n\nWritten by `build/ropewalk verify {} --markdown {}` out of claim files and "
      "runs; no "
      "number is typed. {}: {}.\n",
      origin.claims, origin.page.generic_string(), counted(judgements.size(), "claim"), count_of_verdicts(judgements));
  text += kAboutJudging + table(summary(judgements)) + "## Studies\n\n" + table(study_rows(claims, evidence)) + "## Claims\n\n";
  for (const Judgement& judgement : judgements) text += section(judgement, origin.page);
  return text + rotary(claims, evidence);
}

}  // namespace ropewalk
