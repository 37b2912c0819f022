#include "experiments/report/groups.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "experiments/report/number.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

constexpr const char* kScheme = "model.position.kind";
constexpr const char* kBeyond = "model.position.beyond";  // named even where all runs share it

using Paths = std::vector<std::string>;

/// Text, empty for a missing setting.
std::string value(const Settings& settings, const std::string& path) {
  const auto found = settings.find(path);
  return found == settings.end() ? "" : found->second;
}

const Settings& settings_of(const Group& group) { return group.runs.front()->settings; }

/// Numbers by size and before words; a missing setting first.
bool value_less(const std::string& a, const std::string& b) {
  const std::optional<double> x = parse_number(a), y = parse_number(b);
  if (x && y) return *x < *y;
  if (a.empty() || b.empty() || x.has_value() == y.has_value()) return a < b;
  return x.has_value();
}

/// Whether a path is that of the kind of a hybrid's part: model.position.parts[0].kind.
bool is_kind_of_part(const std::string& path) {
  constexpr std::string_view kParts = "model.position.parts[", kEnd = "].kind";
  return path.starts_with(kParts) && path.find(kEnd) == path.size() - kEnd.size() && path.find('[', kParts.size()) == path.npos;
}

/// The scheme, or the parts of a hybrid: "sinusoidal + alibi".
std::string scheme_name(const Settings& settings) {
  std::vector<std::string> parts;
  for (const auto& [path, kind] : settings) {
    if (is_kind_of_part(path)) parts.push_back(kind);
  }
  return parts.empty() ? value(settings, kScheme) : join(parts, " + ");
}

/// The path without its `kind`: that is the value of the whole.
std::string without_kind(const std::string& path) {
  constexpr std::string_view kKind = ".kind";
  return path.ends_with(kKind) ? path.substr(0, path.size() - kKind.size()) : path;
}

/// The kind to which a setting belongs: model.position.kind for model.position.base, model.kind for model.position.kind.
std::string kind_above(const std::string& path) {
  const std::string whole = without_kind(path);
  return whole.substr(0, whole.rfind('.') + 1) + "kind";
}

/// `train.stages[0].` for a setting of the second stage; empty for one that belongs to no later stage.
std::string stage_of(const std::string& path) {
  return path.starts_with("train.stages[") ? path.substr(0, path.find('.', path.find(']')) + 1) : "";
}

bool has_stage(const Settings& settings, const std::string& stage) {
  const auto found = settings.lower_bound(stage);
  return found != settings.end() && found->first.starts_with(stage);
}

/// Whether a setting has other values in other groups to which it applies.
bool differs(const Settings& settings, const std::string& path, const std::vector<Group>& groups) {
  const std::string kind = kind_above(path), stage = stage_of(path);
  return std::ranges::any_of(groups, [&](const Group& group) {
    const Settings& other = settings_of(group);
    return has_stage(other, stage) && value(other, kind) == value(settings, kind) && value(other, path) != value(settings, path);
  });
}

/// Whether a setting says that there is a stage which others do not have: its length, its scheme or its scaling, or all that it
/// changes if that is neither.
bool tells_stage(const Settings& settings, const std::string& path, const std::vector<Group>& groups) {
  const std::string stage = stage_of(path);
  if (stage.empty()) return false;
  for (const char* name : {"length", "position.kind", "position.scaling.kind"}) {
    if (!settings.contains(stage + name)) continue;
    if (path != stage + name) return false;
    break;
  }
  return std::ranges::any_of(groups, [&](const Group& group) { return !has_stage(settings_of(group), stage); });
}

/// The settings that the label of a group names, the scheme first.
Paths named_settings(const Settings& settings, const Paths& candidates, const std::vector<Group>& groups) {
  Paths named;
  if (settings.contains(kScheme)) named.push_back(kScheme);
  for (const std::string& path : candidates) {
    const auto tells = [&] { return path == kBeyond || differs(settings, path, groups) || tells_stage(settings, path, groups); };
    if (settings.contains(path) && tells()) named.push_back(path);
  }
  return named;
}

/// Whether a setting is of how runs are looked at, or follows from another, as the batch from the length where steps have as many
/// tokens.
bool is_minor(const std::string& path) {
  return path.starts_with("evaluate.") || path.starts_with("record.") || path == "train.batch";
}

bool tell_apart(const Paths& paths, const std::vector<Group>& groups) {
  std::set<Settings> rows;
  for (const Group& group : groups) {
    Settings row = settings_of(group);
    std::erase_if(row, [&](const auto& setting) { return !std::ranges::count(paths, setting.first); });
    rows.insert(std::move(row));
  }
  return rows.size() == groups.size();
}

/// What differs in any way, in reading order: an object's kind before its settings. Minor settings are left out where the others
/// tell the groups apart.
Paths candidates_of(const std::vector<Group>& groups) {
  std::vector<const Settings*> settings;
  for (const Group& group : groups) settings.push_back(&settings_of(group));
  Paths paths = differing_settings(settings);
  Paths major = paths;
  std::erase_if(major, is_minor);
  if (tell_apart(major, groups)) paths = std::move(major);
  if (!std::ranges::count(paths, kBeyond)) paths.push_back(kBeyond);
  std::erase_if(paths, [](const std::string& path) { return path == kScheme || is_kind_of_part(path); });
  std::ranges::sort(paths, {}, without_kind);
  return paths;
}

