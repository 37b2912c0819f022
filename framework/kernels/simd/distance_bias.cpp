// Biases that depend on key - query alone: a row of values serves every block.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

template <class T>
void add_distance_bias(const T* row, Index offset, Range queries, Range keys, T* scores, Index stride) {
  const Index columns = keys.end - keys.begin;
  for (Index i = queries.begin; i < queries.end; ++i, scores += stride) {
    accumulate(row + (keys.begin - i + offset), scores, columns);
  }
}

template <class T>
void collect_distance_bias(T* drow, Index offset, Range queries, Range keys, const T* dscores, Index stride) {
  const Index columns = keys.end - keys.begin;
  for (Index i = queries.begin; i < queries.end; ++i, dscores += stride) {
    accumulate(dscores, drow + (keys.begin - i + offset), columns);
  }
}

template void add_distance_bias(const float*, Index, Range, Range, float*, Index);
template void add_distance_bias(const double*, Index, Range, Range, double*, Index);
template void collect_distance_bias(float*, Index, Range, Range, const float*, Index);
template void collect_distance_bias(double*, Index, Range, Range, const double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
