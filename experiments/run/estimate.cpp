#include "experiments/run/estimate.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ropewalk {
namespace {

template <class T>
std::string list_of(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += fmt::format("{},", value);
  return text;
}

/// What of some settings can change the cost: whole numbers are sizes, but of real numbers it matters only whether they are zero.
std::string shape_of(const Fields& fields);

struct Shape {
  std::string operator()(const bool* value) const { return fmt::format("{}", *value); }
  std::string operator()(const std::int64_t* value) const { return fmt::format("{}", *value); }
  std::string operator()(const double* value) const { return *value == 0 ? "0" : "real"; }
  std::string operator()(const std::string* value) const { return *value; }
  std::string operator()(const std::vector<std::int64_t>* values) const { return list_of(*values); }
  std::string operator()(const std::vector<double>* values) const { return fmt::format("{} reals", values->size()); }
  std::string operator()(const std::vector<std::string>* values) const { return list_of(*values); }
  std::string operator()(const Field::Section& section) const { return shape_of(*section); }
  std::string operator()(Selection* selection) const { return selection->kind() + shape_of(selection->fields()); }
  std::string operator()(SelectionList* list) const {
    std::string text;
    for (std::size_t i = 0; i < list->size(); ++i) text += (*this)(&(*list)[i]);
    return text;
  }
};

std::string shape_of(const Fields& fields) {
  std::string text = "{";
  for (const Field& field : fields.all()) text += fmt::format("{}: {}; ", field.name, std::visit(Shape{}, field.target));
  return text + "}";
}

/// Runs whose steps and windows cost the same.
std::string kind_of(config::Settings settings) {
  Fields model;
  settings.model.describe(model);
  const config::TrainSettings& train = settings.train;
  return fmt::format("{} {} {} {} {} {} {} {}", settings.task.kind(), shape_of(model), train.length, train.batch, train.shards,
                     train.optimizer.kind(), list_of(settings.evaluate.lengths), settings.record.attention);
}

}  // namespace

const Pace& Estimator::pace_of(const config::Settings& settings) {
  const auto [place, is_new] = paces_.try_emplace(kind_of(settings));
  if (is_new) place->second = measure_pace(settings, places_);
  return place->second;
}

Estimate Estimator::estimate(const config::RunConfig& run, Index held_out, Index done) {
  const Pace& pace = pace_of(run.settings);
  const Workload work = workload_after(run, done);
  double evaluation_seconds = 0;
  std::int64_t bytes = pace.trained_bytes;
  for (const auto& [length, windows] : windows_by_length(run.settings.evaluate, held_out)) {
    if (length > pace.reached) continue;
    evaluation_seconds += static_cast<double>(windows) * pace.window_seconds.at(length);
    bytes = std::max(bytes, pace.peak_bytes(length));
  }
  double attention_seconds = 0;
  for (const auto& [length, windows] : attention_windows_by_length(run.settings, held_out)) {
    if (length <= pace.reached) attention_seconds += static_cast<double>(windows) * pace.attention_seconds.at(length);
  }
  const double seconds = pace.start_seconds + pace.step_seconds * static_cast<double>(work.steps) +
                         evaluation_seconds * static_cast<double>(work.evaluations) + attention_seconds;
  return {pace.parameters, flops_of(work, run.settings, held_out), seconds, bytes};
}

}  // namespace ropewalk
