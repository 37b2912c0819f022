#include "experiments/record/seal.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace ropewalk {
namespace {

constexpr std::string_view kMark = "\nropewalk-fnv1a64 ";
constexpr std::size_t kDigits = 16;

/// FNV-1a, 64 bits (Fowler, Noll, Vo). Each step is a bijection of the sum, so any single changed byte changes the result.
std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return sum;
}

std::string seal_of(std::string_view bytes) { return fmt::format("{}{:016x}", kMark, fnv1a(bytes)); }

}  // namespace

void seal(std::string& bytes) { bytes += seal_of(bytes); }

Seal examine_seal(std::string_view bytes) {
  constexpr std::size_t kSize = kMark.size() + kDigits;
  if (bytes.size() < kSize) return Seal::absent;
  const std::string_view found = bytes.substr(bytes.size() - kSize);
  if (!found.starts_with(kMark)) return Seal::absent;
  return found == seal_of(bytes.substr(0, bytes.size() - kSize)) ? Seal::intact : Seal::broken;
}

}  // namespace ropewalk
