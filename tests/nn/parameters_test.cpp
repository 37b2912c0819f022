// Names, shapes and order of the parameters: what a checkpoint promises.
#include <numeric>
#include <tuple>

#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

struct Positional {
  std::string kind;
  toy::Values values;
  std::string symbol;  ///< of its parameter; empty: it has none
  Shape shape;
  bool per_layer = false;
};

constexpr Index trained = 16, width = 24, heads = 6, hidden = 40, layers = 3;

const Positional schemes[] = {
    {"none", {}, "", {}},
    {"sinusoidal", {}, "", {}},
    {"learned", {}, "table", {trained, width}},
    {"learned", {{"max_length", std::int64_t{99}}}, "table", {99, width}},
    {"rope", {}, "", {}},
    {"alibi", {}, "", {}},
    {"alibi", {{"slopes", "learned"}}, "slopes", {heads}},
    {"t5", {}, "table", {heads, 32}},
    {"t5", {{"per_layer", true}, {"buckets", std::int64_t{16}}}, "table", {heads, 16}, true},
};

struct Named {
  std::string name;
  Shape shape;
  bool decays;

  bool operator==(const Named&) const = default;
};

void PrintTo(const Named& named, std::ostream* out) {
  *out << named.name << " " << to_string(named.shape) << " " << named.decays;
}

class Parameters : public testing::TestWithParam<std::tuple<std::string, std::string, bool, std::string, Positional>> {
 protected:
  static nn::TransformerSettings settings() {
    const auto& [activation, norm, tied, kind, scheme] = GetParam();
    nn::TransformerSettings settings = toy::settings(kind, scheme.kind, scheme.values);
    settings.activation = activation;
    settings.norm = norm;
    settings.tie_embeddings = tied;
    settings.width = width;
    settings.heads = heads;
    settings.hidden = hidden;
    settings.layers = layers;
    return settings;
  }

  static void expect_norm(const std::string& name, std::vector<Named>& list) {
    list.push_back({name + ".weight", {width}, false});
    if (std::get<1>(GetParam()) == "layer") list.push_back({name + ".bias", {width}, false});
  }

  static void expect_linear(const std::string& name, Index out, Index in, std::vector<Named>& list) {
    list.push_back({name + ".weight", {out, in}, true});
    list.push_back({name + ".bias", {out}, false});
  }

  static void expect_block(const std::string& name, std::vector<Named>& list) {
    expect_norm(name + ".norm1", list);
    expect_linear(name + ".attention.qkv", 3 * width, width, list);
    expect_linear(name + ".attention.out", width, width, list);
    expect_norm(name + ".norm2", list);
    expect_linear(name + ".mlp.up", hidden, width, list);
    if (std::get<0>(GetParam()) == "swiglu") expect_linear(name + ".mlp.gate", hidden, width, list);
    expect_linear(name + ".mlp.down", width, hidden, list);
  }

  static std::vector<Named> expected() {
    const auto& [activation, norm, tied, kind, scheme] = GetParam();
    std::vector<Named> list{{"embed.weight", {toy::vocabulary, width}, true}};
    for (int layer = 0; layer < layers; ++layer) expect_block("blocks." + std::to_string(layer), list);
    expect_norm("norm", list);
    if (!tied) list.push_back({"head.weight", {toy::vocabulary, width}, true});
    if (scheme.symbol.empty()) return list;
    if (!scheme.per_layer) list.push_back({"position." + scheme.symbol, scheme.shape, false});
    for (int layer = 0; scheme.per_layer && layer < layers; ++layer) {
      list.push_back({"blocks." + std::to_string(layer) + ".position." + scheme.symbol, scheme.shape, false});
    }
    return list;
  }
};

TEST_P(Parameters, HaveTheNamesShapesAndOrderOfTheCheckpoint) {
  const nn::Transformer model(settings(), toy::vocabulary, trained, Random(0));
  std::vector<Named> found;
  for (const Parameter& parameter : model.parameters())
    found.push_back({parameter.name, parameter.tensor->shape(), parameter.decays});
  EXPECT_EQ(found, expected());
}

TEST_P(Parameters, AreCountedByTheFormula) {
  const auto& [activation, norm, tied, kind, scheme] = GetParam();
  const Index norm_size = (norm == "layer" ? 2 : 1) * width, up = activation == "swiglu" ? 2 : 1;
  const Index block = 4 * width * width + 4 * width + (up + 1) * width * hidden + up * hidden + width + 2 * norm_size;
  const Index scheme_size = scheme.symbol.empty() ? 0 : size_of(scheme.shape) * (scheme.per_layer ? layers : 1);
  const Index expected = toy::vocabulary * width * (tied ? 1 : 2) + layers * block + norm_size + scheme_size;
  EXPECT_EQ(nn::Transformer(settings(), toy::vocabulary, trained, Random(0)).parameter_count(), expected);
}

INSTANTIATE_TEST_SUITE_P(Models, Parameters,
                         testing::Combine(testing::Values("gelu", "gelu_tanh", "relu", "silu", "swiglu"),
                                          testing::Values("layer", "rms"), testing::Bool(), testing::Values("decoder", "encoder"),
                                          testing::ValuesIn(schemes)),
                         [](const auto& info) { return fmt::format("model_{}", info.index); });

TEST(ParameterNames, ASingleLayersOwnSchemeIsNamedByItsLayer) {
  nn::TransformerSettings settings = toy::settings("decoder", "t5", {{"per_layer", true}});
  settings.layers = 1;
  EXPECT_EQ(toy::Model(settings).parameters().back().name, "blocks.0.position.table");
}

TEST(FlatParameters, HoldEveryParameterInOrderWithoutGaps) {
  const nn::Transformer model(toy::settings("decoder", "t5"), toy::vocabulary, trained, Random(0), Type::f64);
  std::vector<double> joined;
  for (const Parameter& parameter : model.parameters()) {
    EXPECT_TRUE(parameter.tensor->shares(model.flat())) << parameter.name;
    EXPECT_EQ(parameter.tensor->data<double>(), model.flat().data<double>() + joined.size()) << parameter.name;
    const std::vector<double> values = parameter.tensor->values();
    joined.insert(joined.end(), values.begin(), values.end());
  }
  EXPECT_EQ(joined, model.flat().values());
}

TEST(FlatParameters, WritingToThemChangesTheModelAndItsLeaves) {
  const toy::Model model(toy::settings("decoder", "t5"));
  const toy::Model other(toy::settings("decoder", "t5"));
  const Tensor tokens = toy::tokens(1, 8);
  const Tensor before = model(tokens);
  for (Index i = 0; i < model.flat().size(); ++i) model.flat().data<double>()[i] *= 1.1;
  EXPECT_GT(toy::distance(before, model(tokens)), 1e-3);
  EXPECT_EQ(toy::distance(before, other(tokens)), 0);
  EXPECT_DOUBLE_EQ(model.leaves()[0].values()[0], 1.1 * other.leaves()[0].values()[0]);
}

TEST(FlatParameters, LeavesAreTheParametersInTheirOrder) {
  const toy::Model model(toy::settings("decoder", "learned"));
  const Tensors leaves = model.leaves();
  ASSERT_EQ(leaves.size(), model.parameters().size());
  for (std::size_t p = 0; p < leaves.size(); ++p) {
    EXPECT_TRUE(leaves[p].tracked());
    EXPECT_EQ(leaves[p].data<double>(), model.parameters()[p].tensor->data<double>());
    EXPECT_EQ(leaves[p].shape(), model.parameters()[p].tensor->shape());
  }
}

}  // namespace
}  // namespace ropewalk
