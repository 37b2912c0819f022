#include "framework/ops/softmax.hpp"

#include "framework/kernels/kernels.hpp"

namespace ropewalk {
namespace {

Index rows_of(const Tensor& x) { return x.dim(-1) == 0 ? 0 : x.size() / x.dim(-1); }

Tensor softmax_of(const Tensor& x, bool logarithm) {
  check(x.rank() >= 1, "softmax: expected at least one axis");
  const Tensor input = packed(x);
  const Tensor y = Tensor::empty(x.shape(), x.type());
  dispatch(x.type(),
           [&]<class T>(T) { kernels::table<T>().softmax(input.data<T>(), y.data<T>(), rows_of(x), x.dim(-1), logarithm); });
  return record(y, {x}, [logarithm](const Tensor& output, const Tensor& dy) {
    const Tensor flowing = packed(dy);
    Tensor dx = Tensor::empty(dy.shape(), dy.type());
    dispatch(dy.type(), [&]<class T>(T) {
      kernels::table<T>().softmax_gradient(output.data<T>(), flowing.data<T>(), dx.data<T>(), rows_of(dy), dy.dim(-1), logarithm);
    });
    return Tensors{dx};
  });
}

void check_targets(const Tensor& logits, const Tensor& targets) {
  check(targets.type() == Type::i32 && logits.rank() >= 1 &&
            targets.shape() == Shape(logits.shape().begin(), logits.shape().end() - 1),
        "cross_entropy: logits {} need i32 targets of that shape less the last axis, got {} {}", logits.shape(),
        name_of(targets.type()), targets.shape());
  const std::int32_t* target = targets.data<std::int32_t>();
  for (Index i = 0; i < targets.size(); ++i) {
    check(target[i] < logits.dim(-1), "cross_entropy: target {} is outside a vocabulary of {}", target[i], logits.dim(-1));
  }
}

}  // namespace

Tensor softmax(const Tensor& x) { return softmax_of(x, false); }
Tensor log_softmax(const Tensor& x) { return softmax_of(x, true); }

Tensor cross_entropy(const Tensor& logits, const Tensor& targets) {
  const Tensor input = packed(logits), target = packed(targets);
  check_targets(logits, target);
  const Index rows = target.size(), columns = logits.dim(-1);
  const Tensor loss = Tensor::empty(targets.shape(), logits.type());
  const Tensor log_sum_exp = Tensor::empty(targets.shape(), logits.type());
  dispatch(logits.type(), [&]<class T>(T) {
    kernels::table<T>().cross_entropy(input.data<T>(), target.data<std::int32_t>(), loss.data<T>(), log_sum_exp.data<T>(), rows,
                                      columns);
  });
  return record(loss, {logits}, [=](const Tensor& dy) {
    const Tensor flowing = packed(dy);
    const Tensor dlogits = input.unique() ? input : Tensor::empty(input.shape(), input.type());
    dispatch(input.type(), [&]<class T>(T) {
      kernels::table<T>().cross_entropy_gradient(input.data<T>(), target.data<std::int32_t>(), log_sum_exp.data<T>(),
                                                 flowing.data<T>(), dlogits.data<T>(), rows, columns);
    });
    return Tensors{dlogits};
  });
}

}  // namespace ropewalk
