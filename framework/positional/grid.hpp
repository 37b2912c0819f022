// Sequences that are grids of patches, row by row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk::positional {

struct Grid {
  Index rows = 0, columns = 0;

  Index size() const { return rows * columns; }
  bool operator==(const Grid&) const = default;
};

/// The grid of `length` patches that is nearest to a square: the largest number of rows that divides it and is at most its root.
Grid squarest_grid(Index length);

/// The grid of `length` patches that has the proportions of another; nullopt if there is none of whole rows and columns.
std::optional<Grid> grid_like(const Grid& grid, Index length);

/// The trained grid as a setting gives it, [rows, columns], or the squarest one if it is left open.
Grid trained_grid(const std::vector<Index>& setting, Index length);

/// Why a grid cannot serve these lengths: the setting `grid` is not of `trained` patches, or a length has no grid like it.
std::vector<std::string> grid_faults(const std::vector<Index>& setting, Index trained, const std::vector<Index>& lengths);

}  // namespace ropewalk::positional
