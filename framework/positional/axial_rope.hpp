#pragma once

#include "framework/positional/grid.hpp"
#include "framework/positional/rotary.hpp"

namespace ropewalk::positional {

/// Rope over a grid of patches (2-D RoPE; Heo et al. 2024, §3.2, axial frequencies): the first half of a head turns by the row,
/// the second by the column, each with θ_j = base^(−2j/(d/2)).
class AxialRope final : public Rotary<AxialRope> {
 public:
  AxialRope() { base_ = 100; }

  void describe(Fields& fields) override;
  Traits traits() const override;
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>& lengths) const override;
  void resolve(const Context&) override;
  void prepare(const Context&, const Random&, Type) override;
  bool reaches(Index length) const override { return grid_like(grid(), length).has_value(); }
  std::optional<Turning> turning(const Context&) const override;
  /// Those of the pairs that turn by the row, then of those that turn by the column.
  std::vector<double> frequencies(Index length) const override;
  RotationTables rotation(const Positions& positions, Type type) const override {
    return tables(positions, positions.length(), type);
  }
  Effect effect(const Places&, Type) const override;

 private:
  Grid grid() const { return {grid_[0], grid_[1]}; }
  /// The grid of `length` tokens. Throws if there is none.
  Grid grid_of(Index length) const;
  RotationTables tables(const Positions&, Index length, Type) const;

  std::vector<Index> grid_;
};

}  // namespace ropewalk::positional
