// What a run was made with: kept beside its results.
#pragma once

#include <string>

namespace ropewalk {

/// "ropewalk 0.1.0, oneDNN 2.6.3, …"
std::string software_description();
/// What rounding depends on: the software, and the instructions of its kernels and its matrix library, "…, avx2, isa 0x7".
std::string arithmetic_description();
/// "AMD EPYC …, 2 cores, avx2"
std::string machine_description();
/// Now, in UTC, ISO 8601: "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace ropewalk
