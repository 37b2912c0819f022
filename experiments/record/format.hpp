// How a file says what it is: root attributes `format` and `format_version`.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/record/hdf5.hpp"

namespace ropewalk {

struct Format {
  std::string name;
  std::int64_t version;
};

/// Of `run.h5`.
inline const Format kRunFormat{"ropewalk-run", 1};

void write_format(hdf5::Writer& file, const Format& format);

/// Throws `FileError`, naming `path`, unless the file is of this format and version.
void expect_format(const hdf5::Reader& file, const Format& format, const std::string& path);

}  // namespace ropewalk
