// A short list of extents or strides, held in place: tensors are copied often, and a list on the heap would cost every copy two
// allocations.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "framework/core/error.hpp"

namespace ropewalk {

using Index = std::int64_t;

/// What std::vector does, up to `most` elements; throws beyond.
class Extents {
 public:
  static constexpr std::size_t most = 8;

  using value_type = Index;
  using iterator = Index*;
  using const_iterator = const Index*;

  Extents() = default;
  Extents(std::initializer_list<Index> values) : Extents(values.begin(), values.end()) {}
  explicit Extents(std::size_t size, Index value = 0) { resize(size, value); }
  template <class Iterator>
  requires(!std::integral<Iterator>) Extents(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(static_cast<Index>(*first));
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Index* begin() { return values_.data(); }
  Index* end() { return begin() + size_; }
  const Index* begin() const { return values_.data(); }
  const Index* end() const { return begin() + size_; }
  const Index* data() const { return begin(); }
  Index& operator[](std::size_t axis) { return values_[axis]; }
  Index operator[](std::size_t axis) const { return values_[axis]; }
  Index& front() { return values_[0]; }
  Index front() const { return values_[0]; }
  Index& back() { return values_[size_ - 1]; }
  Index back() const { return values_[size_ - 1]; }

  void resize(std::size_t size, Index value = 0) {
    check(size <= most, "expected at most {} axes, got {}", most, size);
    for (std::size_t axis = size_; axis < size; ++axis) values_[axis] = value;
    size_ = size;
  }
  void push_back(Index value) { resize(size_ + 1, value); }
  void pop_back() { --size_; }

  Index* insert(const Index* place, Index value) { return insert(place, &value, &value + 1); }
  Index* insert(const Index* place, const Index* first, const Index* last) {
    Index* at = begin() + (place - begin());
    resize(size_ + static_cast<std::size_t>(last - first));
    std::copy_backward(at, end() - (last - first), end());
    std::copy(first, last, at);
    return at;
  }
  Index* erase(const Index* place) { return erase(place, place + 1); }
  Index* erase(const Index* first, const Index* last) {
    Index* at = begin() + (first - begin());
    std::copy(last, static_cast<const Index*>(end()), at);
    size_ -= static_cast<std::size_t>(last - first);
    return at;
  }

  friend bool operator==(const Extents& a, const Extents& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::array<Index, most> values_{};
  std::size_t size_ = 0;
};

}  // namespace ropewalk
