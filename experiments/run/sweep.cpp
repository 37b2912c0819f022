#include "experiments/run/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "experiments/errors.hpp"
#include "experiments/record/file.hpp"
#include "experiments/run/agenda.hpp"
#include "experiments/run/crew.hpp"
#include "experiments/run/interrupt.hpp"
#include "experiments/run/run.hpp"
#include "experiments/run/run_index.hpp"
#include "experiments/run/run_lock.hpp"
#include "experiments/run/sweep_tasks.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

std::vector<std::optional<std::size_t>> order_of(const std::vector<SweepTask>& tasks) {
  std::vector<std::optional<std::size_t>> before;
  for (const SweepTask& task : tasks) before.push_back(task.before);
  return before;
}

/// An index for each plan's directory.
std::map<std::string, RunIndex> indexes_of(const std::vector<config::Plan>& plans, const fs::path& out) {
  std::map<std::string, std::vector<const config::Plan*>> of_name;
  for (const config::Plan& plan : plans) of_name[plan.name].push_back(&plan);
  std::map<std::string, RunIndex> indexes;
  for (const auto& [name, planned] : of_name) indexes.try_emplace(name, out / name, planned);
  return indexes;
}

class Sweep {
 public:
  Sweep(const std::vector<config::Plan>& plans, const SweepOptions& options, Observer& observer, Ranks& ranks)
      : options_(options),
        observer_(observer),
        ranks_(ranks),
        indexes_(indexes_of(plans, options.out)),
        tasks_(tasks_of(plans, options)),
        agenda_(order_of(tasks_)) {}

  SweepResult run() {
    expect_ready(tasks_, options_.out);
    observer_.planned(tasks_.size());
    const auto [threads, jobs] = places_of(options_, tasks_.size(), ranks_);
    for (const auto& [name, index] : indexes_) remove_temporaries(options_.out / name);  // those of the index
    Crew crew(threads - jobs);
    busy_ = jobs;
    std::vector<std::thread> drivers;
    for (int i = 1; i < jobs; ++i) drivers.emplace_back([&] { drive(crew); });
    drive(crew);
    for (std::thread& driver : drivers) driver.join();
    write_indexes();
    if (interrupted()) result_.interrupted += static_cast<int>(agenda_.waiting());
    return result_;
  }

 private:
  void write_indexes() try {
    for (auto& [name, index] : indexes_) index.write();
  } catch (const FileError& error) {
    if (result_.unwritten > 0) return;  // said already, of a run
    ++result_.unwritten;
    observer_.ended("index.h5", "failed", error.what());
  }

  /// Runs one task after another, helps others while none can begin, and then those that are still at theirs.
  void drive(Crew& crew) {
    while (!stops_if_it_has_to() && agenda_.open()) {
      if (const std::optional<std::size_t> task = agenda_.take()) {
        finish(*task, attempt(tasks_[*task], crew));
        crew.wake();
      } else {
        crew.help([&] { return stops_if_it_has_to() || !agenda_.open() || agenda_.ready(); }, poll_interval);
      }
    }
    if (--busy_ == 0) {
      crew.wake();
    } else {
      crew.help([&] { return busy_ == 0; });
    }
  }

  bool stops_if_it_has_to() {
    const std::lock_guard lock(mutex_);
    const bool stops = interrupted() || (options_.fail_fast && result_.exit_code() != 0);
    if (stops) agenda_.stop();
    return stops;
  }

  fs::path directory_of(const SweepTask& task) const { return options_.out / task.plan->name / task.run->id; }

  static constexpr std::chrono::milliseconds poll_interval{100};
  static constexpr const char* elsewhere = "running in another process";

  struct Ending {
    RunState state;
    std::string message;     ///< what went wrong; empty if nothing did
    bool skipped = false;    ///< it was over before, or another process is at it
    bool unwritten = false;  ///< a file could not be read or written
  };

