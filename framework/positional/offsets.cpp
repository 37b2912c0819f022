#include "framework/positional/offsets.hpp"

namespace ropewalk::positional {

void add_offset_term(AttentionTerms& terms, const Places& places, kernels::OffsetSide side, const Tensor& rows, Index low) {
  terms.query_positions = places.queries.rounded();
  terms.key_positions = places.keys.rounded();
  terms.offsets.push_back({side, rows, low});
}

}  // namespace ropewalk::positional
