#include "experiments/run/trained_evaluation.hpp"

#include "experiments/run/attention.hpp"
#include "experiments/run/environment.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {

std::optional<EvaluationRecord> evaluate_trained(const TrainedRun& run, const config::RunConfig& changed, Crew& crew,
                                                 const EvaluationProgress& progress) {
  const auto meter = std::make_shared<Meter>();
  const MeterScope charged(meter);
  const config::Settings& settings = changed.settings;
  const auto model = restored_model(run, changed);
  const auto corpus = corpus_of(settings);
  const auto objective = objective_of(settings);
  expect_unseen(settings, *corpus, run.config.settings, run.data);
  expect_enough_to_evaluate(settings, *corpus);
  const Dataset dataset(*corpus, *objective);
  const Random random(static_cast<std::uint64_t>(settings.seed));
  const auto scores = evaluate_lengths(*model, dataset, settings.evaluate, random, crew, meter, progress);
  if (!scores) return {};
  auto attention =
      settings.record.attention ? measure_attention(*model, dataset, settings, random, crew, meter, progress) : std::nullopt;
  if (settings.record.attention && !attention) return {};

  EvaluationRecord record;
  record.run = std::filesystem::absolute(run.directory).lexically_normal().string();
  record.run_id = run.config.id;
  record.run_status = run.status;
  record.step = run.step;
  record.config = changed.yaml;
  record.software = software_description();
  record.machine = machine_description();
  record.data = corpus->fingerprint;
  record.parameters = model->parameter_count();
  record.evaluated = utc_now();
  record.peak_bytes = meter->peak();
  record.evaluate.protocol = settings.evaluate.protocols;
  record.evaluate.length = settings.evaluate.lengths;
  record.evaluate.bits_per_byte.emplace();
  append_evaluation(record.evaluate, run.step, run.config.stage, *scores);
  record.evaluate.attention = std::move(attention);
  return record;
}

}  // namespace ropewalk
