#include "experiments/run/protocol.hpp"

#include "framework/core/error.hpp"

namespace ropewalk {

std::vector<Window> protocol_windows(const std::string& protocol, Index length, const ProtocolSettings& settings) {
  std::vector<Window> windows;
  const Index last_target = settings.tokens - 1;
  if (protocol == "nonoverlapping") {
    for (Index start = 0; start + length <= last_target; start += length) windows.push_back({start, 0});
  } else if (protocol == "sliding") {
    for (Index start = 0; start + length <= last_target; start += settings.stride) {
      windows.push_back({start, start == 0 ? 0 : length - settings.stride});
    }
  } else if (protocol == "fixed_target") {
    for (Index end = settings.longest; end <= last_target; end += settings.longest) {
      windows.push_back({end - length, length - settings.targets});
    }
  } else {
    throw Error(fmt::format("protocol: expected nonoverlapping, sliding or fixed_target, got {}", protocol));
  }
  return windows;
}

}  // namespace ropewalk
