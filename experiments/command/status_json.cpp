#include <fmt/core.h>

#include <cmath>

#include "experiments/command/status.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

/// Text as JSON has it (RFC 8259): UTF-8 as it is, control characters escaped.
std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      json += {'\\', letter};
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<int>(letter));
    } else {
      json += letter;
    }
  }
  return json + "\"";
}

std::string value(const std::string& text) { return quoted(text); }
std::string value(std::int64_t number) { return fmt::format("{}", number); }
std::string value(double number) { return std::isfinite(number) ? fmt::format("{}", number) : "null"; }
std::string value(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(quoted(text));
  return fmt::format("[{}]", join(items, ", "));
}
template <class T>
std::string value(const std::optional<T>& maybe) {
  return maybe ? value(*maybe) : "null";
}

template <class T>
std::string member(const char* name, const T& content) {
  return fmt::format("\"{}\": {}", name, value(content));
}

std::string run_object(const RunStatus& status) {
  const RunSummary& run = status.run;
  const std::vector<std::string> members{member("id", run.run_id),
                                         member("state", status.state),
                                         member("step", run.step),
                                         member("steps", run.steps),
                                         member("loss", run.loss),
                                         member("tokens_per_second", run.tokens_per_second),
                                         member("seconds_left", status.seconds_left()),
                                         member("saved_seconds_ago", status.saved_ago),
                                         member("host", run.host),
                                         member("process", run.process),
                                         member("message", run.message),
                                         member("tags", run.tags),
                                         member("notes", run.notes)};
  return fmt::format("{{{}}}", join(members, ", "));
}

std::string experiment_object(const ExperimentStatus& experiment) {
  std::vector<std::string> counts, runs;
  for (const char* state : kRunStates) counts.push_back(member(state, static_cast<std::int64_t>(experiment.count(state))));
  for (const RunStatus& run : experiment.runs) runs.push_back("    " + run_object(run));
  return fmt::format("  {{{}, {}, \"counts\": {{{}}}, {}, \"runs\": [\n{}]}}",
                     member("name", experiment.directory.filename().string()), member("directory", experiment.directory.string()),
                     join(counts, ", "), member("index_error", experiment.index_error), join(runs, ",\n"));
}

}  // namespace

std::string status_json(const std::vector<ExperimentStatus>& experiments) {
  std::vector<std::string> objects;
  for (const ExperimentStatus& experiment : experiments) objects.push_back(experiment_object(experiment));
  return fmt::format("{{\"experiments\": [\n{}]}}\n", join(objects, ",\n"));
}

}  // namespace ropewalk
