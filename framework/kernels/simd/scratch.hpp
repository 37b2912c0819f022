// Working memory of a kernel, kept by the thread for its next call.
#pragma once

#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {

/// At least `bytes` of this thread's scratch, aligned to a cache line, contents undefined; valid until the thread's next call.
/// Throws std::bad_alloc.
void* scratch(Index bytes);

/// Lays arrays of T one after the other: once without memory to learn the size, once over the scratch of that size.
template <class T>
class Layout {
 public:
  explicit Layout(T* base = nullptr) : base_(base) {}

  /// The next `count` elements, starting on a cache line.
  T* take(Index count) {
    constexpr Index line = 64 / static_cast<Index>(sizeof(T));
    T* start = base_ ? base_ + used_ : nullptr;
    used_ += (count + line - 1) / line * line;
    return start;
  }
  Index bytes() const { return used_ * static_cast<Index>(sizeof(T)); }

 private:
  T* base_;
  Index used_ = 0;
};

/// A Workspace(Layout<T>&, arguments…) of pointers, laid out over this thread's scratch.
template <class Workspace, class T, class... Arguments>
Workspace in_scratch(const Arguments&... arguments) {
  Layout<T> measured;
  Workspace(measured, arguments...);
  Layout<T> layout(static_cast<T*>(scratch(measured.bytes())));
  return Workspace(layout, arguments...);
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
