// What the benchmark programs that run whole models share: a text that needs no file, and the memory of the process.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "experiments/run/corpus.hpp"
#include "framework/core/random.hpp"

namespace ropewalk {

/// Random bytes, the first `training` of them to train on: time does not depend on what is read.
inline Corpus random_text(Index training, Index held_out) {
  Corpus corpus;
  Stream stream = Random(0).stream("benchmark");
  for (Index i = 0; i < training + held_out; ++i) {
    corpus.tokens.push_back(static_cast<std::uint8_t>(stream.below(Corpus::vocabulary)));
  }
  corpus.training = training;
  return corpus;
}

/// The most memory that this process has held. Not getrusage's ru_maxrss: that one begins with what the program held that started
/// this one.
inline std::int64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return 1024 * kibibytes;
  }
  return 0;
}

}  // namespace ropewalk
