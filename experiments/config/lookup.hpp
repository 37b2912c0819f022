// Settings by their dotted path, whatever the kinds around them are: for values that are looked at before there is a run.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "experiments/config/complaints.hpp"
#include "experiments/config/merge.hpp"
#include "experiments/config/tree.hpp"
#include "framework/core/fields.hpp"

namespace ropewalk::config {

/// Calls `body` with each setting that the path can stand for: `model.position.base` is one of rope and one of sinusoidal.
void for_each_setting(Fields& schema, std::span<const Step> steps, const std::function<void(Field&)>& body);

/// Complains of a path that stands for no setting; `where` is its place in the config's own words, such as `sweep.exclude[0].x`.
bool check_known(Fields& schema, const std::string& path, const Place& place, const std::string& where, Complaints& complaints);

/// Complains of a value that no setting of that path takes, which has to be a known one. Writes into what `schema` points at.
bool check_value(Fields& schema, const std::string& path, const Tree& value, const std::string& where, Complaints& complaints);

/// Decodes one value into a setting of another place than its own; complaints name `where`.
bool decode_into(Field field, const Tree& value, const std::string& where, Complaints& complaints);

}  // namespace ropewalk::config
