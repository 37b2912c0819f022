#include "framework/positional/segment.hpp"

#include <algorithm>

#include "framework/ops/elementwise.hpp"
#include "framework/ops/select.hpp"

namespace ropewalk::positional {

void Segment::describe(Fields& fields) {
  fields.add("segments", segments_, "vectors that parts of a sequence take in turn").at_least(2).limit_to(4096);
}

void Segment::prepare(const Context& context, const Random& random, Type type) {
  separators_ = context.marks.separators;
  table_ = normal({segments_, context.width}, 0.02, random.stream("initialize position.table"), type);
}

Tensor Segment::embed(const Tensor& x, const Sequences& sequences) const {
  const Tensor tokens = packed(sequences.tokens), segments = Tensor::empty(tokens.shape(), Type::i32);
  const Index length = tokens.dim(1);
  Index segment = 0;
  for (Index i = 0; i < tokens.size(); ++i) {
    if (i % length == 0) segment = 0;
    segments.data<std::int32_t>()[i] = static_cast<std::int32_t>(segment);
    const bool ends = std::find(separators_.begin(), separators_.end(), tokens.data<std::int32_t>()[i]) != separators_.end();
    if (ends) segment = (segment + 1) % segments_;
  }
  return add(x, embedding(table_, segments));
}

}  // namespace ropewalk::positional
