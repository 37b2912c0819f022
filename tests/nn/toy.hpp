// Small models and readings of them, for the tests of the model and of its positional schemes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "framework/nn/transformer.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk::toy {

/// A value of a setting; of a selection the kind, of a list of selections the kinds.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                           std::vector<std::string>>;
using Values = std::vector<std::pair<std::string, Value>>;

/// Gives a setting a value of exactly its own type. Paths lead into the selected kinds: "scaling.factor".
inline void assign(Fields fields, const std::string& path, const Value& value) {
  const std::string name = path.substr(0, path.find('.'));
  for (Field& field : fields.all()) {
    if (field.name != name) continue;
    if (Selection** selection = std::get_if<Selection*>(&field.target)) {
      if (name != path) return assign((*selection)->fields(), path.substr(name.size() + 1), value);
      return (*selection)->select(std::get<std::string>(value));
    }
    if (SelectionList** list = std::get_if<SelectionList*>(&field.target)) {
      (*list)->clear();
      for (const std::string& kind : std::get<std::vector<std::string>>(value)) (*list)->append().select(kind);
      return;
    }
    return std::visit([&](const auto& given) { *std::get<std::decay_t<decltype(given)>*>(field.target) = given; }, value);
  }
  throw Error(fmt::format("assign: no setting '{}'", path));
}

/// A scheme of this kind with some settings changed, not yet prepared.
inline std::unique_ptr<positional::Scheme> scheme(const std::string& kind, const Values& values = {}) {
  Choice<positional::Scheme> choice(positional::schemes(), kind);
  for (const auto& [name, value] : values) assign(choice.fields(), name, value);
  return choice->clone();
}

/// Two layers of two heads of width 4: the smallest model in which layers, heads and pairs of elements can be told apart.
inline nn::TransformerSettings settings(const std::string& kind, const std::string& scheme = "none", const Values& values = {}) {
  nn::TransformerSettings settings;
  settings.kind = kind;
  settings.heads = 2;
  settings.width = 8;
  settings.hidden = 12;
  settings.position.select(scheme);
  for (const auto& [name, value] : values) assign(settings.position.fields(), name, value);
  return settings;
}

/// Moves a fresh model to where every part of it matters: weights 15 times larger, norms and biases away from 1 and 0. What a
/// scheme has learned stays at its start, and takes no part in what the others become.
inline void enliven(const nn::Transformer& model) {
  const Random random(99);
  for (const Parameter& parameter : model.parameters()) {
    if (parameter.name.find("position.") != std::string::npos) continue;
    Stream stream = random.stream(parameter.name);
    dispatch(parameter.tensor->type(), [&]<class T>(T) {
      T* values = parameter.tensor->data<T>();
      for (Index i = 0; i < parameter.tensor->size(); ++i)
        values[i] = static_cast<T>(15.0 * (parameter.decays ? values[i] : T{1} / 15));
      for (Index i = 0; i < parameter.tensor->size(); ++i) values[i] += static_cast<T>(0.2 * stream.normal());
    });
  }
}

constexpr Index vocabulary = 11;

/// Token 0 ends a part of a sequence, 1 to 4 are digits.
inline const positional::Marks marks{{1, 2, 3, 4}, {0}};

/// A model that has been enlivened.
class Model : public nn::Transformer {
 public:
  explicit Model(const nn::TransformerSettings& settings, Index trained_length = 8, Type type = Type::f64)
      : Transformer(settings, {vocabulary, marks}, trained_length, Random(7), type) {
    enliven(*this);
  }
};

/// Random tokens [B, T].
inline Tensor tokens(Index batch, Index length, std::uint64_t seed = 1) {
  Stream stream = Random(seed).stream("tokens");
  Tensor tokens = Tensor::empty({batch, length}, Type::i32);
  for (Index i = 0; i < tokens.size(); ++i) tokens.data<std::int32_t>()[i] = static_cast<std::int32_t>(stream.below(vocabulary));
  return tokens;
}

/// Mean cross-entropy of predicting other random tokens: a scalar that depends on every output.
inline Tensor loss(const nn::Transformer& model, const Tensor& tokens, const nn::Pass& pass = {}) {
  return mean(cross_entropy(model(tokens, pass), toy::tokens(tokens.dim(0), tokens.dim(1), 2)));
}

/// Largest absolute difference of two tensors of one shape; NaN if there is a NaN.
inline double distance(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  const std::vector<double> x = a.values(), y = b.values();
  double largest = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (const double d = std::abs(x[i] - y[i]); !(d <= largest)) largest = d;
  }
  return largest;
}

}  // namespace ropewalk::toy
