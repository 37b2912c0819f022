#include "framework/positional/alibi.hpp"

#include <bit>
#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"

namespace ropewalk::positional {
namespace {

/// 2^(−8h/H), h = 1..H
double slope(Index head, Index heads) { return std::exp2(-8.0 * static_cast<double>(head) / static_cast<double>(heads)); }

}  // namespace

void Alibi::describe(Fields& fields) {
  fields.add("slopes", kind_, "fixed by the paper's formula, or learned from there").one_of({"fixed", "learned"});
  fields.add("heads", heads_, "how many heads carry a bias, from the first; 0: all")
      .at_least(0)
      .limit_to(4096)
      .implied_by_model();
}

std::vector<Complaint> Alibi::complaints(const Context& context, const std::vector<Index>&) const {
  if (heads_ <= context.heads) return {};
  return {{"heads", fmt::format("{} heads cannot carry a bias in a model of {}", heads_, context.heads)}};
}

void Alibi::resolve(const Context& context) {
  if (heads_ == 0) heads_ = context.heads;
}

void Alibi::prepare(const Context& context, const Random&, Type type) {
  resolve(context);
  std::vector<double> slopes = alibi_slopes(heads_);
  std::vector<double> carries(slopes.size(), 1.0);
  slopes.resize(static_cast<std::size_t>(context.heads), 0.0);
  carries.resize(slopes.size(), 0.0);
  slopes_ = Tensor::of(slopes, {context.heads}, type);
  carries_ = Tensor::of(carries, {context.heads}, type);
}

Parameters Alibi::parameters() {
  if (kind_ == "fixed") return {};
  return {{"slopes", &slopes_, false}};
}

std::shared_ptr<BlockBias> Alibi::bias(const Positions& positions) const {
  std::vector<double> penalty = distances(positions);
  for (double& distance : penalty) distance = -std::abs(distance);
  const Index count = static_cast<Index>(penalty.size());
  const Tensor slopes = reshape(multiply(slopes_, carries_), {-1, 1});  // a learned slope of a head without a bias stays at 0
  return distance_bias(multiply(slopes, Tensor::of(penalty, {1, count}, slopes_.type())));
}

std::vector<double> alibi_slopes(Index heads) {
  const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  for (Index head = 1; head <= power; ++head) slopes.push_back(slope(head, power));
  for (Index head = 1; static_cast<Index>(slopes.size()) < heads; head += 2) slopes.push_back(slope(head, 2 * power));
  return slopes;
}

}  // namespace ropewalk::positional
