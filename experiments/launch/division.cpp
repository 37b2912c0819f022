#include "experiments/launch/division.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "experiments/run/share.hpp"

namespace ropewalk {

Division divide(const std::vector<bool>& is_over, std::size_t most) {
  const std::size_t count = std::min(is_over.size(), most);
  std::set<std::size_t> shares;
  for (std::size_t run = 0; run < is_over.size(); ++run) {
    if (!is_over[run]) shares.insert(Share::index_of(run, count));
  }
  return {count, {shares.begin(), shares.end()}};
}

std::string array_indices(const std::vector<std::size_t>& indices) {
  std::string text;
  for (std::size_t first = 0, next; first < indices.size(); first = next) {
    for (next = first + 1; next < indices.size() && indices[next] == indices[next - 1] + 1;) ++next;
    text += fmt::format("{}{}", text.empty() ? "" : ",", indices[first]);
    if (next > first + 1) text += fmt::format("-{}", indices[next - 1]);
  }
  return text;
}

}  // namespace ropewalk
