// Layer norm (Ba, Kiros and Hinton 2016) and RMS norm (Zhang and Sennrich 2019) of rows, with their gradients.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

inline float root(float x) { return __builtin_sqrtf(x); }
inline double root(double x) { return __builtin_sqrt(x); }

/// Calls body(first, count) for as many rows at a time as a vector has lanes: what is one number a row, such as the mean, is
/// worked out for all of them at once, since one after the other each would wait for the sum across a vector.
template <class T, class Body>
void for_row_groups(Index rows, Body body) {
  for (Index first = 0; first < rows; first += kLanes<T>) body(first, rows - first < kLanes<T> ? rows - first : kLanes<T>);
}

/// Lane r is the mean over the columns of term(r, column, lanes).
template <class T, class Term>
Vector<T> row_means(Index rows, Index columns, Term term) {
  Vector<T> totals[kLanes<T>] = {};
  for (Index r = 0; r < rows; ++r) {
    Vector<T> total{};
    for_vectors<T>(columns, [&](Index c, auto lanes) { total += term(r, c, lanes); });
    totals[r] = total;
  }
  return sums_across<T>(totals) / static_cast<T>(columns);
}

template <class T>
void inverse_roots(Vector<T> x, T* y) {
  for (Index r = 0; r < kLanes<T>; ++r) y[r] = 1 / root(x[r]);
}

/// y = (x - mean) * reciprocal * weight + bias; nothing is subtracted or added unless Centred.
template <class T, bool Centred>
void normalise(const T* x, const T* weight, const T* bias, T* y, T* mean, T* reciprocal, Index rows, Index columns, T epsilon) {
  for_row_groups<T>(rows, [&](Index first, Index count) {
    const auto at = [&](Index r, Index c) { return (first + r) * columns + c; };
    T centre[kLanes<T>] = {}, scale[kLanes<T>];
    if (Centred) {
      store(centre, row_means<T>(count, columns, [&](Index r, Index c, auto lanes) { return load(x + at(r, c), lanes); }));
    }
    const Vector<T> variance = row_means<T>(count, columns, [&](Index r, Index c, auto lanes) {
      const Vector<T> v = load(x + at(r, c), lanes, centre[r]) - centre[r];
      return v * v;
    });
    inverse_roots<T>(variance + epsilon, scale);
    for (Index r = 0; r < count; ++r) {
      if (Centred) mean[first + r] = centre[r];
      reciprocal[first + r] = scale[r];
      for_vectors<T>(columns, [&](Index c, auto lanes) {
        const Vector<T> v = (load(x + at(r, c), lanes) - centre[r]) * scale[r] * load(weight + c, lanes);
        store(y + at(r, c), Centred ? v + load(bias + c, lanes) : v, lanes);
      });
    }
  });
}

/// Sums of g and of g * xhat over a row, g = dy * weight the gradient of xhat = (x - mean) * reciprocal.
template <class T>
struct Projections {
  T constant;
  T along;
};

template <class T>
Projections<T> project(const T* x, const T* weight, const T* dy, T mean, T reciprocal, Index n) {
  Vector<T> constant{}, along{};
  for_vectors<T>(n, [&](Index i, auto lanes) {
    const Vector<T> g = load(dy + i, lanes) * load(weight + i, lanes);
    constant += g;
    along += g * (load(x + i, lanes, mean) - mean);
  });
  return {sum_across<T>(constant), sum_across<T>(along) * reciprocal};
}

template <class T>
void fill_zero(T* x, Index n) {
  for (Index i = 0; i < n; ++i) x[i] = 0;
}

/// dx = or += (g - constant - xhat * along) * reciprocal, the two means being those of `project`; dweight += dy * xhat.
template <class T>
void normalised_gradient(const T* x, const T* weight, const T* dy, T* dx, T* dweight, T mean, T reciprocal, Projections<T> means,
                         Index n, bool accumulate) {
  for_vectors<T>(n, [&](Index i, auto lanes) {
    const Vector<T> xhat = (load(x + i, lanes) - mean) * reciprocal, upper = load(dy + i, lanes);
    const Vector<T> gradient = (upper * load(weight + i, lanes) - means.constant - xhat * means.along) * reciprocal;
    store(dx + i, accumulate ? load(dx + i, lanes) + gradient : gradient, lanes);
    store(dweight + i, load(dweight + i, lanes) + upper * xhat, lanes);
  });
}

}  // namespace

template <class T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, T* mean, T* reciprocal, Index rows, Index columns, T epsilon) {
  normalise<T, true>(x, weight, bias, y, mean, reciprocal, rows, columns, epsilon);
}

template <class T>
void layer_norm_gradient(const T* x, const T* weight, const T* mean, const T* reciprocal, const T* dy, T* dx, T* dweight,
                         T* dbias, Index rows, Index columns, bool accumulate) {
  const T n = static_cast<T>(columns);
  fill_zero(dweight, columns);
  column_sum(dy, dbias, rows, columns, false);
  for (Index r = 0; r < rows; ++r, x += columns, dy += columns, dx += columns) {
    const Projections<T> sums = project(x, weight, dy, mean[r], reciprocal[r], columns);
    normalised_gradient(x, weight, dy, dx, dweight, mean[r], reciprocal[r], {sums.constant / n, sums.along / n}, columns,
                        accumulate);
  }
}

template <class T>
void rms_norm(const T* x, const T* weight, T* y, T* reciprocal, Index rows, Index columns, T epsilon) {
  normalise<T, false>(x, weight, nullptr, y, nullptr, reciprocal, rows, columns, epsilon);
}

template <class T>
void rms_norm_gradient(const T* x, const T* weight, const T* reciprocal, const T* dy, T* dx, T* dweight, Index rows,
                       Index columns, bool accumulate) {
  const T n = static_cast<T>(columns);
  fill_zero(dweight, columns);
  for (Index r = 0; r < rows; ++r, x += columns, dy += columns, dx += columns) {
    const Projections<T> sums = project(x, weight, dy, T(0), reciprocal[r], columns);
    normalised_gradient(x, weight, dy, dx, dweight, T(0), reciprocal[r], {T(0), sums.along / n}, columns, accumulate);
  }
}

template void layer_norm(const float*, const float*, const float*, float*, float*, float*, Index, Index, float);
template void layer_norm(const double*, const double*, const double*, double*, double*, double*, Index, Index, double);
template void layer_norm_gradient(const float*, const float*, const float*, const float*, const float*, float*, float*, float*,
                                  Index, Index, bool);
template void layer_norm_gradient(const double*, const double*, const double*, const double*, const double*, double*, double*,
                                  double*, Index, Index, bool);
template void rms_norm(const float*, const float*, float*, float*, Index, Index, float);
template void rms_norm(const double*, const double*, double*, double*, Index, Index, double);
template void rms_norm_gradient(const float*, const float*, const float*, const float*, float*, float*, Index, Index, bool);
template void rms_norm_gradient(const double*, const double*, const double*, const double*, double*, double*, Index, Index, bool);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
