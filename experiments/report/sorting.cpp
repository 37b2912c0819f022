#include "experiments/report/sorting.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/errors.hpp"
#include "experiments/report/length_table.hpp"
#include "experiments/report/number.hpp"
#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

struct Order {
  Measure measure;
  bool more_is_better;
};

Order order_of(const std::string& key, const std::vector<Group>& groups, const Question& question) {
  if (key == "effective_length") return {effective_length_measure(question), true};
  if (key == "tokens_gained") return {tokens_gained_measure(question), true};
  if (key == "area") return {area_measure(question), question.metric.more_is_better};
  std::vector<std::string> choices{"run", "effective_length", "tokens_gained", "area"};
  for (const std::int64_t length : lengths_of(groups)) {
    if (parse_number(key) == static_cast<double>(length)) {
      return {value_measure(question, length), question.metric.more_is_better};
    }
    choices.push_back(fmt::format("{}", length));
  }
  throw UsageError(fmt::format("--sort: expected one of {}, got '{}'", join(choices, ", "), key));
}

}  // namespace

void sort_groups(std::vector<Group>& groups, const std::string& key, const Question& question) {
  if (key == "run") return;
  const Order order = order_of(key, groups, question);
  std::vector<std::pair<double, Group>> keyed;
  for (Group& group : groups) {
    const double value = mean(measured(group, order.measure, question));
    keyed.emplace_back(order.more_is_better ? -value : value, std::move(group));
  }
  std::ranges::stable_sort(keyed, [](const auto& a, const auto& b) {
    return std::isnan(a.first) != std::isnan(b.first) ? std::isnan(b.first) : a.first < b.first;
  });
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = std::move(keyed[i].second);
}

}  // namespace ropewalk
