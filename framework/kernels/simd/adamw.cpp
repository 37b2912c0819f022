// The AdamW step.
#include "framework/kernels/simd/declarations.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

template <class T>
void adamw(const AdamStep& step, const T* gradient, T* parameter, T* first_moment, T* second_moment, Index n) {
  const T scale = static_cast<T>(step.gradient_scale), epsilon = static_cast<T>(step.epsilon);
  const T keep1 = static_cast<T>(step.beta1), add1 = static_cast<T>(1 - step.beta1);
  const T keep2 = static_cast<T>(step.beta2), add2 = static_cast<T>(1 - step.beta2);
  const T shrink = static_cast<T>(1 - step.rate * step.decay);
  const T rate = static_cast<T>(step.rate / step.correction1);
  const T correction = static_cast<T>(1 / step.correction2);
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const T g = scale * gradient[i];
    const T m = first_moment[i] = keep1 * first_moment[i] + add1 * g;
    const T v = second_moment[i] = keep2 * second_moment[i] + add2 * (g * g);
    parameter[i] = shrink * parameter[i] - rate * m / (static_cast<T>(__builtin_sqrt(v * correction)) + epsilon);
  }
}

template void adamw(const AdamStep&, const float*, float*, float*, float*, Index);
template void adamw(const AdamStep&, const double*, double*, double*, double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
