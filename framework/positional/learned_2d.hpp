#pragma once

#include "framework/positional/grid.hpp"
#include "framework/positional/scheme.hpp"

namespace ropewalk::positional {

/// A learned vector for each patch of a grid, added to its embedding (ViT, Dosovitskiy et al. 2021, §3.2); where the grid
/// changes, the table is resampled.
class Learned2d final : public CloneableScheme<Learned2d> {
 public:
  void describe(Fields& fields) override;
  Traits traits() const override { return {.absolute = true, .needs_grid = true, .depends_on_length = true}; }
  std::vector<Complaint> complaints(const Context&, const std::vector<Index>& lengths) const override;
  void resolve(const Context&) override;
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override { return {{"table", &table_, false}}; }
  bool reaches(Index length) const override { return grid_like({grid_[0], grid_[1]}, length).has_value(); }
  Tensor embed(const Tensor& x, const Sequences&) const override;

 private:
  /// The table for a grid, [rows · columns, D].
  Tensor resampled(const Grid& grid) const;

  std::vector<Index> grid_;
  std::string resample_ = "bicubic";
  Tensor table_;  ///< [rows, columns, D]
};

/// Weights [to, from] that resample a line of `from` values to `to`: linear, or cubic convolution with a = −3/4 (Keys 1981), each
/// value in the middle of its cell, the values at the ends repeated outwards. As in
/// torch.nn.functional.interpolate(align_corners=False).
std::vector<double> resampling_weights(Index from, Index to, bool cubic);

}  // namespace ropewalk::positional
