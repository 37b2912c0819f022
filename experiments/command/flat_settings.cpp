#include "experiments/command/flat_settings.hpp"

#include "experiments/config/encode.hpp"
#include "experiments/config/parse.hpp"

namespace ropewalk {
namespace {

void flatten(const config::Tree& tree, const std::string& path, std::map<std::string, std::string>& flat) {
  if (!tree.is(config::Tree::Form::map)) {
    flat[path] = config::flow_yaml(tree);
    return;
  }
  for (const config::Entry& entry : tree.entries) flatten(entry.value, path.empty() ? entry.key : path + "." + entry.key, flat);
}

}  // namespace

std::map<std::string, std::string> flat_settings(const std::string& config) {
  config::Complaints complaints;
  const auto tree = config::parse(config, "the run's config", config::Lines::shown, complaints);
  complaints.raise();
  std::map<std::string, std::string> flat;
  if (tree) flatten(*tree, "", flat);
  return flat;
}

}  // namespace ropewalk
