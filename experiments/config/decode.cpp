#include "experiments/config/decode.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/encode.hpp"
#include "experiments/config/expectation.hpp"
#include "experiments/config/listing.hpp"
#include "experiments/config/numbers.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk::config {
namespace {

bool is_plain(const Tree& tree) { return tree.is(Tree::Form::scalar) && !tree.quoted; }

// One scalar, read as each type; and what it was probably meant to be if it cannot be.
std::optional<bool> read_scalar(const Tree& tree, bool*) {
  if (!is_plain(tree) || (tree.text != "true" && tree.text != "false")) return std::nullopt;
  return tree.text == "true";
}
std::optional<std::int64_t> read_scalar(const Tree& tree, std::int64_t*) {
  return is_plain(tree) ? parse_integer(tree.text) : std::nullopt;
}
std::optional<double> read_scalar(const Tree& tree, double*) { return is_plain(tree) ? parse_number(tree.text) : std::nullopt; }
std::optional<std::string> read_scalar(const Tree& tree, std::string*) {
  return tree.is(Tree::Form::scalar) ? std::optional(tree.text) : std::nullopt;
}

std::string suggest(const Tree& tree, bool*) {
  const std::string word = nearest(tree.text, {"true", "false", "yes", "no", "on", "off"});
  if (word == "yes" || word == "on") return "true";
  return word == "no" || word == "off" ? "false" : word;
}
std::string suggest(const Tree& tree, std::int64_t*) { return suggest_integer(tree.text); }
std::string suggest(const Tree& tree, double*) { return suggest_number(tree.text); }
std::string suggest(const Tree&, std::string*) { return ""; }

// Why a text that looks like such a value is none.
template <class T>
std::string reason(const Tree&, T*) {
  return "";
}
std::string reason(const Tree& tree, double*) { return is_plain(tree) ? why_no_number(tree.text) : ""; }
std::string reason(const Tree& tree, std::int64_t*) {
  const bool digits = is_plain(tree) && tree.text.find_first_not_of("+-0123456789") == std::string::npos;
  const bool too_large = digits && parse_number(tree.text) && !parse_integer(tree.text);
  return too_large ? "which does not fit 64 bits" : reason(tree, static_cast<double*>(nullptr));
}

bool acceptable(const Field& field, const std::string& value) {
  const auto& choices = field.choices;
  return choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end();
}
bool acceptable(const Field&, bool) { return true; }
bool acceptable(const Field& field, double value) { return within_bounds(field, value); }
bool beyond_limit(const Field&, const std::string&) { return false; }
bool beyond_limit(const Field&, bool) { return false; }
bool beyond_limit(const Field& field, double value) { return value > field.limit; }
bool beyond_limit(const Field& field, std::int64_t value) { return static_cast<double>(value) > field.limit; }

bool acceptable(const Field& field, std::int64_t value) { return within_bounds(field, static_cast<double>(value)); }

class Decoder {
 public:
  Decoder(Complaints& complaints, const std::vector<std::string>& beside) : complaints_(complaints), beside_(beside) {}

  void decode(const Tree& tree, Fields& fields, const std::string& path) {
    if (!check_map(tree, path)) return;
    for (const Entry& entry : tree.entries) decode_entry(entry, fields, path);
  }

  // Keys that nothing beside them resembles: perhaps they belong elsewhere.
  void add_unknown_keys(Fields& root) {
    if (unknown_.empty()) return;
    const std::vector<SettingInfo> settings = list_settings(root);
    for (const Unknown& unknown : unknown_) {
      std::string near = nearest(unknown.key, unknown.siblings);
      if (near.empty() && unknown.kinds.empty()) near = elsewhere(unknown, settings);
      const std::string known =
          unknown.siblings.empty() ? "no settings here" : "a known setting (" + comma_separated(unknown.siblings) + ")";
      std::string message = expected(known, unknown.key, near);
      if (near.empty() && !unknown.kinds.empty()) message += "; name a kind that has it: " + comma_separated(unknown.kinds);
      complaints_.add(unknown.place, unknown.path, message);
    }
  }

