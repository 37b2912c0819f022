#include "framework/kernels/simd/declarations.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

template <class T>
const Table<T>& instruction_set_table() {
  static constexpr Table<T> table = {
      .unary = unary<T>,
      .unary_gradient = unary_gradient<T>,
      .unary_with_gradient = unary_with_gradient<T>,
      .binary = binary<T>,
      .accumulate = accumulate<T>,
      .sum = sum<T>,
      .maximum = maximum<T>,
      .sum_of_squares = sum_of_squares<T>,
      .column_sum = column_sum<T>,
      .softmax = softmax<T>,
      .softmax_gradient = softmax_gradient<T>,
      .layer_norm = layer_norm<T>,
      .layer_norm_gradient = layer_norm_gradient<T>,
      .rms_norm = rms_norm<T>,
      .rms_norm_gradient = rms_norm_gradient<T>,
      .cross_entropy = cross_entropy<T>,
      .cross_entropy_gradient = cross_entropy_gradient<T>,
      .attention = attention<T>,
      .attention_gradient = attention_gradient<T>,
      .add_distance_bias = add_distance_bias<T>,
      .collect_distance_bias = collect_distance_bias<T>,
      .add_position_bias = add_position_bias<T>,
      .collect_position_bias = collect_position_bias<T>,
      .add_difference_bias = add_difference_bias<T>,
      .collect_difference_bias = collect_difference_bias<T>,
      .add_fire_bias = add_fire_bias<T>,
      .collect_fire_bias = collect_fire_bias<T>,
      .sum_weights = sum_weights<T>,
      .adamw = adamw<T>,
  };
  return table;
}

template const Table<float>& instruction_set_table();
template const Table<double>& instruction_set_table();

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
