// A config as a tree of values that remember where they were written.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::config {

/// Where a key or a value was written.
struct Place {
  std::string origin;  ///< a file as the user named it, or `--set a.b=v`
  int line = 0;        ///< 1-based; 0 where the origin has no lines
  int column = 0;      ///< 1-based, in bytes

  auto operator<=>(const Place&) const = default;
};

/// `file:line:column`, or the origin alone where there are no lines.
std::string to_string(const Place& place);

struct Entry;

/// A value of a config. Scalars keep their text: what it means is decided by the setting that reads it.
struct Tree {
  enum class Form { null, scalar, list, map };

  Form form = Form::null;
  Place place;
  std::string text;            ///< of a scalar
  bool quoted = false;         ///< a scalar written in quotes or as a block: always text, never a number
  std::vector<Tree> items;     ///< of a list
  std::vector<Entry> entries;  ///< of a map, in the order written; keys are unique

  static Tree scalar(std::string text, Place place = {}, bool quoted = false);
  static Tree list(Place place = {});
  static Tree map(Place place = {});

  bool is(Form other) const { return form == other; }
  /// The entry of a map, or null.
  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);
  /// The value of a map's key; added as null, with the key's place, if it is not there.
  Tree& at_or_add(const std::string& key, const Place& key_place);
  void erase(std::string_view key);
};

struct Entry {
  std::string key;
  Place place;  ///< of the key
  Tree value;
};

/// Same form, text and content; places and quotes do not count.
bool same_content(const Tree& a, const Tree& b);

/// Number of values in the tree, itself included.
std::size_t count(const Tree& tree);

/// How an error names a value: `500`, `"two words"`, `a list`, `a map`, `nothing`.
std::string describe(const Tree& tree);

}  // namespace ropewalk::config
