// Files of some name below a directory in which programs may be at work.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace ropewalk {

/// Every file in `directory` and below that has one of the names, sorted; symbolic links to directories are not followed. What
/// comes and goes while it looks, such as the temporaries of runs under way, disturbs nothing. Throws `FileError` if `directory`
/// itself cannot be listed.
std::vector<std::filesystem::path> find_files(const std::filesystem::path& directory, const std::set<std::string>& names);

/// Throws `FileError`, with the nearest name beside it, if there is no such directory.
void expect_directory(const std::filesystem::path& directory);

}  // namespace ropewalk
