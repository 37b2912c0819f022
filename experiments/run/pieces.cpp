#include "experiments/run/pieces.hpp"

#include <algorithm>
#include <atomic>

#include "framework/core/parallel.hpp"

namespace ropewalk {
namespace {

/// Tokens in a forward pass: enough to fill the matrix library, few enough to stay in the cache.
constexpr Index piece_tokens = 2048;

/// All windows of an evaluation. Piece i is that of rank i modulo their number.
class Pieces {
 public:
  Pieces(const std::vector<Window>& windows, Index length, const Random& random)
      : windows_(windows), length_(length), random_(random) {}

  Index count() const { return (windows() + each() - 1) / each(); }
  /// How many are this rank's.
  Index of(const Ranks& ranks) const { return (count() - ranks.rank() + ranks.count() - 1) / ranks.count(); }

  Piece operator[](Index i) const {
    const Window* first = windows_.data();
    return {first + start_of(i), first + start_of(i + 1), length_, {random_, 0, start_of(i)}};
  }

  /// Of pieces begin … end − 1, as far as there are so many.
  Index tokens_in(Index begin, Index end) const { return (start_of(end) - start_of(begin)) * length_; }

 private:
  /// The first window of a piece.
  Index start_of(Index i) const { return std::min(i * each(), windows()); }
  Index windows() const { return static_cast<Index>(windows_.size()); }
  Index each() const { return windows_in_piece(length_); }

  const std::vector<Window>& windows_;
  Index length_;
  const Random& random_;
};

/// The leader has no use for the evaluation any more.
struct GivenUp {};

/// Whether a piece is still wanted. The leader asks; the others have something pending while they evaluate only if it called them
/// off.
class Gate {
 public:
  Gate(const BeginPiece& begin, Ranks& ranks) : begin_(begin), ranks_(ranks) {}

  bool lets_begin(Index tokens) {
    if (!ranks_.leads()) return !ranks_.pending(0);
    if (begin_ && !begin_(tokens)) closed_ = true;
    return !closed_;
  }

  void expect_open() const {
    if (closed_) throw GivenUp();
  }

 private:
  const BeginPiece& begin_;
  Ranks& ranks_;
  std::atomic<bool> closed_ = false;
};

std::vector<double> in_a_row(const std::vector<std::vector<double>>& parts) {
  std::vector<double> row;
  for (const std::vector<double>& part : parts) row.insert(row.end(), part.begin(), part.end());
  return row;
}

/// The inverse, piece by piece, on the rank that has the numbers of each.
std::vector<std::vector<double>> by_piece(const std::vector<std::vector<double>>& by_rank, Index pieces) {
  std::vector<std::vector<double>> result;
  const auto ranks = static_cast<Index>(by_rank.size());
  if (ranks == 0 || pieces == 0) return result;
  const auto size = static_cast<std::ptrdiff_t>(by_rank[0].size()) / ((pieces + ranks - 1) / ranks);  // rank 0 has most pieces
  for (Index i = 0; i < pieces; ++i) {
    const auto first = by_rank[static_cast<std::size_t>(i % ranks)].begin() + i / ranks * size;
    result.emplace_back(first, first + size);
  }
  return result;
}

}  // namespace

Batch Piece::batch(const Dataset& dataset) const {
  std::vector<Index> starts;
  for (const Window* window = begin; window != end; ++window) starts.push_back(dataset.corpus.training + window->start);
  return dataset.objective.held_out(dataset.corpus, starts, length);
}

Index windows_in_piece(Index length) { return std::max<Index>(1, piece_tokens / length); }

std::vector<std::vector<double>> through_pieces(const std::vector<Window>& windows, Index length, const Random& random,
                                                const PieceWork& work, Crew& crew, const std::shared_ptr<Meter>& meter,
                                                const BeginPiece& begin, Ranks& ranks) {
  const Pieces pieces(windows, length, random);
  const auto share = [&](Index count, const std::function<void(Index)>& part) { crew.run(count, meter, part); };
  Gate gate(begin, ranks);
  const auto own = [&] {
    std::vector<std::vector<double>> numbers(static_cast<std::size_t>(pieces.of(ranks)));
    crew.run(pieces.of(ranks), meter, [&](Index n) {
      const ParallelScope scope(share);  // a window may be so long that the rest of the crew has nothing else to do
      const Index round = n * ranks.count();
      if (!gate.lets_begin(pieces.tokens_in(round, round + ranks.count()))) return;
      numbers[static_cast<std::size_t>(n)] = work(pieces[round + ranks.rank()]);
    });
    gate.expect_open();
    return in_a_row(numbers);
  };
  std::vector<std::vector<double>> result;
  try {
    result = by_piece(together(ranks, own), pieces.count());
  } catch (const GivenUp&) {
    return {};
  }
  trim_memory();
  return result;
}

}  // namespace ropewalk
