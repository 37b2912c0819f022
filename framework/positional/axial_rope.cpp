#include "framework/positional/axial_rope.hpp"

#include <algorithm>
#include <cmath>

#include "framework/ops/layout.hpp"

namespace ropewalk::positional {
namespace {

/// Row, or column, of each position on a grid.
Positions on_axis(const Positions& positions, Index columns, bool rows) {
  std::vector<double> values = positions.values();
  const double across = static_cast<double>(columns);
  for (double& position : values) {
    const double row = std::floor(position / across);
    position = rows ? row : position - row * across;
  }
  return {std::move(values), positions.sequences()};
}

/// What scaling takes for the length of the sequence.
Index longer_side(const Grid& grid) { return std::max(grid.rows, grid.columns); }

}  // namespace

void AxialRope::describe(Fields& fields) {
  describe_base(fields);
  fields.add("grid", grid_, "rows and columns of a sequence of the trained length; none: as near to a square as it goes")
      .at_least(1)
      .limit_to(1 << 20)
      .elements(0, 2)
      .implied_by_model();
  describe_scaling(fields);
}

Traits AxialRope::traits() const {
  Traits traits = Rotary::traits();
  traits.needs_grid = traits.depends_on_length = true;  // how many tokens there are decides where a row ends
  return traits;
}

std::vector<Complaint> AxialRope::complaints(const Context& context, const std::vector<Index>& lengths) const {
  if (context.head_width() % 4 != 0) {
    return {{"", fmt::format("rotates pairs by rows and by columns: expected a head width that is a multiple of 4, got {}",
                             context.head_width())}};
  }
  if (grid_.size() == 1) return {{"grid", "expected rows and columns, got one number"}};
  std::vector<Complaint> found = scaling_complaints(*turning(context), context.causal, false);
  for (std::string& fault : grid_faults(grid_, context.length, lengths)) found.push_back({"grid", std::move(fault)});
  return found;
}

void AxialRope::resolve(const Context& context) {
  if (grid_.empty()) {
    const Grid grid = trained_grid(grid_, context.length);
    grid_ = {grid.rows, grid.columns};
  }
  if (grid_.size() == 2) Rotary::resolve(context);  // any other number is complained of
}

void AxialRope::prepare(const Context& context, const Random&, Type) {
  resolve(context);
  turning_ = *turning(context);
}

/// Along one axis; the trained length is that of the longer one, in a model trained on grids of these proportions.
std::optional<Turning> AxialRope::turning(const Context& context) const {
  const Grid trained = trained_grid(grid_, context.length), grid = grid_like(trained, context.length).value_or(trained);
  return Turning{base_, context.head_width() / 2, longer_side(grid)};
}

Grid AxialRope::grid_of(Index length) const {
  const std::optional<Grid> found = grid_like(grid(), length);
  check(found.has_value(), "axial_rope: {} tokens are no grid with the proportions of {} rows of {} columns", length, grid_[0],
        grid_[1]);
  return *found;
}

std::vector<double> AxialRope::frequencies(Index length) const {
  const std::vector<double> along = scaling_->frequencies(turning_, longer_side(grid_of(length)));
  std::vector<double> both = along;
  both.insert(both.end(), along.begin(), along.end());
  return both;
}

RotationTables AxialRope::tables(const Positions& positions, Index length, Type type) const {
  const Grid grid = grid_of(length);
  const auto axis = [&](bool rows) {
    return scaling_->tables(on_axis(positions, grid.columns, rows), longer_side(grid), turning_, true, type);
  };
  const RotationTables by_row = axis(true), by_column = axis(false);
  return {concatenate({by_row.cosine, by_column.cosine}, -1), concatenate({by_row.sine, by_column.sine}, -1), true};
}

Effect AxialRope::effect(const Places& places, Type type) const {
  const Index length = places.keys.length();
  const RotationTables keys = tables(places.keys, length, type);
  const RotationTables queries = places.queries == places.keys ? keys : tables(places.queries, length, type);
  const Tensor factor = scaling_->query_factor(places.queries, {base_, turning_.width, grid().size()}, type);
  return [queries, keys, factor](AttentionTerms& terms, const Tensor&) {
    terms.query_rotation = queries;
    terms.key_rotation = keys;
    terms.query_factor = factor;
  };
}

}  // namespace ropewalk::positional
