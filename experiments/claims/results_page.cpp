#include "experiments/claims/results_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "experiments/claims/rotary_rows.hpp"
#include "experiments/claims/tables.hpp"

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
  const fs::path picture = picture_of(claim.figure).lexically_relative(page.parent_path());
  return fmt::format("![{}]({})\n\n`{}`\n\n", escaped(claim.text), picture.string(), claim.figure);
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
  if (const auto rows = measured_rows(judgement); !rows.empty()) text += "Measured, mean over runs:\n\n" + table(rows);
  const std::string brackets = meaning_of_brackets(judgement);
  text += fmt::format("Judged{}:\n\n", brackets.empty() ? "" : ", mean over pairs [" + brackets + "]") +
          table(comparison_rows(judgement.predicate));
  if (!judgement.tried.empty()) text += "Also looked at, deciding nothing:\n\n" + table(comparison_rows(judgement.tried));
  text += fmt::format("Why a toy can show it: {}\n\n", escaped(claim.toy));
  if (judgement.verdict != Verdict::reproduced && !claim.reason.empty())
    text += fmt::format("Why not, probably: {}\n\n", escaped(claim.reason));
  text += fmt::format("{} of {} runs of `{}`, {} of training on one core.\n\n", judgement.done, judgement.runs,
                      claim.study.generic_string(), duration(judgement.training_seconds));
  return text + figure(claim, page);
}

std::vector<Row> summary(const std::vector<Judgement>& judgements) {
  std::vector<Row> rows{{"claim", "verdict", "says", "runs", "training on one core"}};
  for (const Judgement& judgement : judgements) {
    const Claim& claim = *judgement.claim;
    rows.push_back({claim.id, to_string(judgement.verdict), claim.text, fmt::format("{} of {}", judgement.done, judgement.runs),
                    duration(judgement.training_seconds)});
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

std::vector<Row> studies(const std::vector<ClaimOfStudy>& claims, Evidence& evidence) {
  std::vector<Row> rows{{"study", "runs done", "first begun", "last finished", "machine"}};
  for (const Study* study : studies_of(claims)) {
    std::string begun, finished, machine;
    std::size_t done = 0;
    for (const StudyRun& run : study->runs()) {
      const ReportedRun* found = evidence.find_run(*study, run);
      if (!found || !found->done()) continue;
      ++done;
      if (begun.empty() || found->record.started < begun) begun = found->record.started;
      finished = std::max(finished, found->record.finished);
      machine = found->record.machine;
    }
    rows.push_back({fmt::format("`ropewalk run {}`", study->file().generic_string()),
                    fmt::format("{} of {}", done, study->runs().size()), begun, finished, machine});
  }
  return rows;
}

std::string rotary(const std::vector<ClaimOfStudy>& claims, Evidence& evidence) {
  std::string text;
  for (const Study* study : studies_of(claims)) {
    const auto rows = rotary_rows(*study, evidence);
    if (rows.empty()) continue;
    text += fmt::format(
        "## Bases of {}: theory beside measurement\n\nCritical dimension: elements of a head that turn at least once within the "
        "trained length "
        "(Liu et al. 2023). Least base: the smallest that serves the trained length; serves: tokens within which no offset makes "
        "a query prefer a "
        "random key to one like itself (Men et al. 2024). Effective length: the longest evaluated one whose loss is within 2 % "
        "of that at the "
        "trained length, of each seed where they differ.\n\n",
        study->plan().name);
    text += table(rows);
  }
  return text;
}

}  // namespace

std::string results_page(const std::vector<Judgement>& judgements, const std::vector<ClaimOfStudy>& claims, Evidence& evidence,
                         const fs::path& page) {
  std::string text = fmt::format(
      "# Published claims, re-run at toy scale\n\nWritten by `build/ropewalk verify all --markdown {}` out of `configs/claims` "
      "and the runs; "
      "no number is typed. {} claims: {}.\n\n",
      page.generic_string(), judgements.size(), count_of_verdicts(judgements));
  text +=
      "A comparison is reproduced if the whole 95 % interval of the difference between its sides, paired by seed, is on the side "
      "that it asks "
      "for; not reproduced if it is all on the other; undecided if it is on both, or if runs are missing. A claim is reproduced "
      "if all of its "
      "comparisons are, and not if one is not. Of three pairs the interval is their range; of more it is a percentile bootstrap. "
      "L is the length "
      "that a run was trained on first.\n\n";
  text += table(summary(judgements)) + "## Studies\n\n" + table(studies(claims, evidence)) + "## Claims\n\n";
  for (const Judgement& judgement : judgements) text += section(judgement, page);
  return text + rotary(claims, evidence);
}

}  // namespace ropewalk
