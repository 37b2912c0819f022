#include "framework/optimize/adamw.hpp"

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
  dispatch(parameters.type(), [&]<class T>(T) {
    for (const Segment& segment : segments) {
      adam.decay = segment.decays ? decay_ : 0;
      kernels::table<T>().adamw(adam, gradient.data<T>() + segment.begin, parameters.data<T>() + segment.begin,
                                moments.first.data<T>() + segment.begin, moments.second.data<T>() + segment.begin,
                                segment.end - segment.begin);
    }
  });
}

}  // namespace ropewalk::optimize
