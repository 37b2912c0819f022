#include "framework/positional/alibi.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/positional/distance.hpp"

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
  fields.add("right", right_, "slope of keys to the right of a query, relative to that of keys to its left; encoder only")
      .at_least(0)
      .limit_to(1e6);
  LayeredScheme::describe(fields);
}

std::vector<Complaint> Alibi::complaints(const Context& context, const std::vector<Index>&) const {
  std::vector<Complaint> found;
  if (heads_ > context.heads) {
    found.push_back({"heads", fmt::format("{} heads cannot carry a bias in a model of {}", heads_, context.heads)});
  }
  if (context.causal && right_ != 1) found.push_back({"right", "a decoder sees no keys to the right; leave it at 1"});
  if (per_layer() && kind_ == "fixed") found.push_back({"per_layer", "fixed slopes are no parameters; set slopes to learned"});
  return found;
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
  slopes_right_ = scale(slopes_, right_);
  carries_ = Tensor::of(carries, {context.heads, 1}, type);
}

Parameters Alibi::parameters() {
  if (kind_ == "fixed") return {};
  Parameters parameters{{"slopes", &slopes_, false}};
  if (right_ != 1) parameters.push_back({"slopes_right", &slopes_right_, false});
  return parameters;
}

Effect Alibi::effect(const Places& places, Type) const {
  const Tensors slopes{slopes_, right_ == 1 ? slopes_ : slopes_right_};
  const auto bias =
      bias_of_distance(places, slopes, [carries = carries_](const Tensors& slopes, const std::vector<double>& distances) {
        std::vector<double> left, right;
        for (double distance : distances) {
          left.push_back(std::min(-distance, 0.0));
          right.push_back(std::min(distance, 0.0));
        }
        const auto side = [&](const Tensor& slope, const std::vector<double>& penalty) {
          // A learned slope of a head without a bias stays as it is: it has no part in anything.
          const Tensor row = Tensor::of(penalty, {1, static_cast<Index>(penalty.size())}, slope.type());
          return multiply(multiply(reshape(slope, {-1, 1}), carries), row);
        };
        return add(side(slopes[0], left), side(slopes[1], right));
      });
  return [bias](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(bias); };
}

Tensor Alibi::slopes() const { return multiply(slopes_, reshape(carries_, slopes_.shape())); }

std::vector<double> alibi_slopes(Index heads) {
  const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  for (Index head = 1; head <= power; ++head) slopes.push_back(slope(head, power));
  for (Index head = 1; static_cast<Index>(slopes.size()) < heads; head += 2) slopes.push_back(slope(head, 2 * power));
  return slopes;
}

}  // namespace ropewalk::positional
