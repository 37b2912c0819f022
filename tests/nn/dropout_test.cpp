#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

nn::TransformerSettings settings(double dropout) {
  nn::TransformerSettings settings = toy::settings("decoder");
  settings.dropout = dropout;
  return settings;
}

class DropoutTest : public testing::Test {
 protected:
  /// Logits in training, at one step of one shard.
  Tensor train(std::uint64_t step, std::uint32_t shard = 0, bool reference = false) const {
    const Stream stream = Random(3).stream("dropout", step, shard);
    return model_(tokens_, nn::Pass{&stream, nullptr, reference});
  }

  const toy::Model model_{settings(0.3)}, plain_{settings(0)};
  const Tensor tokens_ = toy::tokens(2, 8);
};

TEST_F(DropoutTest, IsOffInEvaluation) { EXPECT_EQ(toy::distance(model_(tokens_), plain_(tokens_)), 0); }

TEST_F(DropoutTest, AProbabilityOfZeroDropsNothingInTraining) {
  const Stream stream = Random(3).stream("dropout");
  EXPECT_EQ(toy::distance(plain_(tokens_, nn::Pass{&stream}), plain_(tokens_)), 0);
}

TEST_F(DropoutTest, IsAFunctionOfItsStream) {
  EXPECT_EQ(toy::distance(train(1), train(1)), 0);
  EXPECT_GT(toy::distance(train(1), model_(tokens_)), 1e-3);
  EXPECT_GT(toy::distance(train(1), train(2)), 1e-3);
  EXPECT_GT(toy::distance(train(1, 0), train(1, 1)), 1e-3);
}

TEST_F(DropoutTest, DropsTheSameUnderEitherAttention) { EXPECT_LT(toy::distance(train(1), train(1, 0, true)), 1e-10); }

/// Which of the [B, T, D] elements one place keeps: a model that is silent but for ones that this parameter adds there, and that
/// shows its last hidden state as logits.
std::vector<bool> kept(const std::string& place) {
  nn::TransformerSettings silent = settings(0.25);
  silent.norm = "rms";
  const toy::Model model(silent);
  for (const Parameter& parameter : model.parameters()) {
    const bool ones = parameter.name == place || parameter.name == "norm.weight";
    std::fill_n(parameter.tensor->data<double>(), parameter.tensor->size(), ones ? 1.0 : 0.0);
    if (parameter.name != "head.weight") continue;
    for (Index c = 0; c < silent.width; ++c) parameter.tensor->data<double>()[c * silent.width + c] = 1;
  }
  const Stream stream = Random(3).stream("dropout");
  std::vector<bool> mask;
  const std::vector<double> logits = model(toy::tokens(8, 16), nn::Pass{&stream}).values();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (i % toy::vocabulary < 8) mask.push_back(logits[i] > 0);
  }
  return mask;
}

TEST_F(DropoutTest, TheEmbeddingAndEveryBranchDropElementsOfTheirOwn) {
  std::vector<std::vector<bool>> masks;
  for (const char* place : {"embed.weight", "blocks.0.attention.out.bias", "blocks.0.mlp.down.bias",
                            "blocks.1.attention.out.bias", "blocks.1.mlp.down.bias"}) {
    const std::vector<bool> mask = kept(place);
    EXPECT_NEAR(static_cast<double>(std::count(mask.begin(), mask.end(), true)) / static_cast<double>(mask.size()), 0.75, 0.06)
        << place;
    EXPECT_EQ(std::count(masks.begin(), masks.end(), mask), 0) << place << " drops what an earlier place drops";
    masks.push_back(mask);
  }
}

}  // namespace
}  // namespace ropewalk
