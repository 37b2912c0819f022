#include "experiments/config/flat_settings.hpp"

#include <algorithm>
#include <optional>

#include "experiments/config/encode.hpp"
#include "experiments/config/parse.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/stages.hpp"

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

/// Of each stage, what it changes in the one before: `train.stages[0].length`.
void flatten_stages(Tree& config, std::map<std::string, std::string>& flat) {
  Entry* train = config.find("train");
  const Entry* found = train ? train->value.find("stages") : nullptr;
  if (!found) return;
  const std::vector<Tree> stages = found->value.items;
  train->value.erase("stages");
  std::map<std::string, std::string> before;
  if (!stages.empty()) flatten(stage_of(config), "", before);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    std::map<std::string, std::string> now;
    flatten(stages[i], "", now);
    for (const auto& [path, value] : now) {
      const auto had = before.find(path);
      if (had == before.end() || had->second != value) flat[fmt::format("train.stages[{}].{}", i, path)] = value;
    }
    before = std::move(now);
  }
}

}  // namespace

std::map<std::string, std::string> flat_settings(const std::string& config) {
  Complaints complaints;
  std::optional<Tree> tree = parse(config, "the run's config", Lines::shown, complaints);
  complaints.raise();
  std::map<std::string, std::string> flat;
  if (!tree) return flat;
  flatten_stages(*tree, flat);
  flatten(*tree, "", flat);
  return flat;
}

}  // namespace ropewalk::config
