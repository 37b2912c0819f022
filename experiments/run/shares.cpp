#include "experiments/run/shares.hpp"

#include <exception>

namespace ropewalk {
namespace {

/// The first term of a rank, rounded up: so the leader has one even where there are more ranks than terms.
Index first_of(int rank, int ranks, Index count) { return (count * rank + ranks - 1) / ranks; }

int owner_of(Index term, int ranks, Index count) { return static_cast<int>(term * ranks / count); }

std::size_t bytes_in(const Tensor& row) { return static_cast<std::size_t>(row.size()) * bytes_of(row.type()); }

void* bytes_at(const Tensor& row) {
  return dispatch(row.type(), [&]<class T>(T) { return static_cast<void*>(row.data<T>()); });
}

void cross(TreeSum& sum, const Crossing& crossing, Ranks& ranks) {
  if (ranks.rank() == crossing.from) {
    Tensor row = sum.remove(crossing.right);
    ranks.send(crossing.to, bytes_at(row), bytes_in(row));
    sum.give_back(std::move(row));
  } else if (ranks.rank() == crossing.to) {
    Tensor row = sum.take();
    ranks.receive(crossing.from, bytes_at(row), bytes_in(row));
    sum.put(crossing.right, std::move(row), crossing.span);
  }
}

}  // namespace

Share share_of(int rank, int ranks, Index count) { return {first_of(rank, ranks, count), first_of(rank + 1, ranks, count)}; }

std::vector<Crossing> crossings(Index count, int ranks) {
  std::vector<Crossing> found;
  for (Index span = 1; span < count; span *= 2) {
    for (Index left = 0; left + span < count; left += 2 * span) {
      const int to = owner_of(left, ranks, count), from = owner_of(left + span, ranks, count);
      if (from != to) found.push_back({left + span, span, from, to});
    }
  }
  return found;
}

// A rank that failed here would leave others waiting for its rows, and there is little that can: memory for a row.
void sum_over_ranks(TreeSum& sum, Ranks& ranks) try {
  for (const Crossing& crossing : crossings(sum.count(), ranks.count())) cross(sum, crossing, ranks);
} catch (const std::exception& error) {
  ranks.abort(error.what());
}

}  // namespace ropewalk
