#include "experiments/run/sweep_tasks.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <thread>
#include <utility>

#include "experiments/run/start.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {

std::vector<SweepTask> tasks_of(const std::vector<config::Plan>& plans, const SweepOptions& options) {
  std::vector<SweepTask> tasks;
  std::map<std::pair<std::string, std::string>, std::size_t> known;  // by experiment and run
  std::map<std::pair<std::string, std::string>, SweepTask> planned;
  const std::function<std::size_t(const SweepTask&)> add = [&](const SweepTask& task) {
    const auto place = known.find({task.plan->name, task.run->id});
    if (place != known.end()) return place->second;
    SweepTask added = task;
    if (!task.run->before.empty()) added.before = add(planned.at({task.plan->name, task.run->before}));
    known[{task.plan->name, task.run->id}] = tasks.size();
    tasks.push_back(added);
    return tasks.size() - 1;
  };
  std::size_t position = 0;
  for (const config::Plan& plan : plans) {
    for (const config::RunConfig& run : plan.runs) {
      const SweepTask task{&plan, &run};
      planned.emplace(std::pair(plan.name, run.id), task);
      if (options.share.holds(position++) && options.filter.accepts(run.id)) add(task);
    }
  }
  return tasks;
}

Places places_of(const SweepOptions& options, std::size_t tasks, const Ranks& ranks) {
  const int threads = options.threads > 0 ? options.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int wanted = ranks.count() > 1 ? 1 : options.jobs > 0 ? options.jobs : threads;
  return {threads, std::max(1, std::min({wanted, threads, static_cast<int>(tasks)}))};
}

void expect_ready(const std::vector<SweepTask>& tasks, const std::filesystem::path& out) {
  for (const SweepTask& task : tasks) {
    expect_trainable(task.run->settings, *corpus_of(task.run->settings));
    const bool begun = std::filesystem::exists(out / task.plan->name / task.run->id / "checkpoint.h5");
    if (!begun) expect_start(*task.run, task.before ? tasks[*task.before].run : nullptr);
  }
}

}  // namespace ropewalk
