// Each kernel alone, at the shapes of the models in benchmark_sizes.hpp, for every instruction set of this processor; with Google
// Benchmark's own options, such as --benchmark_filter=attention.*/M --benchmark_repetitions=5. FLOP/s counts what a model's
// arithmetic asks for: no hidden pair of an attention, nothing that is computed twice. bytes/s counts each array that is read or
// written once.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "framework/core/random.hpp"
#include "framework/kernels/gemm.hpp"
#include "framework/kernels/kernels.hpp"
#include "tests/programs/benchmark_sizes.hpp"

namespace ropewalk {
namespace {

using Table = kernels::Table<float>;
using Values = std::vector<float>;

constexpr double element = sizeof(float);

Values random_values(Index n) {
  Stream stream = Random(0).stream("kernels");
  Values values(static_cast<std::size_t>(n));
  for (float& value : values) value = static_cast<float>(stream.normal());
  return values;
}

Values zeros(Index n) { return Values(static_cast<std::size_t>(n)); }

/// Times `call`, which does that many FLOPs or moves that many bytes; 0 is not reported.
void measure(benchmark::State& state, double flops, double bytes, const std::function<void()>& call) {
  call();  // the first call makes what the others reuse
  for (auto iteration : state) {
    static_cast<void>(iteration);
    call();
    benchmark::ClobberMemory();
  }
  const auto rate = [&](double amount) { return benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate); };
  if (flops > 0) state.counters["FLOP/s"] = rate(flops);
  if (bytes > 0) state.counters["bytes/s"] = rate(bytes);
}

// Matrix multiplication: oneDNN's choice of instruction set, not ours.

/// y = x weightᵀ + bias + residual.
struct Linear {
  std::string name;
  Index rows, inner, columns;
  bool has_bias = false, has_residual = false;
};

std::vector<Linear> linears_of(const Size& size) {
  const Index tokens = size.shard_tokens(), width = size.width;
  return {{"qkv", tokens, width, 3 * width, true},
          {"out", tokens, width, width, true, true},
          {"up", tokens, width, 4 * width, true},
          {"down", tokens, 4 * width, width, true, true},
          {"head", tokens, width, vocabulary}};
}

void run_gemm(benchmark::State& state, const Linear& linear) {
  const auto& [name, rows, inner, columns, has_bias, has_residual] = linear;
  const Values x = random_values(rows * inner), weight = random_values(columns * inner);
  const Values bias = random_values(columns), residual = random_values(rows * columns);
  Values y = zeros(rows * columns);
  kernels::Epilogue<float> epilogue;
  if (has_bias) epilogue.bias = bias.data();
  if (has_residual) epilogue.addend = residual.data();
  const kernels::Matrix<const float> input{x.data(), rows, inner, inner, 1};
  const kernels::Matrix<const float> transposed{weight.data(), inner, columns, 1, inner};
  const kernels::Matrix<float> output{y.data(), rows, columns, columns, 1};
  measure(state, 2.0 * static_cast<double>(rows * inner * columns), 0,
          [&] { kernels::gemm(input, transposed, output, epilogue); });
}

// Attention over one shard, laid out as the model does: qkv [B, T, 3, H, d].

/// offsets: vectors for all distances meet the queries and join the values; key_offsets: they meet the keys; gap_offsets: like
/// offsets, where positions have gaps.
enum class Scheme { none, rotation, distance, position, difference, fire, offsets, key_offsets, gap_offsets };

class DistanceBias final : public kernels::ScoreBias<float> {
 public:
  DistanceBias(const Table& table, Index heads, Index length)
      : table_(table), length_(length), values_(random_values(heads * row())), gradient_(zeros(heads * row())) {}

  void add(Index, Index head, kernels::Range queries, kernels::Range keys, float* scores, Index stride) const override {
    table_.add_distance_bias(values_.data() + head * row(), length_ - 1, queries, keys, scores, stride);
  }
  void collect(Index, Index head, kernels::Range queries, kernels::Range keys, const float* dscores, Index stride) override {
    table_.collect_distance_bias(gradient_.data() + head * row(), length_ - 1, queries, keys, dscores, stride);
  }

