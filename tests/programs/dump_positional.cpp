// `dump_positional CASES.yaml OUT.h5` works out what positional schemes do, for another implementation to work it out again;
// tests/oracle/check_positional.py says what is in OUT.h5. CASES.yaml: {cases: [{name, model: {…}, trained, length, sequences,
// type, training}], samplers: [{name, positions: {…}, trained, length, sequences, training}]}. `training`: positions are drawn as
// in training.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/config/decode.hpp"
#include "experiments/config/encode.hpp"
#include "experiments/config/parse.hpp"
#include "experiments/record/file.hpp"
#include "experiments/record/hdf5.hpp"
#include "framework/nn/positioning.hpp"
#include "framework/nn/settings.hpp"
#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/reduce.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk {
namespace {

using positional::Positions;

constexpr std::int32_t vocabulary = 11;
const positional::Marks marks{{1, 2, 3, 4}, {0}};
const Random random(1);

struct Case {
  std::string name, type = "f64";
  std::int64_t trained = 8, length = 8, sequences = 2;
  bool training = false;
  nn::TransformerSettings model;

  void describe(Fields& fields) {
    fields.add("name", name, "of the group");
    fields.add("type", type, "of the tensors").one_of({"f32", "f64"});
    fields.add("trained", trained, "trained length, tokens");
    fields.add("length", length, "tokens");
    fields.add("sequences", sequences, "in the batch");
    fields.add("training", training, "positions are drawn as in training");
    fields.section("model", model, "heads, width, kind, position and positions");
  }

  Type element() const { return type == "f32" ? Type::f32 : Type::f64; }
  Tensor normal(const Shape& shape, const char* purpose, double deviation = 1) const {
    return ropewalk::normal(shape, deviation, random.stream(purpose + name), element());
  }
};

Tensor random_tokens(const Case& c) {
  Stream stream = random.stream("tokens" + c.name);
  const Tensor tokens = Tensor::empty({c.sequences, c.length}, Type::i32);
  for (Index i = 0; i < tokens.size(); ++i) tokens.data<std::int32_t>()[i] = static_cast<std::int32_t>(stream.below(vocabulary));
  return tokens;
}

Positions positions_of(const Case& c) {
  const positional::Draws draws{random, 0, 0, c.training};
  return c.model.positions->positions(c.length, c.sequences, &draws);
}

/// Writes the tensors of a case.
class Group {
 public:
  Group(hdf5::Writer& file, std::string path) : file_(file), path_(std::move(path)) {}

  void put(const std::string& name, const Tensor& x) { put(name, x.shape(), x.values()); }
  void put(const std::string& name, const Shape& shape, const std::vector<double>& values) {
    file_.dataset(path_ + "/" + name, shape, values, {"1", name});
  }
  template <class T>
  void attribute(const std::string& name, const T& value) {
    file_.attribute(path_, name, value);
  }

