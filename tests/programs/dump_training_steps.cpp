// `dump_training_steps CONFIG OUT` trains the first run of a config to its end and writes what another implementation needs to do
// the same: OUT.yaml, the resolved config, and OUT.h5 with /initial/<name>, /inputs, /targets, /loss, /rate, /gradient_norm and
// /final/<name>. tests/oracle/check_training.py reads them.
#include <fmt/core.h>

#include "experiments/config/plan.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/hdf5.hpp"
#include "experiments/run/parameters.hpp"
#include "experiments/run/text_task.hpp"
#include "experiments/run/trainer.hpp"

namespace ropewalk {
namespace {

void write_parameters(hdf5::Writer& file, const std::string& group, const nn::Transformer& model) {
  for (const NamedArray& array : named_arrays(model, model.flat())) {
    file.dataset(group + "/" + array.name, array.shape, array.values, {"1", array.name});
  }
}

void append(std::vector<std::int32_t>& to, const Tensor& tokens) {
  const auto* first = tokens.data<std::int32_t>();
  to.insert(to.end(), first, first + tokens.size());
}

void dump(const std::string& config_file, const std::string& out) {
  const config::Plan plan = config::load_plan(config_file);
  const config::RunConfig& run = plan.runs.front();
  Crew crew(0);
  Trainer trainer(run.settings, corpus_of(run.settings), crew, std::make_shared<Meter>());
  hdf5::Writer file(out + ".h5");
  write_parameters(file, "/initial", trainer.model());
  std::vector<std::int32_t> inputs, targets;
  std::vector<double> losses, rates, norms;
  const Index steps = run.settings.train.steps;
  for (Index step = 0; step < steps; ++step) {
    const Batch batch = trainer.batch(step);
    append(inputs, batch.tokens);
    append(targets, batch.targets);
    const StepResult result = trainer.step();
    losses.push_back(result.loss);
    rates.push_back(result.rate);
    norms.push_back(result.gradient_norm);
  }
  const Shape tokens{steps, run.settings.train.batch, run.settings.train.length};
  file.dataset("/inputs", tokens, inputs, {"1", "token"});
  file.dataset("/targets", tokens, targets, {"1", "token that follows"});
  file.dataset("/loss", {steps}, losses, {"nat", "mean loss per scored token"});
  file.dataset("/rate", {steps}, rates, {"1", "learning rate"});
  file.dataset("/gradient_norm", {steps}, norms, {"1", "norm of the gradient before clipping"});
  write_parameters(file, "/final", trainer.model());
  file.save();
  replace_file(out + ".yaml", run.yaml);
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: dump_training_steps CONFIG OUT\n");
    return 2;
  }
  try {
    ropewalk::dump(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
