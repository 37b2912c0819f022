#include "experiments/run/tree_sum.hpp"

#include <utility>

#include "framework/kernels/kernels.hpp"

namespace ropewalk {

double tree_sum(std::vector<double> values) {
  for (std::size_t step = 1; step < values.size(); step *= 2) {
    for (std::size_t left = 0; left + step < values.size(); left += 2 * step) values[left] += values[left + step];
  }
  return values.front();
}

TreeSum::TreeSum(Index count, Index size, Type type) : size_(size), type_(type), waiting_(static_cast<std::size_t>(count)) {}

Tensor TreeSum::take() {
  {
    const std::lock_guard lock(mutex_);
    if (total_.defined()) free_.push_back(std::exchange(total_, {}));
    if (!free_.empty()) {
      Tensor row = std::move(free_.back());
      free_.pop_back();
      return row;
    }
  }
  return Tensor::empty({size_}, type_);
}

void TreeSum::give_back(Tensor row) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(row));
}

void TreeSum::put(Index index, Tensor row, Index span) {
  const Index count = this->count();
  std::unique_lock lock(mutex_);
  for (Index step = span; step < count; step *= 2) {
    const Index left = index / (2 * step) * (2 * step), right = left + step;
    if (right >= count) continue;  // the last of an odd number goes on alone
    Waiting& partner = waiting_[static_cast<std::size_t>(index == left ? right : left)];
    if (partner.span != step) {
      waiting_[static_cast<std::size_t>(index)] = {std::move(row), step};
      return;
    }
    Tensor other = std::exchange(partner, {}).row;
    if (index != left) std::swap(row, other);
    lock.unlock();
    dispatch(type_, [&]<class T>(T) { kernels::table<T>().accumulate(other.data<T>(), row.data<T>(), size_); });
    lock.lock();
    free_.push_back(std::move(other));
    index = left;
  }
  total_ = std::move(row);
}

Tensor TreeSum::remove(Index index) {
  const std::lock_guard lock(mutex_);
  return std::exchange(waiting_[static_cast<std::size_t>(index)], {}).row;
}

}  // namespace ropewalk