 private:
  Index row() const { return 2 * length_ - 1; }

  const Table& table_;
  Index length_;
  Values values_, gradient_;
};

/// Positions 0, 3, 6 … of queries and keys.
std::vector<std::int32_t> spread_positions(Index length) {
  std::vector<std::int32_t> positions;
  for (Index i = 0; i < length; ++i) positions.push_back(static_cast<std::int32_t>(3 * i));
  return positions;
}

class PositionBias final : public kernels::ScoreBias<float> {
 public:
  PositionBias(const Table& table, Index heads, Index length)
      : table_(table),
        offset_(3 * (length - 1)),
        indices_(spread_positions(length)),
        values_(random_values(heads * row())),
        gradient_(zeros(heads * row())) {}

  void add(Index, Index head, kernels::Range queries, kernels::Range keys, float* scores, Index stride) const override {
    table_.add_position_bias(values_.data() + head * row(), offset_, positions(), queries, keys, scores, stride);
  }
  void collect(Index, Index head, kernels::Range queries, kernels::Range keys, const float* dscores, Index stride) override {
    table_.collect_position_bias(gradient_.data() + head * row(), offset_, positions(), queries, keys, dscores, stride);
  }

 private:
  Index row() const { return 2 * offset_ + 1; }
  kernels::Positions positions() const { return {indices_.data(), indices_.data()}; }

  const Table& table_;
  Index offset_;
  std::vector<std::int32_t> indices_;
  Values values_, gradient_;
};

class DifferenceBias final : public kernels::ScoreBias<float> {
 public:
  DifferenceBias(const Table& table, Index batch, Index heads, Index length) : table_(table), heads_(heads), length_(length) {
    sums_.resize(static_cast<std::size_t>(batch * heads * length));
    for (std::size_t i = 1; i < sums_.size(); ++i) sums_[i] = sums_[i - 1] - 0.1;
    dqueries_.resize(sums_.size());
    dkeys_.resize(sums_.size());
  }

  void add(Index batch, Index head, kernels::Range queries, kernels::Range keys, float* scores, Index stride) const override {
    const double* sums = sums_.data() + row(batch, head);
    table_.add_difference_bias(sums, sums, queries, keys, scores, stride);
  }
  void collect(Index batch, Index head, kernels::Range queries, kernels::Range keys, const float* dscores,
               Index stride) override {
    const Index at = row(batch, head);
    table_.collect_difference_bias(dqueries_.data() + at, dkeys_.data() + at, queries, keys, dscores, stride);
  }

 private:
  Index row(Index batch, Index head) const { return (batch * heads_ + head) * length_; }

  const Table& table_;
  Index heads_, length_;
  std::vector<double> sums_, dqueries_, dkeys_;
};

/// Weights as a new layer has them: uniform in (-1, 1), for its one input.
class FireBias final : public kernels::ScoreBias<float> {
 public:
  FireBias(const Table& table, Index length)
      : table_(table), indices_(spread_positions(length)), dpsi_(static_cast<std::size_t>(3 * length)) {
    Stream stream = Random(0).stream("fire");
    for (float& weight : weights_) weight = static_cast<float>(2 * stream.uniform() - 1);
    const auto psi = [](Index distance) { return std::log(0.1f * static_cast<float>(distance) + 1); };
    for (Index distance = 0; distance < 3 * length; ++distance) psi_.push_back(psi(distance));
    for (Index i = 0; i < length; ++i) reciprocal_.push_back(1 / psi(std::max<Index>(3 * i, 16)));
    dreciprocal_.resize(static_cast<std::size_t>(2 * length));
  }

  void add(Index, Index, kernels::Range queries, kernels::Range keys, float* scores, Index stride) const override {
    table_.add_fire_bias(fire(), queries, keys, scores, stride);
  }
  void collect(Index, Index, kernels::Range queries, kernels::Range keys, const float* dscores, Index stride) override {
    float* const weights = dweights_.data();
    double* const reciprocal = dreciprocal_.data();
    const kernels::FireGradient<float> gradient{weights,      weights + width, weights + 2 * width,         weights + 3 * width,
                                                dpsi_.data(), reciprocal,      reciprocal + indices_.size()};
    table_.collect_fire_bias(fire(), gradient, queries, keys, dscores, stride);
  }

