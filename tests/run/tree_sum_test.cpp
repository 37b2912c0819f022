#include "experiments/run/tree_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace ropewalk {
namespace {

TEST(TreeSum, AddsNeighboursFirst) {
  // In double, 1e16 + 1 is 1e16, so the order shows: ((a + b) + (c + d)) + e, where one after the other would give 1 and 2.
  EXPECT_EQ(tree_sum({1e16, 1, -1e16, 1}), 0.0);
  EXPECT_EQ(tree_sum({1e16, 1, -1e16, 1, 1}), 1.0);
  EXPECT_EQ(tree_sum(std::vector<double>{7}), 7.0);
}

/// Values whose sum depends on the order.
double term(std::size_t index) {
  return (index % 2 == 0 ? 1e16 : -1e16) * static_cast<double>(index + 1) + static_cast<double>(index);
}

void put(TreeSum& sum, std::size_t index) {
  Tensor row = sum.take();
  row.data<double>()[0] = term(index);
  row.data<double>()[1] = 1;
  sum.put(static_cast<Index>(index), std::move(row));
}

double expected(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(term(i));
  return tree_sum(values);
}

TEST(TreeSum, OfRowsIsTheSameInWhateverOrderTheyCome) {
  for (std::size_t count = 1; count <= 6; ++count) {
    TreeSum sum(static_cast<Index>(count), 2, Type::f64);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    do {
      for (std::size_t index : order) put(sum, index);
      EXPECT_EQ(sum.total().values(), (std::vector<double>{expected(count), static_cast<double>(count)}));
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(TreeSum, OfRowsIsTheSameFromSeveralThreads) {
  constexpr std::size_t count = 37, threads = 4;
  TreeSum sum(count, 2, Type::f64);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::thread> workers;
    for (std::size_t worker = 0; worker < threads; ++worker) {
      workers.emplace_back([&sum, worker] {
        for (std::size_t index = worker; index < count; index += threads) put(sum, index);
      });
    }
    for (std::thread& worker : workers) worker.join();
    EXPECT_EQ(sum.total().values(), (std::vector<double>{expected(count), count}));
  }
}

TEST(TreeSum, HoldsOnlyTheUnpairedRowsBesideTheOneBeingMade) {
  const auto meter = std::make_shared<Meter>();
  const MeterScope scope(meter);
  constexpr Index size = 1 << 12;
  const std::int64_t bytes = size * 4;
  TreeSum sum(8, size, Type::f32);
  for (int round = 0; round < 2; ++round) {
    for (Index index = 0; index < 8; ++index) {
      Tensor row = sum.take();
      std::fill_n(row.data<float>(), size, 1.0f);
      sum.put(index, std::move(row));
    }
    EXPECT_EQ(sum.total().values(), std::vector<double>(size, 8));
  }
  EXPECT_EQ(meter->peak(), 4 * bytes);  // 0…3, 4…5 and 6 wait for 7
}

}  // namespace
}  // namespace ropewalk
