#include "framework/ops/normalize.hpp"

#include "framework/kernels/kernels.hpp"

namespace ropewalk {
namespace {

Index rows_of(const Tensor& x) { return x.size() / x.dim(-1); }

void check_width(const Tensor& x, const Tensor& parameter, const char* operation) {
  check(x.rank() >= 1 && x.dim(-1) > 0 && parameter.shape() == Shape{x.dim(-1)},
        "{}: x {} and a parameter of shape {} do not fit", operation, to_string(x.shape()), to_string(parameter.shape()));
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
  check_width(x, weight, "layer_norm");
  check_width(x, bias, "layer_norm");
  const Tensor input = packed(x), scale = packed(weight);
  const Tensor y = Tensor::empty(x.shape(), x.type());
  const Tensor mean = Tensor::empty({rows_of(x)}, x.type()), reciprocal = Tensor::empty({rows_of(x)}, x.type());
  dispatch(x.type(), [&]<class T>(T) {
    kernels::table<T>().layer_norm(input.data<T>(), scale.data<T>(), packed(bias).data<T>(), y.data<T>(), mean.data<T>(),
                                   reciprocal.data<T>(), rows_of(x), x.dim(-1), static_cast<T>(epsilon));
  });
  return record(y, {x, weight, bias}, [=](const Tensor& dy) {
    const Tensor flowing = packed(dy);
    Tensor dx = Tensor::empty(dy.shape(), dy.type());
    Tensor dweight = Tensor::empty(scale.shape(), dy.type()), dbias = Tensor::empty(scale.shape(), dy.type());
    dispatch(dy.type(), [&]<class T>(T) {
      kernels::table<T>().layer_norm_gradient(input.data<T>(), scale.data<T>(), mean.data<T>(), reciprocal.data<T>(),
                                              flowing.data<T>(), dx.data<T>(), dweight.data<T>(), dbias.data<T>(), rows_of(dy),
                                              dy.dim(-1));
    });
    return Tensors{dx, dweight, dbias};
  });
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, double epsilon) {
  check_width(x, weight, "rms_norm");
  const Tensor input = packed(x), scale = packed(weight);
  const Tensor y = Tensor::empty(x.shape(), x.type());
  const Tensor reciprocal = Tensor::empty({rows_of(x)}, x.type());
  dispatch(x.type(), [&]<class T>(T) {
    kernels::table<T>().rms_norm(input.data<T>(), scale.data<T>(), y.data<T>(), reciprocal.data<T>(), rows_of(x), x.dim(-1),
                                 static_cast<T>(epsilon));
  });
  return record(y, {x, weight}, [=](const Tensor& dy) {
    const Tensor flowing = packed(dy);
    Tensor dx = Tensor::empty(dy.shape(), dy.type()), dweight = Tensor::empty(scale.shape(), dy.type());
    dispatch(dy.type(), [&]<class T>(T) {
      kernels::table<T>().rms_norm_gradient(input.data<T>(), scale.data<T>(), reciprocal.data<T>(), flowing.data<T>(),
                                            dx.data<T>(), dweight.data<T>(), rows_of(dy), dy.dim(-1));
    });
    return Tensors{dx, dweight};
  });
}

}  // namespace ropewalk