 private:
  static constexpr Index width = 32;

  kernels::Fire<float> fire() const {
    const float* const weights = weights_.data();
    return {width,
            weights,
            weights + width,
            weights + 2 * width,
            weights[3 * width],
            {indices_.data(), indices_.data()},
            psi_.data(),
            reciprocal_.data(),
            reciprocal_.data()};
  }

  const Table& table_;
  std::vector<std::int32_t> indices_;
  Values weights_ = zeros(3 * width + 1), dweights_ = weights_, psi_, reciprocal_;
  std::vector<double> dpsi_, dreciprocal_;
};

/// Null for a scheme that adds nothing to the scores.
std::unique_ptr<kernels::ScoreBias<float>> make_bias(Scheme scheme, const Table& table, const Size& size) {
  switch (scheme) {
    case Scheme::none:
    case Scheme::rotation:
    case Scheme::offsets:
    case Scheme::key_offsets:
    case Scheme::gap_offsets: break;
    case Scheme::distance: return std::make_unique<DistanceBias>(table, size.heads, size.length);
    case Scheme::position: return std::make_unique<PositionBias>(table, size.heads, size.length);
    case Scheme::difference: return std::make_unique<DifferenceBias>(table, size.shard(), size.heads, size.length);
    case Scheme::fire: return std::make_unique<FireBias>(table, size.length);
  }
  return nullptr;
}

class AttentionArrays {
 public:
  AttentionArrays(const Table& table, const Size& size, Scheme scheme)
      : size_(size),
        scheme_(scheme),
        bias_(make_bias(scheme, table, size)),
        qkv_(random_values(3 * output_size())),
        angles_(random_values(size.length * size.head_width() / 2)),
        output_(zeros(output_size())),
        log_sum_exp_(zeros(size.shard_tokens() * size.heads)),
        doutput_(random_values(output_size())),
        dqkv_(zeros(3 * output_size())),
        table_(random_values(3 * size.length * size.head_width())),
        dtable_(zeros(static_cast<Index>(table_.size()))) {
    for (float angle : angles_) {
      cosine_.push_back(std::cos(angle));
      sine_.push_back(std::sin(angle));
    }
    for (Index i = 0; i < size.length; ++i) {
      positions_.push_back(static_cast<std::int32_t>(scheme == Scheme::gap_offsets ? 3 * i / 2 : i));
    }
    const Index farthest = positions_.back();
    const auto term = [&](kernels::OffsetSide side) {
      terms_.push_back({side, -farthest, farthest, table_.data()});
      dterms_.push_back(dtable_.data());
    };
    if (scheme == Scheme::key_offsets) term(kernels::OffsetSide::key);
    if (scheme == Scheme::offsets || scheme == Scheme::gap_offsets) {
      term(kernels::OffsetSide::query);
      term(kernels::OffsetSide::value);
    }
  }

  kernels::Attention<float> forward() {
    const Index width = size_.width, head_width = size_.head_width();
    kernels::Attention<float> a;
    a.batch = size_.shard();
    a.heads = size_.heads;
    a.queries = a.keys = size_.length;
    a.width = head_width;
    a.query = qkv_.data();
    a.key = a.query + width;
    a.value = a.key + width;
    a.query_strides = a.key_strides = a.value_strides = {size_.length * 3 * width, 3 * width, head_width};
    a.scale = 1 / std::sqrt(static_cast<float>(head_width));
    if (scheme_ == Scheme::rotation) a.query_rotation = a.key_rotation = {cosine_.data(), sine_.data(), head_width / 2, true};
    a.bias = bias_.get();
    a.offsets = terms_;
    a.positions = {positions_.data(), positions_.data()};
    a.output = output_.data();
    a.output_strides = {size_.length * width, width, head_width};
    a.log_sum_exp = log_sum_exp_.data();
    return a;
  }

