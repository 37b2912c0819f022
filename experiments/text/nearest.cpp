#include "experiments/text/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace ropewalk {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

bool begins_the_other(const std::string& a, const std::string& b) {
  constexpr std::size_t telling = 3;
  return std::min(a.size(), b.size()) >= telling && (a.starts_with(b) || b.starts_with(a));
}

bool is_near(const std::string& a, const std::string& b, std::size_t distance) {
  const std::size_t allowed = std::max<std::size_t>(1, std::max(a.size(), b.size()) * 2 / 5);
  const bool nothing_kept = distance >= std::min(a.size(), b.size());
  return (distance <= allowed && !nothing_kept) || begins_the_other(a, b);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> distance(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) distance[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) distance[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = distance[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
    }
  }
  return distance[a.size()][b.size()];
}

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::string::npos;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lower(name), lower(candidate));
    if (distance >= best_distance || !is_near(lower(name), lower(candidate), distance)) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace ropewalk
