#include "experiments/command/verify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "experiments/claims/carry_out.hpp"
#include "experiments/claims/judgement.hpp"
#include "experiments/claims/results_page.hpp"
#include "experiments/claims/tables.hpp"
#include "experiments/command/console.hpp"
#include "experiments/command/output_file.hpp"
#include "experiments/command/standard_output.hpp"
#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/run/interrupt.hpp"
#include "experiments/text/join.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

const fs::path kClaims = "configs/claims";

std::vector<std::string> names_of_claims() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(kClaims, error)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

fs::path file_of(const std::string& claim) {
  std::error_code error;
  if (fs::is_regular_file(claim, error)) return claim;
  const fs::path file = kClaims / (claim + ".yaml");
  if (fs::is_regular_file(file, error)) return file;
  const std::vector<std::string> names = names_of_claims();
  if (names.empty()) {
    throw FileError(fmt::format("{}: expected a claim file; there is no {} here with claims to name", claim, kClaims.string()));
  }
  const std::string near = nearest(claim, names);
  throw UsageError(fmt::format("CLAIM: expected a file, all, or one of {}, got {}{}", join(names, ", "), claim,
                               near.empty() ? "" : "; did you mean " + near + "?"));
}

/// Those that were asked for, each once.
std::vector<fs::path> files_of(const std::vector<std::string>& claims) {
  std::vector<fs::path> files;
  for (const std::string& claim : claims) {
    const std::vector<std::string> names = claim == "all" ? names_of_claims() : std::vector{claim};
    if (names.empty()) throw FileError(fmt::format("{}: expected claim files there, found none", kClaims.string()));
    for (const std::string& name : names) {
      const fs::path file = file_of(name).lexically_normal();
      if (std::ranges::count(files, file) == 0) files.push_back(file);
    }
  }
  return files;
}

/// A table under its title; nothing without rows.
std::string section(const std::string& title, const std::vector<Row>& rows) {
  return rows.empty() ? "" : fmt::format("\n{}\n\n{}", title, format_table(rows));
}

std::string in_words(const Judgement& judgement) {
  const Claim& claim = *judgement.claim;
  const std::string brackets = meaning_of_brackets(judgement);
  std::string text = fmt::format("{}: {}\n{} ({})\n", claim.id, to_string(judgement.verdict), claim.text, claim.source);
  text += fmt::format("\npublished: {}\n", claim.published.what);
  if (const auto rows = published_rows(claim.published); !rows.empty()) text += "\n" + format_table(rows);
  text += "\n" + format_table(series_rows(claim));
  text += section("measured: mean over runs [as below]", measured_rows(judgement));
  text +=
      section(brackets.empty() ? "judged" : "judged: mean over pairs [" + brackets + "]", comparison_rows(judgement.predicate));
  if (!judgement.tried.empty()) text += section("also looked at, deciding nothing", comparison_rows(judgement.tried));
  if (!claim.note.empty()) text += "\nnote: " + claim.note + "\n";
  return text + fmt::format("\nruns: {} of {} done, {:.0f} s of training on one core\n\n", judgement.done, judgement.runs,
                            judgement.training_seconds);
}

std::string summary(const std::vector<Judgement>& judgements) {
  std::vector<Row> rows{{"claim", "verdict", "comparisons that hold"}};
  for (const Judgement& one : judgements) rows.push_back({one.claim->id, to_string(one.verdict), held(one)});
  return format_table(rows) + fmt::format("\n{}: {}\n", counted(judgements.size(), "claim"), count_of_verdicts(judgements));
}

SweepResult carry_out_on_console(const LoadedClaims& claims, const SweepOptions& options) {
  const auto run = [](const config::Plan& plan, const SweepOptions& of_plan) {
    Console console(/*redraws=*/true);
    const SweepResult result = run_sweep({plan}, of_plan, console);
    console.close(result);
    return result;
  };
  const auto evaluating = [](const std::string& run_id, const std::string& evaluation) {
    fmt::print("{}  evaluating: {}\n", run_id, evaluation);
    std::fflush(stdout);
  };
  return carry_out(claims.all(), options, {run, evaluating});
}

/// Whether some number that was asked for is not there, or does not suffice.
bool is_open(const Judgement& judgement) { return judgement.verdict == Verdict::undecided || judgement.done < judgement.runs; }

}  // namespace

int verify_claims(const VerifyArguments& arguments, SweepOptions options) {
  if (!arguments.csv.empty()) expect_own_file(arguments.csv, "--csv");
  if (!arguments.markdown.empty()) expect_own_file(arguments.markdown, "--markdown");
  const LoadedClaims claims(files_of(arguments.claims));
  int code = 0;
  if (!arguments.judge_only) {
    catch_interrupts();
    std::signal(SIGPIPE, SIG_IGN);  // nobody reads on: no reason to stop training
    code = carry_out_on_console(claims, options).exit_code();
    if (code == 130) {
      fmt::print(stderr, "interrupted; what is done is kept, and the same command goes on\n");
      return code;
    }
  }
  Evidence evidence(options.out);
  std::vector<Judgement> judgements;
  for (const auto& [claim, study] : claims.all()) judgements.push_back(judge_claim(*claim, *study, evidence));
  std::string text;
  for (const Judgement& judgement : judgements) text += in_words(judgement);
  write_out(text + summary(judgements));
  if (!arguments.csv.empty()) replace_file(arguments.csv, claims_csv(judgements));
  if (!arguments.markdown.empty()) {
    const PageOrigin origin{join(arguments.claims, " "), arguments.markdown};
    replace_file(arguments.markdown, results_page(judgements, claims.all(), evidence, origin));
  }
  return code == 3 ? 3 : std::ranges::any_of(judgements, is_open) ? 1 : 0;
}

std::string claim_is_fine(const std::string& file) {
  const LoadedClaims claims({file});
  const auto& [claim, study] = claims.all().front();
  expect_possible(claims.all().front());
  return fmt::format("{}: fine, {} of the {} runs of {}\n", file, runs_of(*claim, *study).size(), study->runs().size(),
                     study->file().string());
}

}  // namespace ropewalk
