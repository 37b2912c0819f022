#include "framework/nn/positioning.hpp"
#include "tests/positional/probe.hpp"

namespace ropewalk {
namespace {

using Kinds = std::vector<std::string>;
using Found = std::vector<std::string>;

const positional::Context context{.width = 8, .heads = 2, .length = 8, .marks = toy::marks};
const Tensor tokens = toy::tokens(1, 8);
const Tensor zeros = Tensor::zeros({1, 8, 8}, Type::f64), layer_input = normal({1, 8, 8}, 1, Random(4).stream("x"), Type::f64);
const positional::Positions positions = positional::contiguous(8);

std::unique_ptr<positional::Scheme> sum_of(const Kinds& kinds) { return toy::scheme("sum", {{"parts", kinds}}); }

/// A scheme as a model has it, with parameters that cannot be overlooked.
nn::Positioning at_work(const positional::Scheme& scheme) {
  nn::Positioning positioning(scheme, context, 2, Random(3), Type::f64);
  for (const Parameter& own : positioning.parameters()) {
    const Tensor drawn = normal(own.tensor->shape(), 1, Random(8).stream(own.name), Type::f64);
    std::copy_n(drawn.data<double>(), drawn.size(), own.tensor->data<double>());
  }
  return positioning;
}

/// A scheme alone, with the parameters that it has as a part of a sum.
nn::Positioning alone(const std::string& kind, nn::Positioning& sum, std::size_t part) {
  nn::Positioning positioning(*toy::scheme(kind), context, 2, Random(3), Type::f64);
  for (const Parameter& own : positioning.parameters()) {
    const std::string there = fmt::format("position.parts.{}.{}", part, own.name.substr(std::string("position.").size()));
    for (const Parameter& other : sum.parameters()) {
      if (other.name == there) std::copy_n(other.tensor->data<double>(), other.tensor->size(), own.tensor->data<double>());
    }
  }
  return positioning;
}

Tensor embedded(const nn::Positioning& scheme) { return scheme.embed(zeros, {tokens, positions, nullptr}); }

Tensor scores(const nn::Positioning& scheme) {
  const toy::Heads x{2, 8, 4};
  return attention_map(x.qkv, 2, scheme.pass(positions).terms(0, layer_input)).scores;
}

class SumOf : public testing::TestWithParam<Kinds> {};

TEST_P(SumOf, EmbeddingsAndScoresAddUp) {
  nn::Positioning sum = at_work(*sum_of(GetParam()));
  const Tensor plain = scores(at_work(*toy::scheme("none")));
  Tensor expected_embedding = zeros, expected_scores = plain;
  for (std::size_t part = 0; part < GetParam().size(); ++part) {
    const nn::Positioning by_itself = alone(GetParam()[part], sum, part);
    const Tensor its_embedding = embedded(by_itself), its_scores = subtract(scores(by_itself), plain);
    EXPECT_GT(toy::distance(its_embedding, zeros) + toy::distance(its_scores, Tensor::zeros(plain.shape(), Type::f64)), 1e-3)
        << GetParam()[part];
    expected_embedding = add(expected_embedding, its_embedding);
    expected_scores = add(expected_scores, its_scores);
  }
  EXPECT_LT(toy::distance(embedded(sum), expected_embedding), 1e-13);
  EXPECT_LT(toy::distance(scores(sum), expected_scores), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Parts, SumOf,
                         testing::Values(Kinds{"sinusoidal", "alibi"}, Kinds{"learned", "t5"}, Kinds{"segment", "rope", "alibi"},
                                         Kinds{"shaw", "kerple"}, Kinds{"transformer_xl", "shaw"}, Kinds{"abacus", "deberta"},
                                         Kinds{"xpos", "forget"}, Kinds{"cope", "fire", "sandwich"}, Kinds{"alibi", "alibi"}),
                         [](const auto& info) {
                           std::string name;
                           for (const std::string& kind : info.param) name += (name.empty() ? "" : "_") + kind;
                           return name;
                         });

TEST(Sum, ParametersAreNamedByThePart) {
  nn::Positioning positioning(*sum_of({"learned", "none", "t5"}), context, 2, Random(3), Type::f64);
  Kinds names;
  for (const Parameter& own : positioning.parameters()) names.push_back(own.name);
  EXPECT_EQ(names, (Kinds{"position.parts.0.table", "position.parts.2.table"}));
}

TEST(Sum, OnePartAloneMayHaveParametersForEveryLayer) {
  const auto scheme = sum_of({"learned", "t5"});
  Fields fields;
  scheme->describe(fields);
  SelectionList& parts = *std::get<SelectionList*>(fields.all()[0].target);
  toy::assign(parts[1].fields(), "per_layer", true);
  nn::Positioning positioning(*scheme, context, 2, Random(3), Type::f64);
  Kinds names;
  for (const Parameter& own : positioning.parameters()) names.push_back(own.name);
  EXPECT_EQ(names, (Kinds{"position.parts.0.table", "blocks.0.position.parts.1.table", "blocks.1.position.parts.1.table"}));
}

Found complaints(const Kinds& kinds, bool causal = true) {
  positional::Context other = context;
  other.causal = causal;
  return toy::complaints(*sum_of(kinds), other);
}

TEST(SumComplaints, NameThePart) {
  EXPECT_EQ(complaints({"sinusoidal", "alibi"}), Found{});
  EXPECT_EQ(complaints({"rope", "alibi", "xpos"}), Found{"parts[2].kind: queries and keys can be rotated by one part alone"});
  EXPECT_EQ(complaints({"learned", "sum"}), Found{"parts[1].kind: a sum inside a sum adds nothing: list its parts here"});
  EXPECT_EQ(complaints({"shaw", "deberta"}),
            Found{"parts[1].kind: divides its scores by a root of its own: no other part that looks vectors up by distance goes "
                  "with it"});
  EXPECT_EQ(complaints({"deberta", "alibi"}), Found{});
}

TEST(SumComplaints, OfAPartThatHasNoBidirectionalFormAreMadeOnce) {
  EXPECT_EQ(complaints({"alibi", "cope"}), Found{});
  const Found found = complaints({"alibi", "cope"}, false);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("parts[1].kind: has no bidirectional form"), 0u);
}

TEST(SumComplaints, OfAPartThatTheTaskDoesNotServeAreMadeOnce) {
  positional::Context unmarked = context;
  unmarked.marks = {};
  EXPECT_EQ(toy::complaints(*sum_of({"segment", "rope"}), unmarked),
            Found{"parts[0].kind: tells the parts of a sequence apart, and this task marks no ends of parts"});
}

}  // namespace
}  // namespace ropewalk
