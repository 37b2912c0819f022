#include "experiments/config/cross_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>

#include "experiments/config/merge.hpp"

namespace ropewalk::config {
namespace {

bool is_file_name(const std::string& text) {
  const auto is_allowed = [](unsigned char letter) {
    return std::isalnum(letter) || letter == '_' || letter == '-' || letter == '.' || letter >= 0x80;
  };
  constexpr std::size_t longest = 100;
  return !text.empty() && text.size() <= longest && text[0] != '.' && text[0] != '-' &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

class Checker {
 public:
  Checker(const Tree& tree, const Settings& settings, Complaints& complaints)
      : tree_(tree), settings_(settings), before_(complaints), complaints_(complaints) {}

  void check_all() {
    check_name();
    check_model();
    check_train();
    check_lengths();
    check_protocols();
    check_protocols_of_task();
    check_no_repeats("evaluate.lengths", settings_.evaluate.lengths);
    check_no_repeats("evaluate.protocols", settings_.evaluate.protocols);
  }

 private:
  using Paths = std::initializer_list<const char*>;

  bool sound(Paths paths) const {
    return std::none_of(paths.begin(), paths.end(), [&](const char* path) { return before_.about(path); });
  }

  void complain(const std::string& path, const std::string& message) { complaints_.add(place_of(tree_, path), path, message); }

  // `blamed` is wrong unless `good`; not decided while one of `paths` is wrong by itself.
  void require(bool good, Paths paths, const std::string& blamed, const std::string& what, std::int64_t got) {
    if (!good && sound(paths)) complain(blamed, expected(what, fmt::format("{}", got)));
  }

  void check_name() {
    const bool good = is_file_name(settings_.name);
    const std::string got = settings_.name.empty() ? "nothing" : settings_.name;
    if (!good && sound({"name"})) {
      complain("name", expected("a directory name of letters, digits, '_', '-' and '.'", got));
    }
  }

  void check_model() {
    const auto& model = settings_.model;
    const bool divides = model.width % model.heads == 0;
    require(divides, {"model.heads", "model.width"}, "model.heads", fmt::format("a divisor of model.width {}", model.width),
            model.heads);
    const Paths used = {"model.heads", "model.width",  "model.kind",      "model.position.kind",
                        "task",        "train.length", "evaluate.lengths"};
    if (!divides || !sound(used)) return;
    const auto blame = [&](const char* axis, const std::vector<positional::Complaint>& complaints) {
      for (const positional::Complaint& found : complaints) {
        const std::string path = fmt::format("model.{}.{}", axis, found.setting.empty() ? "kind" : found.setting);
        if (decided(path, found.reason)) complain(path, found.reason);
      }
    };
    const auto context = model.context(settings_.train.length, settings_.task->marks());
    blame("position", positional::complaints_about(*model.position, context, settings_.evaluate.lengths));
    blame("positions", model.positions->complaints(settings_.train.length, settings_.evaluate.lengths));
  }

  // A value that could not be read leaves a default in its place: what is said of it, or of another because of it, may be wrong.
  bool decided(const std::string& path, const std::string& reason) const {
    return !before_.about(path) && !before_.any_named_in(reason);
  }

  void check_train() {
    const auto& train = settings_.train;
    require(train.shards <= train.batch, {"train.shards", "train.batch"}, "train.shards",
            fmt::format("at most train.batch {}", train.batch), train.shards);
    require(train.schedule->warmup() <= train.steps, {"train.schedule", "train.steps"}, "train.schedule.warmup",
            fmt::format("at most train.steps {} (set both together)", train.steps), train.schedule->warmup());
  }

  void check_lengths() {
    const auto& evaluate = settings_.evaluate;
    if (evaluate.lengths.empty()) return;
    const std::int64_t longest = *std::max_element(evaluate.lengths.begin(), evaluate.lengths.end());
    require(evaluate.tokens > longest, {"evaluate.tokens", "evaluate.lengths"}, "evaluate.tokens",
            fmt::format("more than the longest of evaluate.lengths, {}", longest), evaluate.tokens);
  }

  void check_protocols() {
    const auto& evaluate = settings_.evaluate;
    if (evaluate.lengths.empty()) return;
    const std::int64_t shortest = *std::min_element(evaluate.lengths.begin(), evaluate.lengths.end());
    const std::string at_most = fmt::format("at most the shortest of evaluate.lengths, {}, for ", shortest);
    require(!evaluate.has_protocol("sliding") || evaluate.stride <= shortest,
            {"evaluate.stride", "evaluate.lengths", "evaluate.protocols"}, "evaluate.stride", at_most + "sliding",
            evaluate.stride);
    require(!evaluate.has_protocol("fixed_target") || evaluate.targets <= shortest,
            {"evaluate.targets", "evaluate.lengths", "evaluate.protocols"}, "evaluate.targets", at_most + "fixed_target",
            evaluate.targets);
  }

  // In windows that overlap or end at their targets a token would be filled in from one side alone.
  void check_protocols_of_task() {
    const std::string only = settings_.task->only_protocol();
    if (only.empty() || !sound({"task", "evaluate.protocols"})) return;
    const auto& protocols = settings_.evaluate.protocols;
    for (std::size_t i = 0; i < protocols.size(); ++i) {
      if (protocols[i] == only) continue;
      complain(fmt::format("evaluate.protocols[{}]", i),
               expected(fmt::format("{} for the task {}", only, settings_.task.kind()), protocols[i]));
    }
  }

  template <class T>
  void check_no_repeats(const char* path, const std::vector<T>& values) {
    if (!sound({path})) return;
    std::set<T> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (seen.insert(values[i]).second) continue;
      complain(fmt::format("{}[{}]", path, i), expected("each value once", fmt::format("{} again", values[i])));
    }
  }

  const Tree& tree_;
  const Settings& settings_;
  const Complaints before_;
  Complaints& complaints_;
};

}  // namespace

void cross_check(const Tree& tree, const Settings& settings, Complaints& complaints) {
  Checker(tree, settings, complaints).check_all();
}

Place place_of(const Tree& tree, const std::string& path) {
  std::vector<Step> steps = split_path(path);
  while (!value_at(tree, steps)) steps.pop_back();
  return value_at(tree, steps)->place;
}

}  // namespace ropewalk::config
