// The only file that includes oneDNN.
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
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

/// What a primitive depends on: shapes, strides and epilogue, pointers left out.
using Plan = std::tuple<Index, Index, Index, Index, Index, Index, Index, Index, bool, Activation, bool, bool>;

Plan plan_of(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue) {
  return {a.rows,
          a.columns,
          c.columns,
          a.row_stride,
          a.column_stride,
          b.row_stride,
          b.column_stride,
          c.row_stride,
          epilogue.bias != nullptr,
          epilogue.activation,
          epilogue.addend != nullptr,
          epilogue.accumulate};
}

template <class T>
dnnl::memory::desc describe(Matrix<T> matrix) {
  return {
      {matrix.rows, matrix.columns}, dnnl::memory::data_type::f32, dnnl::memory::dims{matrix.row_stride, matrix.column_stride}};
}

dnnl::memory::desc describe_row(Index columns) {
  return {{1, columns}, dnnl::memory::data_type::f32, dnnl::memory::dims{columns, 1}};
}

void append_activation(dnnl::post_ops& after, Activation activation) {
  const auto append = [&](dnnl::algorithm algorithm, float alpha) {
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(algorithm, alpha, 0.0f);
#else
    after.append_eltwise(1.0f, algorithm, alpha, 0.0f);
#endif
  };
  switch (activation) {
    case Activation::none:
    case Activation::relu: break;
    case Activation::silu: append(dnnl::algorithm::eltwise_swish, 1.0f); break;
    case Activation::gelu: append(dnnl::algorithm::eltwise_gelu_erf, 0.0f); break;
    case Activation::gelu_tanh: append(dnnl::algorithm::eltwise_gelu_tanh, 0.0f); break;
  }
}

