// A checksum after the last byte of an HDF5 file. HDF5 itself detects neither a flipped bit in the data nor every one in its own
// structures, some of which crash the library. Any HDF5 tool ignores what follows the end that the file declares, and one that
// changes the file cuts it off, so a file edited elsewhere is simply no longer sealed.
#pragma once

#include <string>
#include <string_view>

namespace ropewalk {

/// Appends the seal to `bytes`.
void seal(std::string& bytes);

enum class Seal { intact, broken, absent };

/// What the seal at the end of `bytes` says of the bytes before it.
Seal examine_seal(std::string_view bytes);

}  // namespace ropewalk
