// How a rotary scheme is carried beyond its trained length: an axis of its own, in training, in a later stage, or at evaluation
// alone.
#pragma once

#include <limits>
#include <vector>

#include "framework/core/registry.hpp"
#include "framework/ops/attention.hpp"
#include "framework/positional/complaint.hpp"
#include "framework/positional/positions.hpp"
#include "framework/positional/turning.hpp"

namespace ropewalk::positional {

class Scaling {
 public:
  virtual ~Scaling() = default;
  virtual void describe(Fields&) {}
  /// Puts the length that the model was trained on before it is scaled in the place of a setting that stands for it. `side`: as
  /// `Turning` counts it; `tokens`: of the whole sequence, the same but on a grid.
  virtual void resolve(Index /*side*/, Index /*tokens*/) {}
  /// What is wrong with the settings for pairs that turn like this; empty if nothing is.
  virtual std::vector<Complaint> complaints(const Turning&, bool /*causal*/) const { return {}; }

  /// θ_j after scaling, for a sequence of `length` tokens, radians a token.
  virtual std::vector<double> frequencies(const Turning& turning, Index length) const;
  /// Positions below this turn as without scaling.
  virtual double kept() const { return -std::numeric_limits<double>::infinity(); }
  /// Factor of cosines and sines.
  virtual double magnitude() const { return 1; }
  /// Factor of the queries at these positions, [T, 1] or [S, T, 1]; undefined: none.
  virtual Tensor query_factor(const Positions&, const Turning&, Type) const { return {}; }
  /// True if the frequencies depend on the length of the sequence.
  virtual bool depends_on_length() const { return false; }
  /// True if adding a constant to all positions changes the output.
  virtual bool absolute() const { return false; }
  /// True if it gives pairs of query and key far apart a rotation of their own, which only a plain rotation along one dimension
  /// has.
  virtual bool rotates_by_distance() const { return false; }

  /// Puts the rotation into the terms of an attention.
  virtual void apply(AttentionTerms& terms, const Places& places, const Turning& turning, bool interleaved, Type type) const;

  /// Tables [T, pairs], or [S, T, pairs] of S rows of positions, in a sequence of `length` tokens; angles are worked out in
  /// double.
  RotationTables tables(const Positions& positions, Index length, const Turning& turning, bool interleaved, Type type) const;
};

/// Every scaling there is.
const Registry<Scaling>& scalings();

/// No change; also the base of those that change something else than frequencies.
class Unscaled : public Scaling {};

}  // namespace ropewalk::positional
