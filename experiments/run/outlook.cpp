#include "experiments/run/outlook.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "experiments/errors.hpp"
#include "experiments/run/text_task.hpp"

namespace ropewalk {
namespace {

RunState state_on_disk(const SweepTask& task, const std::filesystem::path& out) try {
  return state_of(*task.run, out / task.plan->name / task.run->id);
} catch (const FileError&) {
  return {"unreadable", 0};
}

/// A run that has begun needs the one it starts from no more.
bool will_run(const RunOutlook& run, const RunOutlook* before, bool retry_failed) {
  const bool can_start = !before || before->left || before->state.status == "done" || run.state.step > 0;
  return can_start && run.state.status != "unreadable" && is_left(run.state, retry_failed);
}

/// Of the runs that take most, as many as are side by side.
std::int64_t bytes_side_by_side(const std::vector<RunOutlook>& runs, int jobs) {
  std::vector<std::int64_t> bytes;
  for (const RunOutlook& run : runs) bytes.push_back(run.rest.bytes);
  std::ranges::sort(bytes, std::greater());
  const auto count = std::min(bytes.size(), static_cast<std::size_t>(jobs));
  return std::accumulate(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count), std::int64_t{0});
}

}  // namespace

Outlook outlook_of(const std::vector<config::Plan>& plans, const SweepOptions& options) {
  const std::vector<SweepTask> tasks = tasks_of(plans, options);
  expect_ready(tasks, options.out);
  Outlook outlook{.runs = {}, .places = places_of(options, tasks.size())};
  Estimator estimator(outlook.places);
  std::vector<Slot> slots;
  for (const SweepTask& task : tasks) {
    const Index held_out = corpus_of(task.run->settings)->held_out();
    RunOutlook run{task.run, state_on_disk(task, options.out), true, estimator.estimate(*task.run, held_out)};
    const RunOutlook* before = task.before ? &outlook.runs[*task.before] : nullptr;
    run.left = will_run(run, before, options.retry_failed);
    if (run.left) run.rest = estimator.estimate(*task.run, held_out, run.state.step);
    slots.push_back({run.rest.seconds, task.before, task.run->settings.train.shards});
    outlook.runs.push_back(std::move(run));
  }
  outlook.seconds = seconds_of_all(slots, outlook.places);
  outlook.bytes = bytes_side_by_side(outlook.runs, outlook.places.jobs);
  return outlook;
}

}  // namespace ropewalk
