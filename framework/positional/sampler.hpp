// Where positions come from: a separate axis from the scheme that uses them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/core/registry.hpp"
#include "framework/positional/complaint.hpp"
#include "framework/positional/draws.hpp"
#include "framework/positional/positions.hpp"

namespace ropewalk::positional {

/// What a sampler does to positions: no more than to add a constant to all, or anything.
enum class Change { nothing, shift, distances };

class Scheme;

class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual void describe(Fields&) {}
  /// What is wrong with the settings for this trained length, evaluated at these lengths; empty if nothing is.
  virtual std::vector<Complaint> complaints(Index /*trained*/, const std::vector<Index>& /*lengths*/) const { return {}; }

  /// Positions of `sequences` sequences of `length` tokens; null draws: those of an evaluation without chance.
  virtual Positions positions(Index length, Index sequences, const Draws* draws) const = 0;
  /// Training on `length` tokens draws positions below this.
  virtual Index reach(Index length) const { return length; }
  /// What training finds other than 0, 1, 2, ….
  virtual Change change() const { return Change::distances; }
  /// How positions are chosen in an evaluation, for the log.
  virtual std::string in_evaluation() const { return "contiguous"; }
};

/// Whether training with this sampler is another than with contiguous positions.
bool acts_on(const Sampler&, const Scheme&);

/// Every sampler there is.
const Registry<Sampler>& samplers();

}  // namespace ropewalk::positional
