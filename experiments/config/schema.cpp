#include "experiments/config/schema.hpp"

#include <algorithm>
#include <memory>

namespace ropewalk::config {

Field* find_field(Fields* fields, const std::string& name) {
  if (!fields) return nullptr;
  auto& all = fields->all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Field& field) { return field.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Field* field_at(Fields* fields, const std::string& path) {
  const std::size_t dot = path.find('.');
  Field* field = find_field(fields, path.substr(0, dot));
  if (dot == std::string::npos || !field) return field;
  const auto* section = std::get_if<Field::Section>(&field->target);
  return section ? field_at(section->get(), path.substr(dot + 1)) : nullptr;
}

std::string kind_in(const Tree* section, const Selection& selection) {
  const Entry* kind = section ? section->find("kind") : nullptr;
  return kind && kind->value.is(Tree::Form::scalar) ? kind->value.text : selection.kind();
}

bool offers(const Selection& selection, const std::string& kind) {
  const auto options = selection.options();
  return std::any_of(options.begin(), options.end(), [&](const auto& option) { return option.name == kind; });
}

Selection* selection_of(Field* field) {
  Selection** selection = field ? std::get_if<Selection*>(&field->target) : nullptr;
  return selection ? *selection : nullptr;
}

void with_element(Field* field, const std::function<void(Field*)>& body) {
  SelectionList** list = field ? std::get_if<SelectionList*>(&field->target) : nullptr;
  if (!list) return body(nullptr);
  const std::unique_ptr<Selection> scratch = (*list)->element();
  Field element;
  element.target = scratch.get();
  body(&element);
}

std::vector<std::string> kind_names(const Selection& selection) {
  std::vector<std::string> names;
  for (const Selection::Option& option : selection.options()) names.push_back(option.name);
  return names;
}

void with_inner_fields(Field* field, const std::string& kind, const std::function<void(Fields*)>& body) {
  if (Selection* selection = selection_of(field); selection && offers(*selection, kind)) {
    const std::unique_ptr<Selection> scratch = selection->copy();
    scratch->select(kind);
    Fields fields = scratch->fields();
    body(&fields);
  } else if (field && std::holds_alternative<Field::Section>(field->target)) {
    body(std::get<Field::Section>(field->target).get());
  } else {
    body(nullptr);
  }
}

}  // namespace ropewalk::config
