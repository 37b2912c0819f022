#include <thread>

#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

/// Logits and gradients of one batch, in one row.
std::vector<double> everything(const nn::Transformer& model, std::uint64_t seed) {
  const Tensor tokens = toy::tokens(3, 40, seed);
  const Stream stream = Random(1).stream("dropout", seed);
  std::vector<double> result = model(tokens).values();
  for (const Tensor& gradient : gradients(toy::loss(model, tokens, nn::Pass{&stream}), model.leaves())) {
    const std::vector<double> values = gradient.values();
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

class Threads : public testing::TestWithParam<const char*> {};

TEST_P(Threads, FourAtOnceComputeTheSameBitsAsOneAfterTheOther) {
  nn::TransformerSettings settings = toy::settings("decoder", GetParam());
  settings.dropout = 0.1;
  const toy::Model model(settings, 64, Type::f32);
  constexpr std::size_t threads = 4;
  std::vector<std::vector<double>> alone(threads), together(threads);
  for (std::size_t t = 0; t < threads; ++t) alone[t] = everything(model, t);
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (int repeat = 0; repeat < 5; ++repeat) together[t] = everything(model, t);
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(alone, together);
  EXPECT_NE(alone[0], alone[1]);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Threads, testing::Values("none", "sinusoidal", "learned", "rope", "alibi", "t5"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace ropewalk
