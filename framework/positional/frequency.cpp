#include "framework/positional/frequency.hpp"

#include <cmath>

namespace ropewalk::positional {

std::vector<double> frequencies(double base, Index width) {
  std::vector<double> result(static_cast<std::size_t>(width / 2));
  for (std::size_t j = 0; j < result.size(); ++j) {
    result[j] = std::pow(base, -2.0 * static_cast<double>(j) / static_cast<double>(width));
  }
  return result;
}

}  // namespace ropewalk::positional
