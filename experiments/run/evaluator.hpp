// What a model is worth at each length, under each protocol.
#pragma once

#include <memory>
#include <vector>

#include "experiments/run/pieces.hpp"
#include "framework/nn/transformer.hpp"

namespace ropewalk {

/// Sums over the scored tokens of one protocol and length; each token counts once, whichever window it is in.
struct Score {
  double nats = 0;
  Index correct = 0;  ///< the likeliest token was the target
  Index scored = 0;
  std::vector<double> position_nats;  ///< by index in the window; empty unless every window is scored whole
  std::vector<Index> position_count;

  double loss() const;  ///< nats per scored token; NaN if none was
  double accuracy() const;
  void add(const Score& other);
};

/// Evaluates windows of `length` over the held-out tokens, by `through_pieces`: the result does not depend on how many threads
/// and ranks there are, and is the leader's. Nothing is scored at a length the scheme cannot reach, and once `begin` has said no.
Score evaluate(const nn::Transformer& model, const Dataset& dataset, const std::vector<Window>& windows, Index length,
               const Random& random, Crew& crew, const std::shared_ptr<Meter>& meter, const BeginPiece& begin = {},
               Ranks& ranks = alone());

}  // namespace ropewalk
