#include "framework/positional/learned.hpp"

#include <algorithm>
#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk::positional {
namespace {

/// Linear interpolation between rows of a table: row `places[i]`, a real number, for each i.
Tensor interpolate(const Tensor& table, const std::vector<double>& places) {
  std::vector<std::int32_t> below, above;
  std::vector<double> weight;
  for (double place : places) {
    const double floor = std::floor(place);
    below.push_back(static_cast<std::int32_t>(floor));
    above.push_back(static_cast<std::int32_t>(std::min(floor + 1, static_cast<double>(table.dim(0) - 1))));
    weight.push_back(place - floor);
  }
  const Index count = static_cast<Index>(places.size());
  const Tensor low = embedding(table, Tensor::of(below, {count})), high = embedding(table, Tensor::of(above, {count}));
  return add(low, multiply(subtract(high, low), Tensor::of(weight, {count, 1}, table.type())));
}

}  // namespace

void Learned::describe(Fields& fields) {
  fields.add("max_length", max_length_, "rows of the table; 0: the trained length")
      .at_least(0)
      .limit_to(1 << 24)
      .implied_by_model();
  fields
      .add("beyond", beyond_,
           "a length beyond the table: refuse it, skip it (logged as not scored), resample the table, or clamp")
      .one_of({"error", "skip", "interpolate", "clamp"});
}

std::vector<Complaint> Learned::complaints(const Context& context, const std::vector<Index>& lengths) const {
  const Index rows = max_length_ > 0 ? max_length_ : context.length;
  if (rows < context.length) {
    return {{"max_length", fmt::format("a table of {} rows is shorter than the trained length {}", rows, context.length)}};
  }
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  if (beyond_ != "error" || longest == lengths.end() || *longest <= rows) return {};
  return {
      {"beyond", fmt::format("length {} is beyond the table of {} rows; choose what to do there: skip, interpolate or clamp, or "
                             "raise max_length",
                             *longest, rows)}};
}

void Learned::resolve(const Context& context) {
  if (max_length_ == 0) max_length_ = context.length;
}

void Learned::prepare(const Context& context, const Random& random, Type type) {
  resolve(context);
  table_ = normal({max_length_, context.width}, 0.02, random.stream("initialize position.table"), type);
}

bool Learned::reaches(Index length) const { return beyond_ != "skip" || length <= table_.dim(0); }

Tensor Learned::embed(const Tensor& x, const Positions& positions) const { return add(x, rows(positions)); }

Tensor Learned::rows(const Positions& positions) const {
  const double last = static_cast<double>(table_.dim(0) - 1);
  const double furthest = positions.empty() ? 0 : *std::max_element(positions.begin(), positions.end());
  check(furthest <= last || beyond_ == "interpolate" || beyond_ == "clamp", "learned: position {} is beyond a table of {} rows",
        furthest, table_.dim(0));
  std::vector<double> places = positions;
  // As ViT does: the table is stretched over the asked length, its first and last rows staying at the ends.
  const double stretch = furthest > last && beyond_ == "interpolate" ? last / furthest : 1.0;
  for (double& place : places) place = std::min(place * stretch, last);
  return interpolate(table_, places);
}

}  // namespace ropewalk::positional