 private:
  struct Unknown {
    Place place;
    std::string path, key;
    std::vector<std::string> siblings;
    std::vector<std::string> kinds;  // that have it, where a kind could have been named and was not
  };

  // A setting of that name in another place, first of all further down in the same section; the same place under another kind
  // would be no help, nor would, for an element of a list, what the kinds beside the list have.
  static std::string elsewhere(const Unknown& unknown, const std::vector<SettingInfo>& settings) {
    if (unknown.path.find('[') != std::string::npos) return "";
    const std::string section = unknown.path.substr(0, unknown.path.find('.') + 1);
    std::string found;
    for (const SettingInfo& setting : settings) {
      const std::string path = without_kinds(setting.path);
      if (!path.ends_with("." + unknown.key) || path == unknown.path) continue;
      if (path.starts_with(section)) return path;
      if (found.empty()) found = path;
    }
    return found;
  }

  void complain(const Tree& tree, const std::string& path, const std::string& what, const std::string& near) {
    complaints_.add(tree.place, path, expected(what, describe(tree), near));
  }

  bool check_map(const Tree& tree, const std::string& path) {
    if (!tree.is(Tree::Form::map)) complain(tree, path, "a map of settings", with_space_after_colon(tree));
    return tree.is(Tree::Form::map);
  }

  // `layers:2` is a text.
  static std::string with_space_after_colon(const Tree& tree) {
    const std::size_t colon = tree.quoted ? std::string::npos : tree.text.find(':');
    return colon == std::string::npos ? "" : tree.text.substr(0, colon) + ": " + tree.text.substr(colon + 1);
  }

  void decode_entry(const Entry& entry, Fields& fields, const std::string& path) {
    Field* field = find_field(&fields, entry.key);
    if (!field) return add_unknown(entry, fields, path, {});
    std::visit([&](auto& target) { decode_target(entry.value, *field, target, join(path, entry.key)); }, field->target);
  }

  void add_unknown(const Entry& entry, const Fields& fields, const std::string& path, std::vector<std::string> siblings) {
    for (const Field& field : fields.all()) siblings.push_back(field.name);
    if (path.empty()) siblings.insert(siblings.end(), beside_.begin(), beside_.end());
    unknown_.push_back({entry.place, join(path, entry.key), entry.key, std::move(siblings), {}});
  }

  void decode_target(const Tree& tree, Field&, Field::Section& section, const std::string& path) { decode(tree, *section, path); }

  void decode_target(const Tree& tree, Field&, Selection* selection, const std::string& path) {
    if (tree.is(Tree::Form::scalar) && offers(*selection, tree.text)) {
      return complain(tree, path, "a map of settings", fmt::format("{{kind: {}}}", tree.text));
    }
    if (!check_map(tree, path) || !select(tree, *selection, path)) return;
    Fields fields = selection->fields();
    for (const Entry& entry : tree.entries) {
      if (entry.key == "kind") continue;
      if (find_field(&fields, entry.key)) {
        decode_entry(entry, fields, path);
      } else {
        add_unknown(entry, fields, path, {"kind"});
        if (!tree.find("kind")) unknown_.back().kinds = kinds_with(*selection, entry.key);
      }
    }
  }

  static std::vector<std::string> kinds_with(const Selection& selection, const std::string& key) {
    std::vector<std::string> kinds;
    const std::unique_ptr<Selection> scratch = selection.copy();
    for (const std::string& kind : kind_names(selection)) {
      scratch->select(kind);
      Fields fields = scratch->fields();
      if (find_field(&fields, key)) kinds.push_back(kind);
    }
    return kinds;
  }

