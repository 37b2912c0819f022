#include "experiments/config/flat_settings.hpp"

#include "experiments/config/encode.hpp"
#include "experiments/config/parse.hpp"

namespace ropewalk::config {
namespace {

void flatten(const Tree& tree, const std::string& path, std::map<std::string, std::string>& flat) {
  if (!tree.is(Tree::Form::map)) {
    flat[path] = flow_yaml(tree);
    return;
  }
  for (const Entry& entry : tree.entries) flatten(entry.value, path.empty() ? entry.key : path + "." + entry.key, flat);
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
