#include "framework/positional/scaling/scaling.hpp"

#include <cmath>

#include "framework/positional/frequency.hpp"

namespace ropewalk::positional {

std::vector<double> Scaling::frequencies(const Turning& turning, Index) const {
  return positional::frequencies(turning.base, turning.width);
}

void Scaling::apply(AttentionTerms& terms, const Places& places, const Turning& turning, bool interleaved, Type type) const {
  const Index length = places.keys.length();
  terms.key_rotation = tables(places.keys, length, turning, interleaved, type);
  terms.query_rotation =
      places.queries == places.keys ? terms.key_rotation : tables(places.queries, length, turning, interleaved, type);
  terms.query_factor = query_factor(places.queries, turning, type);
}

RotationTables Scaling::tables(const Positions& positions, Index length, const Turning& turning, bool interleaved,
                               Type type) const {
  const std::vector<double> scaled = frequencies(turning, length), plain = positional::frequencies(turning.base, turning.width);
  const double factor = magnitude();
  std::vector<double> cosine, sine;
  for (double position : positions.values()) {
    for (double frequency : position < kept() ? plain : scaled) {
      cosine.push_back(factor * std::cos(position * frequency));
      sine.push_back(factor * std::sin(position * frequency));
    }
  }
  Shape shape{positions.length(), turning.pairs()};
  if (positions.sequences() > 1) shape.insert(shape.begin(), positions.sequences());
  return {Tensor::of(cosine, shape, type), Tensor::of(sine, shape, type), interleaved};
}

}  // namespace ropewalk::positional
