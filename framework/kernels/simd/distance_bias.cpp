// Biases that depend on query - key alone: a row of values serves every block.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

/// before[last], v[0], v[1], … v[last - 1]
template <class T, int... Lane>
Vector<T> pushed(Vector<T> before, Vector<T> v, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(before, v, (kLanes<T> - 1 + Lane)...);
}

template <class T>
void add_lanes(Vector<T> v, T* y, Index count) {
  for (Index i = 0; i < count; ++i) y[i] += v[i];
}

/// Adds the sums along the diagonals of a strip, one vector wide: drow[lane - row] += dscores[row, lane].
///
/// Row by row, each sum would be stored only to be loaded for the next row, one element further: the processor cannot hand it
/// on. So the sums of two vectors of diagonals stay in registers and move up a lane with each row; what arrives in the upper
/// vector is complete.
template <class T>
void collect_strip(T* drow, const T* dscores, Index rows, Index stride) {
  constexpr Index width = kLanes<T>;
  constexpr std::make_integer_sequence<int, width> lanes;
  Vector<T> lower{}, upper{};
  for (Index done = 0; done < rows;) {
    const Index count = rows - done < width ? rows - done : width;
    for (Index r = 0; r < count; ++r, dscores += stride) {
      upper = pushed<T>(lower, upper, lanes);
      lower = pushed<T>(Vector<T>{}, lower, lanes) + load(dscores);
    }
    T* complete = drow + width - (done + count - 1);
    if (done > 0 && count == width) {
      store(complete, load(complete) + upper);
    } else {
      add_lanes(upper, complete, done == 0 ? count - 1 : count);
    }
    upper = Vector<T>{};
    done += count;
  }
  T* last = drow - (rows - 1);
  store(last, load(last) + lower);
}

}  // namespace

template <class T>
void add_distance_bias(const T* row, Index offset, Range queries, Range keys, T* scores, Index stride) {
  const T* first = row + queries.begin - keys.begin + offset;
  for_vectors<T>(queries.size(), [&](Index i, auto lanes) {
    for (Index j = 0; j < keys.size(); ++j) {
      T* target = scores + j * stride + i;
      store(target, load(target, lanes) + load(first + i - j, lanes), lanes);
    }
  });
}

template <class T>
void collect_distance_bias(T* drow, Index offset, Range queries, Range keys, const T* dscores, Index stride) {
  T* first = drow + queries.begin - keys.begin + offset;
  Index i = 0;
  for (; i + kLanes<T> <= queries.size(); i += kLanes<T>) collect_strip(first + i, dscores + i, keys.size(), stride);
  for (; i < queries.size(); ++i) {
    for (Index j = 0; j < keys.size(); ++j) first[i - j] += dscores[j * stride + i];
  }
}

template void add_distance_bias(const float*, Index, Range, Range, float*, Index);
template void add_distance_bias(const double*, Index, Range, Range, double*, Index);
template void collect_distance_bias(float*, Index, Range, Range, const float*, Index);
template void collect_distance_bias(double*, Index, Range, Range, const double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
