// Text as tokens: one file, or a directory of documents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk {

/// Bytes of a text. The first part is for training, the last floor(validation · n) bytes are held out.
struct Corpus {
  std::vector<std::uint8_t> tokens;
  Index training = 0;       ///< how many come first, for training
  std::string fingerprint;  ///< size and hash: a text that was changed is another one

  static constexpr Index vocabulary = 256;
  Index held_out() const { return static_cast<Index>(tokens.size()) - training; }
};

/// Reads a file, or every regular file below a directory in the order of their names, each document followed by a zero byte as
/// its boundary. Throws `FileError` if there is nothing to read; for a known corpus it names the command that fetches it.
Corpus read_corpus(const std::filesystem::path& path, double validation);

/// The same, read once and shared by all who ask for it.
std::shared_ptr<const Corpus> shared_corpus(const std::filesystem::path& path, double validation);

}  // namespace ropewalk
