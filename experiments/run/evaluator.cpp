#include "experiments/run/evaluator.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "framework/core/parallel.hpp"
#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

/// Tokens in a forward pass: enough to fill the matrix library, few enough to stay in the cache.
constexpr Index piece_tokens = 2048;

bool is_best(const float* logits, Index vocabulary, std::int32_t target) {
  return !std::isnan(logits[target]) && std::max_element(logits, logits + vocabulary) - logits == target;
}

/// Which windows a piece of the work is, and how they are scored.
struct Piece {
  const Window* begin;
  const Window* end;
  Index length;
  bool by_position;
  positional::Draws draws;
};

/// All windows of an evaluation. Piece i is that of rank i modulo their number.
class Pieces {
 public:
  Pieces(const std::vector<Window>& windows, Index length, bool by_position, const Random& random)
      : windows_(windows), length_(length), by_position_(by_position), random_(random) {}

  Index count() const { return (windows() + each() - 1) / each(); }
  /// How many are this rank's.
  Index of(const Ranks& ranks) const { return (count() - ranks.rank() + ranks.count() - 1) / ranks.count(); }

  Piece operator[](Index i) const {
    const Window* first = windows_.data();
    return {first + start_of(i), first + start_of(i + 1), length_, by_position_, {random_, 0, start_of(i)}};
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
  bool by_position_;
  const Random& random_;
};

/// One window: logits [length, vocabulary], loss and target [length].
void score_window(const float* logits, Index vocabulary, const float* loss, const std::int32_t* target, Index first, Index length,
                  Score& score) {
  for (Index i = first; i < length; ++i) {
    score.nats += static_cast<double>(loss[i]);
    score.correct += is_best(logits + i * vocabulary, vocabulary, target[i]) ? 1 : 0;
  }
  score.scored += length - first;
  for (std::size_t i = 0; i < score.position_nats.size(); ++i) {
    score.position_nats[i] += static_cast<double>(loss[i]);
    ++score.position_count[i];
  }
}

Score empty_score(Index length, bool by_position) {
  Score score;
  if (by_position) {
    score.position_nats.resize(static_cast<std::size_t>(length));
    score.position_count.resize(static_cast<std::size_t>(length));
  }
  return score;
}

Score score_piece(const nn::Transformer& model, const Corpus& corpus, const Piece& piece) {
  const NoGradient scope;
  std::vector<Index> starts;
  for (const Window* window = piece.begin; window != piece.end; ++window) starts.push_back(corpus.training + window->start);
  const Batch batch = windows(corpus, starts, piece.length);
  const Tensor logits = model(batch.tokens, {.draws = &piece.draws});
  const Tensor losses = cross_entropy(logits, batch.targets);
  Score score = empty_score(piece.length, piece.by_position);
  for (const Window* window = piece.begin; window != piece.end; ++window) {
    const Index row = (window - piece.begin) * piece.length;
    score_window(logits.data<float>() + row * logits.dim(-1), logits.dim(-1), losses.data<float>() + row,
                 batch.targets.data<std::int32_t>() + row, window->first, piece.length, score);
  }
  return score;
}

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

/// Scores on their way to another rank. Counts are exact in a double.
std::vector<double> numbers_of(const std::vector<Score>& scores) {
  std::vector<double> numbers;
  for (const Score& score : scores) {
    numbers.insert(numbers.end(), {score.nats, static_cast<double>(score.correct), static_cast<double>(score.scored)});
    numbers.insert(numbers.end(), score.position_nats.begin(), score.position_nats.end());
    numbers.insert(numbers.end(), score.position_count.begin(), score.position_count.end());
  }
  return numbers;
}

/// The n-th of them; `like` has as many positions.
Score score_of(const std::vector<double>& numbers, Index n, const Score& like) {
  const auto positions = static_cast<std::ptrdiff_t>(like.position_nats.size());
  const auto at = numbers.begin() + n * (3 + 2 * positions);
  Score score;
  score.nats = at[0];
  score.correct = static_cast<Index>(at[1]);
  score.scored = static_cast<Index>(at[2]);
  score.position_nats.assign(at + 3, at + 3 + positions);
  score.position_count.assign(at + 3 + positions, at + 3 + 2 * positions);
  return score;
}

/// Adds the scores of all pieces in their order, on the rank that has them.
void add_all(const std::vector<std::vector<double>>& by_rank, Index pieces, Score& total) {
  const auto ranks = static_cast<Index>(by_rank.size());
  for (Index i = 0; i < pieces && ranks > 0; ++i) {
    total.add(score_of(by_rank[static_cast<std::size_t>(i % ranks)], i / ranks, total));
  }
}

}  // namespace

Index windows_in_piece(Index length) { return std::max<Index>(1, piece_tokens / length); }

double Score::loss() const { return scored > 0 ? nats / static_cast<double>(scored) : std::numeric_limits<double>::quiet_NaN(); }

double Score::accuracy() const {
  return scored > 0 ? static_cast<double>(correct) / static_cast<double>(scored) : std::numeric_limits<double>::quiet_NaN();
}

void Score::add(const Score& other) {
  nats += other.nats;
  correct += other.correct;
  scored += other.scored;
  for (std::size_t i = 0; i < position_nats.size(); ++i) {
    position_nats[i] += other.position_nats[i];
    position_count[i] += other.position_count[i];
  }
}

Score evaluate(const nn::Transformer& model, const Corpus& corpus, const std::vector<Window>& windows, Index length,
               const Random& random, Crew& crew, const std::shared_ptr<Meter>& meter, const BeginPiece& begin, Ranks& ranks) {
  const bool by_position = std::all_of(windows.begin(), windows.end(), [](const Window& window) { return window.first == 0; });
  Score total = empty_score(length, by_position);
  if (!model.reaches(length)) return total;
  const Pieces pieces(windows, length, by_position, random);
  const auto share = [&](Index count, const std::function<void(Index)>& part) { crew.run(count, meter, part); };
  Gate gate(begin, ranks);
  const auto own = [&] {
    std::vector<Score> scores(static_cast<std::size_t>(pieces.of(ranks)));
    crew.run(pieces.of(ranks), meter, [&](Index n) {
      const ParallelScope scope(share);  // a window may be so long that the rest of the crew has nothing else to do
      const Index round = n * ranks.count();
      if (!gate.lets_begin(pieces.tokens_in(round, round + ranks.count()))) return;
      scores[static_cast<std::size_t>(n)] = score_piece(model, corpus, pieces[round + ranks.rank()]);
    });
    gate.expect_open();
    return numbers_of(scores);
  };
  try {
    add_all(together(ranks, own), pieces.count(), total);
  } catch (const GivenUp&) {
    return empty_score(length, by_position);
  }
  trim_memory();
  return total;
}

}  // namespace ropewalk
