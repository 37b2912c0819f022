#include "framework/positional/kerple.hpp"

#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/positional/distance.hpp"

namespace ropewalk::positional {
namespace {

constexpr double least = 0.01;  // of p and a: at 0 a head would have no bias, and no way back

/// [H] -> [H, 1], kept within its bounds.
Tensor bounded(const Tensor& parameter, double most) { return reshape(clamp(parameter, least, most), {-1, 1}); }

Tensor row(const std::vector<double>& values, Type type) {
  return Tensor::of(values, {1, static_cast<Index>(values.size())}, type);
}

Tensor logarithmic(const Tensor& p, const Tensor& a, const std::vector<double>& distances) {
  const Tensor inside = add(multiply(a, row(distances, a.type())), Tensor::scalar(1, a.type()));
  return negate(multiply(p, log(inside)));
}

/// Δ^p = exp(p ln Δ), and 0 at Δ = 0, where the logarithm is not finite.
Tensor power(const Tensor& p, const Tensor& a, const std::vector<double>& distances) {
  std::vector<double> logarithms, apart;
  for (double distance : distances) {
    logarithms.push_back(distance > 0 ? std::log(distance) : 0);
    apart.push_back(distance > 0 ? 1 : 0);
  }
  const Tensor powers = multiply(exp(multiply(p, row(logarithms, p.type()))), row(apart, p.type()));
  return negate(multiply(a, powers));
}

}  // namespace

void Kerple::describe(Fields& fields) {
  fields.add("form", form_, "log: -p ln(1 + a d); power: -a d^p, p at most 2").one_of({"log", "power"});
  LayeredScheme::describe(fields);
}

/// Uniform starts, as in the authors' code: p in (0, 2), a in (0, 1), not below the least that is used.
void Kerple::prepare(const Context& context, const Random& random, Type type) {
  const auto start = [&](const char* symbol, double most) {
    Stream stream = random.stream(std::string("initialize position.") + symbol);
    std::vector<double> values(static_cast<std::size_t>(context.heads));
    for (double& value : values) value = least + (most - least) * stream.uniform();
    return Tensor::of(values, {context.heads}, type);
  };
  p_ = start("p", 2);
  a_ = start("a", 1);
}

Effect Kerple::effect(const Places& places, Type) const {
  const auto bias =
      bias_of_distance(places, {p_, a_}, [logs = form_ == "log"](const Tensors& parameters, std::vector<double> distances) {
        for (double& distance : distances) distance = std::abs(distance);
        const Tensor p = bounded(parameters[0], logs ? INFINITY : 2), a = bounded(parameters[1], INFINITY);
        return logs ? logarithmic(p, a, distances) : power(p, a, distances);
      });
  return [bias](AttentionTerms& terms, const Tensor&) { terms.biases.push_back(bias); };
}

}  // namespace ropewalk::positional
