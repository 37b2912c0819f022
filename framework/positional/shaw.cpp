#include "framework/positional/shaw.hpp"

#include "framework/ops/layout.hpp"
#include "framework/ops/select.hpp"
#include "framework/positional/offsets.hpp"

namespace ropewalk::positional {

void Shaw::describe(Fields& fields) {
  fields.add("clip", clip_, "offsets further away share a vector, tokens").at_least(0).limit_to(1 << 20);
  fields.add("values", values_, "vectors for values as well as for keys");
  LayeredScheme::describe(fields);
}

void Shaw::prepare(const Context& context, const Random& random, Type type) {
  const Shape shape{2 * clip_ + 1, context.head_width()};
  key_ = small_normal(shape, random, "aK", type);
  value_ = small_normal(shape, random, "aV", type);
}

Parameters Shaw::parameters() {
  Parameters parameters{{"aK", &key_, false}};
  if (values_) parameters.push_back({"aV", &value_, false});
  return parameters;
}

Effect Shaw::effect(const Places& places, Type) const {
  std::vector<std::int32_t> falling;  // the tables go by n − m, attention by m − n
  for (Index row = 2 * clip_; row >= 0; --row) falling.push_back(static_cast<std::int32_t>(row));
  const Tensor order = Tensor::of(falling, {1, 2 * clip_ + 1});
  const Tensor keys = gather(key_, 0, order), values = gather(value_, 0, order);
  return [=, *this](AttentionTerms& terms, const Tensor&) {
    add_offset_term(terms, places, kernels::OffsetSide::query, keys, -clip_);
    if (values_) add_offset_term(terms, places, kernels::OffsetSide::value, values, -clip_);
  };
}

}  // namespace ropewalk::positional
