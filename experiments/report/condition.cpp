#include "experiments/report/condition.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "experiments/errors.hpp"
#include "experiments/report/number.hpp"
#include "experiments/text/join.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk {
namespace {

constexpr std::array kComparisons{"<=", ">=", "!=", "==", "<", ">", "="};  // the longer ones first

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

bool is_ordered(const std::string& compare) { return compare[0] == '<' || compare[0] == '>'; }

template <class T>
bool compares(const T& a, const std::string& compare, const T& b) {
  if (compare == "<") return a < b;
  if (compare == "<=") return a <= b;
  if (compare == ">") return a > b;
  if (compare == ">=") return a >= b;
  return (a == b) == (compare != "!=");
}

[[noreturn]] void refuse(const std::string& text, const std::string& expected) {
  throw UsageError(fmt::format("--where '{}': expected {}", text, expected));
}

std::vector<std::string> all_paths(const std::vector<ReportedRun>& runs) {
  std::set<std::string> paths;
  for (const ReportedRun& run : runs) {
    for (const auto& [path, value] : run.settings) paths.insert(path);
  }
  return {paths.begin(), paths.end()};
}

void expect_known(const std::string& place, const std::string& path, const std::vector<std::string>& known) {
  if (std::ranges::count(known, path)) return;
  const std::string meant = nearest_setting(path, known);
  throw UsageError(fmt::format("{}: expected the whole path of a setting of these runs, got '{}'; {}", place, path,
                               meant.empty() ? "`ropewalk list settings` has them all" : "did you mean " + meant + "?"));
}

}  // namespace

std::string nearest_setting(const std::string& path, const std::vector<std::string>& known) {
  if (std::ranges::count(known, path + ".kind")) return path + ".kind";
  std::vector<std::string> ending;
  std::ranges::copy_if(known, std::back_inserter(ending), [&](const std::string& one) { return one.ends_with("." + path); });
  if (!ending.empty()) return join(ending, " or ");
  return nearest(path, known);
}

bool Condition::holds(const Settings& settings) const {
  const auto found = settings.find(path);
  if (found == settings.end()) return false;
  const auto a = parse_number(found->second), b = parse_number(value);
  if (a && b) return compares(*a, compare, *b);
  return !is_ordered(compare) && compares(found->second, compare, value);
}

Condition parse_condition(const std::string& text) {
  const std::size_t place = text.find_first_of("<>=!");
  if (place == std::string::npos) refuse(text, "a setting, one of = != < <= > >=, and a value, such as model.position.base>1000");
  const auto compare = std::ranges::find_if(kComparisons, [&](const char* one) { return text.substr(place).starts_with(one); });
  if (compare == kComparisons.end()) refuse(text, "one of = != < <= > >=, got '!'");
  Condition condition{text, trimmed(text.substr(0, place)), *compare,
                      trimmed(text.substr(place + std::string_view(*compare).size()))};
  if (condition.path.empty()) refuse(text, fmt::format("a setting before {}", *compare));
  if (condition.value.empty()) refuse(text, fmt::format("a value after {}", *compare));
  if (is_ordered(*compare) && !parse_number(condition.value)) {
    refuse(text, fmt::format("a number after {}, got '{}'", *compare, condition.value));
  }
  return condition;
}

void expect_known_settings(const std::vector<Condition>& conditions, const std::vector<ReportedRun>& runs) {
  const std::vector<std::string> known = all_paths(runs);
  for (const Condition& condition : conditions) expect_known(fmt::format("--where '{}'", condition.text), condition.path, known);
}

void expect_known_settings(const std::string& option, const std::vector<std::string>& paths,
                           const std::vector<ReportedRun>& runs) {
  const std::vector<std::string> known = all_paths(runs);
  for (const std::string& path : paths) expect_known(option, path, known);
}

}  // namespace ropewalk
