// The file that a command writes beside what it says.
#pragma once

#include <filesystem>
#include <string>

namespace ropewalk {

/// Throws what can be known before any work: `UsageError` if the file belongs to a run, `FileError` if its directory is missing
/// or it is a directory itself. `option` names the file in messages.
void expect_own_file(const std::filesystem::path& file, const std::string& option);

/// The same for an HDF5 file, and `UsageError` if it is there and not of the format that will be written, so that nothing of
/// value is replaced.
void expect_replaceable(const std::filesystem::path& file, const std::string& option, const std::string& format);

}  // namespace ropewalk