  // The kind is named by the tree, or stays as it is; either way its settings start from their defaults.
  bool select(const Tree& tree, Selection& selection, const std::string& path) {
    const Entry* kind = tree.find("kind");
    const bool known = !kind || (kind->value.is(Tree::Form::scalar) && offers(selection, kind->value.text));
    if (known) {
      selection.select(kind ? kind->value.text : selection.kind());
    } else {
      const std::vector<std::string> names = kind_names(selection);
      complain(kind->value, join(path, "kind"), "one of " + comma_separated(names), nearest(kind->value.text, names));
    }
    return known;
  }

  void decode_target(const Tree& tree, Field& field, SelectionList* list, const std::string& path) {
    if (!tree.is(Tree::Form::list)) return complain(tree, path, expectation(field), suggest_list(tree, *list));
    check_length(tree, field, path);
    list->clear();
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      decode_element(tree.items[i], field, list->append(), fmt::format("{}[{}]", path, i));
    }
  }

  // One element, or the name of its kind, where a list of one was probably meant.
  static std::string suggest_list(const Tree& tree, const SelectionList& list) {
    if (tree.is(Tree::Form::map) && tree.find("kind")) return fmt::format("[{}]", flow_yaml(tree));
    const bool names_kind = tree.is(Tree::Form::scalar) && offers(*list.element(), tree.text);
    return names_kind ? fmt::format("[{{kind: {}}}]", tree.text) : "";
  }

  // An element of a list has no kind yet that it could keep.
  void decode_element(const Tree& tree, Field& field, Selection& element, const std::string& path) {
    if (tree.is(Tree::Form::map) && !tree.find("kind")) {
      const std::string what = "one of " + comma_separated(kind_names(element));
      return complaints_.add(tree.place, join(path, "kind"), expected(what, "nothing"));
    }
    decode_target(tree, field, &element, path);
  }

  void check_length(const Tree& tree, const Field& field, const std::string& path) {
    const std::size_t length = tree.items.size();
    if (allowed_length(field, length)) return;
    const std::string got = fmt::format("{} element{}", length, length == 1 ? "" : "s");
    complaints_.add(tree.place, path, expected(expectation(field), got));
  }

  template <class T>
  void decode_target(const Tree& tree, Field& field, T* target, const std::string& path) {
    if (auto value = read_element<T>(tree, field, path, element_expectation(field))) *target = *value;
  }

  template <class T>
  void decode_target(const Tree& tree, Field& field, std::vector<T>* target, const std::string& path) {
    if (!tree.is(Tree::Form::list)) {
      const bool one_value = tree.is(Tree::Form::scalar) && read_scalar(tree, static_cast<T*>(nullptr));
      return complain(tree, path, expectation(field), one_value ? fmt::format("[{}]", describe(tree)) : "");
    }
    check_length(tree, field, path);
    target->clear();
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      const std::string place = fmt::format("{}[{}]", path, i);
      if (auto value = read_element<T>(tree.items[i], field, place, element_expectation(field))) target->push_back(*value);
    }
  }

  template <class T>
  std::optional<T> read_element(const Tree& tree, const Field& field, const std::string& path, const std::string& what) {
    const std::optional<T> value = read_scalar(tree, static_cast<T*>(nullptr));
    if (value && beyond_limit(field, *value)) {
      complain(tree, path, fmt::format("at most {:.0f}", field.limit), "");
      return std::nullopt;
    }
    if (value && acceptable(field, *value)) return value;
    const std::string why = value ? "" : reason(tree, static_cast<T*>(nullptr));
    const std::string near = value ? nearest(tree.text, field.choices) : suggest(tree, static_cast<T*>(nullptr));
    complaints_.add(tree.place, path, expected(what, describe(tree) + (why.empty() ? "" : ", " + why), near));
    return std::nullopt;
  }

  Complaints& complaints_;
  const std::vector<std::string>& beside_;
  std::vector<Unknown> unknown_;
};

}  // namespace

void decode(const Tree& tree, Fields& fields, Complaints& complaints, const std::vector<std::string>& beside) {
  Decoder decoder(complaints, beside);
  decoder.decode(tree, fields, "");
  decoder.add_unknown_keys(fields);
}

}  // namespace ropewalk::config
