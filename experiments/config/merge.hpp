// Laying one tree over another: `extends`, `--set` and sweep axes.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// `over` laid over `base`: maps merge key by key, anything else is replaced. Where `over` changes the kind of a selection, the
/// base's settings of the other kind go. `schema`: scratch settings that say what is a selection.
Tree merge(const Tree& base, const Tree& over, Fields* schema);

/// One step of a path: a key, or an index into a list.
using Step = std::variant<std::string, std::size_t>;

/// `train.optimizer.betas[0]` -> train, optimizer, betas, 0. Empty if the path is not well formed.
std::vector<Step> split_path(const std::string& path);

/// The inverse of `split_path`.
std::string join_path(std::span<const Step> steps);

/// The value at the path, or null; without steps the tree itself.
const Tree* value_at(const Tree& tree, std::span<const Step> steps);

/// A value and where it was assigned: the place of keys that have to be added.
struct Assignment {
  std::vector<Step> steps;
  Tree value;
  Place place;
};

/// Puts the value at the path; maps on the way are added. It replaces what is there, but for a section, such as `model`, over
/// which it is laid key by key: what the value does not name stays. Changing the `kind` of a selection drops the settings of the
/// other kind. An index into something that is no list, or past its end, is a complaint.
void assign(Tree& tree, const Assignment& assignment, Fields* schema, Complaints& complaints);

}  // namespace ropewalk::config
