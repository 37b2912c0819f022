// The model's logits against an independent forward pass written in plain loops.
#include "tests/nn/naive.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

struct Kind {
  std::string kind = "decoder", activation = "gelu", norm = "layer";
  bool tied = false;
  Index layers = 1, width = 4;
};

struct Positional {
  naive::Scheme naive;
  toy::Values values;
};

const std::vector<Positional>& schemes() {
  static const std::vector<Positional> list{{{"none"}, {}},   {{"rope"}, {}}, {{"rope", true}, {{"layout", "half"}}},
                                            {{"alibi"}, {}},  {{"t5"}, {}},   {{"sinusoidal"}, {}},
                                            {{"learned"}, {}}};
  return list;
}

naive::Weights weights_of(const nn::Transformer& model) {
  naive::Weights weights;
  for (const Parameter& parameter : model.parameters()) weights[parameter.name] = parameter.tensor->values();
  return weights;
}

class Forward : public testing::TestWithParam<Kind> {};

TEST_P(Forward, EqualsTheNaiveModelForEveryScheme) {
  for (const Positional& scheme : schemes()) {
    nn::TransformerSettings settings = toy::settings(GetParam().kind, scheme.naive.kind, scheme.values);
    settings.activation = GetParam().activation;
    settings.norm = GetParam().norm;
    settings.tie_embeddings = GetParam().tied;
    settings.layers = GetParam().layers;
    settings.width = GetParam().width;
    settings.hidden = 6;
    const toy::Model model(settings);
    const Tensor tokens = toy::tokens(2, 7);
    const std::vector<double> logits = model(tokens).values();
    std::size_t at = 0;
    for (Index row = 0; row < 2; ++row) {
      const std::int32_t* first = tokens.data<std::int32_t>() + row * 7;
      for (const naive::Vector& expected : naive::logits(settings, scheme.naive, weights_of(model), {first, first + 7})) {
        for (double logit : expected) ASSERT_NEAR(logits[at++], logit, 1e-10) << scheme.naive.kind << ", row " << row;
      }
    }
    EXPECT_EQ(at, logits.size());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Forward,
    testing::Values(Kind{}, Kind{.kind = "encoder"}, Kind{.norm = "rms"}, Kind{.tied = true}, Kind{.activation = "gelu_tanh"},
                    Kind{.activation = "relu"}, Kind{.activation = "silu"}, Kind{.activation = "swiglu"},
                    Kind{.kind = "encoder", .activation = "swiglu", .norm = "rms", .tied = true, .layers = 3, .width = 8}));

TEST(Forward, TokensThatAreNoBatchAreRefused) {
  const toy::Model model(toy::settings("decoder"));
  try {
    model(Tensor::of(std::vector<std::int32_t>{1, 2}, {2}));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "model: expected tokens [B, T], got [2]");
  }
  EXPECT_THROW(model(toy::tokens(1, 4), positional::contiguous(3)), Error);
}

TEST(Forward, ModelsThatCannotBeBuiltAreRefused) {
  const auto error_of = [](const nn::TransformerSettings& settings) -> std::string {
    try {
      const nn::Transformer model(settings, toy::vocabulary, 8, Random(0));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  nn::TransformerSettings settings = toy::settings("decoder");
  settings.width = 9;
  EXPECT_EQ(error_of(settings), "model: width 9 does not divide into 2 heads");
  settings = toy::settings("decoder", "rope");
  settings.width = 6;
  EXPECT_EQ(error_of(settings),
            "model.position.fraction: rotation works on pairs: expected fraction times the head width 3 to be an even number of "
            "elements, got 3");
  settings = toy::settings("decoder", "sinusoidal");
  settings.width = 5;
  settings.heads = 1;
  EXPECT_EQ(error_of(settings), "model.position: sinusoidal pairs a sine with a cosine and needs an even model.width, got 5");
}

}  // namespace
}  // namespace ropewalk
