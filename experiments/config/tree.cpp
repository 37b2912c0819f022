#include "experiments/config/tree.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace ropewalk::config {

std::string to_string(const Place& place) {
  return place.line > 0 ? fmt::format("{}:{}:{}", place.origin, place.line, place.column) : place.origin;
}

Tree Tree::scalar(std::string text, Place place, bool quoted) {
  Tree tree;
  tree.form = Form::scalar;
  tree.place = std::move(place);
  tree.text = std::move(text);
  tree.quoted = quoted;
  return tree;
}

Tree Tree::list(Place place) {
  Tree tree;
  tree.form = Form::list;
  tree.place = std::move(place);
  return tree;
}

Tree Tree::map(Place place) {
  Tree tree;
  tree.form = Form::map;
  tree.place = std::move(place);
  return tree;
}

const Entry* Tree::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Entry* Tree::find(std::string_view key) { return const_cast<Entry*>(std::as_const(*this).find(key)); }

Tree& Tree::at_or_add(const std::string& key, const Place& key_place) {
  if (Entry* entry = find(key)) return entry->value;
  entries.push_back({key, key_place, Tree()});
  entries.back().value.place = key_place;
  return entries.back().value;
}

void Tree::erase(std::string_view key) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
}

bool same_content(const Tree& a, const Tree& b) {
  const auto same_entry = [](const Entry& x, const Entry& y) { return x.key == y.key && same_content(x.value, y.value); };
  return a.form == b.form && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same_content) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), same_entry);
}

std::size_t count(const Tree& tree) {
  std::size_t total = 1;
  for (const Tree& item : tree.items) total += count(item);
  for (const Entry& entry : tree.entries) total += count(entry.value);
  return total;
}

std::string describe(const Tree& tree) {
  if (tree.is(Tree::Form::null)) return "nothing";
  if (tree.is(Tree::Form::list)) return tree.items.empty() ? "an empty list" : "a list";
  if (tree.is(Tree::Form::map)) return tree.entries.empty() ? "an empty map" : "a map";
  constexpr std::size_t shown = 60;
  const std::string text = tree.text.size() > shown ? tree.text.substr(0, shown) + "…" : tree.text;
  return tree.quoted ? fmt::format("\"{}\"", text) : text;
}

}  // namespace ropewalk::config
