#include "experiments/config/settings.hpp"

#include <algorithm>
#include <filesystem>

namespace ropewalk::config {

void TrainSettings::describe(Fields& fields) {
  fields.add("length", length, "tokens a sequence").at_least(1).limit_to(1 << 24);
  fields.add("batch", batch, "sequences a step").at_least(1).limit_to(1 << 20);
  fields.add("steps", steps, "optimizer steps").at_least(1).limit_to(1e12);
  fields.add("shards", shards, "parts a batch is cut into; fixed, so that results do not depend on the number of threads")
      .at_least(1)
      .limit_to(4096);
  fields.selection("optimizer", optimizer, "how gradients change parameters");
  fields.selection("schedule", schedule, "how the learning rate moves");
  fields.add("clip", clip, "largest global norm of a gradient; 0: not clipped").at_least(0);
  fields.add("from", from, "directory of a run that is done, whose parameters this one starts from; empty: they are drawn");
  fields.add("stages", stages, "later stages, one after another: maps of what each changes").elements(0, 0);
}

void EvaluateSettings::describe(Fields& fields) {
  fields.add("lengths", lengths, "context lengths, tokens").elements(1).at_least(1).limit_to(1 << 24);
  fields.add("protocols", protocols, "how windows lie over the held-out tokens")
      .elements(1)
      .one_of({"nonoverlapping", "sliding", "fixed_target"});
  fields.add("stride", stride, "sliding: tokens by which the window moves, and that each later window scores")
      .at_least(1)
      .limit_to(1 << 24);
  fields.add("targets", targets, "fixed_target: tokens scored at the end of each block of the longest length")
      .at_least(1)
      .limit_to(1 << 24);
  fields.add("tokens", tokens, "held-out tokens that are read").at_least(2).limit_to(1e12);
  fields.add("every", every, "steps between evaluations; 0: after the last step only").at_least(0).limit_to(1e12);
}

bool EvaluateSettings::has_protocol(const std::string& protocol) const {
  return std::find(protocols.begin(), protocols.end(), protocol) != protocols.end();
}

void RecordSettings::describe(Fields& fields) {
  fields.add("every", every, "steps between recorded training metrics").at_least(1).limit_to(1e12);
  fields.add("attention", attention,
             "measure entropy and mean distance of attention by layer and head at each evaluated length, after the last step");
}

void Settings::describe(Fields& fields) {
  fields.add("name", name,
             "of the experiment, a directory below the results; default: that of the config file, unless a file that it extends "
             "has one");
  fields.add("seed", seed, "of everything random").at_least(0).limit_to(1e15);
  fields.selection("task", task, "what is learned");
  fields.section("model", model, "the Transformer");
  fields.section("train", train, "training");
  fields.section("evaluate", evaluate, "evaluation");
  fields.section("record", record, "what is written beside losses and evaluations");
}

void Settings::resolve(std::int64_t before) {
  train.from = std::filesystem::path(train.from).lexically_normal().string();
  if (train.from.size() > 1 && train.from.ends_with('/')) train.from.pop_back();
  model.resolve(train.length, task->marks(), before);
}

}  // namespace ropewalk::config
