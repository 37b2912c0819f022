// How fast this machine is at one kind of run: real steps and real pieces of an evaluation, timed.
#pragma once

#include <cstdint>
#include <map>

#include "experiments/config/settings.hpp"
#include "experiments/run/growth.hpp"
#include "experiments/run/places.hpp"

namespace ropewalk {

struct Pace {
  Index parameters = 0;
  double start_seconds = 0;  ///< what a run needs once: its model, what the first step makes for the others, its files
  double step_seconds = 0;
  Index reached = 0;               ///< the longest evaluated length that the scheme reaches
  Growth window_seconds;           ///< of an evaluated window, by its length
  Growth attention_seconds;        ///< of one whose attention is looked at; nothing if none is asked for
  std::int64_t trained_bytes = 0;  ///< most in use at once in training and at the shortest length
  std::int64_t held_bytes = 0;     ///< in use while nothing is computed: the model, its gradient, the optimizer's moments
  std::map<Index, std::int64_t> evaluated_bytes = {};  ///< most in use on top of that, at longer lengths

  /// Most in use at once by a run that is evaluated at no more than this length. Beyond what was measured, memory is taken to be
  /// linear in the tokens that go through the model together.
  std::int64_t peak_bytes(Index length) const;
};

/// Trains and evaluates random bytes for about a second, in as many copies as there are jobs side by side.
Pace measure_pace(const config::Settings& settings, const Places& places);

}  // namespace ropewalk
