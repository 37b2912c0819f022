// Evaluation protocols: which windows a model is shown and which of their tokens are scored.
#pragma once

#include <string>
#include <vector>

#include "framework/core/shape.hpp"

namespace ropewalk {

/// Inputs x[start … start + length − 1]; the targets, one later, are scored from index `first` of the window on.
struct Window {
  Index start;
  Index first;
};

/// How windows are laid over the held-out tokens, all lengths and counts in tokens.
struct ProtocolSettings {
  Index tokens = 0;   ///< how many held-out tokens there are to use
  Index stride = 1;   ///< sliding
  Index targets = 1;  ///< fixed_target
  Index longest = 0;  ///< the longest length evaluated
};

/// Windows of one protocol at one length:
/// - nonoverlapping: [0, E), [E, 2E) …, every target scored, the ragged rest dropped;
/// - sliding: moved by `stride`; the first scores all its targets, each later one its last `stride`;
/// - fixed_target: for each block of the longest length its last `targets` targets, with the E tokens before the block's end as
///   inputs: the context grows with E, the targets stay.
/// Every token is scored at most once.
std::vector<Window> protocol_windows(const std::string& protocol, Index length, const ProtocolSettings& settings);

}  // namespace ropewalk
