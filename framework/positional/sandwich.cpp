#include "framework/positional/sandwich.hpp"

#include <cmath>

#include "framework/positional/distance.hpp"
#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {
namespace {

/// Σ cos(Δ θ_i) − D̄/2: 0 at Δ = 0, negative elsewhere.
std::vector<double> products(const std::vector<double>& distances, const std::vector<double>& turning) {
  std::vector<double> result;
  for (double distance : distances) {
    double sum = -static_cast<double>(turning.size());
    for (double frequency : turning) sum += std::cos(distance * frequency);
    result.push_back(sum);
  }
  return result;
}

}  // namespace

void Sandwich::describe(Fields& fields) {
  fields.add("width", width_, "of the two sinusoids, D̄; even").at_least(2).limit_to(65536);
  fields.add("base", base_, "base of their frequencies").above(1);
}

std::vector<Complaint> Sandwich::complaints(const Context&, const std::vector<Index>&) const {
  if (width_ % 2 == 0) return {};
  return {{"width", fmt::format("a sine goes with a cosine: expected an even width, got {}", width_)}};
}

Effect Sandwich::effect(const Places& places, Type type) const {
  const auto bias = bias_of_distance(places, {}, [*this, type](const Tensors&, const std::vector<double>& distances) {
    const std::vector<double> product = products(distances, positional::frequencies(base_, width_));
    std::vector<double> rows;
    for (Index h = 1; h <= heads_; ++h) {
      const double compression = static_cast<double>(heads_) / (8 * static_cast<double>(h));
      for (double value : product) rows.push_back(value * compression);
    }
    return Tensor::of(rows, {heads_, static_cast<Index>(distances.size())}, type);
  });
  return [bias](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(bias); };
}

}  // namespace ropewalk::positional
