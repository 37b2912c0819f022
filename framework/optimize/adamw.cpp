#include "framework/optimize/adamw.hpp"

#include <algorithm>
#include <cmath>

#include "framework/kernels/kernels.hpp"

namespace ropewalk::optimize {

void AdamW::describe(Fields& fields) {
  fields.add("rate", rate_, "peak learning rate").above(0);
  fields.add("betas", betas_, "decay of the two moments").at_least(0).below(1).elements(2, 2);
  fields.add("epsilon", epsilon_, "added to the root of the second moment").above(0);
  fields.add("decay", decay_, "decoupled weight decay, as a factor on the rate").at_least(0);
}

void AdamW::update(const Tensor& parameters, const Tensor& gradient, const Moments& moments, const std::vector<Segment>& segments,
                   double rate, double gradient_scale, Index step) const {
  kernels::AdamStep adam;
  adam.rate = rate;
  adam.beta1 = betas_[0];
  adam.beta2 = betas_[1];
  adam.epsilon = epsilon_;
  adam.correction1 = 1 - std::pow(betas_[0], static_cast<double>(step));
  adam.correction2 = 1 - std::pow(betas_[1], static_cast<double>(step));
  adam.gradient_scale = gradient_scale;
  const auto update = [&](const Segment& segment, Index begin, Index end) {
    if (begin >= end) return;
    kernels::AdamStep own = adam;
    own.decay = segment.decays ? decay_ : 0;
    dispatch(parameters.type(), [&]<class T>(T) {
      kernels::table<T>().adamw(own, gradient.data<T>() + begin, parameters.data<T>() + begin, moments.first.data<T>() + begin,
                                moments.second.data<T>() + begin, end - begin);
    });
  };
  for_each_stretch(parameters.size(), [&](Index begin, Index end) {
    for (const Segment& segment : segments) update(segment, std::max(begin, segment.begin), std::min(end, segment.end));
  });
}

}  // namespace ropewalk::optimize
