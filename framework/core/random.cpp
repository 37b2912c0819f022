#include "framework/core/random.hpp"

#include <cmath>
#include <numbers>

namespace ropewalk {
namespace {

/// FNV-1a over a purpose's name, then SplitMix64's finaliser, so that close seeds give unrelated keys.
std::uint64_t stream_key(std::uint64_t seed, std::string_view purpose) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (unsigned char c : purpose) hash = (hash ^ c) * 0x100000001b3ULL;
  std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + hash;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

std::uint32_t Stream::bits() {
  if (used_ == 4) {
    words_ = philox({block_++, part_, low(step_), high(step_)}, {low(key_), high(key_)});
    used_ = 0;
  }
  return words_[static_cast<std::size_t>(used_++)];
}

std::uint64_t Stream::wide_bits() {
  const std::uint64_t upper = bits();
  return (upper << 32) | bits();
}

double Stream::uniform() { return static_cast<double>(wide_bits() >> 11) * 0x1.0p-53; }

std::uint64_t Stream::below(std::uint64_t bound) {
  const std::uint64_t threshold = (0 - bound) % bound;  // 2^64 mod bound: what would make the low residues too frequent
  while (true) {
    const std::uint64_t word = wide_bits();
    if (word >= threshold) return word % bound;
  }
}

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Stream Stream::fork(std::uint32_t n) const { return Stream(key_ ^ (std::uint64_t{n} * 0x9e3779b97f4a7c15ULL), step_, part_); }

Random Random::fork(std::string_view purpose, std::uint64_t n) const { return Random(stream_key(seed_ + n, purpose)); }

Stream Random::stream(std::string_view purpose, std::uint64_t step, std::uint32_t part) const {
  return Stream(stream_key(seed_, purpose), step, part);
}

Tensor normal(Shape shape, double deviation, Stream stream, Type type) {
  Tensor tensor = Tensor::empty(std::move(shape), type);
  dispatch(type, [&]<class T>(T) {
    T* values = tensor.data<T>();
    for (Index i = 0; i < tensor.size(); ++i) values[i] = static_cast<T>(deviation * stream.normal());
  });
  return tensor;
}

}  // namespace ropewalk
