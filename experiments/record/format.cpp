#include "experiments/record/format.hpp"

#include "experiments/errors.hpp"

namespace ropewalk {

void write_format(hdf5::Writer& file, const Format& format) {
  file.attribute("/", "format", format.name);
  file.attribute("/", "format_version", format.version);
}

void expect_format(const hdf5::Reader& file, const Format& format, const std::string& path) {
  const auto name = file.attribute<std::string>("/", "format");
  if (name != format.name) throw FileError(fmt::format("{}: expected format '{}', got '{}'", path, format.name, name));
  const auto version = file.attribute<std::int64_t>("/", "format_version");
  if (version == format.version) return;
  throw FileError(fmt::format("{}: expected version {} of format '{}', got {}; use the version of ropewalk that wrote it", path,
                              format.version, format.name, version));
}

}  // namespace ropewalk
