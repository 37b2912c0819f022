#include "tests/positional/cases.hpp"

#include <cctype>
#include <ostream>

#include "tests/positional/example_scheme.hpp"

namespace ropewalk::toy {
namespace {

/// Other values to try for a setting, the ones that say most first.
struct Candidates {
  std::vector<Value> operator()(bool* now) const { return {!*now}; }
  std::vector<Value> operator()(std::int64_t* now) const {
    return {2 * *now, 4 * *now, *now / 2, *now + 2, *now + 1, *now + 128, *now + 512, *now / 8, *now / 16};
  }
  std::vector<Value> operator()(double* now) const { return {*now / 2, 2 * *now, *now + 1, *now / 64}; }
  std::vector<Value> operator()(std::string*) const { return {choices.begin(), choices.end()}; }
  std::vector<Value> operator()(std::vector<double>*) const {
    return {std::vector<double>{1, 3}, std::vector<double>{2, 5}, std::vector<double>{3, 1, 2}};
  }
  std::vector<Value> operator()(std::vector<std::int64_t>*) const {
    return {std::vector<std::int64_t>{trained, 1}, std::vector<std::int64_t>{trained / 2, 2}};
  }
  std::vector<Value> operator()(Selection* selection) const {
    std::vector<Value> kinds;
    for (const Selection::Option& option : selection->options()) kinds.push_back(option.name);
    return kinds;
  }
  /// Each scheme with the one after it in the registry, and some that are used together.
  std::vector<Value> operator()(SelectionList* list) const {
    std::vector<Value> pairs{std::vector<std::string>{"learned", "t5"}, std::vector<std::string>{"segment", "rope", "alibi"}};
    const std::vector<Selection::Option> options = list->element()->options();
    for (std::size_t i = 0; i + 1 < options.size(); ++i) {
      pairs.push_back(std::vector<std::string>{options[i].name, options[i + 1].name});
    }
    return pairs;
  }
  template <class Other>
  std::vector<Value> operator()(const Other&) const {
    throw Error("cases: a setting of this type needs other values to try");
  }

  std::vector<std::string> choices;
};

std::vector<Value> candidates(const Field& field) { return std::visit(Candidates{field.choices}, field.target); }

std::optional<Value> current(const Field& field) {
  if (Selection* const* selection = std::get_if<Selection*>(&field.target)) return (*selection)->kind();
  return std::visit(
      [](const auto& target) -> std::optional<Value> {
        if constexpr (requires { Value(*target); }) return *target;
        return {};
      },
      field.target);
}

template <class Number>
bool number_in_bounds(const Field& field, Number value) {
  const auto number = static_cast<double>(value);
  return (field.minimum_open ? number > field.minimum : number >= field.minimum) &&
         (field.maximum_open ? number < field.maximum : number <= field.maximum);
}

struct InBounds {
  bool operator()(std::int64_t value) const { return number_in_bounds(field, value); }
  bool operator()(double value) const { return number_in_bounds(field, value); }
  template <class Other>
  bool operator()(const Other&) const {
    return true;
  }

  const Field& field;
};

bool is_word(const Field& field) {
  return !field.choices.empty() || std::holds_alternative<bool*>(field.target) ||
         std::holds_alternative<Selection*>(field.target) || std::holds_alternative<SelectionList*>(field.target);
}

Case with(const Case& base, const std::string& path, const Value& value) {
  Case changed = base;
  changed.values.emplace_back(path, value);
  return changed;
}

/// `base` with another value of one setting, if that is legal.
std::vector<Case> changed(const Case& base, const std::string& path, const Field& field) {
  std::vector<Case> found;
  for (const Value& value : candidates(field)) {
    if (value == current(field) || !std::visit(InBounds{field}, value)) continue;
    if (Case tried = with(base, path, value); tried.legal()) found.push_back(std::move(tried));
  }
  return found;
}

/// `base` with a kind selected; one whose defaults are refused is given what it asks for. Not legal if nothing helps.
Case selecting(const Case& base, const std::string& path, Selection& selection, const std::string& kind) {
  const Case selected = with(base, path, kind);
  if (selected.legal()) return selected;
  const auto inner = selection.copy();
  inner->select(kind);
  const Fields fields = inner->fields();
  for (const Field& field : fields.all()) {
    if (const std::vector<Case> found = changed(selected, path + "." + field.name, field); !found.empty()) return found.front();
  }
  return selected;
}

/// Settings of the kind that `base` selects at `prefix`, and of the kinds selected there.
void collect(const Case& base, const std::string& prefix, Fields fields, std::vector<Setting>& found) {
  for (const Field& field : fields.all()) {
    const std::string path = prefix + field.name;
    Selection* const* selection = std::get_if<Selection*>(&field.target);
    Setting setting{base, {}, is_word(field)};
    if (!selection) setting.other = changed(base, path, field);
    if (selection) {
      for (const Selection::Option& option : (*selection)->options()) {
        const Case selected = selecting(base, path, **selection, option.name);
        if (option.name == (*selection)->kind() || !selected.legal()) continue;
        setting.other.push_back(selected);
        const auto inner = (*selection)->copy();
        inner->select(option.name);
        collect(selected, path + ".", inner->fields(), found);
      }
    }
    if (!setting.other.empty()) found.push_back(setting);
  }
}

struct Print {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return value; }
  template <class Element>
  std::string operator()(const std::vector<Element>& list) const {
    std::string text;
    for (const Element& element : list) text += (text.empty() ? "" : "_") + (*this)(element);
    return text;
  }
  template <class Number>
  std::string operator()(Number value) const {
    return fmt::format("{}", value);
  }
};

}  // namespace

