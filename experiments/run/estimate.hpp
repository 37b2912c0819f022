// What a run will cost, from its settings and a moment of real training on this machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "experiments/config/settings.hpp"
#include "framework/core/shape.hpp"

namespace ropewalk {

struct Estimate {
  Index parameters = 0;
  double flops = 0;        ///< training and evaluation, multiplications and additions counted apart
  double seconds = 0;      ///< on one thread
  std::int64_t bytes = 0;  ///< of tensor storage, in training
};

/// FLOPs of a forward pass for one sequence: 2 for each weight and token, and those of attention, 4·D for each pair of tokens
/// that see each other, in each layer.
double forward_flops(const nn::TransformerSettings& model, Index vocabulary, Index length);

/// Training (three times the forward pass: Kaplan et al. 2020, §2.1) and all evaluations of a run whose text
/// has that many tokens held out.
double run_flops(const config::Settings& settings, Index held_out);

/// Times a few training steps for each kind of model it has not seen yet.
class Estimator {
 public:
  Estimate estimate(const config::Settings& settings, Index held_out);

 private:
  struct Measured {
    double flops_per_second = 0;
    std::int64_t bytes = 0;
  };
  std::map<std::string, Measured> measured_;
};

}  // namespace ropewalk
