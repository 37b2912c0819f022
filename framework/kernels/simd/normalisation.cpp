// Layer norm (Ba, Kiros and Hinton 2016) and RMS norm (Zhang and Sennrich 2019) of rows, with their gradients.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

template <class T>
T inverse_root(T x) {
  return static_cast<T>(1 / __builtin_sqrt(static_cast<double>(x)));
}

/// Sum over the row of (x - centre)^2.
template <class T>
T spread(const T* x, T centre, Index n) {
  Vector<T> total{};
  for_vectors<T>(n, [&](Index i, auto lanes) {
    const Vector<T> v = load(x + i, lanes, centre) - centre;
    total += v * v;
  });
  return sum_across<T>(total);
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
  for (Index r = 0; r < rows; ++r, x += columns, y += columns) {
    const T centre = mean[r] = sum(x, columns) / static_cast<T>(columns);
    const T scale = reciprocal[r] = inverse_root(spread(x, centre, columns) / static_cast<T>(columns) + epsilon);
    for_vectors<T>(columns, [&](Index i, auto lanes) {
      store(y + i, (load(x + i, lanes) - centre) * scale * load(weight + i, lanes) + load(bias + i, lanes), lanes);
    });
  }
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
  for (Index r = 0; r < rows; ++r, x += columns, y += columns) {
    const T scale = reciprocal[r] = inverse_root(spread(x, T(0), columns) / static_cast<T>(columns) + epsilon);
    for_vectors<T>(columns,
                   [&](Index i, auto lanes) { store(y + i, load(x + i, lanes) * scale * load(weight + i, lanes), lanes); });
  }
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
