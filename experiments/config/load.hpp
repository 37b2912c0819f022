// A config from its file: `extends` resolved, `--set` applied.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/complaints.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/tree.hpp"

namespace ropewalk::config {

/// Reads a config and the files it extends, each named relative to the file that names it. A file that extends itself is a
/// complaint; a mistake in the YAML of any of them throws `ConfigErrors`, a file that cannot be read `FileError`.
Tree load_file(const std::filesystem::path& file, Fields* schema, Complaints& complaints);

/// Applies one `--set` argument, `a.b=value`, with the value in YAML. Below `sweep.grid` and `sweep.zip` the rest of the path
/// is the name of an axis, dots and indices included: `sweep.grid.train.betas[0]=[0.9, 0.95]`; but where there is an axis of the
/// name before the first index, one of its values: `sweep.grid.model.position[0].base=100`.
void apply_set(Tree& tree, const std::string& argument, Fields* schema, Complaints& complaints);

}  // namespace ropewalk::config
