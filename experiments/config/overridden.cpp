#include "experiments/config/overridden.hpp"

#include <fmt/core.h>

namespace ropewalk::config {
namespace {

// 2: typed with --set; 1: in the config itself; 0: in a file that it extends.
int rank(const Place& place, const std::string& origin) {
  if (place.origin.starts_with("--set ")) return 2;
  return place.origin == origin ? 1 : 0;
}

// The value inside `tree` that was given with the highest rank.
const Tree& latest(const Tree& tree, const std::string& origin) {
  const Tree* found = &tree;
  for (const Entry& entry : tree.entries) {
    const Tree& inner = latest(entry.value, origin);
    if (found == &tree || rank(inner.place, origin) > rank(found->place, origin)) found = &inner;
  }
  for (const Tree& item : tree.items) {
    const Tree& inner = latest(item, origin);
    if (rank(inner.place, origin) > rank(found->place, origin)) found = &inner;
  }
  return *found;
}

}  // namespace

void complain_of_overridden(const Tree& config, const std::vector<Strand>& strands, const std::string& origin,
                            Complaints& complaints) {
  for (const Strand& strand : strands) {
    for (const Axis& axis : strand) {
      const Tree* value =
          axis.path == "seed" ? nullptr : value_at(config, split_path(axis.path));  // seeds are counted from `seed`
      if (!value) continue;
      const Tree& given = latest(*value, origin);
      if (rank(given.place, origin) <= rank(axis.place, origin)) continue;
      complaints.add(given.place, axis.path,
                     fmt::format("expected no value, since the sweep at {} varies it, got {}; give sweep.grid.{} instead",
                                 to_string(axis.place), describe(given), axis.path));
    }
  }
}

}  // namespace ropewalk::config
