#include "tests/positional/cases.hpp"

#include <cctype>
#include <ostream>

namespace ropewalk::toy {
namespace {

/// Other values to try for a setting, the ones that say most first.
struct Candidates {
  std::vector<Value> operator()(bool* now) const { return {!*now}; }
  std::vector<Value> operator()(std::int64_t* now) const {
    return {2 * *now, 4 * *now, *now / 2, *now + 1, *now + 2, *now + 128};
  }
  std::vector<Value> operator()(double* now) const { return {*now / 2, 2 * *now, *now + 1}; }
  std::vector<Value> operator()(std::string*) const { return {choices.begin(), choices.end()}; }
  template <class Other>
  std::vector<Value> operator()(const Other&) const {
    throw Error("cases: a setting of this type needs other values to try");
  }

  std::vector<std::string> choices;
};

Value current(const Field& field) {
  return std::visit(
      [](const auto& target) -> Value {
        if constexpr (requires { Value(*target); }) return *target;
        throw Error("cases: a setting of this type needs a value");
      },
      field.target);
}

bool in_bounds(const Field& field, const Value& value) {
  double number = 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    number = static_cast<double>(*whole);
  else if (const auto* real = std::get_if<double>(&value))
    number = *real;
  else
    return true;
  return (field.minimum_open ? number > field.minimum : number >= field.minimum) &&
         (field.maximum_open ? number < field.maximum : number <= field.maximum);
}

bool legal(const Case& tried, const Field& field) {
  if (tried.value == current(field) || !in_bounds(field, tried.value)) return false;
  const nn::TransformerSettings settings = tried.settings();
  return settings.position->complaints(settings.context(trained), {trained}).empty();
}

/// Every other word or switch, the first other number that is allowed.
std::vector<Case> changes(const std::string& kind, const Field& field, bool causal) {
  std::vector<Case> found;
  for (const Value& value : std::visit(Candidates{field.choices}, field.target)) {
    const Case tried{kind, field.name, value, causal};
    const bool number = !std::holds_alternative<std::string>(value);
    if (legal(tried, field) && !(number && !found.empty())) found.push_back(tried);
  }
  if (found.empty()) throw Error(fmt::format("cases: no other value to try for {}.{}", kind, field.name));
  return found;
}

struct Print {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return value; }
  template <class Number>
  std::string operator()(Number value) const {
    return fmt::format("{}", value);
  }
};

}  // namespace

nn::TransformerSettings Case::settings() const {
  return toy::settings(causal ? "decoder" : "encoder", kind, setting.empty() ? Values{} : Values{{setting, value}});
}

bool Case::serves(const nn::Transformer& model, Index trained_length, Index length) const {
  const nn::TransformerSettings own = settings();
  return model.reaches(length) && own.position->complaints(own.context(trained_length), {length}).empty();
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = changed_cases();
  for (const Kind<positional::Scheme>& kind : positional::schemes()) {
    for (bool causal : {true, false}) cases.push_back({kind.name, "", false, causal});
  }
  return cases;
}

std::vector<Case> changed_cases() {
  std::vector<Case> cases;
  for (const Kind<positional::Scheme>& kind : positional::schemes()) {
    Choice<positional::Scheme> choice(positional::schemes(), kind.name);
    Fields fields = choice.fields();
    for (const Field& field : fields.all()) {
      for (bool causal : {true, false}) {
        for (Case& changed : changes(kind.name, field, causal)) cases.push_back(std::move(changed));
      }
    }
  }
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.kind;
  if (!info.param.setting.empty()) name += "_" + info.param.setting + "_" + std::visit(Print{}, info.param.value);
  name += info.param.causal ? "_decoder" : "_encoder";
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

void PrintTo(const Case& case_, std::ostream* out) { *out << name_of({case_, 0}); }

}  // namespace ropewalk::toy
