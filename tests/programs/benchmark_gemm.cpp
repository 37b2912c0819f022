// Speed of the matrix library at a model's own shapes: `benchmark_gemm --size M --seconds 0.05` prints a line for each weight of
// a block and of the head and each of its products, `weight=… product=… rows=… inner=… columns=… gemm=… fused=…`. The last two
// are FLOPs per second of the product, alone and, where the model has them, with its bias and residual, which are not counted.
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <string>
#include <vector>

#include "framework/core/random.hpp"
#include "framework/kernels/gemm.hpp"
#include "tests/programs/benchmark_sizes.hpp"
#include "tests/programs/benchmark_timing.hpp"

namespace ropewalk {
namespace {

using kernels::Matrix;

/// A matrix of random numbers, by rows.
class Block {
 public:
  Block(Index rows, Index columns) : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows * columns)) {
    Stream stream = Random(0).stream("gemm");
    for (float& value : values_) value = static_cast<float>(stream.normal());
  }
  Matrix<const float> read() const { return {values_.data(), rows_, columns_, columns_, 1}; }
  Matrix<float> write() { return {values_.data(), rows_, columns_, columns_, 1}; }

 private:
  Index rows_, columns_;
  std::vector<float> values_;
};

/// y = x weightᵀ, x [tokens, in], weight [out, in].
struct Weight {
  std::string name;
  Index in, out;
  bool has_bias = false, has_residual = false;
};

std::vector<Weight> weights_of(const Size& size) {
  const Index width = size.width;
  return {{"qkv", width, 3 * width, true},
          {"out", width, width, true, true},
          {"up", width, 4 * width, true},
          {"down", 4 * width, width, true, true},
          {"head", width, vocabulary}};
}

/// The three products of one weight in training, in arrays of their own.
class Products {
 public:
  Products(const Weight& weight, Index tokens, double seconds)
      : weight_(weight),
        seconds_(seconds),
        bias_(1, weight.out),
        residual_(tokens, weight.out),
        x_(tokens, weight.in),
        y_(tokens, weight.out),
        w_(weight.out, weight.in),
        dx_(tokens, weight.in),
        dy_(tokens, weight.out),
        dw_(weight.out, weight.in) {}

  void measure() {
    kernels::Epilogue<float> epilogue;
    if (weight_.has_bias) epilogue.bias = bias_.read().data;
    if (weight_.has_residual) epilogue.addend = residual_.read().data;
    measure("forward", x_.read(), w_.read().transposed(), y_.write(), epilogue);
    measure("data_gradient", dy_.read(), w_.read(), dx_.write());
    measure("weight_gradient", dy_.read().transposed(), x_.read(), dw_.write());
  }

 private:
  void measure(const char* product, Matrix<const float> a, Matrix<const float> b, Matrix<float> c,
               const kernels::Epilogue<float>& epilogue = {}) const {
    const double flops = 2.0 * static_cast<double>(a.rows * a.columns * b.columns);
    const auto rate = [&](const kernels::Epilogue<float>& with) {
      return flops / fastest_call(seconds_, [&] { kernels::gemm(a, b, c, with); });
    };
    fmt::print("weight={} product={} rows={} inner={} columns={} gemm={:.5g}", weight_.name, product, a.rows, a.columns,
               b.columns, rate({}));
    if (epilogue.bias) fmt::print(" fused={:.5g}", rate(epilogue));
    fmt::print("\n");
  }

  Weight weight_;
  double seconds_;
  Block bias_, residual_, x_, y_, w_, dx_, dy_, dw_;
};

}  // namespace
}  // namespace ropewalk

int main(int argc, char** argv) {
  CLI::App app("Speed of matrix multiplication at the shapes of a model's training");
  std::string name = "M";
  double seconds = 0.05;
  app.add_option("--size", name)->check(CLI::IsMember(ropewalk::sizes))->capture_default_str();
  app.add_option("--seconds", seconds, "for each product")->check(ropewalk::check_seconds)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const ropewalk::Size& size = ropewalk::sizes.at(name);
  for (const ropewalk::Weight& weight : ropewalk::weights_of(size)) {
    ropewalk::Products(weight, size.shard_tokens(), seconds).measure();
  }
}