 private:
  hdf5::Writer& file_;
  std::string path_;
};

double root_mean_square(const Tensor& x) {
  double squares = 0;
  for (double value : x.values()) squares += value * value;
  return std::sqrt(squares / static_cast<double>(x.size()));
}

/// Parameters moved away from where they start, so that every part of a formula shows: what starts as small noise becomes larger
/// noise, what starts from a value of its own stays near it.
Parameters lively_parameters(nn::Positioning& positioning, const Case& c) {
  Parameters parameters = positioning.parameters();
  for (Parameter& own : parameters) {
    own.name = own.name.substr(own.name.find("position.") + std::string("position.").size());
    const double size = root_mean_square(*own.tensor);
    const Tensor noise = c.normal(own.tensor->shape(), own.name.c_str(), size < 0.05 ? 0.3 : 0.1 * size);
    *own.tensor = parameter(add(*own.tensor, noise));
  }
  return parameters;
}

void put_rotation(Group& group, const AttentionTerms& terms, const Positions& positions) {
  if (!terms.query_rotation.defined()) return;
  RotationTables tables = terms.query_rotation;
  if (terms.growth)
    tables = grown(tables, terms.growth->rate, terms.growth->query_positions,
                   std::vector<double>(static_cast<std::size_t>(positions.sequences()), 0.0));
  const Shape shape{positions.sequences(), positions.length(), tables.cosine.dim(-1)};
  group.put("rotation/cos", reshape(tables.cosine, shape));
  group.put("rotation/sin", reshape(tables.sine, shape));
}

/// What is added to the scores whatever queries and keys are, unless that is nothing.
void put_bias(Group& group, const AttentionTerms& terms, const Case& c) {
  const Tensor zeros = Tensor::zeros({c.sequences, c.model.heads, c.length, c.model.width / c.model.heads}, c.element());
  const DenseBlock block{zeros, zeros, {0, c.length}, c.length, c.length, 1};
  Tensor total = Tensor::zeros({c.sequences, c.model.heads, c.length, c.length}, c.element());
  for (const auto& bias : terms.biases) total = add(total, bias->dense(block, bias->inputs()));
  if (terms.causal) total = masked_fill(total, hidden_keys(block), 0);
  const std::vector<double> values = total.values();
  if (std::any_of(values.begin(), values.end(), [](double value) { return value != 0; })) group.put("bias", total);
}

void put_gradients(Group& group, const Tensor& loss, const Tensor& qkv, const Tensor& x, const Parameters& parameters) {
  Tensors leaves{qkv, x};
  for (const Parameter& own : parameters) leaves.push_back(*own.tensor);
  const Tensors gradient = gradients(loss, leaves);
  group.put("gradient/qkv", gradient[0]);
  group.put("gradient/x", gradient[1]);
  for (std::size_t i = 0; i < parameters.size(); ++i) group.put("gradient/parameters/" + parameters[i].name, gradient[i + 2]);
}

void dump_case(hdf5::Writer& file, const Case& c) {
  Group group(file, "/cases/" + c.name);
  const positional::Context context = c.model.context(c.trained, marks);
  for (const positional::Complaint& complaint : positional::complaints_about(*c.model.position, context, {c.length})) {
    throw Error(fmt::format("{}: {}: {}", c.name, complaint.setting, complaint.reason));
  }
  nn::Positioning positioning(*c.model.position, context, 1, random, c.element());
  const Parameters parameters = lively_parameters(positioning, c);
  const Positions positions = positions_of(c);
  const Tensor tokens = random_tokens(c), probe = c.normal({c.sequences, c.length, c.model.width}, "probe");
  const Tensor x = parameter(c.normal(probe.shape(), "x")),
               qkv = parameter(c.normal({c.sequences, c.length, 3 * c.model.width}, "qkv"));
  const Tensor embedded = positioning.embed(x, {tokens, positions, nullptr});
  const AttentionTerms terms = positioning.pass(positions).terms(0, x);
  const Tensor output = attention(qkv, c.model.heads, terms);
  const AttentionMap map = attention_map(qkv, c.model.heads, terms);

  file.group("/cases/" + c.name);
  Fields fields;
  nn::TransformerSettings model = c.model;
  model.describe(fields);
  const config::Tree settings = config::encode(fields);
  group.attribute("position", config::flow_yaml(settings.find("position")->value));
  group.attribute("causal", std::int64_t{c.model.causal()});
  group.attribute("heads", c.model.heads);
  group.attribute("width", c.model.width);
  group.attribute("trained", c.trained);
  group.attribute("type", c.type);
  group.put("tokens", tokens);
  group.put("digits", {4}, {1, 2, 3, 4});
  group.put("separators", {1}, {0});
  group.put("positions", {positions.sequences(), positions.length()}, positions.values());
  group.put("x", x);
  group.put("qkv", qkv);
  group.put("probe", probe);
  for (const Parameter& own : parameters) group.put("parameters/" + own.name, *own.tensor);
  if (!embedded.shares(x)) group.put("embedding", subtract(embedded, x));
  group.put("scores", map.scores);
  group.put("weights", map.weights);
  group.put("output", output);
  put_rotation(group, terms, positions);
  put_bias(group, terms, c);
  put_gradients(group, add(sum(multiply(output, probe)), sum(multiply(embedded, probe))), qkv, x, parameters);
}

void dump_draws(hdf5::Writer& file, const Case& c) {
  file.group("/samplers/" + c.name);
  Group group(file, "/samplers/" + c.name);
  Fields fields;
  nn::TransformerSettings model = c.model;
  model.describe(fields);
  group.attribute("positions", config::flow_yaml(config::encode(fields).find("positions")->value));
  group.attribute("training", std::int64_t{c.training});
  const Positions drawn = positions_of(c);
  std::vector<double> rows;
  for (Index s = 0; s < c.sequences; ++s) {
    for (Index i = 0; i < c.length; ++i) rows.push_back(drawn.at(s % drawn.sequences(), i));
  }
  group.put("positions", {c.sequences, c.length}, rows);
}

Case read_case(const config::Tree& tree) {
  Case c;
  Fields fields;
  c.describe(fields);
  config::Complaints complaints;
  config::decode(tree, fields, complaints);
  complaints.raise();
  c.model.resolve(c.trained, marks);
  return c;
}

void dump(const std::string& cases, const std::string& out) {
  config::Complaints complaints;
  const auto tree = config::parse(read_file(cases), cases, config::Lines::shown, complaints);
  complaints.raise();
  hdf5::Writer file(out);
  const auto for_each = [&](const char* group, auto function) {
    const config::Entry* entry = tree->find(group);
    for (const config::Tree& item : entry ? entry->value.items : std::vector<config::Tree>{}) function(file, read_case(item));
  };
  for_each("cases", dump_case);
  for_each("samplers", dump_draws);
  file.save();
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: dump_positional CASES.yaml OUT.h5\n");
    return 2;
  }
  try {
    ropewalk::dump(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
