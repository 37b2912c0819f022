// A model that cannot learn a handful of sequences by heart has a wrong gradient or a missing path.
#include "framework/kernels/kernels.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

void step(const nn::Transformer& model, const Tensor& loss, Tensor& first, Tensor& second, int count) {
  const double beta1 = 0.9, beta2 = 0.98;
  const kernels::AdamStep adam{.rate = 3e-3,
                               .beta1 = beta1,
                               .beta2 = beta2,
                               .epsilon = 1e-8,
                               .correction1 = 1 - std::pow(beta1, count),
                               .correction2 = 1 - std::pow(beta2, count)};
  Index begin = 0;
  for (const Tensor& gradient : gradients(loss, model.leaves())) {
    const Tensor packed_gradient = packed(gradient);
    kernels::table<float>().adamw(adam, packed_gradient.data<float>(), model.flat().data<float>() + begin,
                                  first.data<float>() + begin, second.data<float>() + begin, gradient.size());
    begin += gradient.size();
  }
}

/// Four sequences, each with a first token that is found nowhere else. Without it the task could not be solved: of two equal
/// tokens at the start, a relative scheme sees the average of equal values, so the first and the second look the same to it.
Tensor batch() {
  const Tensor tokens = toy::tokens(4, 8);
  for (Index i = 0; i < tokens.size(); ++i) {
    std::int32_t& token = tokens.data<std::int32_t>()[i];
    token = i % 8 == 0 ? static_cast<std::int32_t>(i / 8) : 4 + token % 7;
  }
  return tokens;
}

class Overfit : public testing::TestWithParam<const char*> {};

TEST_P(Overfit, ASmallBatchIsLearnedByHeart) {
  nn::TransformerSettings settings = toy::settings("decoder", GetParam());
  settings.width = 32;
  settings.heads = 4;
  settings.hidden = 0;
  const nn::Transformer model(settings, toy::vocabulary, 8, Random(1));
  Tensor first = Tensor::zeros({model.parameter_count()}), second = Tensor::zeros({model.parameter_count()});
  const Tensor tokens = batch();
  EXPECT_NEAR(toy::loss(model, tokens).item(), std::log(static_cast<double>(toy::vocabulary)), 0.1);
  for (int count = 1; count <= 300; ++count) step(model, toy::loss(model, tokens), first, second, count);
  EXPECT_LT(toy::loss(model, tokens).item(), 0.05);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Overfit, testing::Values("none", "sinusoidal", "learned", "rope", "alibi", "t5"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace ropewalk
