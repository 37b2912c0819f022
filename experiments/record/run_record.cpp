#include "experiments/record/run_record.hpp"

#include <algorithm>

#include "experiments/record/series_file.hpp"

namespace ropewalk {
namespace {

const Format kEvaluationFormat{"ropewalk-evaluation", 1};

template <class Facts, class File>
void describe_rotary(Facts& facts, File& file) {
  file.attribute("rotary_base", facts.base);
  file.attribute("rotary_width", facts.width);
  file.attribute("rotary_trained_length", facts.trained);
  file.attribute("rotary_longest_length", facts.longest);
  file.attribute("critical_dimension", facts.critical_dimension);
  file.optional_attribute("base_lower_bound_trained", facts.trained_bound);
  file.optional_attribute("base_lower_bound_longest", facts.longest_bound);
  file.attribute("base_serves", facts.serves);
}

template <class Environment, class File>
void describe_environment(Environment& environment, File& file) {
  file.optional_attribute("source", environment.source);
  file.optional_attribute("build", environment.build);
  file.optional_attribute("system", environment.system);
  file.optional_attribute("launch", environment.launch);
  file.optional_attribute("host", environment.host);
  file.optional_attribute("process", environment.process);
}

template <class Record, class File>
void describe_run(Record& run, File& file) {
  file.attribute("run_id", run.run_id);
  file.attribute("status", run.status);
  file.optional_attribute("message", run.message);
  file.attribute("config", run.config);
  file.attribute("software", run.software);
  file.attribute("machine", run.machine);
  describe_environment(run.environment, file);
  file.optional_attribute("tags", run.tags);
  file.optional_attribute("notes", run.notes);
  file.optional_attribute("data", run.data);
  file.optional_attribute("start", run.start);
  file.attribute("parameters", run.parameters);
  file.optional_attribute("steps", run.steps);
  file.attribute("started", run.started);
  file.attribute("finished", run.finished);
  file.attribute("peak_bytes", run.peak_bytes);
  if (file.present_by_attribute("rotary_base", run.rotary)) describe_rotary(*run.rotary, file);
}

template <class Series, class File>
void describe_train(Series& train, File& file) {
  file.scale("/train/step", train.step, {"steps", "optimizer steps done"});
  const Axes axes{"/train/step"};
  file.added_series("/train/stage", axes, train.stage, 1, {"1", "stage of the training, from 1"});
  file.series("/train/tokens", axes, train.tokens, {"tokens", "tokens trained on, cumulative"});
  file.series("/train/loss", axes, train.loss, {"nats per token", "mean loss over the scored tokens of the step"});
  file.series("/train/rate", axes, train.rate, {"1", "learning rate of the step"});
  file.series("/train/gradient_norm", axes, train.gradient_norm, {"1", "global norm of the gradient before clipping"});
  file.series("/train/seconds", axes, train.seconds, {"s", "training time, evaluation excluded, cumulative"});
}

template <class Part, class File>
void describe_position(Part& position, const std::vector<std::int64_t>& length, File& file) {
  const Axes axes{"/evaluate/length", "/evaluate/position"};
  file.index(axes[1], length, {"tokens", "index in the window"});
  file.series("/evaluate/position_loss", axes, position.loss, {"nats per token", "mean loss at each index of the window"});
  file.series("/evaluate/position_count", axes, position.count, {"tokens", "scored tokens at each index of the window"});
}

template <class Part, class File>
void describe_attention(Part& attention, File& file) {
  const Axes axes{"/attention/layer", "/attention/head", "/attention/length"};
  file.scale(axes[0], attention.layer, {"1", "layer, from 0"});
  file.scale(axes[1], attention.head, {"1", "head of the layer, from 0"});
  file.scale(axes[2], attention.length, {"tokens", "evaluated length"});
  file.series("/attention/entropy", axes, attention.entropy, {"nats", "mean entropy of a query's attention weights"});
  file.series("/attention/mean_distance", axes, attention.mean_distance,
              {"tokens", "mean distance from a query to the keys it attends to, by weight"});
}

template <class Series, class File>
void describe_evaluate(Series& evaluate, File& file) {
  file.scale("/evaluate/step", evaluate.step, {"steps", "optimizer steps done"});
  file.added_series("/evaluate/stage", {"/evaluate/step"}, evaluate.stage, 1, {"1", "stage of the training, from 1"});
  file.scale("/evaluate/protocol", evaluate.protocol, {"1", "evaluation protocol"});
  file.scale("/evaluate/length", evaluate.length, {"tokens", "evaluated length"});
  const Axes axes{"/evaluate/step", "/evaluate/protocol", "/evaluate/length"};
  file.series("/evaluate/loss", axes, evaluate.loss, {"nats per token", "sum of loss over scored tokens"});
  file.series("/evaluate/perplexity", axes, evaluate.perplexity, {"1", "exp(loss)"});
  file.series("/evaluate/token_accuracy", axes, evaluate.token_accuracy, {"1", "share of scored tokens predicted right"});
  file.series("/evaluate/scored", axes, evaluate.scored, {"tokens", "scored tokens"});
  if (file.present("/evaluate/bits_per_byte", evaluate.bits_per_byte)) {
    file.series("/evaluate/bits_per_byte", axes, *evaluate.bits_per_byte, {"bits per byte", "loss in bits per byte of text"});
  }
  if (file.present("/evaluate/position_loss", evaluate.position)) {
    describe_position(*evaluate.position, evaluate.length, file);
  }
  if (file.present("/attention/entropy", evaluate.attention)) describe_attention(*evaluate.attention, file);
}

template <class Record, class File>
void describe(Record& record, File& file) {
  describe_run(record, file);
  describe_train(record.train, file);
  describe_evaluate(record.evaluate, file);
}

template <class Record, class File>
void describe_evaluation(Record& record, File& file) {
  file.attribute("run", record.run);
  file.attribute("run_id", record.run_id);
  file.attribute("run_status", record.run_status);
  file.attribute("step", record.step);
  file.attribute("config", record.config);
  file.attribute("software", record.software);
  file.attribute("machine", record.machine);
  file.attribute("data", record.data);
  file.attribute("parameters", record.parameters);
  file.attribute("evaluated", record.evaluated);
  file.attribute("peak_bytes", record.peak_bytes);
  describe_evaluate(record.evaluate, file);
}

/// How many of the ascending `steps` are at most `step`.
std::size_t count_up_to(const std::vector<std::int64_t>& steps, std::int64_t step) {
  return static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), step) - steps.begin());
}

