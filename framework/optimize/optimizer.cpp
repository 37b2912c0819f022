#include "framework/optimize/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/core/parallel.hpp"
#include "framework/kernels/kernels.hpp"
#include "framework/optimize/adamw.hpp"

namespace ropewalk::optimize {
namespace {

constexpr Index stretch = 1 << 18;  // elements: long enough to be worth waking a thread for

}  // namespace

const Registry<Optimizer>& optimizers() {
  static const Registry<Optimizer> registry{
      {"adamw", "Adam with decoupled weight decay", "p -= rate (m / (sqrt(v) + epsilon) + decay p)", "Loshchilov and Hutter 2019",
       make_kind<Optimizer, AdamW>},
  };
  return registry;
}

void for_each_stretch(Index size, const std::function<void(Index begin, Index end)>& body) {
  const Index count = (size + stretch - 1) / stretch;
  parallel(count, [&](Index i) { body(i * stretch, std::min((i + 1) * stretch, size)); });
}

double global_norm(const Tensor& gradient) {
  std::vector<double> sums(static_cast<std::size_t>((gradient.size() + stretch - 1) / stretch));
  for_each_stretch(gradient.size(), [&](Index begin, Index end) {
    sums[static_cast<std::size_t>(begin / stretch)] = dispatch(
        gradient.type(), [&]<class T>(T) { return kernels::table<T>().sum_of_squares(gradient.data<T>() + begin, end - begin); });
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

double clip_factor(double norm, double limit) { return limit > 0 && norm > limit ? limit / norm : 1.0; }

}  // namespace ropewalk::optimize
