#include "experiments/config/exclude.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/config/encode.hpp"
#include "experiments/config/lookup.hpp"
#include "experiments/config/numbers.hpp"
#include "experiments/config/schema.hpp"

namespace ropewalk::config {
namespace {

bool is_list_of_lists(const Tree& tree) {
  const auto is_list = [](const Tree& item) { return item.is(Tree::Form::list); };
  return tree.is(Tree::Form::list) && !tree.items.empty() && std::all_of(tree.items.begin(), tree.items.end(), is_list);
}

class Reader {
 public:
  Reader(Fields& schema, Complaints& complaints) : schema_(schema), complaints_(complaints) {}

  std::vector<Condition> read(const Tree& exclude, const std::string& where) {
    std::vector<Condition> conditions;
    if (!exclude.is(Tree::Form::list)) {
      const std::string near = exclude.is(Tree::Form::map) ? "[" + flow_yaml(exclude) + "]" : "";
      complaints_.add(exclude.place, where, expected("a list of conditions", describe(exclude), near));
    }
    for (std::size_t i = 0; i < exclude.items.size(); ++i) {
      std::optional<Condition> condition = read_condition(exclude.items[i], fmt::format("{}[{}]", where, i));
      if (condition) conditions.push_back(std::move(*condition));
    }
    return conditions;
  }

 private:
  std::optional<Condition> read_condition(const Tree& tree, const std::string& where) {
    if (!tree.is(Tree::Form::map) || tree.entries.empty()) {
      const std::string got = tree.is(Tree::Form::map) ? "an empty map" : describe(tree);
      complaints_.add(tree.place, where, expected("settings and their values", got));
      return std::nullopt;
    }
    Condition condition{where, tree.place, {}};
    bool sound = true;
    for (const Entry& entry : tree.entries) {
      sound &= check(entry.key, entry.place, entry.value, join(where, entry.key));
      condition.requirements.push_back({entry.key, split_path(entry.key), entry.value});
    }
    return sound ? std::optional(std::move(condition)) : std::nullopt;
  }

  bool check(const std::string& path, const Place& place, const Tree& value, const std::string& where) {
    if (!check_known(schema_, path, place, where, complaints_)) return false;
    if (value.is(Tree::Form::map)) return check_inside(path, value, where);
    if (path == "train.stages" && value.is(Tree::Form::list) && !is_list_of_lists(value)) return check_stages(value, where);
    if (!value.is(Tree::Form::list) || (is_list_setting(path) && !is_list_of_lists(value))) {
      return check_value(schema_, path, value, where, complaints_);
    }
    bool sound = true;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      sound &= check(path, place, value.items[i], fmt::format("{}[{}]", where, i));
    }
    return sound;
  }

  /// What is said of each stage.
  bool check_stages(const Tree& stages, const std::string& where) {
    bool sound = true;
    for (std::size_t i = 0; i < stages.items.size(); ++i) {
      const std::string inside = fmt::format("{}[{}]", where, i);
      const bool is_map = stages.items[i].is(Tree::Form::map);
      if (!is_map) complaints_.add(stages.items[i].place, inside, expected("a map of settings", describe(stages.items[i])));
      sound &= is_map && check_inside(fmt::format("train.stages[{}]", i), stages.items[i], inside);
    }
    return sound;
  }

  bool check_inside(const std::string& path, const Tree& section, const std::string& where) {
    bool sound = true;
    for (const Entry& entry : section.entries) {
      sound &= check(join(path, entry.key), entry.place, entry.value, join(where, entry.key));
    }
    return sound;
  }

  bool is_list_setting(const std::string& path) {
    bool is_list = false;
    for_each_setting(schema_, split_path(path), [&](Field& field) { is_list |= encode(field).is(Tree::Form::list); });
    return is_list;
  }

  Fields& schema_;
  Complaints& complaints_;
};

bool same_scalar(const Tree& resolved, const Tree& given) {
  const std::optional<double> a = parse_number(resolved.text), b = parse_number(given.text);
  return a && b ? *a == *b : resolved.text == given.text;
}

bool matches(const Tree& resolved, const Tree& given);

bool matches_section(const Tree& resolved, const Tree& given) {
  return std::all_of(given.entries.begin(), given.entries.end(), [&](const Entry& entry) {
    const Tree* inside = value_at(resolved, split_path(entry.key));
    return inside && matches(*inside, entry.value);
  });
}

bool matches(const Tree& resolved, const Tree& given) {
  const bool any_of = given.is(Tree::Form::list) && (!resolved.is(Tree::Form::list) || is_list_of_lists(given));
  if (any_of) {
    return std::any_of(given.items.begin(), given.items.end(), [&](const Tree& item) { return matches(resolved, item); });
  }
  if (resolved.form != given.form) return false;
  if (given.is(Tree::Form::scalar)) return same_scalar(resolved, given);
  if (given.is(Tree::Form::map)) return matches_section(resolved, given);
  return std::equal(resolved.items.begin(), resolved.items.end(), given.items.begin(), given.items.end(), matches);
}

bool holds(const Condition& condition, const Tree& resolved, const Complaints& found) {
  return std::all_of(condition.requirements.begin(), condition.requirements.end(), [&](const Requirement& requirement) {
    const Tree* value = value_at(resolved, requirement.steps);
    return value && !found.about(requirement.path) && matches(*value, requirement.value);
  });
}

}  // namespace

std::vector<Condition> read_exclude(const Tree& exclude, const std::string& where, Fields& schema, Complaints& complaints) {
  return Reader(schema, complaints).read(exclude, where);
}

bool Exclusions::leave_out(const std::vector<std::size_t>& conditions, const Tree& resolved, const Complaints& found) {
  bool any = false;
  for (const std::size_t index : conditions) {
    if (!holds(conditions_[index], resolved, found)) continue;
    ++points_[index];
    any = true;
  }
  return any;
}

std::vector<std::string> Exclusions::idle() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    if (points_[i] > 0) continue;
    lines.push_back(fmt::format("{} at {} leaves out no run", conditions_[i].where, to_string(conditions_[i].place)));
  }
  return lines;
}

}  // namespace ropewalk::config