  kernels::AttentionGradient<float> backward() {
    float* const gradient = dqkv_.data();
    kernels::AttentionGradient<float> g{doutput_.data(), gradient, gradient + size_.width, gradient + 2 * size_.width};
    g.bias = bias_.get();
    g.doffsets = dterms_;
    return g;
  }

  /// Two products of a query with a key's row, for every pair that sees each other.
  double forward_flops() const {
    const double pairs = static_cast<double>(size_.length * (size_.length + 1) / 2);
    return 4.0 * static_cast<double>(size_.shard() * size_.width) * pairs;
  }

 private:
  Index output_size() const { return size_.shard_tokens() * size_.width; }

  Size size_;
  Scheme scheme_;
  std::unique_ptr<kernels::ScoreBias<float>> bias_;
  Values qkv_, angles_, cosine_, sine_, output_, log_sum_exp_, doutput_, dqkv_, table_, dtable_;
  std::vector<std::int32_t> positions_;
  std::vector<kernels::OffsetTerm<float>> terms_;
  std::vector<float*> dterms_;
};

void run_attention(benchmark::State& state, const Table& table, const Size& size, Scheme scheme) {
  AttentionArrays arrays(table, size, scheme);
  measure(state, arrays.forward_flops(), 0, [&] { table.attention(arrays.forward()); });
}

void run_attention_gradient(benchmark::State& state, const Table& table, const Size& size, Scheme scheme) {
  AttentionArrays arrays(table, size, scheme);
  table.attention(arrays.forward());
  measure(state, 2 * arrays.forward_flops(), 0, [&] { table.attention_gradient(arrays.forward(), arrays.backward()); });
}

// Row-wise and element-wise kernels, over the tokens of one shard.

struct Norm {
  explicit Norm(const Size& size)
      : rows(size.shard_tokens()),
        columns(size.width),
        x(random_values(rows * columns)),
        dy(x),
        weight(random_values(columns)),
        bias(weight),
        y(zeros(rows * columns)),
        mean(zeros(rows)),
        reciprocal(zeros(rows)),
        dweight(zeros(columns)),
        dbias(zeros(columns)) {}

  void forward(const Table& table) {
    table.layer_norm(x.data(), weight.data(), bias.data(), y.data(), mean.data(), reciprocal.data(), rows, columns, 1e-5f);
  }
  void backward(const Table& table) {
    table.layer_norm_gradient(x.data(), weight.data(), mean.data(), reciprocal.data(), dy.data(), y.data(), dweight.data(),
                              dbias.data(), rows, columns, /*accumulate=*/false);
  }
  double bytes(int arrays) const { return arrays * element * static_cast<double>(rows * columns); }

  Index rows, columns;
  Values x, dy, weight, bias, y, mean, reciprocal, dweight, dbias;
};

void run_layer_norm(benchmark::State& state, const Table& table, const Size& size) {
  Norm norm(size);
  measure(state, 0, norm.bytes(2), [&] { norm.forward(table); });
}

void run_layer_norm_gradient(benchmark::State& state, const Table& table, const Size& size) {
  Norm norm(size);
  norm.forward(table);
  measure(state, 0, norm.bytes(3), [&] { norm.backward(table); });
}

void run_gelu(benchmark::State& state, const Table& table, const Size& size) {
  const Index n = size.shard_tokens() * 4 * size.width;
  const Values x = random_values(n);
  Values y = zeros(n);
  measure(state, 0, 2 * element * static_cast<double>(n), [&] { table.unary(kernels::Unary::gelu, x.data(), 1, y.data(), n); });
}

/// Value and gradient in one pass and in place, as the backward pass of a feed-forward layer wants them. 10 is its own gelu, with
/// derivative 1, so doing it again and again changes nothing.
void run_gelu_gradient(benchmark::State& state, const Table& table, const Size& size) {
  const Index n = size.shard_tokens() * 4 * size.width;
  Values x(static_cast<std::size_t>(n), 10.0f), dy(static_cast<std::size_t>(n), 1.0f);
  measure(state, 0, 4 * element * static_cast<double>(n),
          [&] { table.unary_with_gradient(kernels::Unary::gelu, x.data(), dy.data(), n); });
}

struct Loss {
  explicit Loss(const Size& size)
      : rows(size.shard_tokens()),
        logits(random_values(rows * vocabulary)),
        dlogits(zeros(rows * vocabulary)),
        loss(zeros(rows)),
        log_sum_exp(zeros(rows)),
        dloss(static_cast<std::size_t>(rows), 1.0f) {
    for (Index row = 0; row < rows; ++row) targets.push_back(static_cast<std::int32_t>(7 * row % vocabulary));
  }

