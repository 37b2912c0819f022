#include "experiments/config/flat_settings.hpp"

#include <algorithm>

#include "experiments/config/encode.hpp"
#include "experiments/config/parse.hpp"
#include "experiments/config/schema.hpp"

namespace ropewalk::config {
namespace {

bool holds_sections(const Tree& list) {
  return std::any_of(list.items.begin(), list.items.end(), [](const Tree& item) { return item.is(Tree::Form::map); });
}

void flatten(const Tree& tree, const std::string& path, std::map<std::string, std::string>& flat) {
  if (tree.is(Tree::Form::map)) {
    for (const Entry& entry : tree.entries) flatten(entry.value, join(path, entry.key), flat);
  } else if (holds_sections(tree)) {
    for (std::size_t i = 0; i < tree.items.size(); ++i) flatten(tree.items[i], fmt::format("{}[{}]", path, i), flat);
  } else {
    flat[path] = flow_yaml(tree);
  }
}

}  // namespace

std::map<std::string, std::string> flat_settings(const std::string& config) {
  Complaints complaints;
  const auto tree = parse(config, "the run's config", Lines::shown, complaints);
  complaints.raise();
  std::map<std::string, std::string> flat;
  if (tree) flatten(*tree, "", flat);
  return flat;
}

}  // namespace ropewalk::config
