#include "experiments/record/seal.hpp"

#include <fmt/format.h>

#include "experiments/text/hash.hpp"

namespace ropewalk {
namespace {

constexpr std::string_view kMark = "\nropewalk-fnv1a64 ";
constexpr std::size_t kDigits = 16;

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
