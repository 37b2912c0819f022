#include "experiments/claims/evaluations.hpp"

#include "experiments/config/resolved.hpp"
#include "experiments/record/file.hpp"
#include "experiments/run/trained_evaluation.hpp"

namespace ropewalk {

namespace fs = std::filesystem;

fs::path AskedEvaluation::file() const { return directory / "evaluations" / (config.id + ".h5"); }

AskedEvaluation asked_evaluation(const config::RunConfig& run, const ClaimEvaluation& evaluation, const fs::path& out,
                                 const std::string& study) {
  TrainedRun trained;
  trained.directory = out / study / run.id;
  trained.config = run;
  trained.config.yaml = config::text_of(run.settings);  // of its last stage, as its directory has it
  return {changed_config(trained, evaluation.sets, Use::evaluation), trained.directory, run.steps()};
}

std::optional<EvaluationRecord> kept_evaluation(const AskedEvaluation& asked) {
  std::error_code error;
  if (!fs::exists(asked.file(), error)) return std::nullopt;
  EvaluationRecord record = read_evaluation(asked.file());
  const bool same = record.config == asked.config.yaml && record.step == asked.step;
  return same ? std::optional(std::move(record)) : std::nullopt;
}

bool evaluate_and_keep(const AskedEvaluation& asked, Crew& crew, const EvaluationProgress& progress) {
  const auto record = evaluate_trained(read_trained_run(asked.directory), asked.config, crew, progress);
  if (!record) return false;
  make_directory(asked.file().parent_path());
  remove_temporaries(asked.file().parent_path());
  write_evaluation(asked.file(), *record);
  return true;
}

}  // namespace ropewalk
