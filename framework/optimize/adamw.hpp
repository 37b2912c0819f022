#pragma once

#include "framework/optimize/optimizer.hpp"

namespace ropewalk::optimize {

/// Adam with decoupled weight decay (Loshchilov and Hutter 2019, algorithm 2), bias-corrected; no decay outside matrices.
class AdamW final : public Optimizer {
 public:
  void describe(Fields& fields) override;
  double rate() const override { return rate_; }
  void update(const Tensor& parameters, const Tensor& gradient, const Moments&, const std::vector<Segment>&, double rate,
              double gradient_scale, Index step) const override;

 private:
  double rate_ = 2e-3;
  std::vector<double> betas_{0.9, 0.98};
  double epsilon_ = 1e-8;
  double decay_ = 0.01;
};

}  // namespace ropewalk::optimize