  Ending attempt(const SweepTask& task, Crew& crew) try {
    const fs::path directory = directory_of(task);
    const bool begun = fs::exists(directory / "checkpoint.h5");  // and needs its start no more
    if (task.before && !begun && tasks_[*task.before].status != "done") return without_start(tasks_[*task.before]);
    if (begun) {  // where nothing can be written, what is over is still over
      const RunState state = state_of(*task.run, directory);
      if (!is_left(state, options_.retry_failed)) {
        remove_temporaries(directory);
        return {state, "", true};
      }
    }
    make_directory(directory);
    const std::optional<RunLock> lock = RunLock::take(directory.parent_path(), task.run->id);
    return lock ? take_up(task, directory, crew) : Ending{{elsewhere}, "", true};
  } catch (const FileError& error) {
    return {{"failed"}, error.what(), false, true};
  }

  /// With the run's lock, also while a failure is recorded: no other process is to take it up in between.
  Ending take_up(const SweepTask& task, const fs::path& directory, Crew& crew) {
    RunState state;
    try {
      remove_temporaries(directory);
      state = state_of(*task.run, directory);
      if (!is_left(state, options_.retry_failed)) return {state, "", true};
      tell_index(task, {"running", state.step});
      return {execute_run(*task.run, directory, {crew, observer_, options_.save_seconds, ranks_}, task.plan->experiment), ""};
    } catch (const FileError& error) {
      return {{"failed", state.step}, error.what(), false, true};
    } catch (const std::exception& error) {
      record_failure(*task.run, directory, error.what(), task.plan->experiment);
      return {{"failed", state.step}, error.what()};
    }
  }

  /// The index can be made again: if it cannot be written now, that is no reason to stop, and is said at the end.
  void tell_index(const SweepTask& task, const RunState& state) try {
    indexes_.at(task.plan->name).update(task.run->id, state);
  } catch (const FileError&) {
  }

  /// Nothing is recorded of it: it begins once the other is done.
  Ending without_start(const SweepTask& before) {
    const std::string why = fmt::format("for the run it starts from, {} ({})", before.run->id, before.status);
    return {.state = {.status = "waiting"}, .message = why, .skipped = true};
  }

  /// Counts an ending and tells the index.
  void finish(std::size_t index, const Ending& ending) {
    SweepTask& task = tasks_[index];
    if (ending.state.status == elsewhere && agenda_.held_elsewhere(index)) {
      if (task.status != elsewhere) observer_.held(task.run->id);
      task.status = elsewhere;
      return;
    }
    if (ending.state.status != elsewhere && ending.state.status != "waiting") tell_index(task, ending.state);
    {
      const std::lock_guard lock(mutex_);
      task.status = ending.state.status;
      ++count_of(ending);
    }
    agenda_.over(index);
    if (ending.skipped) {
      observer_.skipped(task.run->id, ending.state.status, ending.message);
    } else {
      observer_.ended(task.run->id, ending.state.status, ending.message);
    }
  }

  int& count_of(const Ending& ending) {
    if (ending.unwritten) return result_.unwritten;
    if (ending.state.status == elsewhere) return result_.elsewhere;
    if (ending.state.status == "waiting") return result_.waiting;
    if (ending.state.status == "failed") return result_.failed;
    if (ending.state.status == "diverged") return result_.diverged;
    if (ending.state.status == "interrupted") return result_.interrupted;
    return ending.skipped ? result_.skipped : result_.done;
  }

  const SweepOptions& options_;
  Observer& observer_;
  Ranks& ranks_;
  std::map<std::string, RunIndex> indexes_;  ///< by the plan's name
  std::vector<SweepTask> tasks_;
  Agenda agenda_;
  std::mutex mutex_;
  std::atomic<int> busy_ = 0;
  SweepResult result_;
};

}  // namespace

void SweepResult::add(const SweepResult& more) {
  done += more.done;
  skipped += more.skipped;
  elsewhere += more.elsewhere;
  diverged += more.diverged;
  failed += more.failed;
  waiting += more.waiting;
  unwritten += more.unwritten;
  interrupted += more.interrupted;
}

int SweepResult::exit_code() const {
  if (interrupted > 0) return 130;
  if (unwritten > 0) return 3;
  return failed + diverged + waiting > 0 ? 1 : 0;
}

SweepResult run_sweep(const std::vector<config::Plan>& plans, const SweepOptions& options, Observer& observer, Ranks& ranks) {
  return Sweep(plans, options, observer, ranks).run();
}

}  // namespace ropewalk
