// The declared settings as a guide for walks over a tree that is not decoded yet.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string>
#include <vector>

#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// The field of that name, or null; null also if `fields` is.
Field* find_field(Fields* fields, const std::string& name);

/// The kind a section's map selects; the current one if the map, which may be null, names none.
std::string kind_in(const Tree* section, const Selection& selection);

/// The field at a dotted path, all but the last of which are sections; else null.
Field* field_at(Fields* fields, const std::string& path);

bool offers(const Selection& selection, const std::string& kind);

/// `outer.inner`, or `inner` alone at the top.
inline std::string join(const std::string& outer, const std::string& inner) {
  return outer.empty() ? inner : fmt::format("{}.{}", outer, inner);
}

/// Calls `body` with the settings inside `field`: of a section, or of one kind of a selection; null for a leaf, for no field
/// and for a kind that is not offered. They are at their defaults; the
/// selection itself stays as it is.
void with_inner_fields(Field* field, const std::string& kind, const std::function<void(Fields*)>& body);

/// The selection a field holds, or null.
Selection* selection_of(Field* field);

/// Calls `body` with a field for an element of a list of selections, as one that is not in the list; null for any other field.
void with_element(Field* field, const std::function<void(Field*)>& body);

/// The names of all kinds.
std::vector<std::string> kind_names(const Selection& selection);

}  // namespace ropewalk::config
