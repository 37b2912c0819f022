#include "framework/positional/learned.hpp"

#include <algorithm>
#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
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
  fields.add("max_length", max_length_, "rows of the table; 0: as many as training has positions")
      .at_least(0)
      .limit_to(1 << 24)
      .implied_by_model();
  fields
      .add("beyond", beyond_,
           "a length beyond the table: refuse it, skip it (logged as not scored), resample the table, or clamp")
      .one_of({"error", "skip", "interpolate", "clamp"});
}

std::vector<Complaint> Learned::complaints(const Context& context, const std::vector<Index>& lengths) const {
  const Index reach = context.trained_reach(), rows = max_length_ > 0 ? max_length_ : reach;
  if (rows < reach) {
    return {{"max_length",
             reach == context.length
                 ? fmt::format("a table of {} rows is shorter than the trained length {}", rows, reach)
                 : fmt::format("a table of {} rows is shorter than the {} positions that training draws from", rows, reach)}};
  }
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  if (beyond_ != "error" || longest == lengths.end() || *longest <= rows) return {};
  return {
      {"beyond", fmt::format("length {} is beyond the table of {} rows; choose what to do there: skip, interpolate or clamp, or "
                             "raise max_length",
                             *longest, rows)}};
}

void Learned::resolve(const Context& context) {
  if (max_length_ == 0) max_length_ = context.trained_reach();
}

void Learned::prepare(const Context& context, const Random& random, Type type) {
  resolve(context);
  table_ = normal({max_length_, context.width}, 0.02, random.stream("initialize position.table"), type);
}

bool Learned::reaches(Index length) const { return beyond_ != "skip" || length <= table_.dim(0); }

Tensor Learned::embed(const Tensor& x, const Sequences& sequences) const { return add(x, rows(sequences.positions)); }

Tensor Learned::rows(const Positions& positions) const {
  const double last = static_cast<double>(table_.dim(0) - 1);
  std::vector<double> places = positions.values();
  const double furthest = places.empty() ? 0 : *std::max_element(places.begin(), places.end());
  check(furthest <= last || beyond_ == "interpolate" || beyond_ == "clamp", "learned: position {} is beyond a table of {} rows",
        furthest, table_.dim(0));
  // As ViT does: the table is stretched over the asked length, its first and last rows staying at the ends.
  const double stretch = furthest > last && beyond_ == "interpolate" ? last / furthest : 1.0;
  for (double& place : places) place = std::clamp(place * stretch, 0.0, last);
  return reshape(interpolate(table_, places), {positions.sequences(), positions.length(), table_.dim(1)});
}

}  // namespace ropewalk::positional
