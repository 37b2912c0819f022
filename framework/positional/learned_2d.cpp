#include "framework/positional/learned_2d.hpp"

#include <algorithm>
#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk::positional {
namespace {

/// Cubic convolution kernel (Keys 1981, eq. 15) at a distance from the sample.
double cubic_kernel(double x) {
  constexpr double a = -0.75;
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((x - 5) * x + 8) * a * x - 4 * a : 0;
}

double linear_kernel(double x) { return std::max(0.0, 1 - std::abs(x)); }

Tensor weights(Index from, Index to, bool cubic, Type type) {
  return Tensor::of(resampling_weights(from, to, cubic), {to, from}, type);
}

}  // namespace

std::vector<double> resampling_weights(Index from, Index to, bool cubic) {
  std::vector<double> weights(static_cast<std::size_t>(from * to), 0.0);
  const Index reach = cubic ? 2 : 1;
  for (Index i = 0; i < to; ++i) {
    double place = (static_cast<double>(i) + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5;
    if (!cubic) place = std::max(place, 0.0);
    const auto below = static_cast<Index>(std::floor(place));
    for (Index sample = below - reach + 1; sample <= below + reach; ++sample) {
      const double away = place - static_cast<double>(sample);
      weights[static_cast<std::size_t>(i * from + std::clamp<Index>(sample, 0, from - 1))] +=
          cubic ? cubic_kernel(away) : linear_kernel(away);
    }
  }
  return weights;
}

void Learned2d::describe(Fields& fields) {
  fields.add("grid", grid_, "rows and columns of a sequence of the trained length; none: as near to a square as it goes")
      .at_least(1)
      .limit_to(1 << 20)
      .elements(0, 2)
      .implied_by_model();
  fields.add("resample", resample_, "how the table is resampled to another grid").one_of({"bicubic", "bilinear"});
}

std::vector<Complaint> Learned2d::complaints(const Context& context, const std::vector<Index>& lengths) const {
  if (grid_.size() == 1) return {{"grid", "expected rows and columns, got one number"}};
  std::vector<Complaint> found;
  for (std::string& fault : grid_faults(grid_, context.length, lengths)) found.push_back({"grid", std::move(fault)});
  return found;
}

void Learned2d::resolve(const Context& context) {
  if (!grid_.empty()) return;
  const Grid grid = trained_grid(grid_, context.length);
  grid_ = {grid.rows, grid.columns};
}

void Learned2d::prepare(const Context& context, const Random& random, Type type) {
  resolve(context);
  table_ = normal({grid_[0], grid_[1], context.width}, 0.02, random.stream("initialize position.table"), type);
}

Tensor Learned2d::embed(const Tensor& x, const Sequences& sequences) const {
  const std::optional<Grid> grid = grid_like({grid_[0], grid_[1]}, x.dim(1));
  check(grid.has_value(), "learned_2d: {} tokens are no grid with the proportions of {} rows of {} columns", x.dim(1), grid_[0],
        grid_[1]);
  const Tensor rows = resampled(*grid), positions = sequences.positions.rounded();
  for (double position : sequences.positions.values()) {
    check(position >= 0 && position < static_cast<double>(grid->size()), "learned_2d: position {} is not on a grid of {} patches",
          position, grid->size());
  }
  return add(x, embedding(rows, positions));
}

Tensor Learned2d::resampled(const Grid& grid) const {
  const Index rows = grid_[0], columns = grid_[1], width = table_.dim(2);
  const Tensor flat = reshape(table_, {rows * columns, width});
  if (grid == Grid{rows, columns}) return flat;
  const bool cubic = resample_ == "bicubic";
  const Tensor by_row = matmul(weights(rows, grid.rows, cubic, table_.type()), reshape(table_, {rows, columns * width}));
  const Tensor by_column =
      matmul(weights(columns, grid.columns, cubic, table_.type()), reshape(by_row, {grid.rows, columns, width}));
  return reshape(by_column, {grid.size(), width});
}

}  // namespace ropewalk::positional
