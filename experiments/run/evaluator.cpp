#include "experiments/run/evaluator.hpp"

#include <algorithm>
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

}  // namespace

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
               const Random& random, Crew& crew, const std::shared_ptr<Meter>& meter, const BeginPiece& begin) {
  const bool by_position = std::all_of(windows.begin(), windows.end(), [](const Window& window) { return window.first == 0; });
  Score total = empty_score(length, by_position);
  if (!model.reaches(length)) return total;
  const Index count = static_cast<Index>(windows.size()), per_piece = std::max<Index>(1, piece_tokens / length);
  const Index pieces = (count + per_piece - 1) / per_piece;
  std::vector<Score> scores(static_cast<std::size_t>(pieces));
  const auto share = [&](Index count, const std::function<void(Index)>& part) { crew.run(count, meter, part); };
  crew.run(pieces, meter, [&](Index i) {
    const ParallelScope scope(share);  // a window may be so long that the rest of the crew has nothing else to do
    const Window* first = windows.data() + i * per_piece;
    const Window* last = windows.data() + std::min((i + 1) * per_piece, count);
    if (begin && !begin((last - first) * length)) return;
    scores[static_cast<std::size_t>(i)] =
        score_piece(model, corpus, {first, last, length, by_position, {random, 0, i * per_piece}});
  });
  for (const Score& score : scores) {
    if (score.scored > 0) total.add(score);
  }
  trim_memory();
  return total;
}

}  // namespace ropewalk
