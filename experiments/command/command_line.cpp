#include "experiments/command/command_line.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "experiments/command/check.hpp"
#include "experiments/command/evaluate.hpp"
#include "experiments/command/generate.hpp"
#include "experiments/command/inspect.hpp"
#include "experiments/command/launch.hpp"
#include "experiments/command/listing.hpp"
#include "experiments/command/output_file.hpp"
#include "experiments/command/plan_table.hpp"
#include "experiments/command/plans.hpp"
#include "experiments/command/run.hpp"
#include "experiments/command/run_directory.hpp"
#include "experiments/command/standard_output.hpp"
#include "experiments/command/status.hpp"
#include "experiments/command/verify.hpp"
#include "experiments/config/complaints.hpp"
#include "experiments/config/flat_settings.hpp"
#include "experiments/errors.hpp"
#include "experiments/mpi/mpi_ranks.hpp"
#include "experiments/report/metric.hpp"
#include "experiments/report/report.hpp"
#include "experiments/run/environment.hpp"
#include "experiments/run/start.hpp"
#include "experiments/run/sweep.hpp"

namespace ropewalk {
namespace {

void take_configs(CLI::App& command, ConfigArguments& arguments) {
  command.add_option("CONFIG", arguments.files, "YAML files; see `ropewalk list settings`")->required();
  command.add_option("--set", arguments.sets, "a.b=value: changes a setting of every CONFIG; can be repeated")
      ->allow_extra_args(false);
}

void take_only(CLI::App& command, RunFilter& filter) {
  command.add_option("--only", filter.only, "'glob': only runs whose whole id it matches, as '*rope*' does; can be repeated")
      ->allow_extra_args(false);
}

/// What `run` does and what `plan` says of it depends on the same.
void take_places(CLI::App& command, SweepOptions& sweep) {
  command.add_option("--out", sweep.out, "directory of results")->capture_default_str();
  command.add_option("--jobs", sweep.jobs, "runs side by side; default: as many as threads")->check(CLI::Range(1, 1024));
  command.add_option("--threads", sweep.threads, "threads in all, under mpirun on each rank; default: one a core")
      ->check(CLI::Range(1, 1024));
  command
      .add_option_function<std::string>(
          "--retry", [&sweep](const std::string&) { sweep.retry_failed = true; },
          "failed: go on with runs that failed before, which are skipped otherwise")
      ->check(CLI::IsMember({"failed"}));
}

/// An empty value, as of an unset variable, is no request for nothing.
std::string expect_text(const std::string& value) { return value.empty() ? "expected a value, got nothing" : ""; }

void take_tags(CLI::App& command, RunFilter& filter) {
  command.add_option("--tag", filter.tags, "only runs that have this tag; can be repeated")->allow_extra_args(false);
}

void take_run(CLI::App& command, std::filesystem::path& run, std::vector<std::string>& sets, const std::string& changeable) {
  command.add_option("RUN", run, "directory of a run: results/<name>/<run>, or as much of it as no other begins with")
      ->required();
  command.add_option("--set", sets, "a.b=value: changes a setting of " + changeable + "; can be repeated")
      ->allow_extra_args(false);
}

/// What `run` was given and every element of a job array is to be given too.
std::vector<std::string> options_of_elements(const CLI::App& run) {
  std::vector<std::string> options;
  for (const char* name : {"--jobs", "--save-every", "--fail-fast", "--retry"}) {
    for (const std::string& value : run.get_option(name)->results()) options.push_back(fmt::format("{}={}", name, value));
  }
  return options;
}

/// What an element decides for itself.
void expect_no_options_of_one_machine(const CLI::App& run) {
  const auto refuse = [&](const char* name, const char* instead) {
    if (run.get_option(name)->count() == 0) return;
    throw UsageError(fmt::format("--launcher slurm: expected {}, got {}", instead, name));
  };
  refuse("--threads", "launch.cores, such as --set launch.cores=4");
  refuse("--share", "launch.elements, such as --set launch.elements=10");
}

int launch(const CLI::App& run, const ConfigArguments& configs, const SweepOptions& sweep) {
  expect_no_options_of_one_machine(run);
  return launch_arrays(configs.files, configs.sets, {sweep.out, configs.filter, sweep.retry_failed, options_of_elements(run)});
}

int report_runs(const std::string& directory, const ReportOptions& options) {
  if (!options.csv.empty()) expect_own_file(options.csv, "--csv");
  const Report found = report(directory, options, {config::flat_settings, run_state});
  write_out(found.text);
  return found.damaged.empty() ? 0 : 3;
}

std::string version() {
  return fmt::format("{}\nsource: {}\nbuild: {}\nmachine: {}", software_description(), source_description(), environment().build,
                     machine_description());
}

/// Commands, each with what it parsed into and what it then does.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", version);
    add_run();
    add_plan();
    add_check();
    add_status();
    add_report();
    add_evaluate();
    add_generate();
    add_inspect();
    add_verify();
    add_list();
  }

