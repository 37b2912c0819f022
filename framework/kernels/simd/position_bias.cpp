// Biases that depend on query position - key position alone, for positions that are whole numbers with gaps.
#include "framework/kernels/simd/declarations.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

template <class T>
void add_position_bias(const T* row, Index offset, Positions positions, Range queries, Range keys, T* scores, Index stride) {
  const std::int32_t* query_positions = positions.queries + queries.begin;
  for (Index j = 0; j < keys.size(); ++j, scores += stride) {
    const T* of_key = row + offset - positions.keys[keys.begin + j];
#pragma omp simd
    for (Index i = 0; i < queries.size(); ++i) scores[i] += of_key[query_positions[i]];
  }
}

// One element after the other: positions that repeat meet in one element of drow.
template <class T>
void collect_position_bias(T* drow, Index offset, Positions positions, Range queries, Range keys, const T* dscores,
                           Index stride) {
  const std::int32_t* query_positions = positions.queries + queries.begin;
  for (Index j = 0; j < keys.size(); ++j, dscores += stride) {
    T* of_key = drow + offset - positions.keys[keys.begin + j];
    for (Index i = 0; i < queries.size(); ++i) of_key[query_positions[i]] += dscores[i];
  }
}

template void add_position_bias(const float*, Index, Positions, Range, Range, float*, Index);
template void add_position_bias(const double*, Index, Positions, Range, Range, double*, Index);
template void collect_position_bias(float*, Index, Positions, Range, Range, const float*, Index);
template void collect_position_bias(double*, Index, Positions, Range, Range, const double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
