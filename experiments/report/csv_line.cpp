#include "experiments/report/csv_line.hpp"

#include <fmt/core.h>

#include "experiments/text/join.hpp"

namespace ropewalk {
namespace {

std::string quote(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text;
  for (const char letter : cell) text.append(letter == '"' ? 2 : 1, letter);
  return fmt::format("\"{}\"", text);
}

}  // namespace

std::string csv_line(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = quote(cell);
  return join(cells, ",") + "\n";
}

}  // namespace ropewalk
