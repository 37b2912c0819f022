// A claim from its YAML file.
#pragma once

#include <filesystem>

#include "experiments/claims/claim.hpp"
#include "experiments/config/complaints.hpp"

namespace ropewalk {

/// Reads a claim and complains of every key that is unknown, missing or of the wrong form, of comparisons that cannot be read, of
/// names that stand for nothing, and of what nothing looks at. What the study has to say is `check_claim`'s. Throws `FileError`
/// for a file that cannot be read, `ConfigErrors` for one that is no YAML.
Claim read_claim(const std::filesystem::path& file, config::Complaints& complaints);

/// Whether a file is meant to be a claim, and not a config: it has one, or a predicate.
bool is_claim_file(const std::filesystem::path& file);

}  // namespace ropewalk
