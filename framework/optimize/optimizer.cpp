#include "framework/optimize/optimizer.hpp"

#include <cmath>

#include "framework/kernels/kernels.hpp"
#include "framework/optimize/adamw.hpp"

namespace ropewalk::optimize {

const Registry<Optimizer>& optimizers() {
  static const Registry<Optimizer> registry{
      {"adamw", "Adam with decoupled weight decay", "p -= rate (m / (sqrt(v) + epsilon) + decay p)", "Loshchilov and Hutter 2019",
       make_kind<Optimizer, AdamW>},
  };
  return registry;
}

double global_norm(const Tensor& gradient) {
  return dispatch(gradient.type(),
                  [&]<class T>(T) { return std::sqrt(kernels::table<T>().sum_of_squares(gradient.data<T>(), gradient.size())); });
}

double clip_factor(double norm, double limit) { return limit > 0 && norm > limit ? limit / norm : 1.0; }

}  // namespace ropewalk::optimize
