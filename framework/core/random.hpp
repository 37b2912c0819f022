// Counter-based randomness (Philox 4x32-10, Salmon et al. 2011): a stream is a pure function of what names it, so nothing has to
// be stored to resume, and drawing from one stream never moves another.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "framework/core/tensor.hpp"

namespace ropewalk {

/// The Philox block function: 128 random bits for a counter and a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// The numbers of one (seed, purpose, step, part); parts are what draws by itself, such as the sequences of a pass.
class Stream {
 public:
  Stream(std::uint64_t key, std::uint64_t step, std::uint32_t part) : key_(key), step_(step), part_(part) {}

  /// Another stream of the same seed, purpose and step, for the n-th of several places that draw; n >= 1.
  Stream fork(std::uint32_t n) const;

  std::uint32_t bits();
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Uniform in {0, …, bound − 1}, without bias; bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal (Box and Muller).
  double normal();

 private:
  std::uint64_t wide_bits();

  std::uint64_t key_, step_;
  std::uint32_t part_;
  std::uint32_t block_ = 0;
  int used_ = 4;
  std::array<std::uint32_t, 4> words_{};
  double spare_ = 0;
  bool has_spare_ = false;
};

/// All streams of a seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  /// `purpose` keeps streams apart that share a step: "data", "initialize", "dropout" ….
  Stream stream(std::string_view purpose, std::uint64_t step = 0, std::uint32_t part = 0) const;
  /// The streams of the n-th of several alike: all of another seed.
  Random fork(std::string_view purpose, std::uint64_t n) const;

 private:
  std::uint64_t seed_;
};

/// A tensor of normal numbers with mean 0.
Tensor normal(Shape shape, double deviation, Stream stream, Type type = Type::f32);

}  // namespace ropewalk
