#include "experiments/claims/tree_reader.hpp"

#include <algorithm>

#include "experiments/config/schema.hpp"
#include "experiments/text/join.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk {

using config::Entry;
using config::expected;
using config::Tree;

void TreeReader::complain(const Tree& tree, const std::string& path, const std::string& what, const std::string& near) {
  complaints_.add(tree.place, path, expected(what, config::describe(tree), near));
}

void TreeReader::read_keys(const Tree& map, const std::string& path, const std::vector<Key>& keys) {
  if (!map.is(Tree::Form::map)) return complain(map, path, "a map");
  std::vector<std::string> known;
  for (const Key& key : keys) known.push_back(key.name);
  for (const Entry& entry : map.entries) {
    if (std::ranges::count(known, entry.key) > 0) continue;
    complaints_.add(entry.place, config::join(path, entry.key),
                    expected("one of " + join(known, ", "), entry.key, nearest(entry.key, known)));
  }
  for (const Key& key : keys) {
    if (const Entry* entry = map.find(key.name)) {
      key.read(entry->value, config::join(path, key.name));
    } else if (key.required) {
      complaints_.add(map.place, config::join(path, key.name), "expected a value, got nothing");
    }
  }
}

void TreeReader::each_item(const Tree& list, const std::string& path, const Read& read) {
  if (!list.is(Tree::Form::list) || list.items.empty()) return complain(list, path, "a list with at least one element");
  for (std::size_t i = 0; i < list.items.size(); ++i) read(list.items[i], fmt::format("{}[{}]", path, i));
}

void TreeReader::each_entry(const Tree& map, const std::string& path,
                            const std::function<void(const Entry&, const std::string&)>& read) {
  if (!map.is(Tree::Form::map) || map.entries.empty()) return complain(map, path, "a map with at least one entry");
  for (const Entry& entry : map.entries) read(entry, config::join(path, entry.key));
}

std::string TreeReader::text(const Tree& tree, const std::string& path) {
  const bool sound = tree.is(Tree::Form::scalar) && tree.text.find_first_not_of(" \n") != std::string::npos;
  if (!sound) complain(tree, path, "a text");
  std::string result = tree.text;
  while (result.ends_with('\n')) result.pop_back();  // of a folded block
  return sound ? result : "";
}

TreeReader::Read TreeReader::text_into(std::string& target) {
  return [this, &target](const Tree& value, const std::string& path) { target = text(value, path); };
}

std::vector<std::string> TreeReader::texts(const Tree& tree, const std::string& path) {
  std::vector<std::string> result;
  each_item(tree, path, [&](const Tree& item, const std::string& where) { result.push_back(text(item, where)); });
  return result;
}

bool TreeReader::flag(const Tree& tree, const std::string& path) {
  const bool sound = tree.is(Tree::Form::scalar) && (tree.text == "true" || tree.text == "false");
  if (!sound) complain(tree, path, "true or false");
  return sound && tree.text == "true";
}

}  // namespace ropewalk