const Registry<positional::Scheme>& schemes() {
  static const Registry<positional::Scheme> registry = [] {
    Registry<positional::Scheme> all = positional::schemes();
    all.push_back(positional::hyperbola());
    return all;
  }();
  return registry;
}

nn::TransformerSettings Case::settings() const {
  nn::TransformerSettings settings = toy::settings(causal ? "decoder" : "encoder");
  settings.position = Choice<positional::Scheme>(schemes(), kind);
  for (const auto& [path, value] : values) assign(settings.position.fields(), path, value);
  if (settings.position->traits().needs_grid) settings.width = 16;  // two pairs for each axis
  return settings;
}

bool Case::legal() const {
  const nn::TransformerSettings own = settings();
  return positional::complaints_about(*own.position, own.context(trained, marks), {trained}).empty();
}

bool Case::serves(Index trained_length, Index length) const {
  nn::TransformerSettings own = settings();
  const positional::Context context = own.context(trained_length, marks);
  own.position->resolve(context);
  if (!positional::complaints_about(*own.position, context, {length}).empty()) return false;
  const auto prepared = own.position->clone();
  prepared->prepare(context, Random(0), Type::f64);
  return prepared->reaches(length);
}

Index Case::served_from(Index trained_length, Index length) const {
  for (Index candidate = length; candidate <= 4 * length + 2; ++candidate) {
    if (serves(trained_length, candidate)) return candidate;
  }
  return 0;
}

std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const Kind<positional::Scheme>& kind : schemes()) {
    for (bool causal : {true, false}) {
      const Case base{kind.name, {}, causal};
      if (base.legal()) collect(base, "", Choice<positional::Scheme>(schemes(), kind.name).fields(), settings);
    }
  }
  return settings;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Kind<positional::Scheme>& kind : schemes()) {
    for (bool causal : {true, false}) {
      if (const Case plain{kind.name, {}, causal}; plain.legal()) cases.push_back(plain);
    }
  }
  for (const Setting& setting : all_settings()) {
    const std::size_t count = setting.words ? setting.other.size() : 1;  // of numbers, the first other one
    cases.insert(cases.end(), setting.other.begin(), setting.other.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return cases;
}

std::vector<Case> refused_cases() {
  std::vector<Case> cases;
  for (const Kind<positional::Scheme>& kind : schemes()) {
    for (bool causal : {true, false}) {
      if (const Case plain{kind.name, {}, causal}; !plain.legal()) cases.push_back(plain);
    }
  }
  return cases;
}

std::string name_of(const Case& one) {
  std::string name = one.kind;
  for (const auto& [path, value] : one.values) name += "_" + path + "_" + std::visit(Print{}, value);
  name += one.causal ? "_decoder" : "_encoder";
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::string case_name(const testing::TestParamInfo<Case>& info) { return name_of(info.param); }
std::string setting_name(const testing::TestParamInfo<Setting>& info) { return name_of(info.param.other.front()); }
void PrintTo(const Case& one, std::ostream* out) { *out << name_of(one); }
void PrintTo(const Setting& one, std::ostream* out) { *out << name_of(one.other.front()); }

}  // namespace ropewalk::toy
