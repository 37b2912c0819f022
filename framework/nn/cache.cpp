#include "framework/nn/cache.hpp"

#include <algorithm>

#include "framework/ops/layout.hpp"

namespace ropewalk::nn {
namespace {

Tensor grown(const Tensor& past, const Tensor& added) { return past.defined() ? concatenate({past, added}, 1) : packed(added); }

/// `concatenate` is for numbers.
Tensor grown_tokens(const Tensor& past, const Tensor& added) {
  if (!past.defined()) return copy(added);
  check(past.dim(0) == added.dim(0), "cache: expected tokens of {} sequences, got {}", past.dim(0), added.dim(0));
  const Index before = past.dim(1), more = added.dim(1);
  const Tensor from = packed(added), all = Tensor::empty({past.dim(0), before + more}, Type::i32);
  for (Index row = 0; row < past.dim(0); ++row) {
    std::int32_t* target = all.data<std::int32_t>() + row * (before + more);
    std::copy_n(past.data<std::int32_t>() + row * before, before, target);
    std::copy_n(from.data<std::int32_t>() + row * more, more, target + before);
  }
  return all;
}

}  // namespace

void Cache::append_tokens(const Tensor& tokens) { tokens_ = grown_tokens(tokens_, tokens); }

const Cache::Layer& Cache::append(Index layer, const Tensor& input, const Tensor& qkv) {
  if (layer == static_cast<Index>(layers_.size())) layers_.emplace_back();
  Layer& own = layers_[static_cast<std::size_t>(layer)];
  const Index width = qkv.dim(2) / 3;
  own.key = grown(own.key, slice(qkv, 2, width, 2 * width));
  own.value = grown(own.value, slice(qkv, 2, 2 * width, 3 * width));
  own.input = grown(own.input, input);
  return own;
}

}  // namespace ropewalk::nn
