#include "tests/nn/naive.hpp"

#include <cmath>

namespace ropewalk::naive {
namespace {

/// One forward pass. D width, d head width, H heads.
class Forward {
 public:
  Forward(const nn::TransformerSettings& settings, const Scheme& scheme, const Weights& weights)
      : settings_(settings),
        scheme_(scheme),
        weights_(weights),
        width_(static_cast<std::size_t>(settings.width)),
        heads_(static_cast<std::size_t>(settings.heads)),
        head_width_(width_ / heads_) {}

  Rows run(const std::vector<int>& tokens) const {
    Rows x;
    for (std::size_t m = 0; m < tokens.size(); ++m) x.push_back(embed(static_cast<std::size_t>(tokens[m]), m));
    for (Index layer = 0; layer < settings_.layers; ++layer) x = block(x, "blocks." + std::to_string(layer) + ".");
    Rows result;
    for (const Vector& row : x) result.push_back(product(norm(row, "norm"), settings_.tie_embeddings ? "embed" : "head"));
    return result;
  }

 private:
  const Vector& at(const std::string& name) const { return weights_.at(name); }

  Vector embed(std::size_t token, std::size_t m) const {
    Vector x(width_);
    for (std::size_t c = 0; c < width_; ++c) {
      x[c] = at("embed.weight")[token * width_ + c];
      const double angle =
          static_cast<double>(m) / std::pow(10000.0, static_cast<double>(c / 2 * 2) / static_cast<double>(width_));
      if (scheme_.kind == "sinusoidal") x[c] += c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      if (scheme_.kind == "learned") x[c] += at("position.table")[m * width_ + c];
    }
    return x;
  }

  Rows block(Rows x, const std::string& name) const {
    Rows normal;
    for (const Vector& row : x) normal.push_back(product(norm(row, name + "norm1"), name + "attention.qkv"));
    for (std::size_t m = 0; m < x.size(); ++m) {
      add(x[m], product(attend(normal, m), name + "attention.out"));
      add(x[m], feed_forward(norm(x[m], name + "norm2"), name + "mlp."));
    }
    return x;
  }

  /// Row m of the attention output, heads side by side.
  Vector attend(const Rows& qkv, std::size_t m) const {
    Vector result(width_, 0.0);
    const std::size_t seen = settings_.causal() ? m + 1 : qkv.size();
    for (std::size_t h = 0; h < heads_; ++h) {
      double total = 0;
      Vector mixed(head_width_, 0.0);
      for (std::size_t n = 0; n < seen; ++n) {
        const double weight = std::exp(score(qkv, h, m, n));
        total += weight;
        for (std::size_t c = 0; c < head_width_; ++c) mixed[c] += weight * qkv[n][2 * width_ + h * head_width_ + c];
      }
      for (std::size_t c = 0; c < head_width_; ++c) result[h * head_width_ + c] = mixed[c] / total;
    }
    return result;
  }

  double score(const Rows& qkv, std::size_t h, std::size_t m, std::size_t n) const {
    const Vector q = turned(head(qkv[m], 0, h), m), k = turned(head(qkv[n], 1, h), n);
    double dot = 0;
    for (std::size_t c = 0; c < head_width_; ++c) dot += q[c] * k[c];
    return dot / std::sqrt(static_cast<double>(head_width_)) + bias(h, static_cast<int>(m) - static_cast<int>(n));
  }

  Vector head(const Vector& qkv, std::size_t part, std::size_t h) const {
    const auto begin = qkv.begin() + static_cast<std::ptrdiff_t>(part * width_ + h * head_width_);
    return Vector(begin, begin + static_cast<std::ptrdiff_t>(head_width_));
  }

  Vector turned(Vector x, std::size_t position) const {
    if (scheme_.kind != "rope") return x;
    for (std::size_t j = 0; j < head_width_ / 2; ++j) {
      const std::size_t a = scheme_.half ? j : 2 * j, b = scheme_.half ? j + head_width_ / 2 : 2 * j + 1;
      const double exponent = -2.0 * static_cast<double>(j) / static_cast<double>(head_width_);
      const double angle = static_cast<double>(position) * std::pow(10000.0, exponent);
      const double first = x[a], second = x[b];
      x[a] = first * std::cos(angle) - second * std::sin(angle);
      x[b] = second * std::cos(angle) + first * std::sin(angle);
    }
    return x;
  }

  /// Heads a power of two (alibi); distances below 8 (t5, where all of them have buckets of their own).
  double bias(std::size_t h, int distance) const {
    if (scheme_.kind == "alibi") {
      return -std::abs(distance) * std::pow(2.0, -8.0 * static_cast<double>(h + 1) / static_cast<double>(heads_));
    }
    if (scheme_.kind != "t5") return 0;
    const int bucket = distance >= 0 ? distance : 16 - distance;
    return at("position.table")[h * 32 + static_cast<std::size_t>(bucket)];
  }

  Vector feed_forward(const Vector& x, const std::string& name) const {
    Vector up = product(x, name + "up");
    const bool gated = settings_.activation == "swiglu";
    const Vector gate = gated ? product(x, name + "gate") : Vector();
    for (std::size_t i = 0; i < up.size(); ++i)
      up[i] = gated ? up[i] * activation("silu", gate[i]) : activation(settings_.activation, up[i]);
    return product(up, name + "down");
  }

  static double activation(const std::string& name, double x) {
    if (name == "relu") return x > 0 ? x : 0;
    if (name == "silu") return x / (1 + std::exp(-x));
    if (name == "gelu") return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  }

  Vector norm(const Vector& x, const std::string& name) const {
    const bool layer = settings_.norm == "layer";
    const double count = static_cast<double>(x.size());
    double mean = 0, variance = 0;
    for (double value : x) mean += layer ? value / count : 0;
    for (double value : x) variance += (value - mean) * (value - mean) / count;
    Vector y(x.size());
    for (std::size_t c = 0; c < x.size(); ++c) {
      y[c] = (x[c] - mean) / std::sqrt(variance + 1e-5) * at(name + ".weight")[c] + (layer ? at(name + ".bias")[c] : 0);
    }
    return y;
  }

  /// weight x + bias, if there is a bias.
  Vector product(const Vector& x, const std::string& name) const {
    const Vector& weight = at(name + ".weight");
    Vector y(weight.size() / x.size(), 0.0);
    if (weights_.contains(name + ".bias")) y = at(name + ".bias");
    for (std::size_t out = 0; out < y.size(); ++out) {
      for (std::size_t in = 0; in < x.size(); ++in) y[out] += weight[out * x.size() + in] * x[in];
    }
    return y;
  }

  static void add(Vector& x, const Vector& y) {
    for (std::size_t c = 0; c < x.size(); ++c) x[c] += y[c];
  }

  const nn::TransformerSettings& settings_;
  const Scheme& scheme_;
  const Weights& weights_;
  std::size_t width_, heads_, head_width_;
};

}  // namespace

Rows logits(const nn::TransformerSettings& settings, const Scheme& scheme, const Weights& weights,
            const std::vector<int>& tokens) {
  return Forward(settings, scheme, weights).run(tokens);
}

}  // namespace ropewalk::naive
