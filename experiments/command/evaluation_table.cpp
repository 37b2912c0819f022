#include "experiments/command/evaluation_table.hpp"

#include <fmt/core.h>

#include <cmath>

#include "experiments/report/curve.hpp"
#include "experiments/report/metric.hpp"
#include "experiments/report/table.hpp"

namespace ropewalk {
namespace {

std::string cell(double value) { return std::isnan(value) ? "-" : fmt::format("{:.6g}", value); }

Row header() {
  Row row{"length"};
  for (const Metric& metric : metrics()) row.push_back(metric.name);
  row.push_back("scored");
  return row;
}

Row row_of(const EvaluateSeries& evaluate, std::size_t place, std::int64_t length) {
  Row row{fmt::format("{}", length)};
  for (const Metric& metric : metrics()) row.push_back(cell((*metric.values(evaluate))[place]));
  row.push_back(fmt::format("{}", evaluate.scored[place]));
  return row;
}

/// A quantity [layer, head, length] of attention: a row a head, a column a length.
std::string attention_table(const AttentionMeans& attention, const std::string& title, const std::vector<double>& values) {
  std::vector<Row> rows{{"layer", "head"}};
  for (const std::int64_t length : attention.length) rows[0].push_back(fmt::format("{}", length));
  auto next = values.begin();
  for (const std::int64_t layer : attention.layer) {
    for (const std::int64_t head : attention.head) {
      Row row{fmt::format("{}", layer), fmt::format("{}", head)};
      for (std::size_t e = 0; e < attention.length.size(); ++e) row.push_back(cell(*next++));
      rows.push_back(std::move(row));
    }
  }
  return fmt::format("\n{}\n\n{}", title, format_table(rows));
}

}  // namespace

std::string evaluation_table(const EvaluateSeries& evaluate) {
  std::string text;
  for (const std::string& protocol : evaluate.protocol) {
    std::vector<Row> rows{header()};
    const std::size_t place = *place_of(evaluate, evaluate.step.size() - 1, protocol);
    for (std::size_t e = 0; e < evaluate.length.size(); ++e) {
      rows.push_back(row_of(evaluate, place + e, evaluate.length[e]));
    }
    text += fmt::format("\n{}\n\n{}", protocol, format_table(rows));
  }
  if (evaluate.attention) {
    text += attention_table(*evaluate.attention, "attention: mean entropy by length, nats", evaluate.attention->entropy);
    text += attention_table(*evaluate.attention, "attention: mean distance by length, tokens", evaluate.attention->mean_distance);
  }
  return text;
}

}  // namespace ropewalk
