// The only file that includes oneDNN.
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "framework/core/error.hpp"
#include "framework/kernels/gemm.hpp"

namespace ropewalk::kernels {
namespace {

/// oneDNN would open a team of threads for every call; a thread of ours takes a whole shard instead.
void use_one_thread() {
  thread_local const bool done = (omp_set_num_threads(1), true);
  static_cast<void>(done);
}

struct Operand {
  char transposed;
  dnnl_dim_t leading;
};

/// oneDNN's view of a matrix of which one stride is 1. The leading dimension of a single row or column is arbitrary but checked.
Operand operand(Matrix<const float> matrix) {
  check(matrix.row_stride == 1 || matrix.column_stride == 1, "gemm: a matrix with strides {} and {} must be packed first",
        matrix.row_stride, matrix.column_stride);
  if (matrix.column_stride == 1 && (matrix.row_stride >= matrix.columns || matrix.rows == 1)) {
    return {'N', matrix.rows == 1 ? matrix.columns : matrix.row_stride};
  }
  return {'T', matrix.columns == 1 ? matrix.rows : matrix.column_stride};
}

/// What a fused multiplication depends on, pointers left out.
using Plan = std::tuple<Index, Index, Index, Index, Index, Index, Index, Index, Activation>;

dnnl::primitive_attr fuse(Activation activation) {
  dnnl::post_ops after;
  const auto append = [&](dnnl::algorithm algorithm, float alpha) {
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(algorithm, alpha, 0.0f);
#else
    after.append_eltwise(1.0f, algorithm, alpha, 0.0f);
#endif
  };
  switch (activation) {
    case Activation::none: break;
    case Activation::relu: append(dnnl::algorithm::eltwise_relu, 0.0f); break;
    case Activation::silu: append(dnnl::algorithm::eltwise_swish, 1.0f); break;
    case Activation::gelu: append(dnnl::algorithm::eltwise_gelu_erf, 0.0f); break;
    case Activation::gelu_tanh: append(dnnl::algorithm::eltwise_gelu_tanh, 0.0f); break;
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  // The library's own scratchpad belongs to the thread that made the primitive: two threads sharing one would write over each
  // other.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

template <class T>
dnnl::memory::desc describe(Matrix<T> matrix) {
  return {
      {matrix.rows, matrix.columns}, dnnl::memory::data_type::f32, dnnl::memory::dims{matrix.row_stride, matrix.column_stride}};
}

dnnl::memory::desc describe_row(Index columns) {
  return {{1, columns}, dnnl::memory::data_type::f32, dnnl::memory::dims{columns, 1}};
}

/// A primitive and how much scratch memory each execution needs.
struct Fused {
  dnnl::matmul primitive;
  dnnl::memory::desc scratchpad;
};

Fused make_fused(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, Activation activation) {
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::matmul::primitive_desc description(engine(), describe(a), describe(b), describe_row(c.columns), describe(c),
                                                 fuse(activation));
#else
  const dnnl::matmul::primitive_desc description({describe(a), describe(b), describe_row(c.columns), describe(c)},
                                                 fuse(activation), engine());
#endif
  return {dnnl::matmul(description), description.scratchpad_desc()};
}

/// Made once for a shape and shared by all threads; executing one is thread-safe.
const Fused& fused(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, Activation activation) {
  static std::mutex mutex;
  static std::map<Plan, Fused> made;
  const Plan plan{a.rows,       a.columns,       c.columns,    a.row_stride, a.column_stride,
                  b.row_stride, b.column_stride, c.row_stride, activation};
  const std::lock_guard lock(mutex);
  const auto place = made.find(plan);
  if (place != made.end()) return place->second;
  return made.emplace(plan, make_fused(a, b, c, activation)).first->second;
}

/// Scratch memory of this thread.
void* scratch(std::size_t bytes) {
  thread_local std::vector<char> memory;
  if (memory.size() < bytes + 64) memory.resize(bytes + 64);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  return memory.data() + (64 - address % 64) % 64;
}

/// The same step by step, where oneDNN cannot be trusted with a fused one: it leaves c as it was where the sums are empty, and
/// reads a single column wrongly in version 3.7, since its strides fit more than one layout.
void gemm_composed(Matrix<const float> a, Matrix<const float> b, const float* bias, Activation activation, Matrix<float> c) {
  gemm(a, b, c);
  for (Index row = 0; row < c.rows; ++row) {
    float* values = c.data + row * c.row_stride;
    table<float>().accumulate(bias, values, c.columns);
    if (activation != Activation::none) table<float>().unary(function_of(activation), values, 1, values, c.columns);
  }
}

}  // namespace

void gemm(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, bool accumulate) {
  if (c.rows == 0 || c.columns == 0) return;
  if (a.columns == 0) return gemm_reference(a, b, c, accumulate);
  use_one_thread();
  const Operand left = operand(a);
  const Operand right = operand(b);
  const dnnl_status_t status =
      dnnl_sgemm(left.transposed, right.transposed, c.rows, c.columns, a.columns, 1.0f, a.data, left.leading, b.data,
                 right.leading, accumulate ? 1.0f : 0.0f, c.data, c.rows == 1 ? c.columns : c.row_stride);
  check(status == dnnl_success, "gemm: oneDNN refused [{}, {}] x [{}, {}] with status {}", a.rows, a.columns, b.rows, b.columns,
        static_cast<int>(status));
}

void gemm_fused(Matrix<const float> a, Matrix<const float> b, const float* bias, Activation activation, Matrix<float> c) {
  if (c.rows == 0 || c.columns == 0) return;
  if (a.columns == 0 || c.columns == 1) return gemm_composed(a, b, bias, activation, c);
  use_one_thread();
  thread_local dnnl::stream stream(engine());
  // oneDNN's API takes no pointers to const; a source is only read.
  const dnnl::memory source(describe(a), engine(), const_cast<float*>(a.data));
  const dnnl::memory weights(describe(b), engine(), const_cast<float*>(b.data));
  const dnnl::memory offset(describe_row(c.columns), engine(), const_cast<float*>(bias));
  const dnnl::memory result(describe(c), engine(), c.data);
  const Fused& plan = fused(a, b, c, activation);
  const dnnl::memory working(plan.scratchpad, engine(), scratch(plan.scratchpad.get_size()));
  plan.primitive.execute(stream, {{DNNL_ARG_SRC, source},
                                  {DNNL_ARG_WEIGHTS, weights},
                                  {DNNL_ARG_BIAS, offset},
                                  {DNNL_ARG_DST, result},
                                  {DNNL_ARG_SCRATCHPAD, working}});
  stream.wait();
}

std::string gemm_library() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace ropewalk::kernels
