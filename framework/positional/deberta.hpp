#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// Disentangled attention (DeBERTa, He et al. 2020, eq. 2–4): (q_m·k_n + q_m·K_δ(m,n) + k_n·Q_δ(n,m))/√(3d), δ(i, j) the clipped
/// offset i − j, K and Q two projections of one table of offsets that all layers share.
class Deberta final : public LayeredScheme<Deberta> {
 public:
  void describe(Fields& fields) override;
  Traits traits() const override { return {.has_offset_vectors = true, .rescales = true}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override;
  Effect effect(const Places&, Type) const override;

 private:
  /// Rows of the projected table for the distances m − n = low …, [H, 2 clip, d].
  Tensor rows(const Tensor& projection, bool falling) const;

  Index clip_ = 16;
  Index heads_ = 1;
  Tensor table_;                              ///< [2 clip, D], row i − j + clip
  Tensor query_projection_, key_projection_;  ///< W_{q,r} and W_{k,r} of the paper, [D, D]
};

}  // namespace ropewalk::positional
