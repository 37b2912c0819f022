#pragma once

#include "framework/positional/layered.hpp"

namespace ropewalk::positional {

/// Learned vectors for clipped offsets, added to keys and to values (Shaw, Uszkoreit, Vaswani 2018, eq. 3–4):
/// e = q·(k + aK[clip(n − m, −c, c)])/√d, out = Σ p (v + aV[clip(n − m, −c, c)]). Heads share them.
class Shaw final : public LayeredScheme<Shaw> {
 public:
  void describe(Fields& fields) override;
  Traits traits() const override { return {.has_offset_vectors = true}; }
  void prepare(const Context&, const Random&, Type) override;
  Parameters parameters() override;
  Effect effect(const Places&, Type) const override;

 private:
  Index clip_ = 16;
  bool values_ = true;
  Tensor key_, value_;  ///< [2 clip + 1, d], row clip + (n − m)
};

}  // namespace ropewalk::positional
