// The positional scheme of a model: its parts, with a copy for each layer of those that have parameters of their own there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/positional/scheme.hpp"

namespace ropewalk::nn {

class Positioning {
 public:
  Positioning(const positional::Scheme& scheme, const positional::Context& context, Index layers, const Random& random,
              Type type);

  /// Token embeddings x [B, T, D] with what the scheme adds to them.
  Tensor embed(Tensor x, const positional::Sequences& sequences) const;

  /// What the scheme does in the attention of each layer, in one pass.
  class Pass {
   public:
    /// Terms of a layer that reads x [B, T, D].
    AttentionTerms terms(Index layer, const Tensor& x) const;

   private:
    friend class Positioning;
    bool causal_ = true;
    std::vector<std::vector<positional::Effect>> effects_;  ///< of each part, by layer if it has copies
  };
  Pass pass(const positional::Places& places) const;

  /// What the scheme shows of itself, for looking at: see the hooks of these names. Where layers have copies, the first one's.
  std::vector<double> frequencies(Index length) const;
  RotationTables rotation(const positional::Positions& positions) const;
  Tensor slopes() const;

  positional::Traits traits() const;
  bool reaches(Index length) const;
  /// Parameters of the scheme: "position.table", "blocks.1.position.table", and with the part's number in a hybrid
  /// "position.parts.0.table".
  Parameters parameters();

 private:
  struct Part {
    std::vector<std::unique_ptr<positional::Scheme>> copies;  ///< one, or one for each layer

    positional::Scheme& first() const { return *copies.front(); }
  };

  std::vector<Part> parts_;
  bool causal_;
  Type type_;
};

}  // namespace ropewalk::nn
