// Scalings that ask how long the sequences were that a model had been trained on before it is scaled.
#pragma once

#include "framework/positional/scaling/scaling.hpp"

namespace ropewalk::positional {

class FromLength : public Scaling {
 public:
  void resolve(Index side, Index) override { resolve(side); }

 protected:
  void resolve(Index before) {
    if (original_ == 0) original_ = before;
  }
  void describe_original(Fields& fields);
  /// L in the formulas, tokens.
  Index original(const Turning& turning) const { return original_ > 0 ? original_ : turning.trained; }

 private:
  Index original_ = 0;
};

}  // namespace ropewalk::positional
