// What a model shows of its first layer.
#include "framework/ops/elementwise.hpp"
#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

TEST(FirstLayer, SumIsTokensAndWhatIsAdded) {
  for (const char* scheme : {"sinusoidal", "learned", "abacus", "segment", "sum"}) {
    const toy::Model model(toy::settings("decoder", scheme));
    const nn::FirstLayer layer = model.first_layer(toy::tokens(2, 8));
    ASSERT_TRUE(layer.added.defined()) << scheme;
    EXPECT_LT(toy::distance(layer.sum, add(layer.token_embedding, layer.added)), 1e-15) << scheme;
    EXPECT_GT(toy::distance(layer.sum, layer.token_embedding), 0.001) << scheme;
  }
}

TEST(FirstLayer, NothingAddedIsUndefined) {
  for (const char* scheme : {"none", "rope", "alibi"}) {
    const nn::FirstLayer layer = toy::Model(toy::settings("decoder", scheme)).first_layer(toy::tokens(1, 6));
    EXPECT_FALSE(layer.added.defined()) << scheme;
    EXPECT_EQ(toy::distance(layer.sum, layer.token_embedding), 0) << scheme;
  }
}

TEST(FirstLayer, OnlySchemesThatAddWithoutContentHaveABias) {
  const auto has_bias = [](const char* scheme) {
    return toy::Model(toy::settings("decoder", scheme)).first_layer(toy::tokens(1, 6)).attention.bias.defined();
  };
  for (const char* scheme : {"alibi", "t5", "kerple", "sandwich", "fire", "forget", "transformer_xl", "sum"})
    EXPECT_TRUE(has_bias(scheme));
  for (const char* scheme : {"none", "rope", "xpos", "cope", "shaw", "deberta", "learned"}) EXPECT_FALSE(has_bias(scheme));
}

TEST(FirstLayer, RecordsNothing) {
  EXPECT_FALSE(toy::Model(toy::settings("decoder", "t5")).first_layer(toy::tokens(1, 6)).attention.scores.tracked());
}

TEST(Positioning, ShowsThePartThatHasIt) {
  const nn::TransformerSettings settings =
      toy::settings("decoder", "sum", {{"parts", std::vector<std::string>{"rope", "alibi"}}});
  const toy::Model model(settings);
  EXPECT_EQ(model.positioning().rotation(positional::contiguous(6)).cosine.shape(), (Shape{6, 2}));
  EXPECT_EQ(model.positioning().frequencies(6).size(), 2u);
  EXPECT_EQ(model.positioning().slopes().values(), (std::vector<double>{1.0 / 16, 1.0 / 256}));
}

}  // namespace
}  // namespace ropewalk
