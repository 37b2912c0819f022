#include "tests/record/sample.hpp"

#include <cmath>

namespace ropewalk {
namespace {

template <class T>
std::vector<T> counting_from(T first, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<T>(i);
  return values;
}

/// [3, 4]: lengths 2, 3, 4.
PositionLoss sample_position() {
  return {.loss = {0.5, 0.25, NAN, NAN, 0.5, 0.25, 0.125, NAN, 0.5, 0.25, 0.125, 0.0625},
          .count = {6, 6, 0, 0, 4, 4, 4, 0, 3, 3, 3, 3}};
}

/// [1, 2, 3]: one layer of two heads, at the lengths 2, 3, 4.
AttentionMeans sample_attention() {
  return {.layer = {0},
          .head = {0, 1},
          .length = {2, 3, 4},
          .entropy = {0.5, 0.75, NAN, 0.25, 0.375, NAN},
          .mean_distance = {1, 1.5, NAN, 0.125, 0.0625, NAN}};
}

}  // namespace

RunRecord sample_run() {
  RunRecord run{.run_id = "rope-base500-1a2b3c",
                .status = "done",
                .message = "a reason",
                .config = "name: sample\nnote: Strang β\n",
                .software = "ropewalk 0.1.0",
                .machine = "two cores",
                .environment = {.source = "git 0123456789ab",
                                .build = "Release",
                                .system = "Linux",
                                .launch = "SLURM_JOB_ID=1",
                                .host = "here",
                                .process = 77},
                .tags = {"sweep of bases", "größer"},
                .notes = "what we\nwanted to know",
                .data = "12 bytes, fnv1a 0123456789abcdef",
                .start = "run rope-7a3f at step 20",
                .parameters = 1234,
                .steps = 30,
                .started = "2024-05-01T12:00:00Z",
                .finished = "2024-05-01T12:01:00Z",
                .peak_bytes = 1 << 20,
                .rotary = RotaryFacts{.base = 500,
                                      .width = 16,
                                      .trained = 2,
                                      .longest = 4,
                                      .critical_dimension = 6,
                                      .trained_bound = 12.5,
                                      .longest_bound = std::nullopt},
                .train = {},
                .evaluate = {}};
  run.train = {.step = {10, 20, 30},
               .stage = {1, 1, 2},
               .tokens = {640, 1280, 1920},
               .loss = {3.0, 2.5, 2.25},
               .rate = {1e-3, 2e-3, 1.5e-3},
               .gradient_norm = {1.5, 1.25, 1.0},
               .seconds = {0.1, 0.2, 0.3}};
  run.evaluate = {.step = {20, 30},
                  .stage = {1, 2},
                  .protocol = {"nonoverlapping", "sliding"},
                  .length = {2, 3, 4},
                  .loss = counting_from(1.0, 12),
                  .perplexity = counting_from(101.0, 12),
                  .token_accuracy = counting_from(0.0, 12),
                  .scored = counting_from<std::int64_t>(1000, 12),
                  .bits_per_byte = counting_from(201.0, 12),
                  .position = sample_position(),
                  .attention = sample_attention()};
  return run;
}

Checkpoint sample_checkpoint() {
  const std::vector<NamedArray> arrays{{"head.weight", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"blocks.0.position.p", {}, {0.1f}}};
  return {.step = 20,
          .tokens = 1280,
          .seconds = 0.25,
          .run_id = "rope-base500-1a2b3c",
          .config = "name: sample\n",
          .parameters = arrays,
          .first_moment = arrays,
          .second_moment = {arrays[0]}};
}

}  // namespace ropewalk
