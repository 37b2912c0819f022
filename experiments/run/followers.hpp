// What the rank that leads has the others do, and how they do it.
#pragma once

#include <string>

#include "experiments/config/settings.hpp"
#include "experiments/run/crew.hpp"
#include "experiments/run/ranks.hpp"
#include "framework/core/tensor.hpp"

namespace ropewalk {

/// The other ranks make a trainer of these settings, for the text of that fingerprint, which each reads for itself. Throws
/// `Error` if one of them cannot.
void have_them_begin(Ranks& ranks, const config::Settings& settings, const std::string& fingerprint);

/// They begin their share of a step, of an evaluation, or of the measure of attention, with the leader's parameters [P]; the
/// leader then begins its own.
void have_them_step(Ranks& ranks, Index step, const Tensor& parameters);
void have_them_evaluate(Ranks& ranks, const Tensor& parameters);
void have_them_measure_attention(Ranks& ranks, const Tensor& parameters);

/// As long as it lives, the others are in `follow`.
class Leadership {
 public:
  explicit Leadership(Ranks& ranks) : ranks_(ranks) {}
  ~Leadership();
  Leadership(const Leadership&) = delete;
  Leadership& operator=(const Leadership&) = delete;

 private:
  Ranks& ranks_;
};

/// Does what the leader asks for until its `Leadership` ends. It needs the leader's texts, under the same paths, and writes
/// nothing.
void follow(Ranks& ranks, Crew& crew);

}  // namespace ropewalk
