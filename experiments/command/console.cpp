#include "experiments/command/console.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "experiments/command/duration.hpp"
#include "experiments/run/run.hpp"

namespace ropewalk {
namespace {

constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds line_interval{15};

std::string describe(const RunProgress& progress) {
  if (progress.steps == 0) return "before its first step";
  if (progress.evaluated) {
    return fmt::format("step {}/{}  evaluating, {:.0f} %", progress.step, progress.steps, 100 * *progress.evaluated);
  }
  return fmt::format("step {}/{}  loss {:.4f}  {:.0f} tokens/s  {} left", progress.step, progress.steps, progress.loss,
                     progress.tokens_per_second, duration(progress.seconds_left));
}

/// Whether anybody can read it is not the runs' concern: an error is ignored.
void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// Cut to the width of the terminal: a line that wraps could not be erased again.
std::string fit(const std::string& line) {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return line.substr(0, known ? size.ws_col - 1u : 79u);
}

}  // namespace

Console::Console(bool redraws) : terminal_(redraws && isatty(STDOUT_FILENO) != 0) {}

void Console::planned(std::size_t runs) { runs_ = runs; }

void Console::begun(const std::string& id, Index step) {
  const std::lock_guard lock(mutex_);
  active_[id] = {};
  active_[id].id = id;
  said_[id] = Clock::now();
  if (!terminal_ || step > 0) say(step > 0 ? fmt::format("{}  resumed at step {}", id, step) : fmt::format("{}  begun", id));
}

void Console::held(const std::string& id) {
  const std::lock_guard lock(mutex_);
  say(fmt::format("{}  running in another process, to be looked at again", id));
}

void Console::moved(const RunProgress& progress) {
  const std::lock_guard lock(mutex_);
  active_[progress.id] = progress;
  const Clock::time_point now = Clock::now();
  if (terminal_ && now - drawn_at_ >= redraw_interval) {
    drawn_at_ = now;
    erase();
    draw();
  } else if (!terminal_ && now - said_[progress.id] >= line_interval) {
    said_[progress.id] = now;
    say(progress.id + "  " + describe(progress));
  }
}

void Console::skipped(const std::string& id, const std::string& status, const std::string& message) {
  const std::lock_guard lock(mutex_);
  ++ended_;
  const bool failed = status == "failed";
  const std::string how = is_over(status) || failed ? status + " already" : status;
  say(fmt::format("{}  {}, skipped{}{}", id, how, message.empty() ? "" : ": " + message,
                  failed ? "; --retry failed goes on with it" : ""));
}

void Console::ended(const std::string& id, const std::string& status, const std::string& message) {
  const std::lock_guard lock(mutex_);
  active_.erase(id);
  ++ended_;
  ++trained_;
  say(fmt::format("{}  {}{}", id, status, message.empty() ? "" : ": " + message));
}

void Console::close(const SweepResult& result) {
  const std::lock_guard lock(mutex_);
  erase();
  std::string text = fmt::format("{} of {} runs done", result.done + result.skipped, runs_);
  if (result.skipped > 0) text += fmt::format(" ({} before)", result.skipped);
  if (result.diverged > 0) text += fmt::format(", {} diverged", result.diverged);
  if (result.failed + result.unwritten > 0) text += fmt::format(", {} failed", result.failed + result.unwritten);
  if (result.waiting > 0) text += fmt::format(", {} waiting for a run that is not done", result.waiting);
  if (result.elsewhere > 0) text += fmt::format(", {} running in another process", result.elsewhere);
  text += fmt::format(", in {}", duration(std::chrono::duration<double>(Clock::now() - began_).count()));
  if (result.interrupted > 0) text += "; interrupted, everything is saved: the same command goes on";
  put(text + "\n");
}

void Console::say(const std::string& line) {
  erase();
  put(fmt::format("{}\n", line));
  if (terminal_) draw();
  std::fflush(stdout);
}

void Console::draw() {
  // Ids can be longer than a line, and what changes has to be seen: it comes first.
  for (const auto& [id, progress] : active_) put(fmt::format("{}\n", fit(describe(progress) + "  " + id)));
  put(fmt::format("{}\n", fit(sweep_line())));
  drawn_ = static_cast<int>(active_.size()) + 1;
  std::fflush(stdout);
}

void Console::erase() {
  if (drawn_ > 0) put(fmt::format("\x1b[{}A\x1b[J", drawn_));
  drawn_ = 0;
}

std::string Console::sweep_line() const {
  std::string line = fmt::format("{} of {} runs", ended_, runs_);
  if (trained_ == 0) return line;
  const double elapsed = std::chrono::duration<double>(Clock::now() - began_).count();
  return line +
         fmt::format(", about {} left", duration(elapsed / static_cast<double>(trained_) * static_cast<double>(runs_ - ended_)));
}

}  // namespace ropewalk
