#include "experiments/run/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/ops/softmax.hpp"

namespace ropewalk {
namespace {

bool is_best(const float* logits, Index vocabulary, std::int32_t target) {
  return !std::isnan(logits[target]) && std::max_element(logits, logits + vocabulary) - logits == target;
}

/// One window: logits [length, vocabulary], loss and target [length].
void score_window(const float* logits, Index vocabulary, const float* loss, const std::int32_t* target, Index first, Index length,
                  Score& score) {
  for (Index i = first; i < length; ++i) {
    if (target[i] < 0) continue;
    score.nats += static_cast<double>(loss[i]);
    score.correct += is_best(logits + i * vocabulary, vocabulary, target[i]) ? 1 : 0;
    ++score.scored;
    if (score.position_nats.empty()) continue;
    score.position_nats[static_cast<std::size_t>(i)] += static_cast<double>(loss[i]);
    ++score.position_count[static_cast<std::size_t>(i)];
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

Score score_piece(const nn::Transformer& model, const Dataset& dataset, const Piece& piece, bool by_position) {
  const NoGradient scope;
  const Batch batch = piece.batch(dataset);
  const Tensor logits = model(batch.tokens, {.draws = &piece.draws});
  const Tensor losses = cross_entropy(logits, batch.targets);
  Score score = empty_score(piece.length, by_position);
  for (const Window* window = piece.begin; window != piece.end; ++window) {
    const Index row = (window - piece.begin) * piece.length;
    score_window(logits.data<float>() + row * logits.dim(-1), logits.dim(-1), losses.data<float>() + row,
                 batch.targets.data<std::int32_t>() + row, window->first, piece.length, score);
  }
  return score;
}

/// A score on its way to another rank. Counts are exact in a double.
std::vector<double> numbers_of(const Score& score) {
  std::vector<double> numbers{score.nats, static_cast<double>(score.correct), static_cast<double>(score.scored)};
  numbers.insert(numbers.end(), score.position_nats.begin(), score.position_nats.end());
  numbers.insert(numbers.end(), score.position_count.begin(), score.position_count.end());
  return numbers;
}

Score score_of(const std::vector<double>& numbers) {
  const auto positions = static_cast<std::ptrdiff_t>(numbers.size() - 3) / 2;
  const auto at = numbers.begin();
  Score score;
  score.nats = at[0];
  score.correct = static_cast<Index>(at[1]);
  score.scored = static_cast<Index>(at[2]);
  score.position_nats.assign(at + 3, at + 3 + positions);
  score.position_count.assign(at + 3 + positions, at + 3 + 2 * positions);
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

Score evaluate(const nn::Transformer& model, const Dataset& dataset, const std::vector<Window>& windows, Index length,
               const Random& random, Crew& crew, const std::shared_ptr<Meter>& meter, const BeginPiece& begin, Ranks& ranks) {
  const bool by_position = std::all_of(windows.begin(), windows.end(), [](const Window& window) { return window.first == 0; });
  Score total = empty_score(length, by_position);
  if (!model.reaches(length)) return total;
  const auto score = [&](const Piece& piece) { return numbers_of(score_piece(model, dataset, piece, by_position)); };
  for (const auto& of_piece : through_pieces(windows, length, random, score, crew, meter, begin, ranks))
    total.add(score_of(of_piece));
  return total;
}

}  // namespace ropewalk
