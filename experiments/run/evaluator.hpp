// What a model is worth at each length, under each protocol.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/run/batch.hpp"
#include "experiments/run/crew.hpp"
#include "experiments/run/protocol.hpp"
#include "experiments/run/ranks.hpp"
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

/// Asked, on any thread, before each piece of an evaluation with the number of its tokens; once it says no, the evaluation is
/// given up.
using BeginPiece = std::function<bool(Index tokens)>;

/// How many windows of a length go through the model together: a piece of the work.
Index windows_in_piece(Index length);

/// Evaluates windows of `length` over the held-out tokens. The windows are cut into pieces by their number alone and summed in a
/// fixed order, so the result does not depend on how many threads there are. Nothing is scored at a length the scheme cannot
/// reach. What positions are drawn, if the settings ask for that in an evaluation, depends on `random` and the number of the
/// window. Called on all ranks, each of which does its share of the pieces; the score is the leader's, and so is `begin`: it is
/// asked there alone, about the pieces that all ranks begin at that time. Nothing is scored once it has said no.
Score evaluate(const nn::Transformer& model, const Corpus& corpus, const std::vector<Window>& windows, Index length,
               const Random& random, Crew& crew, const std::shared_ptr<Meter>& meter, const BeginPiece& begin = {},
               Ranks& ranks = alone());

}  // namespace ropewalk
