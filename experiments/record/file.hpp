// Whole files: read at once, replaced at once. What a killed program leaves is the old file or the new one, never a part of
// either.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ropewalk {

/// Everything in the file. Throws `FileError` (path, cause, what to try) if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Replaces `path`, or creates it, with `contents`: written beside it under a name of its own, fsynced, renamed over it, and the
/// directory fsynced. A symbolic link is followed, and what is not a regular file is written to as it is. Throws `FileError`;
/// then the old file is as it was and the temporary is gone.
void replace_file(const std::filesystem::path& path, std::string_view contents);

/// Removes what `replace_file` left in `directory` when its program was killed; temporaries of programs that are alive stay, and
/// for a day those of other machines. A directory that does not exist is as good as a clean one.
void remove_temporaries(const std::filesystem::path& directory);

/// Makes a directory and those it is in, where they are not there. Throws `FileError`.
void make_directory(const std::filesystem::path& directory);

}  // namespace ropewalk
