// The kernels of this instruction set; what each does is said in kernels.hpp, beside the table they fill.
#pragma once

#include "framework/kernels/kernels.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

/// The table of this instruction set; T = float or double.
template <class T>
const Table<T>& instruction_set_table();

template <class T>
void unary(Unary, const T* x, Index x_stride, T* y, Index n);
template <class T>
void unary_gradient(Unary, const T* x, const T* y, const T* dy, T* dx, Index n);
template <class T>
void unary_with_gradient(Unary, T* x, T* dy, Index n);
template <class T>
void binary(Binary, const T* a, Index a_stride, const T* b, Index b_stride, T* y, Index n);
template <class T>
void accumulate(const T* x, T* y, Index n);

template <class T>
T sum(const T* x, Index n);
template <class T>
T maximum(const T* x, Index n);
template <class T>
double sum_of_squares(const T* x, Index n);
template <class T>
void column_sum(const T* x, T* y, Index rows, Index columns, bool accumulate);

template <class T>
void softmax(const T* x, T* y, Index rows, Index columns, bool logarithm);
template <class T>
void softmax_gradient(const T* y, const T* dy, T* dx, Index rows, Index columns, bool logarithm);
template <class T>
void cross_entropy(const T* logits, const std::int32_t* target, T* loss, T* log_sum_exp, Index rows, Index columns);
template <class T>
void cross_entropy_gradient(const T* logits, const std::int32_t* target, const T* log_sum_exp, const T* dloss, T* dlogits,
                            Index rows, Index columns);

template <class T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, T* mean, T* reciprocal, Index rows, Index columns, T epsilon);
template <class T>
void layer_norm_gradient(const T* x, const T* weight, const T* mean, const T* reciprocal, const T* dy, T* dx, T* dweight,
                         T* dbias, Index rows, Index columns, bool accumulate);
template <class T>
void rms_norm(const T* x, const T* weight, T* y, T* reciprocal, Index rows, Index columns, T epsilon);
template <class T>
void rms_norm_gradient(const T* x, const T* weight, const T* reciprocal, const T* dy, T* dx, T* dweight, Index rows,
                       Index columns, bool accumulate);

template <class T>
void attention(const Attention<T>&);
template <class T>
void attention_gradient(const Attention<T>&, const AttentionGradient<T>&);
template <class T>
void add_distance_bias(const T* row, Index offset, Range queries, Range keys, T* scores, Index stride);
template <class T>
void collect_distance_bias(T* drow, Index offset, Range queries, Range keys, const T* dscores, Index stride);

template <class T>
void add_position_bias(const T* row, Index offset, Positions, Range queries, Range keys, T* scores, Index stride);
template <class T>
void collect_position_bias(T* drow, Index offset, Positions, Range queries, Range keys, const T* dscores, Index stride);
template <class T>
void add_difference_bias(const double* of_queries, const double* of_keys, Range queries, Range keys, T* scores, Index stride);
template <class T>
void collect_difference_bias(double* dof_queries, double* dof_keys, Range queries, Range keys, const T* dscores, Index stride);
template <class T>
void add_fire_bias(const Fire<T>&, Range queries, Range keys, T* scores, Index stride);
template <class T>
void collect_fire_bias(const Fire<T>&, const FireGradient<T>&, Range queries, Range keys, const T* dscores, Index stride);

template <class T>
void sum_weights(Range queries, Range keys, Index lag, bool causal, const T* scores, Index stride, const WeightSums&);

template <class T>
void adamw(const AdamStep&, const T* gradient, T* parameter, T* first_moment, T* second_moment, Index n);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
