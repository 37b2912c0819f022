// unary, its gradient, binary, accumulate.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/exponentials.hpp"

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

/// log(1 + e) for e in [0, 1]. 1 + e rounds; what that loses is added back to first order, so the result is as exact as e even
/// where e is far below 1.
inline Vector<float> log_one_plus(Vector<float> e) {
  const Vector<float> sum = 1 + e;
  return log_above_one(sum) + (e - (sum - 1)) / sum;
}

inline Vector<double> log_one_plus(Vector<double> e) {
  return each_lane(e, [](double v) { return __builtin_log1p(v); });
}

template <class V>
V log_sigmoid(V x) {
  const V below_zero = x < 0 ? x : V{}, size = x < 0 ? -x : x;
  return below_zero - log_one_plus(exp(-size));
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
void combine(Strided<T> a, Strided<T> b, T* y, Index n, Function function) {
  for_vectors<T>(n, [&](Index i, auto lanes) { store(y + i, function(a.at(i, lanes), b.at(i, lanes)), lanes); });
}

/// Calls body(value, slope) for an operation y = value(x) with the derivative slope(x, y).
template <class T, class Body>
void with_function(Unary kind, Body body) {
  using V = Vector<T>;
  switch (kind) {
    case Unary::exp: return body([](V x) { return exp(x); }, [](V, V y) { return y; });
    case Unary::log:
      return body([](V x) { return each_lane(x, [](T a) { return logarithm_of(a); }); }, [](V x, V) { return 1 / x; });
    case Unary::tanh: return body([](V x) { return tanh(x); }, [](V, V y) { return 1 - y * y; });
    case Unary::sigmoid: return body([](V x) { return sigmoid(x); }, [](V, V y) { return y * (1 - y); });
    case Unary::relu:
      return body([](V x) { return x < T(0) ? V{} : x; }, [](V x, V) { return x > T(0) ? broadcast(T(1)) : x == x ? V{} : x; });
    case Unary::silu: return body([](V x) { return x * sigmoid(x); }, [](V x, V y) { return sigmoid(x) * (1 + x - y); });
    case Unary::gelu:
      return body([](V x) { return x * normal(x).distribution; },
                  [](V x, V) {
                    const Normal<V> law = normal(x);
                    return law.distribution + x * law.density;
                  });
    case Unary::gelu_tanh:
      return body([](V x) { return x * gelu_gate<T>(x); },
                  [](V x, V y) {
                    const V gate = gelu_gate<T>(x);
                    return gate + y * (1 - gate) * gelu_gate_slope<T>(x);
                  });
    case Unary::negate: return body([](V x) { return -x; }, [](V, V) { return broadcast(T(-1)); });
    case Unary::square_root:
      return body([](V x) { return each_lane(x, [](T a) -> T { return __builtin_sqrt(a); }); },
                  [](V, V y) { return T(0.5) / y; });
    case Unary::log_sigmoid: return body([](V x) { return log_sigmoid(x); }, [](V x, V) { return sigmoid(-x); });
  }
}

}  // namespace

template <class T>
void unary(Unary kind, const T* x, Index x_stride, T* y, Index n) {
  with_function<T>(kind, [=](auto value, auto) {
    const Strided<T> input{x, x_stride};
    for_vectors<T>(n, [&](Index i, auto lanes) { store(y + i, value(input.at(i, lanes)), lanes); });
  });
}

template <class T>
void unary_gradient(Unary kind, const T* x, const T* y, const T* dy, T* dx, Index n) {
  with_function<T>(kind, [=](auto, auto slope) {
    for_vectors<T>(n, [&](Index i, auto lanes) {
      store(dx + i, load(dy + i, lanes) * slope(load(x + i, lanes), load(y + i, lanes)), lanes);
    });
  });
}

template <class T>
void unary_with_gradient(Unary kind, T* x, T* dy, Index n) {
  with_function<T>(kind, [=](auto value, auto slope) {
    for_vectors<T>(n, [&](Index i, auto lanes) {
      const Vector<T> input = load(x + i, lanes), output = value(input);
      store(x + i, output, lanes);
      store(dy + i, load(dy + i, lanes) * slope(input, output), lanes);
    });
  });
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
template void unary_with_gradient(Unary, float*, float*, Index);
template void unary_with_gradient(Unary, double*, double*, Index);
template void binary(Binary, const float*, Index, const float*, Index, float*, Index);
template void binary(Binary, const double*, Index, const double*, Index, double*, Index);
template void accumulate(const float*, float*, Index);
template void accumulate(const double*, double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
