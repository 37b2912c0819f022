// A config from its file: `extends` resolved, `--set` applied.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Reads a config and the files it extends, each named relative to the file that names it; null inside `sweep` removes what is
/// inherited. A file that extends itself is a
/// complaint; a mistake in the YAML of any of them throws `ConfigErrors`, a file that cannot be read `FileError`.
Tree load_file(const std::filesystem::path& file, Fields* schema, Complaints& complaints);

/// The YAML of one file as it stands. Throws like `load_file`; an empty file is a complaint and an empty map.
Tree read_tree(const std::filesystem::path& file, Complaints& complaints);

/// Applies one `--set` argument, `a.b=value`, with the value in YAML. Inside `sweep` the path of a setting is one name, dots and
/// indices included (see `join_axis_names`): `sweep.grid.train.betas[0]=[0.9, 0.95]`, `sweep.list[0].train.steps=100`; and null
/// removes what is there.
void apply_set(Tree& tree, const std::string& argument, Fields* schema, Complaints& complaints);

}  // namespace ropewalk::config
