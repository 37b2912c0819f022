#include "experiments/command/listing.hpp"

#include <fmt/core.h>

#include "experiments/config/listing.hpp"
#include "experiments/config/plan.hpp"
#include "experiments/config/task.hpp"
#include "experiments/report/metric.hpp"
#include "framework/positional/sampler.hpp"
#include "framework/positional/scaling/scaling.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk {
namespace {

std::string setting_line(const config::SettingInfo& setting, const std::string& name, const std::string& indent) {
  std::string line =
      fmt::format("{}{}: {}, default {}", indent, name, setting.type, setting.value.empty() ? "none" : setting.value);
  if (!setting.bounds.empty()) line += ", " + setting.bounds;
  return line + "; " + setting.help + "\n";
}

/// Kinds of a registry, each with its formula, paper and settings. `path` is that of the setting that chooses among them.
template <class Base>
std::string kinds(const Registry<Base>& registry, const std::string& path) {
  const std::vector<config::SettingInfo> settings = config::every_setting();
  std::string text;
  for (const Kind<Base>& kind : registry) {
    text += fmt::format("{}: {}\n", kind.name, kind.help);
    if (!kind.formula.empty()) text += fmt::format("    {}\n", kind.formula);
    if (!kind.paper.empty()) text += fmt::format("    {}\n", kind.paper);
    const std::string prefix = fmt::format("{}({}).", path, kind.name);
    for (const config::SettingInfo& setting : settings) {
      if (setting.path.rfind(prefix, 0) == 0) text += setting_line(setting, setting.path.substr(prefix.size()), "    ");
    }
  }
  return text;
}

std::string all_settings() {
  std::string text;
  for (const config::SettingInfo& setting : config::every_setting()) text += setting_line(setting, setting.path, "");
  return text;
}

std::string all_metrics() {
  std::string text;
  for (const Metric& metric : metrics()) text += fmt::format("{}: {}\n", metric.name, metric.help);
  return text;
}

}  // namespace

const std::vector<std::string>& listing_subjects() {
  static const std::vector<std::string> subjects{"schemes", "scalings", "samplers", "tasks", "metrics", "settings"};
  return subjects;
}

std::string listing(const std::string& subject) {
  if (subject == "schemes") return kinds(positional::schemes(), "model.position");
  if (subject == "scalings") return kinds(positional::scalings(), "model.position(rope).scaling");
  if (subject == "samplers") return kinds(positional::samplers(), "model.positions");
  if (subject == "tasks") return kinds(config::tasks(), "task");
  return subject == "metrics" ? all_metrics() : all_settings();
}

}  // namespace ropewalk
