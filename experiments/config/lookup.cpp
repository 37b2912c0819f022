#include "experiments/config/lookup.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "experiments/config/decode.hpp"
#include "experiments/config/listing.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/stages.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk::config {
namespace {

using Body = std::function<void(Field&)>;

// The element of a list of plain values, which has no field of its own.
template <class T>
void with_plain_element(const Field& list, std::vector<T>*, const Body& body) {
  T value{};
  Field element = list;
  element.target = &value;
  body(element);
}

template <class Target>
void with_plain_element(const Field&, const Target&, const Body&) {}

void with_kind(const Selection& selection, const Body& body) {
  std::string kind;
  Fields fields;
  body(fields.add("kind", kind, "").one_of(kind_names(selection)));
}

void descend(Field& field, std::span<const Step> rest, const Body& body) {
  if (rest.empty()) return body(field);
  if (rest[0].index() != 0) {
    with_element(&field, [&](Field* element) {
      if (element) descend(*element, rest.subspan(1), body);
    });
    const auto below = [&](Field& element) { descend(element, rest.subspan(1), body); };
    std::visit([&](auto& target) { with_plain_element(field, target, below); }, field.target);
  } else if (const Selection* selection = selection_of(&field)) {
    if (rest.size() == 1 && rest[0] == Step(std::string("kind"))) return with_kind(*selection, body);
    for (const std::string& kind : kind_names(*selection)) {
      with_inner_fields(&field, kind, [&](Fields* inner) { for_each_setting(*inner, rest, body); });
    }
  } else if (auto* section = std::get_if<Field::Section>(&field.target)) {
    for_each_setting(**section, rest, body);
  }
}

// The whole path that was probably meant; a name alone may be that of a setting anywhere, and one in a section that of a setting
// further down in it.
std::string nearest_setting(const std::string& path, Fields& schema) {
  std::vector<std::string> known;
  for (const SettingInfo& setting : list_settings(schema)) known.push_back(without_kinds(setting.path));
  for (const std::string& other : known) {
    if (other.ends_with("." + path)) return other;
  }
  const std::string section = path.substr(0, path.find('.') + 1), name = path.substr(path.rfind('.') + 1);
  for (const std::string& other : known) {
    if (other.starts_with(section) && other.ends_with("." + name)) return other;
  }
  return nearest(path, known);
}

}  // namespace

void for_each_setting(Fields& schema, std::span<const Step> path, const Body& body) {
  const std::vector<Step> steps = without_stage(path);
  const auto* name = steps.empty() ? nullptr : std::get_if<std::string>(&steps[0]);
  Field* field = name ? find_field(&schema, *name) : nullptr;
  if (field) descend(*field, std::span(steps).subspan(1), body);
}

bool check_known(Fields& schema, const std::string& path, const Place& place, const std::string& where, Complaints& complaints) {
  bool known = false;
  for_each_setting(schema, split_path(path), [&](Field&) { known = true; });
  if (!known) complaints.add(place, where, expected("a known setting", path, nearest_setting(path, schema)));
  return known;
}

bool check_value(Fields& schema, const std::string& path, const Tree& value, const std::string& where, Complaints& complaints) {
  std::optional<Complaints> found;  // those of the first kind, until one has none
  for_each_setting(schema, split_path(path), [&](Field& field) {
    Complaints of_this_kind;
    const bool good = decode_into(field, value, where, of_this_kind);
    if (good || !found) found = std::move(of_this_kind);
  });
  if (found) complaints.add(*found);
  return found && found->empty();
}

bool decode_into(Field field, const Tree& value, const std::string& where, Complaints& complaints) {
  field.name = where;
  Fields fields;
  fields.all().push_back(std::move(field));
  Tree map = Tree::map(value.place);
  map.entries.push_back({where, value.place, value});
  Complaints found;
  decode(map, fields, found);
  complaints.add(found);
  return found.empty();
}

}  // namespace ropewalk::config
