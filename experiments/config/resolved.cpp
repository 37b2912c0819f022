#include "experiments/config/resolved.hpp"

#include <utility>

#include "experiments/config/decode.hpp"
#include "experiments/config/encode.hpp"
#include "experiments/config/parse.hpp"

namespace ropewalk::config {

Tree tree_of(Settings settings) {
  Fields fields;
  settings.describe(fields);
  return encode(fields);
}

std::string text_of(Settings settings) { return to_yaml(tree_of(std::move(settings))); }

Settings settings_of(const std::string& text) {
  Complaints complaints;
  Settings settings;
  Fields fields;
  settings.describe(fields);
  if (const auto tree = parse(text, "settings", Lines::shown, complaints)) decode(*tree, fields, complaints);
  complaints.raise();
  return settings;
}

}  // namespace ropewalk::config
