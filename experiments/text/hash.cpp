#include "experiments/text/hash.hpp"

namespace ropewalk {

std::uint64_t fnv1a(std::string_view bytes) {
  constexpr std::uint64_t offset_basis = 0xcbf29ce484222325, prime = 0x100000001b3;
  std::uint64_t hash = offset_basis;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
  return hash;
}

}  // namespace ropewalk