  /// Of several ranks, the first does what was asked for; the others help it to `run`, and are done with anything else.
  int parse_and_run(int argc, char** argv) {
    const bool leads = launched_place().rank == 0;
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return !leads || app_.exit(error) == 0 ? 0 : 2;
    }
    return leads ? action_() : follow_();
  }

 private:
  void add_run() {
    CLI::App& command =
        *app_.add_subcommand("run", "Trains and evaluates every run of the configs; skips finished ones, resumes others");
    take_configs(command, configs_);
    take_only(command, configs_.filter);
    take_places(command, sweep_);
    command.add_option("--save-every", sweep_.save_seconds, "seconds between saves of a run")
        ->check([](const std::string& text) {
          return std::string(text.find("nan") == text.npos ? "" : "expected seconds, got " + text);
        })
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    command
        .add_option_function<std::string>(
            "--share", [this](const std::string& share) { sweep_.share = parse_plan_share(share); },
            "I/N: only the I-th of N parts of the plan, every N-th run; for machines that share the directory of results")
        ->type_name("I/N");
    command.add_flag("--fail-fast", sweep_.fail_fast, "begin no further run once one has failed or diverged");
    command.add_option("--launcher", launcher_, "local: here and now; slurm: as a job array, see the settings of `launch`")
        ->check(CLI::IsMember({"local", "slurm"}))
        ->capture_default_str();
    command.callback([this, &command] {
      action_ = [this, &command] {
        return launcher_ == "slurm" ? launch(command, configs_, sweep_) : run_configs(configs_, sweep_);
      };
      follow_ = [this] { return launcher_ == "slurm" ? 0 : follow_run(sweep_); };
    });
  }

  void add_plan() {
    CLI::App& command =
        *app_.add_subcommand("plan", "Lists the runs with parameters, FLOPs, estimated time and memory; runs nothing");
    take_configs(command, configs_);
    take_only(command, configs_.filter);
    take_places(command, sweep_);
    command.callback([this] {
      action_ = [this] {
        sweep_.filter = configs_.filter;
        for (const config::Plan& plan : load_plans(configs_)) {
          const auto is_asked_for = [&](const config::RunConfig& run) { return sweep_.filter.accepts(run.id); };
          if (std::ranges::any_of(plan.runs, is_asked_for)) write_out(plan_table(plan, sweep_));
        }
        return 0;
      };
    });
  }

  void add_check() {
    CLI::App& command = *app_.add_subcommand("check", "Shows every mistake of the configs at once");
    take_configs(command, configs_);
    command.callback([this] { action_ = [this] { return check_configs(configs_.files, configs_.sets); }; });
  }

  void add_status() {
    CLI::App& command = *app_.add_subcommand("status", "What is done, running, failed and waiting, also while it is under way");
    command.add_option("DIR", status_.directory, "results of one or more experiments, or of one run")->required();
    take_only(command, status_.filter);
    take_tags(command, status_.filter);
    command.add_flag("--all", status_.all, "list every run, also of many those that are done or waiting");
    command.add_flag("--json", status_.json, "everything, for programs");
    command.callback([this] { action_ = [this] { return show_status(status_); }; });
  }

  void add_report() {
    CLI::App& command = *app_.add_subcommand("report", "Tables of results, with intervals over seeds");
    command.add_option("DIR", directory_, "results of one or more experiments, or of one run")->required();
    command.add_option("--metric", report_.metric, "see `ropewalk list metrics`")->capture_default_str();
    command.add_option("--protocol", report_.protocol, "nonoverlapping, sliding or fixed_target")->capture_default_str();
    command.add_option("--step", report_.step, "evaluations at this step, also of runs that are not done; default: the last");
    take_only(command, report_.filter);
    take_tags(command, report_.filter);
    command
        .add_option("--where", report_.where,
                    "'a.b>1000': only runs for whose setting this holds: = != < <= > >=; can be repeated")
        ->allow_extra_args(false);
    command
        .add_option("--group-by", report_.group_by, "a.b,c.d: a row for each value of these settings; default: all but the seed")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_option("--sort", report_.sort, "a length, effective_length, tokens_gained or area: best first; run: by settings")
        ->capture_default_str();
    command.add_option("--baseline", report_.baseline, "'alibi': also differences from this row, paired by seed")
        ->check(expect_text);
    command.add_option("--csv", report_.csv, "also write every number to this file")->check(expect_text);
    command.callback([this] { action_ = [this] { return report_runs(directory_, report_); }; });
  }

  void add_evaluate() {
    CLI::App& command =
        *app_.add_subcommand("evaluate", "Evaluates a trained run, under changed settings if asked, without training");
    take_run(command, evaluate_.run, evaluate_.sets, "evaluate, task, model.position or model.positions");
    command.add_option("--out", evaluate_.out, "also write everything to this HDF5 file, laid out like run.h5")
        ->check(expect_text);
    command.add_option("--threads", evaluate_.threads, "threads; default: one a core")->check(CLI::Range(1, 1024));
    command.callback([this] {
      action_ = [this] {
        evaluate_.run = complete_run(evaluate_.run);
        return evaluate_run(evaluate_);
      };
    });
  }

  void add_generate() {
    CLI::App& command = *app_.add_subcommand("generate", "Continues a text with a trained run");
    take_run(command, generate_.run, generate_.sets, "model.position");
    GenerationSettings& generation = generate_.generation;
    command.add_option("--prompt", generation.prompt, "text to continue, at least one byte")->required();
    command.add_option("--tokens", generation.tokens, "how many to generate")->required()->check(CLI::Range(1, 1 << 24));
    command.add_option("--temperature", generation.temperature, "0: the likeliest token each time")->capture_default_str();
    command.add_option("--top-k", generation.top_k, "draw from so many of the likeliest tokens; 0: from all")
        ->capture_default_str();
    command.add_option("--seed", generation.seed, "the same seed gives the same text")
        ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
        ->capture_default_str();
    command.add_option("--stop", generation.stop, "end as soon as the generated text ends with this");
    command.callback([this] {
      action_ = [this] {
        generate_.run = complete_run(generate_.run);
        return generate_text(generate_);
      };
    });
  }

  void add_inspect() {
    CLI::App& command =
        *app_.add_subcommand("inspect", "Writes what a positional scheme does as tensors, for looking and checking");
    command.add_option("CONFIG", inspect_.source, "a YAML file that asks for one run, or the directory of a trained run")
        ->required();
    command.add_option("--length", inspect_.length, "tokens")->required();
    command.add_option("--output", inspect_.output, "HDF5 file to write")->required();
    command.add_option("--set", inspect_.sets, "a.b=value: changes a setting; can be repeated")->allow_extra_args(false);
    command.callback([this] {
      action_ = [this] {
        inspect_.source = complete_run(inspect_.source);
        return inspect_scheme(inspect_);
      };
    });
  }

  void add_verify() {
    CLI::App& command =
        *app_.add_subcommand("verify", "Holds published claims against runs of our own: runs what is missing, then judges");
    command.add_option("CLAIM", verify_.claims, "a file, the name of one in configs/claims, or all of those")->required();
    take_places(command, sweep_);
    command.add_flag("--judge-only", verify_.judge_only, "run nothing; what is missing leaves a claim undecided");
    command.add_option("--csv", verify_.csv, "also write every comparison to this file")->check(expect_text);
    command.add_option("--markdown", verify_.markdown, "also write a page of results to this file")->check(expect_text);
    command.callback([this] { action_ = [this] { return verify_claims(verify_, sweep_); }; });
  }

  void add_list() {
    CLI::App& command = *app_.add_subcommand("list", "What there is to choose from");
    command
        .add_option("WHAT", what_,
                    "schemes (model.position), scalings (model.position.scaling, of rope, xpos and axial_rope), samplers "
                    "(model.positions), tasks, metrics or settings")
        ->required()
        ->check(CLI::IsMember(listing_subjects()));
    command.callback([this] {
      action_ = [this] {
        write_out(listing(what_));
        return 0;
      };
    });
  }

  CLI::App app_{"Ropewalk: how positional schemes behave beyond the length they were trained on"};
  ConfigArguments configs_;
  SweepOptions sweep_;
  StatusArguments status_;
  ReportOptions report_;
  EvaluateArguments evaluate_;
  GenerateArguments generate_;
  InspectArguments inspect_;
  VerifyArguments verify_;
  std::string directory_, what_, launcher_ = "local";
  std::function<int()> action_;
  std::function<int()> follow_ = [] { return 0; };
};

}  // namespace

int run_command_line(int argc, char** argv) {
  try {
    return CommandLine().parse_and_run(argc, argv);
  } catch (const UsageError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const FileError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace ropewalk
