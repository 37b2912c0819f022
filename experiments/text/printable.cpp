#include "experiments/text/printable.hpp"

#include <fmt/core.h>

namespace ropewalk {

std::string printable(const std::string& text) {
  std::string shown;
  for (const char letter : text) {
    const bool is_control = (static_cast<unsigned char>(letter) < 0x20 && letter != '\n') || letter == 0x7f;
    shown += is_control ? fmt::format("\\x{:02x}", static_cast<int>(letter)) : std::string(1, letter);
  }
  return shown;
}

}  // namespace ropewalk