dnnl::primitive_attr attributes_of(const Epilogue<float>& epilogue, const dnnl::memory::desc& result) {
  dnnl::post_ops after;
  append_activation(after, epilogue.activation);
  if (epilogue.addend) after.append_binary(dnnl::algorithm::binary_add, result);
  if (epilogue.accumulate) after.append_sum();
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  // The library's own scratchpad belongs to the thread that made the primitive: two threads sharing one would write over each
  // other.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

/// Plans that are kept, by each thread and in oneDNN's cache. Training needs some tens; an evaluation of many lengths meets more,
/// and each keeps about 80 kB.
constexpr std::size_t most_plans = 256;

dnnl::engine make_engine() {
  dnnl::set_primitive_cache_capacity(static_cast<int>(most_plans));
  return dnnl::engine(dnnl::engine::kind::cpu, 0);
}

const dnnl::engine& engine() {
  static const dnnl::engine cpu = make_engine();
  return cpu;
}

dnnl::matmul::primitive_desc make_description(Matrix<const float> a, Matrix<const float> b, Matrix<float> c,
                                              const Epilogue<float>& epilogue) {
  const dnnl::memory::desc left = describe(a), right = describe(b), result = describe(c), bias = describe_row(c.columns);
  const dnnl::primitive_attr attributes = attributes_of(epilogue, result);
#if DNNL_VERSION_MAJOR >= 3
  return epilogue.bias ? dnnl::matmul::primitive_desc(engine(), left, right, bias, result, attributes)
                       : dnnl::matmul::primitive_desc(engine(), left, right, result, attributes);
#else
  return {epilogue.bias ? dnnl::matmul::desc(left, right, bias, result) : dnnl::matmul::desc(left, right, result), attributes,
          engine()};
#endif
}

/// Scratch memory of this thread.
void* scratch(std::size_t bytes) {
  thread_local std::vector<char> memory;
  if (memory.size() < bytes + 64) memory.resize(bytes + 64);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  return memory.data() + (64 - address % 64) % 64;
}

/// A primitive with this thread's arguments, made once: a call only points them elsewhere. Threads share the primitive through
/// oneDNN's own cache; executing one is thread-safe.
class Call {
 public:
  Call(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue) {
    const dnnl::matmul::primitive_desc description = make_description(a, b, c, epilogue);
    primitive_ = dnnl::matmul(description);
    scratchpad_bytes_ = description.scratchpad_desc().get_size();
    place(DNNL_ARG_SRC, describe(a));
    place(DNNL_ARG_WEIGHTS, describe(b));
    place(DNNL_ARG_DST, describe(c));
    place(DNNL_ARG_SCRATCHPAD, description.scratchpad_desc());
    if (epilogue.bias) place(DNNL_ARG_BIAS, describe_row(c.columns));
    if (epilogue.addend) place(addend_argument(epilogue), describe(c));
  }

  void operator()(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue) {
    thread_local dnnl::stream stream(engine());
    point(DNNL_ARG_SRC, a.data);
    point(DNNL_ARG_WEIGHTS, b.data);
    point(DNNL_ARG_DST, c.data);
    point(DNNL_ARG_SCRATCHPAD, scratch(scratchpad_bytes_));
    if (epilogue.bias) point(DNNL_ARG_BIAS, epilogue.bias);
    if (epilogue.addend) point(addend_argument(epilogue), epilogue.addend);
    primitive_.execute(stream, arguments_);
    stream.wait();
  }

 private:
  /// The activation, if there is one, is the post-operation before it.
  static int addend_argument(const Epilogue<float>& epilogue) {
    return DNNL_ARG_ATTR_MULTIPLE_POST_OP(epilogue.activation == Activation::none ? 0 : 1) | DNNL_ARG_SRC_1;
  }

  void place(int argument, const dnnl::memory::desc& description) {
    arguments_.emplace(argument, dnnl::memory(description, engine(), nullptr));
  }
  /// oneDNN's API takes no pointers to const; a source is only read.
  void point(int argument, const void* data) { arguments_.at(argument).set_data_handle(const_cast<void*>(data)); }

  dnnl::matmul primitive_;
  std::size_t scratchpad_bytes_ = 0;
  std::unordered_map<int, dnnl::memory> arguments_;
};

void multiply_fused(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue) {
  thread_local std::map<Plan, Call> calls;
  const Plan plan = plan_of(a, b, c, epilogue);
  auto place = calls.find(plan);
  if (place == calls.end()) {
    if (calls.size() >= most_plans) calls.clear();
    place = calls.emplace(plan, Call(a, b, c, epilogue)).first;
  }
  place->second(a, b, c, epilogue);
}

void multiply_plain(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, bool accumulate) {
  const Operand left = operand(a);
  const Operand right = operand(b);
  const dnnl_status_t status =
      dnnl_sgemm(left.transposed, right.transposed, c.rows, c.columns, a.columns, 1.0f, a.data, left.leading, b.data,
                 right.leading, accumulate ? 1.0f : 0.0f, c.data, c.rows == 1 ? c.columns : c.row_stride);
  check(status == dnnl_success, "gemm: oneDNN refused [{}, {}] x [{}, {}] with status {}", a.rows, a.columns, b.rows, b.columns,
        static_cast<int>(status));
}

bool plain(const Epilogue<float>& epilogue) {
  return !epilogue.bias && !epilogue.addend && epilogue.activation == Activation::none;
}

/// A matrix of one row or column has strides that fit more than one layout, which the primitive of oneDNN 3.7 reads wrongly.
template <class T>
bool is_line(Matrix<T> matrix) {
  return matrix.rows == 1 || matrix.columns == 1;
}

/// dnnl_sgemm multiplies by a transposed left side, as in the gradient of a weight, up to 4 % faster than a primitive does; the
/// primitive is up to 12 % faster with any other, and once the result has a thousand rows (512 and 256 tokens, widths 64 to 256,
/// AVX-512).
bool prefers_plain(Matrix<const float> a, Matrix<float> c) { return a.column_stride != 1 && c.rows < 1000; }

}  // namespace

void gemm(Matrix<const float> a, Matrix<const float> b, Matrix<float> c, const Epilogue<float>& epilogue) {
  if (c.rows == 0 || c.columns == 0) return;
  if (a.columns == 0) return gemm_reference(a, b, c, epilogue);
  use_one_thread();
  if (is_line(a) || is_line(b) || is_line(c) || (plain(epilogue) && prefers_plain(a, c))) {
    multiply_plain(a, b, c, epilogue.accumulate);
    return finish(c, epilogue);
  }
  if (epilogue.activation != Activation::relu) return multiply_fused(a, b, c, epilogue);
  // oneDNN's relu turns NaN into 0: ours comes after it.
  Epilogue<float> fused, after = epilogue;
  fused.bias = std::exchange(after.bias, nullptr);
  multiply_fused(a, b, c, fused);
  finish(c, after);
}

std::string gemm_library() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

std::string gemm_instruction_set() { return fmt::format("isa {:#x}", static_cast<unsigned>(dnnl_get_effective_cpu_isa())); }

}  // namespace ropewalk::kernels