  void forward(const Table& table) {
    table.cross_entropy(logits.data(), targets.data(), loss.data(), log_sum_exp.data(), rows, vocabulary);
  }
  void backward(const Table& table) {
    table.cross_entropy_gradient(logits.data(), targets.data(), log_sum_exp.data(), dloss.data(), dlogits.data(), rows,
                                 vocabulary);
  }
  double bytes(int arrays) const { return arrays * element * static_cast<double>(rows * vocabulary); }

  Index rows;
  Values logits, dlogits, loss, log_sum_exp, dloss;
  std::vector<std::int32_t> targets;
};

void run_cross_entropy(benchmark::State& state, const Table& table, const Size& size) {
  Loss loss(size);
  measure(state, 0, loss.bytes(1), [&] { loss.forward(table); });
}

void run_cross_entropy_gradient(benchmark::State& state, const Table& table, const Size& size) {
  Loss loss(size);
  loss.forward(table);
  measure(state, 0, loss.bytes(2), [&] { loss.backward(table); });
}

/// Over all weights of the model: reads and writes the parameters and both moments, reads the gradient.
void run_adamw(benchmark::State& state, const Table& table, const Size& size) {
  const Index n = 12 * size.layers * size.width * size.width + 2 * vocabulary * size.width;
  const Values gradient = random_values(n);
  Values parameters = gradient, first = zeros(n), second = zeros(n);
  const kernels::AdamStep step{.rate = 1e-3, .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-8, .decay = 0.01};
  measure(state, 0, 7 * element * static_cast<double>(n),
          [&] { table.adamw(step, gradient.data(), parameters.data(), first.data(), second.data(), n); });
}

void register_linears(const std::string& name, const Size& size) {
  for (const Linear& linear : linears_of(size)) {
    benchmark::RegisterBenchmark(("gemm/" + name + "/" + linear.name).c_str(), run_gemm, linear);
  }
}

void register_kernels(const std::string& name, const Size& size, const std::string& instruction_set) {
  const Table& table = kernels::table<float>(instruction_set);
  const std::string where = "/" + name + "/" + instruction_set;
  const auto add = [&](const std::string& kernel, auto run, const auto&... options) {
    benchmark::RegisterBenchmark((kernel + where).c_str(), [&table, size, run, options...](benchmark::State& state) {
      run(state, table, size, options...);
    });
  };
  for (const auto& [scheme, suffix] : {std::pair{Scheme::none, ""},
                                       {Scheme::rotation, "_rotation"},
                                       {Scheme::distance, "_distance"},
                                       {Scheme::position, "_position"},
                                       {Scheme::difference, "_difference"},
                                       {Scheme::fire, "_fire"},
                                       {Scheme::offsets, "_offsets"},
                                       {Scheme::key_offsets, "_key_offsets"},
                                       {Scheme::gap_offsets, "_gap_offsets"}}) {
    add(std::string("attention") + suffix, run_attention, scheme);
    add(std::string("attention_gradient") + suffix, run_attention_gradient, scheme);
  }
  add("layer_norm", run_layer_norm);
  add("layer_norm_gradient", run_layer_norm_gradient);
  add("gelu", run_gelu);
  add("gelu_gradient", run_gelu_gradient);
  add("cross_entropy", run_cross_entropy);
  add("cross_entropy_gradient", run_cross_entropy_gradient);
  add("adamw", run_adamw);
}

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const char* name : {"S", "M", "L"}) {
    const ropewalk::Size& size = ropewalk::sizes.at(name);
    ropewalk::register_linears(name, size);
    for (const std::string& set : ropewalk::kernels::instruction_sets()) ropewalk::register_kernels(name, size, set);
  }
  benchmark::RunSpecifiedBenchmarks();
}
