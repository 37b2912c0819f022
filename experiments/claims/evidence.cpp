#include "experiments/claims/evidence.hpp"

#include <algorithm>

#include "experiments/claims/whole_run.hpp"
#include "experiments/config/flat_settings.hpp"
#include "experiments/run/run.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// Of what is asked at a length, or of a run as a whole.
Measure measure_of(const std::string& metric, const Question& question, std::optional<std::int64_t> length) {
  return length ? value_measure(question, *length) : whole_run_measure(metric, question);
}

std::optional<std::int64_t> scored_at(const ReportedRun& run, const Evaluation& evaluation, std::int64_t length) {
  const std::vector<std::int64_t> scored = scored_of(run, evaluation);
  const std::vector<std::int64_t>& lengths = run.record.evaluate.length;
  const auto place = std::ranges::find(lengths, length) - lengths.begin();
  return scored.empty() ? std::nullopt : std::optional(scored[static_cast<std::size_t>(place)]);
}

std::string name_of(const std::string& metric, std::optional<std::int64_t> length) {
  return length ? fmt::format("{} at {}", metric, *length) : metric;
}

}  // namespace

const ReportedRun* Evidence::find_run(const Study& study, const StudyRun& run) {
  const fs::path file = out_ / study.plan().name / run.run->id / "run.h5";
  const auto [place, is_new] = found_.try_emplace(file);
  std::error_code error;
  if (is_new && fs::exists(file, error)) place->second = read_reported(file, config::flat_settings);
  return place->second ? &*place->second : nullptr;
}

const ReportedRun* Evidence::find_evaluated(const Study& study, const StudyRun& run, const ClaimEvaluation& evaluation) {
  auto asked_before = asked_.find({&run, &evaluation});
  if (asked_before == asked_.end()) {
    AskedEvaluation made = asked_evaluation(*run.run, evaluation, out_, study.plan().name);
    asked_before = asked_.emplace(std::pair{&run, &evaluation}, std::move(made)).first;
  }
  const AskedEvaluation& asked = asked_before->second;
  const auto [place, is_new] = found_.try_emplace(asked.file());
  if (!is_new) return place->second ? &*place->second : nullptr;
  auto record = kept_evaluation(asked);
  if (!record) return nullptr;
  place->second = *find_run(study, run);
  place->second->record.evaluate = std::move(record->evaluate);
  return &*place->second;
}

Observation Evidence::observe(const Study& study, const StudyRun& run, const Claim& claim, const Series& series,
                              const std::optional<LengthTerm>& length) {
  const std::string& id = run.run->id;
  const ReportedRun* found = find_run(study, run);
  if (!found) return {{}, "missing", id};
  if (is_left({found->record.status}, /*retry_failed=*/false)) return {{}, "not over", id};
  if (!found->done()) return {{}, found->record.status, id};
  if (!series.evaluation.empty()) {
    found = find_evaluated(study, run, *std::ranges::find(claim.evaluations, series.evaluation, &ClaimEvaluation::name));
    if (!found) return {{}, fmt::format("evaluation '{}' missing", series.evaluation), id};
  }
  const std::string& metric = series.metric;
  const std::optional<std::int64_t> tokens = length ? std::optional(length->of(run.trained)) : std::nullopt;
  const Question question{find_metric(tokens ? metric : "perplexity"), {series.protocol}};
  const auto value = measure_of(metric, question, tokens)(*found);
  if (!value) return {{}, fmt::format("no {}", name_of(metric, tokens)), id};
  return {value, "", id, tokens ? scored_at(*found, question.evaluation, *tokens) : std::nullopt};
}

}  // namespace ropewalk
