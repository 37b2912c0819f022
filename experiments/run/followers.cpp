#include "experiments/run/followers.hpp"

#include <cstdint>
#include <optional>

#include "experiments/config/resolved.hpp"
#include "experiments/run/text_task.hpp"
#include "experiments/run/trainer.hpp"

namespace ropewalk {
namespace {

enum class Command : std::int64_t { begin, step, evaluate, measure_attention, quit };

struct Order {
  Command command = Command::quit;
  Index step = 0;
};

void give(Ranks& ranks, Order order) { ranks.broadcast(&order, sizeof order); }

Order take(Ranks& ranks) {
  Order order;
  ranks.broadcast(&order, sizeof order);
  return order;
}

void broadcast_parameters(Ranks& ranks, const Tensor& flat) {
  ranks.broadcast(flat.data<float>(), static_cast<std::size_t>(flat.size()) * sizeof(float));
}

std::shared_ptr<const Corpus> same_corpus(const config::Settings& settings, const std::string& fingerprint) {
  auto corpus = corpus_of(settings);
  check(corpus->fingerprint == fingerprint, "{}: expected the text of rank 0, {}, got {}", path_of_corpus(settings), fingerprint,
        corpus->fingerprint);
  return corpus;
}

/// A run on a rank that does not lead it.
class Follower {
 public:
  Follower(const std::string& settings, const std::string& fingerprint, Crew& crew, Ranks& ranks)
      : settings_(config::settings_of(settings)),
        trainer_(settings_, same_corpus(settings_, fingerprint), crew, meter_, ranks),
        ranks_(ranks) {}

  void obey(const Order& order) {
    broadcast_parameters(ranks_, trainer_.model().flat());
    if (order.command == Command::step) trainer_.loss_and_gradient(order.step);
    if (order.command == Command::evaluate) trainer_.scores();
    if (order.command == Command::measure_attention) trainer_.attention_means();
  }

 private:
  std::shared_ptr<Meter> meter_ = std::make_shared<Meter>();
  MeterScope charged_{meter_};
  const config::Settings settings_;
  Trainer trainer_;
  Ranks& ranks_;
};

}  // namespace

void have_them_begin(Ranks& ranks, const config::Settings& settings, const std::string& fingerprint) {
  if (ranks.count() == 1) return;
  give(ranks, {Command::begin});
  broadcast_text(ranks, config::text_of(settings));
  broadcast_text(ranks, fingerprint);
  together(ranks, [] { return std::vector<double>(); });
}

void have_them_step(Ranks& ranks, Index step, const Tensor& parameters) {
  give(ranks, {Command::step, step});
  broadcast_parameters(ranks, parameters);
}

void have_them_evaluate(Ranks& ranks, const Tensor& parameters) {
  give(ranks, {Command::evaluate});
  broadcast_parameters(ranks, parameters);
}

void have_them_measure_attention(Ranks& ranks, const Tensor& parameters) {
  give(ranks, {Command::measure_attention});
  broadcast_parameters(ranks, parameters);
}

Leadership::~Leadership() { give(ranks_, {Command::quit}); }

void follow(Ranks& ranks, Crew& crew) {
  std::optional<Follower> follower;
  while (true) {
    const Order order = take(ranks);
    if (order.command == Command::quit) return;
    try {
      if (order.command == Command::begin) {
        const std::string settings = broadcast_text(ranks, {}), fingerprint = broadcast_text(ranks, {});
        follower.reset();
        together(ranks, [&] {
          follower.emplace(settings, fingerprint, crew, ranks);
          return std::vector<double>();
        });
      } else {
        follower->obey(order);
      }
    } catch (const Disbanded&) {
      // The leader knows why, and goes on with another run or with none.
    }
  }
}

}  // namespace ropewalk
