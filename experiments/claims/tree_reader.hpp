// Maps, lists and texts out of a tree, with a complaint for each that is of another form.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk {

class TreeReader {
 public:
  using Read = std::function<void(const config::Tree& value, const std::string& path)>;

  /// A key of a map and what reads its value.
  struct Key {
    const char* name;
    bool required;
    Read read;
  };

  explicit TreeReader(config::Complaints& complaints) : complaints_(complaints) {}

  /// `expected <what>, got <the tree>`, at its place.
  void complain(const config::Tree& tree, const std::string& path, const std::string& what, const std::string& near = "");

  /// Reads the keys in the order in which they are listed here; complains of others, and of required ones that are missing.
  void read_keys(const config::Tree& map, const std::string& path, const std::vector<Key>& keys);

  /// Calls `read` for each item of a list that has some.
  void each_item(const config::Tree& list, const std::string& path, const Read& read);

  /// Calls `read` for each entry of a map that has some.
  void each_entry(const config::Tree& map, const std::string& path,
                  const std::function<void(const config::Entry& entry, const std::string& path)>& read);

  /// A text that is not blank, without the line ends behind it; empty after a complaint.
  std::string text(const config::Tree& tree, const std::string& path);
  Read text_into(std::string& target);
  std::vector<std::string> texts(const config::Tree& list, const std::string& path);

  bool flag(const config::Tree& tree, const std::string& path);

 protected:
  config::Complaints& complaints_;
};

}  // namespace ropewalk
