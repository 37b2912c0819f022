// What a run was made with: kept beside its results. Neither paths nor user names are in it.
#pragma once

#include <string>

#include "experiments/record/run_record.hpp"

namespace ropewalk {

/// "ropewalk 0.1.0, oneDNN 2.6.3, HDF5 1.10.8, yaml-cpp 0.7.0, compiler 12.2.0"
std::string software_description();
/// What rounding depends on, as far as this program knows: the software and the instruction set, "…, avx2".
std::string arithmetic_description();
/// "AMD EPYC …, 2 cores, avx2"
std::string machine_description();
/// The commit the program was built from: "git 1a2b3c4d5e6f", ", changed" behind it if files differed from it; "unknown" if it
/// was built outside of git.
std::string source_description();
/// The rest of it, of this process.
Environment environment();
/// Now, in UTC, ISO 8601: "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace ropewalk
