#include "experiments/config/merge.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace ropewalk::config {
namespace {

bool changes_kind(const Tree& base, const Tree& over, Field* field) {
  const Selection* selection = selection_of(field);
  return selection && over.find("kind") && kind_in(&over, *selection) != kind_in(&base, *selection);
}

std::string kind_of(const Tree& section, Field* field) {
  const Selection* selection = selection_of(field);
  return selection ? kind_in(&section, *selection) : "";
}

Tree merge_value(const Tree& base, const Tree& over, Field* field) {
  if (changes_kind(base, over, field)) return over;
  Tree merged;
  with_inner_fields(field, kind_of(base, field), [&](Fields* inner) { merged = merge(base, over, inner); });
  return merged;
}

class Assigner {
 public:
  Assigner(const Assignment& assignment, Complaints& complaints) : assignment_(assignment), complaints_(complaints) {}

  void assign(Tree& node, std::span<const Step> steps, Fields* schema, Field* field, const std::string& path) {
    if (steps.empty()) {
      const auto* section = field ? std::get_if<Field::Section>(&field->target) : nullptr;
      node = section && node.is(Tree::Form::map) ? merge(node, assignment_.value, section->get()) : assignment_.value;
    } else if (const auto* index = std::get_if<std::size_t>(&steps[0])) {
      assign_item(node, *index, steps.subspan(1), field, path);
    } else {
      assign_key(node, std::get<std::string>(steps[0]), steps.subspan(1), schema, field, path);
    }
  }

 private:
  void assign_item(Tree& node, std::size_t index, std::span<const Step> rest, Field* field, const std::string& path) {
    const std::string wanted = fmt::format("a list with an element [{}]", index);
    if (!node.is(Tree::Form::list)) {
      complaints_.add(assignment_.place, path, expected(wanted, describe(node)) + "; set the whole list");
    } else if (index >= node.items.size()) {
      complaints_.add(assignment_.place, path, expected(wanted, fmt::format("{} element{}", node.items.size(), node.items.size() == 1 ? "" : "s")));
    } else {
      with_element(field,
                   [&](Field* element) { assign_inside(node.items[index], rest, element, fmt::format("{}[{}]", path, index)); });
    }
  }

  void assign_key(Tree& node, const std::string& key, std::span<const Step> rest, Fields* schema, Field* field,
                  const std::string& path) {
    if (!node.is(Tree::Form::map)) node = Tree::map(assignment_.place);
    if (rest.empty() && key == "kind") drop_other_kind(node, selection_of(field));
    Field* inner_field = find_field(schema, key);
    Tree& value = node.at_or_add(key, assignment_.place);
    assign_inside(value, rest, inner_field, join(path, key));
  }

  // `value` is that of `field`, which may be null.
  void assign_inside(Tree& value, std::span<const Step> rest, Field* field, const std::string& path) {
    with_inner_fields(field, kind_of(value, field), [&](Fields* inner) { assign(value, rest, inner, field, path); });
  }

  void drop_other_kind(Tree& section, const Selection* selection) const {
    if (selection && kind_in(&section, *selection) != assignment_.value.text) section.entries.clear();
  }

  const Assignment& assignment_;
  Complaints& complaints_;
};

std::optional<std::size_t> parse_index(const std::string& digits) {
  constexpr std::size_t most_digits = 9;
  if (digits.empty() || digits.size() > most_digits) return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoul(digits);
}

// `name[1][2]`: the name, then its indices. False if it is not well formed.
bool split_part(const std::string& part, std::vector<Step>& steps) {
  std::size_t open = part.find('[');
  const std::string name = part.substr(0, open);
  if (name.empty()) return false;
  steps.emplace_back(name);
  while (open < part.size()) {
    const std::size_t close = part.find(']', open);
    if (part[open] != '[' || close == std::string::npos) return false;
    const std::optional<std::size_t> index = parse_index(part.substr(open + 1, close - open - 1));
    if (!index) return false;
    steps.emplace_back(*index);
    open = close + 1;
  }
  return true;
}

const Tree* child(const Tree& tree, const Step& step) {
  if (const auto* index = std::get_if<std::size_t>(&step)) {
    return *index < tree.items.size() ? &tree.items[*index] : nullptr;
  }
  const Entry* entry = tree.find(std::get<std::string>(step));
  return entry ? &entry->value : nullptr;
}

}  // namespace

std::string join_path(std::span<const Step> steps) {
  std::string path;
  for (const Step& step : steps) {
    const auto* index = std::get_if<std::size_t>(&step);
    path = index ? fmt::format("{}[{}]", path, *index) : join(path, std::get<std::string>(step));
  }
  return path;
}

const Tree* value_at(const Tree& tree, std::span<const Step> steps) {
  const Tree* at = &tree;
  for (const Step& step : steps) {
    at = child(*at, step);
    if (!at) break;
  }
  return at;
}

Tree merge(const Tree& base, const Tree& over, Fields* schema) {
  if (!base.is(Tree::Form::map) || !over.is(Tree::Form::map)) return over;
  Tree merged = base;
  merged.place = over.place;
  for (const Entry& entry : over.entries) {
    Entry* below = merged.find(entry.key);
    if (!below) {
      merged.entries.push_back(entry);
    } else {
      *below = {entry.key, entry.place, merge_value(below->value, entry.value, find_field(schema, entry.key))};
    }
  }
  return merged;
}

std::vector<Step> split_path(const std::string& path) {
  std::vector<Step> steps;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    if (!split_part(path.substr(start, dot - start), steps)) return {};
    start = dot + 1;
  }
  return steps;
}

void assign(Tree& tree, const Assignment& assignment, Fields* schema, Complaints& complaints) {
  Assigner(assignment, complaints).assign(tree, assignment.steps, schema, nullptr, "");
}

}  // namespace ropewalk::config
