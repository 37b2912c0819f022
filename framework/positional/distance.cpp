#include "framework/positional/distance.hpp"

#include <algorithm>
#include <numeric>

#include "framework/ops/distance_bias.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/position_bias.hpp"

namespace ropewalk::positional {
namespace {

/// Works a bias out for every pair of a block by itself.
class PairwiseBias final : public ScoreTerm {
 public:
  PairwiseBias(const Places& places, const Tensors& parameters, BiasOfDistances bias)
      : places_(places), parameters_(parameters), bias_(std::move(bias)) {}

  Tensors inputs() const override { return parameters_; }
  bool has_fused() const override { return false; }

  Tensor dense(const DenseBlock& block, const Tensors& inputs) const override {
    const Index sequences = places_.queries.sequences(), queries = block.queries.size(), keys = block.keys();
    std::vector<double> distances;
    for (Index s = 0; s < sequences; ++s) {
      for (Index i = block.queries.begin; i < block.queries.end; ++i) {
        for (Index j = 0; j < keys; ++j) distances.push_back(places_.queries.at(s, i) - places_.keys.at(s, j));
      }
    }
    const Tensor values = bias_(inputs, distances);
    return permute(reshape(values, {values.dim(0), sequences, queries, keys}), {1, 0, 2, 3});
  }

 private:
  Places places_;
  Tensors parameters_;
  BiasOfDistances bias_;
};

std::vector<double> whole_numbers(double first, double last) {
  std::vector<double> numbers(static_cast<std::size_t>(last - first) + 1);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

std::shared_ptr<ScoreTerm> whole_bias(const Places& places, const Tensors& parameters, const BiasOfDistances& bias) {
  const auto [nearest, furthest] = places.span();
  return position_bias(bias(parameters, whole_numbers(nearest, furthest)), static_cast<Index>(nearest), places.queries.rounded(),
                       places.keys.rounded());
}

}  // namespace

std::vector<double> even_distances(const Places& places) {
  const Index queries = places.queries.length(), keys = places.keys.length();
  if (queries == 0 || keys == 0) return {};
  const Positions& longer = keys > 1 ? places.keys : places.queries;
  const double step = longer.length() > 1 ? longer.at(0, 1) - longer.at(0, 0) : 1.0;
  const double lead = places.queries.at(0, 0) - places.keys.at(0, 0);
  std::vector<double> distances;
  for (Index offset = -(queries - 1); offset <= keys - 1; ++offset)
    distances.push_back(lead - step * static_cast<double>(offset));
  return distances;
}

std::shared_ptr<ScoreTerm> bias_of_distance(const Places& places, const Tensors& parameters, const BiasOfDistances& bias) {
  if (places.even()) return distance_bias(bias(parameters, even_distances(places)));
  if (places.whole()) return whole_bias(places, parameters, bias);
  return std::make_shared<PairwiseBias>(places, parameters, bias);
}

}  // namespace ropewalk::positional
