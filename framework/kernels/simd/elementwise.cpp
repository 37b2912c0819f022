// unary, binary, accumulate.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/math.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

constexpr double kSqrt2OverPi = 0.79788456080286535588;
constexpr double kCubic = 0.044715;  // Hendrycks and Gimpel 2016

/// gelu_tanh(x) = x sigmoid(2 u(x)), u = sqrt(2/pi) (x + 0.044715 x^3).
template <class T, class V>
V gelu_gate(V x) {
  return sigmoid(x * (static_cast<T>(2 * kSqrt2OverPi) + static_cast<T>(2 * kSqrt2OverPi * kCubic) * (x * x)));
}

template <class T, class V>
V gelu_gate_slope(V x) {
  return static_cast<T>(2 * kSqrt2OverPi) + static_cast<T>(6 * kSqrt2OverPi * kCubic) * (x * x);
}

/// Elements of an array, a stride apart, as vectors.
template <class T>
struct Strided {
  const T* data;
  Index stride;

  template <class Lanes>
  Vector<T> at(Index i, Lanes lanes) const {
    if (stride == 1) return load(data + i, lanes);
    if (stride == 0) return broadcast(data[0]);
    return gather(i, lanes);
  }

 private:
  Vector<T> gather(Index i, AllLanes) const { return gather(i, FirstLanes{kLanes<T>}); }
  Vector<T> gather(Index i, FirstLanes lanes) const {
    Vector<T> v{};
    for (Index lane = 0; lane < lanes.count; ++lane) v[lane] = data[(i + lane) * stride];
    return v;
  }
};

template <class T, class Function>
void map(Strided<T> x, T* y, Index n, Function function) {
  for_vectors<T>(n, [&](Index i, auto lanes) { store(y + i, function(x.at(i, lanes)), lanes); });
}

template <class T, class Function>
void combine(Strided<T> a, Strided<T> b, T* y, Index n, Function function) {
  for_vectors<T>(n, [&](Index i, auto lanes) { store(y + i, function(a.at(i, lanes), b.at(i, lanes)), lanes); });
}

/// dx = dy * slope(x, y).
template <class T, class Slope>
void chain(const T* x, const T* y, const T* dy, T* dx, Index n, Slope slope) {
  for_vectors<T>(
      n, [&](Index i, auto lanes) { store(dx + i, load(dy + i, lanes) * slope(load(x + i, lanes), load(y + i, lanes)), lanes); });
}

}  // namespace

template <class T>
void unary(Unary kind, const T* x, Index x_stride, T* y, Index n) {
  using V = Vector<T>;
  const auto apply = [&](auto function) { map(Strided<T>{x, x_stride}, y, n, function); };
  switch (kind) {
    case Unary::exp: return apply([](V v) { return exp(v); });
    case Unary::log: return apply([](V v) { return each_lane(v, [](T a) { return logarithm_of(a); }); });
    case Unary::tanh: return apply([](V v) { return tanh(v); });
    case Unary::sigmoid: return apply([](V v) { return sigmoid(v); });
    case Unary::relu: return apply([](V v) { return v < T(0) ? V{} : v; });
    case Unary::silu: return apply([](V v) { return v * sigmoid(v); });
    case Unary::gelu: return apply([](V v) { return v * normal(v).distribution; });
    case Unary::gelu_tanh: return apply([](V v) { return v * gelu_gate<T>(v); });
    case Unary::negate: return apply([](V v) { return -v; });
    case Unary::square_root: return apply([](V v) { return each_lane(v, [](T a) -> T { return __builtin_sqrt(a); }); });
    case Unary::reciprocal: return apply([](V v) { return 1 / v; });
  }
}

template <class T>
void unary_gradient(Unary kind, const T* x, const T* y, const T* dy, T* dx, Index n) {
  using V = Vector<T>;
  const auto apply = [&](auto slope) { chain(x, y, dy, dx, n, slope); };
  switch (kind) {
    case Unary::exp: return apply([](V, V b) { return b; });
    case Unary::log: return apply([](V a, V) { return 1 / a; });
    case Unary::tanh: return apply([](V, V b) { return 1 - b * b; });
    case Unary::sigmoid: return apply([](V, V b) { return b * (1 - b); });
    case Unary::relu: return apply([](V a, V) { return a > T(0) ? broadcast(T(1)) : a == a ? V{} : a; });
    case Unary::silu: return apply([](V a, V b) { return sigmoid(a) * (1 + a - b); });
    case Unary::gelu:
      return apply([](V a, V) {
        const Normal<V> law = normal(a);
        return law.distribution + a * law.density;
      });
    case Unary::gelu_tanh:
      return apply([](V a, V b) {
        const V gate = gelu_gate<T>(a);
        return gate + b * (1 - gate) * gelu_gate_slope<T>(a);
      });
    case Unary::negate: return apply([](V, V) { return broadcast(T(-1)); });
    case Unary::square_root: return apply([](V, V b) { return T(0.5) / b; });
    case Unary::reciprocal: return apply([](V, V b) { return -b * b; });
  }
}

template <class T>
void binary(Binary kind, const T* a, Index a_stride, const T* b, Index b_stride, T* y, Index n) {
  using V = Vector<T>;
  const auto apply = [&](auto function) { combine(Strided<T>{a, a_stride}, Strided<T>{b, b_stride}, y, n, function); };
  switch (kind) {
    case Binary::add: return apply([](V u, V v) { return u + v; });
    case Binary::subtract: return apply([](V u, V v) { return u - v; });
    case Binary::multiply: return apply([](V u, V v) { return u * v; });
    case Binary::divide: return apply([](V u, V v) { return u / v; });
  }
}

template <class T>
void accumulate(const T* x, T* y, Index n) {
  for_vectors<T>(n, [&](Index i, auto lanes) { store(y + i, load(y + i, lanes) + load(x + i, lanes), lanes); });
}

template void unary(Unary, const float*, Index, float*, Index);
template void unary(Unary, const double*, Index, double*, Index);
template void unary_gradient(Unary, const float*, const float*, const float*, float*, Index);
template void unary_gradient(Unary, const double*, const double*, const double*, double*, Index);
template void binary(Binary, const float*, Index, const float*, Index, float*, Index);
template void binary(Binary, const double*, Index, const double*, Index, double*, Index);
template void accumulate(const float*, float*, Index);
template void accumulate(const double*, double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
