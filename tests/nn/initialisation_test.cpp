#include <map>

#include "tests/nn/toy.hpp"

namespace ropewalk {
namespace {

nn::TransformerSettings settings(const std::string& scheme = "none", const toy::Values& values = {}) {
  nn::TransformerSettings settings = toy::settings("decoder", scheme, values);
  settings.layers = 3;
  settings.heads = 4;
  settings.width = 64;
  settings.hidden = 0;
  settings.activation = "swiglu";
  return settings;
}

std::map<std::string, std::vector<double>> start(const nn::TransformerSettings& settings, std::uint64_t seed = 0,
                                                 Type type = Type::f32) {
  const nn::Transformer model(settings, 100, 32, Random(seed), type);
  std::map<std::string, std::vector<double>> values;
  for (const Parameter& parameter : model.parameters()) values[parameter.name] = parameter.tensor->values();
  return values;
}

bool ends_with(const std::string& name, const std::string& end) { return name.ends_with(end); }

void expect_normal(const std::vector<double>& values, double deviation, const std::string& name) {
  double sum = 0, squares = 0, cubes = 0;
  for (double value : values) {
    sum += value;
    squares += value * value;
    cubes += value * value * value;
  }
  const double count = static_cast<double>(values.size()), error = 4.5 / std::sqrt(count);
  EXPECT_NEAR(sum / count, 0, error * deviation) << name;
  EXPECT_NEAR(std::sqrt(squares / count) / deviation, 1, error / std::sqrt(2.0)) << name;
  EXPECT_NEAR(cubes / count / std::pow(deviation, 3), 0, error * std::sqrt(15.0)) << name;
}

TEST(Initialisation, FollowsGpt2) {
  for (const auto& [name, values] : start(settings("learned"))) {
    const bool residual = ends_with(name, "attention.out.weight") || ends_with(name, "mlp.down.weight");
    const bool norm = name.find("norm") != std::string::npos && ends_with(name, ".weight");
    if (norm || ends_with(name, ".bias")) {
      EXPECT_EQ(values, std::vector<double>(values.size(), norm ? 1.0 : 0.0)) << name;
    } else {
      expect_normal(values, residual ? 0.02 / std::sqrt(2.0 * 3) : 0.02, name);
    }
  }
}

TEST(Initialisation, HiddenWidthIsFourTimesTheWidthUnlessGiven) {
  EXPECT_EQ(start(settings()).at("blocks.0.mlp.up.bias").size(), 256u);
}

TEST(Initialisation, TheSameSeedGivesTheSameBitsAndAnotherSeedOthers) {
  EXPECT_EQ(start(settings("t5"), 5), start(settings("t5"), 5));
  const auto one = start(settings("t5"), 5), other = start(settings("t5"), 6);
  for (const auto& [name, values] : one) {
    const bool drawn = !ends_with(name, ".bias") && name.find("norm") == std::string::npos;
    EXPECT_EQ(values != other.at(name), drawn) << name;
  }
}

TEST(Initialisation, SinglePrecisionIsDoubleRounded) {
  const auto single = start(settings("t5"), 5), exact = start(settings("t5"), 5, Type::f64);
  for (const auto& [name, values] : exact) {
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(single.at(name)[i], static_cast<float>(values[i])) << name;
  }
}

TEST(Initialisation, NoTwoParametersAreDrawnAlike) {
  std::map<double, std::string> first;
  for (const auto& [name, values] : start(settings("t5", {{"per_layer", true}}))) {
    if (ends_with(name, ".bias") || name.find("norm") != std::string::npos) continue;
    // Residual projections are drawn with a smaller deviation, so what identifies a stream is the ratio of its first two numbers.
    const auto [place, is_new] = first.emplace(values[0] / values[1], name);
    EXPECT_TRUE(is_new) << name << " starts as " << place->second << " does";
  }
}

TEST(Initialisation, ASchemesParametersChangeNoOthersStart) {
  const auto plain = start(settings("none"));
  for (const toy::Values& values : {toy::Values{}, toy::Values{{"per_layer", true}}}) {
    const auto with_tables = start(settings("t5", values));
    EXPECT_GT(with_tables.size(), plain.size());
    for (const auto& [name, start] : plain) EXPECT_EQ(with_tables.at(name), start) << name;
  }
  const auto learned = start(settings("learned"));
  for (const auto& [name, start] : plain) EXPECT_EQ(learned.at(name), start) << name;
}

}  // namespace
}  // namespace ropewalk