template <class... Series>
void keep_first(std::size_t count, Series&... series) {
  (series.resize(count), ...);
}

}  // namespace

void RunRecord::truncate_to(std::int64_t cut) {
  keep_first(count_up_to(train.step, cut), train.step, train.stage, train.tokens, train.loss, train.rate, train.gradient_norm,
             train.seconds);

  EvaluateSeries& e = evaluate;
  const std::size_t kept = count_up_to(e.step, cut), values = kept * e.protocol.size() * e.length.size();
  if (kept < e.step.size()) {  // these were the last evaluation's, which goes
    e.position.reset();
    e.attention.reset();
  }
  keep_first(kept, e.step, e.stage);
  keep_first(values, e.loss, e.perplexity, e.token_accuracy, e.scored);
  if (e.bits_per_byte) e.bits_per_byte->resize(values);
}

void write_run(const std::filesystem::path& path, const RunRecord& record) {
  Saver file(path, kRunFormat);
  describe(record, file);
  file.finish();
}

RunRecord read_run(const std::filesystem::path& path) {
  Loader file(path, kRunFormat);
  RunRecord record;
  describe(record, file);
  return record;
}

void write_evaluation(const std::filesystem::path& path, const EvaluationRecord& record) {
  Saver file(path, kEvaluationFormat);
  describe_evaluation(record, file);
  file.finish();
}

EvaluationRecord read_evaluation(const std::filesystem::path& path) {
  Loader file(path, kEvaluationFormat);
  EvaluationRecord record;
  describe_evaluation(record, file);
  return record;
}

}  // namespace ropewalk