/// `stage 2 length` for train.stages[0].length; empty for what is no setting of a later stage.
std::string name_in_stage(const std::string& path) {
  constexpr std::string_view kStages = "train.stages[";
  if (!path.starts_with(kStages)) return "";
  const std::size_t close = path.find(']');
  const int index = std::stoi(path.substr(kStages.size(), close - kStages.size()));
  return fmt::format("stage {} {}", index + 2, path.substr(path.rfind('.') + 1));
}

/// The shortest tail of `path`, in whole names, that ends no other of `all`.
std::string shortest_unique_tail(const std::string& path, const std::set<std::string>& all) {
  for (std::size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
    const std::string tail = path.substr(dot);
    const auto ends = [&](const std::string& other) { return ("." + other).ends_with(tail); };
    if (std::ranges::count_if(all, ends) == 1) return tail.substr(1);
  }
  return path;
}

/// 100.0 as 100, 1.0e-08 as 1e-08; anything but a number with a fraction or an exponent as it is.
std::string format_value(const std::string& text) {
  const std::optional<double> value = parse_number(text);
  return value && text.find_first_of(".e") != std::string::npos ? fmt::format("{:.10g}", *value) : text;
}

std::string label(const Settings& settings, const Paths& named, const std::set<std::string>& named_anywhere) {
  std::vector<std::string> parts;
  for (const std::string& path : named) {
    if (path == kScheme) {
      parts.push_back(scheme_name(settings));
      continue;
    }
    const std::string stage = name_in_stage(without_kind(path));
    parts.push_back((stage.empty() ? shortest_unique_tail(without_kind(path), named_anywhere) : stage) + " " +
                    format_value(value(settings, path)));
  }
  return join(parts, ", ");
}

/// The label of each group out of the settings that it is to name.
void set_labels(std::vector<Group>& groups, const std::vector<Paths>& named) {
  std::set<std::string> named_anywhere;
  for (const Paths& paths : named) {
    for (const std::string& path : paths) {
      if (path != kScheme) named_anywhere.insert(without_kind(path));
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].label = label(settings_of(groups[i]), named[i], named_anywhere);
}

void sort_by(const Paths& paths, std::vector<Group>& groups) {
  const auto values = [&](const Group& group) {
    std::vector<std::string> row{value(settings_of(group), kScheme)};
    for (const std::string& path : paths) row.push_back(value(settings_of(group), path));
    return row;
  };
  std::ranges::sort(groups, [&](const Group& a, const Group& b) {
    return std::ranges::lexicographical_compare(values(a), values(b), value_less);
  });
}

/// What runs of one group have in common: all settings but the seed, or those of `paths` that the run has.
Settings key_of(const Settings& settings, const Paths& paths) {
  Settings key = settings;
  if (paths.empty()) {
    key.erase("seed");
  } else {
    std::erase_if(key, [&](const auto& setting) { return !std::ranges::count(paths, setting.first); });
  }
  return key;
}

std::vector<Group> group_by_settings(const std::vector<ReportedRun>& runs, const Paths& paths) {
  std::map<Settings, Group> groups;
  for (const ReportedRun& run : runs) groups[key_of(run.settings, paths)].runs.push_back(&run);
  std::vector<Group> result;
  for (auto& [key, group] : groups) result.push_back(std::move(group));
  return result;
}

std::vector<Paths> paths_that_tell_apart(const std::vector<Group>& groups, const Paths& candidates) {
  std::vector<Paths> named;
  for (const Group& group : groups) named.push_back(named_settings(settings_of(group), candidates, groups));
  return named;
}

/// Those of `paths` that each group has.
std::vector<Paths> paths_that_are_there(const std::vector<Group>& groups, const Paths& paths) {
  std::vector<Paths> named;
  for (const Group& group : groups) {
    const Settings& settings = settings_of(group);
    std::ranges::copy_if(paths, std::back_inserter(named.emplace_back()),
                         [&](const std::string& path) { return settings.contains(path); });
  }
  return named;
}

/// Whether `path` is of the same section as a kind that is grouped by, and so may not be there under another kind.
bool depends_on(const Paths& paths, const std::string& path) {
  return std::ranges::any_of(paths, [&](const std::string& grouped) {
    return without_kind(grouped) != grouped && path.starts_with(without_kind(grouped) + ".");
  });
}

}  // namespace

std::vector<Group> group_runs(const std::vector<ReportedRun>& runs, const std::vector<std::string>& paths) {
  std::vector<Group> groups = group_by_settings(runs, paths);
  const Paths candidates = paths.empty() ? candidates_of(groups) : paths;
  sort_by(candidates, groups);
  set_labels(groups, paths.empty() ? paths_that_tell_apart(groups, candidates) : paths_that_are_there(groups, paths));
  return groups;
}

std::vector<std::string> pairing_settings(const std::vector<ReportedRun>& runs, const std::vector<std::string>& paths) {
  std::vector<std::string> pairing{"seed"};
  if (paths.empty()) return pairing;
  std::vector<const Settings*> settings;
  for (const ReportedRun& run : runs) settings.push_back(&run.settings);
  for (const std::string& path : differing_settings(settings)) {
    if (!std::ranges::count(paths, path) && !depends_on(paths, path)) pairing.push_back(path);
  }
  return pairing;
}

std::vector<std::string> differing_settings(const std::vector<const Settings*>& settings) {
  std::map<std::string, std::multiset<std::string>> values;
  for (const Settings* one : settings) {
    for (const auto& [path, value] : *one) values[path].insert(value);
  }
  values.erase("seed");
  std::vector<std::string> differing;
  for (const auto& [path, found] : values) {
    if (*found.begin() != *found.rbegin() || found.size() < settings.size()) differing.push_back(path);
  }
  return differing;
}

}  // namespace ropewalk
