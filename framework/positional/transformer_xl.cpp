#include "framework/positional/transformer_xl.hpp"

#include <cmath>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/matmul.hpp"
#include "framework/ops/position_bias.hpp"
#include "framework/positional/offsets.hpp"
#include "framework/positional/sinusoidal.hpp"

namespace ropewalk::positional {
void TransformerXl::describe(Fields& fields) {
  fields.add("base", base_, "base of the sinusoid of the offset").above(1);
  LayeredScheme::describe(fields);
}

std::vector<Complaint> TransformerXl::complaints(const Context& context, const std::vector<Index>&) const {
  if (context.width % 2 == 0) return {};
  return {{"", fmt::format("its sinusoid pairs a sine with a cosine and needs an even model.width, got {}", context.width)}};
}

void TransformerXl::prepare(const Context& context, const Random& random, Type type) {
  projection_ = small_normal({context.width, context.width}, random, "W_R", type);
  u_ = small_normal({context.heads, context.head_width()}, random, "u", type);
  v_ = small_normal({context.heads, context.head_width()}, random, "v", type);
}

Effect TransformerXl::effect(const Places& places, Type type) const {
  const auto [least, most] = places.nearest().span();
  const auto nearest = static_cast<Index>(least);
  const Index heads = u_.dim(0), width = u_.dim(1), count = static_cast<Index>(most) - nearest + 1;
  const Tensor sinusoids = convert(sinusoid(contiguous(count, least), heads * width, base_), type);
  const Tensor projected = linear(reshape(sinusoids, {count, heads * width}), projection_);  // [R, D]
  const Tensor rows = permute(reshape(projected, {count, heads, width}), {1, 0, 2});         // [H, R, d]
  const Tensor met = reshape(matmul(rows, reshape(v_, {heads, width, 1})), {heads, count});  // v·(W_R r)
  const auto bias = position_bias(scale(met, 1 / std::sqrt(static_cast<double>(width))), nearest, places.queries.rounded(),
                                  places.keys.rounded());
  const Tensor u = reshape(u_, {heads, 1, width});
  return [=](AttentionTerms& terms, const Tensor&) {
    add_offset_term(terms, places, kernels::OffsetSide::query, rows, nearest);
    add_offset_term(terms, places, kernels::OffsetSide::key, u, 0);
    terms.biases.push_back(bias);
  };
}

}  // namespace ropewalk::positional
