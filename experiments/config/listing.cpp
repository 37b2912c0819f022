#include "experiments/config/listing.hpp"

#include "experiments/config/encode.hpp"
#include "experiments/config/expectation.hpp"
#include "experiments/config/schema.hpp"

namespace ropewalk::config {
namespace {

void list_into(std::vector<SettingInfo>& settings, Fields& fields, const std::string& prefix);

void list_selection(std::vector<SettingInfo>& settings, Field& field, const std::string& path) {
  Selection& selection = *selection_of(&field);
  const std::vector<std::string> kinds = kind_names(selection);
  settings.push_back({path + ".kind", "kind", selection.kind(), "one of " + comma_separated(kinds), field.help});
  for (const std::string& kind : kinds) {
    with_inner_fields(&field, kind, [&](Fields* inner) { list_into(settings, *inner, fmt::format("{}({})", path, kind)); });
  }
}

void list_into(std::vector<SettingInfo>& settings, Fields& fields, const std::string& prefix) {
  for (Field& field : fields.all()) {
    const std::string path = join(prefix, field.name);
    if (selection_of(&field)) {
      list_selection(settings, field, path);
    } else if (const auto* section = std::get_if<Field::Section>(&field.target)) {
      list_into(settings, **section, path);
    } else {
      settings.push_back({path, type_name(field), flow_yaml(encode(field)), bounds(field), field.help});
    }
  }
}

}  // namespace

std::vector<SettingInfo> list_settings(Fields& fields) {
  std::vector<SettingInfo> settings;
  list_into(settings, fields, "");
  return settings;
}

std::string without_kinds(const std::string& path) {
  std::string plain;
  int depth = 0;
  for (const char letter : path) {
    if (letter == '(') ++depth;
    if (depth == 0) plain += letter;
    if (letter == ')') --depth;
  }
  return plain;
}

}  // namespace ropewalk::config
