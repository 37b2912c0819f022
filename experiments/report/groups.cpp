#include "experiments/report/groups.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "experiments/report/join.hpp"

namespace ropewalk {
namespace {

struct Difference {
  std::string path;   ///< model.position.kind
  std::string shown;  ///< model.position, then shortened: position
};

/// The path without its `kind`: that is the value of the whole.
std::string without_kind(const std::string& path) {
  constexpr std::string_view kKind = ".kind";
  return path.ends_with(kKind) ? path.substr(0, path.size() - kKind.size()) : path;
}

/// The shortest tail of `path`, in whole names, that ends no other of `all`.
std::string shortest_unique_tail(const std::string& path, const std::vector<Difference>& all) {
  for (std::size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
    const std::string tail = path.substr(dot);
    const auto ends = [&](const Difference& other) { return ("." + other.shown).ends_with(tail); };
    if (std::ranges::count_if(all, ends) == 1) return tail.substr(1);
  }
  return path;
}

/// In reading order: an object's kind before its settings.
std::vector<Difference> with_short_names(const std::vector<std::string>& paths) {
  std::vector<Difference> differences;
  for (const std::string& path : paths) differences.push_back({path, without_kind(path)});
  std::ranges::sort(differences, {}, &Difference::shown);
  std::vector<Difference> result = differences;
  for (Difference& difference : result) difference.shown = shortest_unique_tail(difference.shown, differences);
  return result;
}

std::string label(const Settings& settings, const std::vector<Difference>& differences) {
  std::vector<std::string> parts;
  for (const Difference& difference : differences) {
    const auto found = settings.find(difference.path);
    if (found != settings.end()) parts.push_back(difference.shown + " " + found->second);
  }
  return join(parts, ", ");
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Numbers by size and before words; a missing setting first.
bool value_less(const std::string& a, const std::string& b) {
  const std::optional<double> x = number(a), y = number(b);
  if (x && y) return *x < *y;
  if (a.empty() || b.empty() || x.has_value() == y.has_value()) return a < b;
  return x.has_value();
}

std::vector<std::string> values_of(const Settings& settings, const std::vector<Difference>& differences) {
  std::vector<std::string> values;
  for (const Difference& difference : differences) {
    const auto found = settings.find(difference.path);
    values.push_back(found == settings.end() ? "" : found->second);
  }
  return values;
}

const Settings& settings_of(const Group& group) { return group.runs.front()->settings; }

/// What labels must name so that no two groups have the same.
std::vector<Difference> telling_differences(const std::vector<Group>& groups) {
  std::vector<const Settings*> settings;
  for (const Group& group : groups) settings.push_back(&settings_of(group));
  std::vector<Difference> differences = with_short_names(differing_settings(settings, Absence::ignored));
  std::set<std::string> labels;
  for (const Settings* one : settings) labels.insert(label(*one, differences));
  if (labels.size() == groups.size()) return differences;
  return with_short_names(differing_settings(settings, Absence::counts_as_a_value));
}

std::string name_of_single(const Settings& settings) {
  const auto name = settings.find("name");
  return name == settings.end() ? "all runs" : name->second;
}

std::vector<Group> group_by_settings(const std::vector<ReportedRun>& runs) {
  std::map<Settings, Group> groups;
  for (const ReportedRun& run : runs) {
    Settings key = run.settings;
    key.erase("seed");
    groups[key].runs.push_back(&run);
  }
  std::vector<Group> result;
  for (auto& [key, group] : groups) result.push_back(std::move(group));
  return result;
}

}  // namespace

std::vector<Group> group_runs(const std::vector<ReportedRun>& runs) {
  std::vector<Group> groups = group_by_settings(runs);
  const std::vector<Difference> differences = telling_differences(groups);
  std::ranges::sort(groups, [&](const Group& a, const Group& b) {
    return std::ranges::lexicographical_compare(values_of(settings_of(a), differences), values_of(settings_of(b), differences),
                                                value_less);
  });
  for (Group& group : groups) {
    group.label = groups.size() == 1 ? name_of_single(settings_of(group)) : label(settings_of(group), differences);
  }
  return groups;
}

std::vector<std::string> differing_settings(const std::vector<const Settings*>& settings, Absence absence) {
  std::map<std::string, std::multiset<std::string>> values;
  for (const Settings* one : settings) {
    for (const auto& [path, value] : *one) values[path].insert(value);
  }
  values.erase("seed");
  std::vector<std::string> differing;
  for (const auto& [path, found] : values) {
    const bool differs = *found.begin() != *found.rbegin();
    const bool missing = absence == Absence::counts_as_a_value && found.size() < settings.size();
    if (differs || missing) differing.push_back(path);
  }
  return differing;
}

}  // namespace ropewalk
