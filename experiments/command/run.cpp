#include "experiments/command/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>

#include "experiments/command/console.hpp"
#include "experiments/errors.hpp"
#include "experiments/mpi/mpi_ranks.hpp"
#include "experiments/run/environment.hpp"
#include "experiments/run/followers.hpp"
#include "experiments/run/interrupt.hpp"

namespace ropewalk {
namespace {

/// Shards are the parts that ranks share.
void warn_of_idle_ranks(const std::vector<config::Plan>& plans, const Ranks& ranks) {
  Index most = 0;
  for (const config::Plan& plan : plans) {
    for (const config::RunConfig& run : plan.runs) most = std::max(most, run.settings.train.shards);
  }
  if (ranks.count() <= most) return;
  fmt::print(stderr, "train.shards: {} shards occupy no more than {} of the {} ranks in training\n", most, most, ranks.count());
}

void expect_one_job(const SweepOptions& options, const Ranks& ranks) {
  if (ranks.count() == 1 || options.jobs <= 1) return;
  throw UsageError(
      fmt::format("--jobs: expected 1 on {} ranks, each run being trained on all of them, got {}", ranks.count(), options.jobs));
}

int lead(const ConfigArguments& arguments, SweepOptions options, Ranks& ranks) {
  expect_alike(ranks, arithmetic_description());
  const Leadership leadership(ranks);
  expect_one_job(options, ranks);
  const std::vector<config::Plan> plans = load_plans(arguments);
  warn_of_idle_ranks(plans, ranks);
  options.filter = arguments.filter;
  Console console(/*redraws=*/ranks.count() == 1);
  if (options.threads == 0) options.threads = ranks.cores();
  const SweepResult result = run_sweep(plans, options, console, ranks);
  console.close(result);
  return result.exit_code();
}

}  // namespace

int run_configs(const ConfigArguments& arguments, SweepOptions options) {
  catch_interrupts();
  std::signal(SIGPIPE, SIG_IGN);  // nobody reads on: no reason to stop training
  const std::unique_ptr<Ranks> joined = join_ranks();
  return lead(arguments, options, joined ? *joined : alone());
}

int follow_run(const SweepOptions& options) {
  ignore_interrupts();
  const std::unique_ptr<Ranks> ranks = join_ranks();
  try {
    expect_alike(*ranks, arithmetic_description());
    Crew crew((options.threads > 0 ? options.threads : ranks->cores()) - 1);
    follow(*ranks, crew);
  } catch (const Disbanded&) {
    return 0;
  } catch (const std::exception& error) {
    ranks->abort(error.what());
  }
  return 0;
}

}  // namespace ropewalk
