#include "experiments/report/table.hpp"

#include <algorithm>
#include <numeric>

namespace ropewalk {
namespace {

constexpr std::size_t kGap = 2;

/// Code points: every byte that does not continue one.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  return widths;
}

std::string format_row(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] - width(row[i]) + kGap, ' ');
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string rule(const std::vector<std::size_t>& widths) {
  const std::size_t cells = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  return std::string(cells + kGap * (widths.size() - 1), '-') + "\n";
}

}  // namespace

std::string format_table(const std::vector<Row>& rows) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::string text = format_row(rows.front(), widths) + rule(widths);
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) text += format_row(*row, widths);
  return text;
}

}  // namespace ropewalk
