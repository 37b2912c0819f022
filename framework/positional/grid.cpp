#include "framework/positional/grid.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numeric>

namespace ropewalk::positional {

Grid squarest_grid(Index length) {
  Index rows = 1;
  for (Index candidate = 2; candidate * candidate <= length; ++candidate) {
    if (length % candidate == 0) rows = candidate;
  }
  return {rows, length / rows};
}

std::optional<Grid> grid_like(const Grid& grid, Index length) {
  const Index common = std::gcd(grid.rows, grid.columns), rows = grid.rows / common, columns = grid.columns / common;
  const auto times =
      static_cast<Index>(std::llround(std::sqrt(static_cast<double>(length) / static_cast<double>(rows * columns))));
  const Grid found{rows * times, columns * times};
  return length > 0 && found.size() == length ? std::optional(found) : std::nullopt;
}

Grid trained_grid(const std::vector<Index>& setting, Index length) {
  return setting.empty() ? squarest_grid(length) : Grid{setting[0], setting[1]};
}

std::vector<std::string> grid_faults(const std::vector<Index>& setting, Index trained, const std::vector<Index>& lengths) {
  const Grid grid = trained_grid(setting, trained);
  if (grid.size() != trained) {
    return {fmt::format("{} rows of {} columns are {} patches: expected as many as the trained length {}", grid.rows,
                        grid.columns, grid.size(), trained)};
  }
  std::vector<std::string> faults;
  for (Index length : lengths) {
    if (grid_like(grid, length)) continue;
    faults.push_back(fmt::format(
        "length {} is no grid with the proportions of {} rows of {} columns; lengths are {} times a square", length, grid.rows,
        grid.columns, grid.size() / (std::gcd(grid.rows, grid.columns) * std::gcd(grid.rows, grid.columns))));
  }
  return faults;
}

}  // namespace ropewalk::positional
