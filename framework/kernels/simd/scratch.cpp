#include "framework/kernels/simd/scratch.hpp"

#include <new>

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

constexpr std::align_val_t kLine{64};

struct Block {
  void* data = nullptr;
  Index bytes = 0;

  ~Block() { release(); }
  void release() {
    ::operator delete(data, kLine);
    data = nullptr;
    bytes = 0;
  }
};

thread_local Block block;

}  // namespace

void* scratch(Index bytes) {
  if (block.bytes < bytes) {
    block.release();
    block.data = ::operator new(static_cast<std::size_t>(bytes), kLine);
    block.bytes = bytes;
  }
  return block.data;
}

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
