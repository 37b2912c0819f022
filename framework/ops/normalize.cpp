#include "framework/ops/normalize.hpp"

#include "framework/kernels/kernels.hpp"

namespace ropewalk {
namespace {

Index rows_of(const Tensor& x) { return x.size() / x.dim(-1); }

void check_width(const Tensor& x, const Tensor& parameter, const char* operation) {
  check(x.rank() >= 1 && x.dim(-1) > 0 && parameter.shape() == Shape{x.dim(-1)},
        "{}: x {} and a parameter of shape {} do not fit", operation, x.shape(), parameter.shape());
}

/// Where the gradient of x goes: on a residual path it is added to what came past the branch.
Destination destination_of_input(Flow& flow, const Tensor& x) {
  return flow.wanted(0) ? flow.destination(0) : Destination{Tensor::empty(x.shape(), x.type()), false};
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
  return record(y, {x, weight, bias}, [=](Flow& flow) {
    const Tensor dy = packed(flow.dy());
    const Tensor dweight = Tensor::empty(scale.shape(), dy.type()), dbias = Tensor::empty(scale.shape(), dy.type());
    const Destination dx = destination_of_input(flow, input);
    dispatch(dy.type(), [&]<class T>(T) {
      kernels::table<T>().layer_norm_gradient(input.data<T>(), scale.data<T>(), mean.data<T>(), reciprocal.data<T>(),
                                              dy.data<T>(), dx.tensor.data<T>(), dweight.data<T>(), dbias.data<T>(), rows_of(dy),
                                              dy.dim(-1), dx.adds);
    });
    flow.give(1, dweight);
    flow.give(2, dbias);
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
  return record(y, {x, weight}, [=](Flow& flow) {
    const Tensor dy = packed(flow.dy()), dweight = Tensor::empty(scale.shape(), dy.type());
    const Destination dx = destination_of_input(flow, input);
    dispatch(dy.type(), [&]<class T>(T) {
      kernels::table<T>().rms_norm_gradient(input.data<T>(), scale.data<T>(), reciprocal.data<T>(), dy.data<T>(),
                                            dx.tensor.data<T>(), dweight.data<T>(), rows_of(dy), dy.dim(-1), dx.adds);
    });
    flow.give(1, dweight);
  });
}

}  // namespace ropewalk
