#include "framework/positional/abacus.hpp"

#include <algorithm>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/layout.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk::positional {

void Abacus::describe(Fields& fields) {
  fields.add("max_offset", max_offset_, "in training each sequence counts from a random place up to this")
      .at_least(0)
      .limit_to(1 << 20);
}

void Abacus::prepare(const Context& context, const Random& random, Type type) {
  digits_ = context.marks.digits;
  table_ = normal({max_offset_ + context.length, context.width}, 0.02, random.stream("initialize position.table"), type);
}

Tensor Abacus::embed(const Tensor& x, const Sequences& sequences) const {
  const Tensor places = digit_places(sequences.tokens, digits_);
  const Index length = places.dim(1), last = table_.dim(0) - 1;
  const Tensor rows = Tensor::zeros(places.shape(), Type::i32), counts = Tensor::zeros({places.dim(0), length, 1}, table_.type());
  for (Index b = 0; b < places.dim(0); ++b) {
    Index offset = 0;
    if (sequences.draws && sequences.draws->training) {
      Stream stream = sequences.draws->stream("abacus", b);
      offset = static_cast<Index>(stream.below(static_cast<std::uint64_t>(max_offset_) + 1));
    }
    for (Index i = b * length; i < (b + 1) * length; ++i) {
      const Index place = places.data<std::int32_t>()[i];
      if (place < 0) continue;
      rows.data<std::int32_t>()[i] = static_cast<std::int32_t>(std::min(place + offset, last));
      dispatch(counts.type(), [&]<class T>(T) { counts.data<T>()[i] = 1; });
    }
  }
  return add(x, multiply(embedding(table_, rows), counts));
}

Tensor digit_places(const Tensor& tokens, const std::vector<std::int32_t>& digits) {
  const Tensor source = packed(tokens), places = Tensor::empty(tokens.shape(), Type::i32);
  const Index length = tokens.dim(1);
  for (Index i = 0; i < tokens.size(); ++i) {
    const bool digit = std::find(digits.begin(), digits.end(), source.data<std::int32_t>()[i]) != digits.end();
    std::int32_t* place = places.data<std::int32_t>() + i;
    *place = !digit ? -1 : i % length == 0 ? 0 : place[-1] + 1;
  }
  return places;
}

}  // namespace ropewalk::positional
