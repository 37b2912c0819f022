#include "experiments/claims/comparison.hpp"

#include <charconv>
#include <regex>

#include "experiments/config/numbers.hpp"
#include "experiments/errors.hpp"

namespace ropewalk {
namespace {

constexpr const char* kExample = "such as 'alibi at 2L <= 1.02 * alibi at L'";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::int64_t whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) throw UsageError(fmt::format("expected a whole number below 2^63, got '{}'", text));
  return value;
}

Term parse_term(const std::string& text) {
  constexpr std::string_view kAt = " at ";
  const std::size_t at = text.rfind(kAt);
  const std::string name = trimmed(text.substr(0, at));
  if (name.empty()) throw UsageError(fmt::format("expected the name of a series, got '{}'; {}", text, kExample));
  if (at == std::string::npos) return {name, {}};
  return {name, parse_length(trimmed(text.substr(at + kAt.size())))};
}

double parse_factor(const std::string& text) {
  const auto value = config::parse_number(text);
  if (!value || *value <= 0) throw UsageError(fmt::format("expected a number > 0 before '*', got '{}'; {}", text, kExample));
  return *value;
}

Side parse_side(const std::string& text) {
  Side side;
  const std::size_t times = text.find('*'), over = text.find('/');
  if (text.find('*', times + 1) != std::string::npos && times != std::string::npos) {
    throw UsageError(fmt::format("expected one '*' at most, got '{}'; {}", text, kExample));
  }
  const std::size_t begin = times == std::string::npos ? 0 : times + 1;
  if (times != std::string::npos) side.factor = parse_factor(trimmed(text.substr(0, times)));
  if (over == std::string::npos) {
    side.term = parse_term(trimmed(text.substr(begin)));
    return side;
  }
  if (over < begin || text.find('/', over + 1) != std::string::npos) {
    throw UsageError(fmt::format("expected '[factor *] series [/ series]', got '{}'; {}", text, kExample));
  }
  side.term = parse_term(trimmed(text.substr(begin, over - begin)));
  side.divisor = parse_term(trimmed(text.substr(over + 1)));
  return side;
}

void append_terms(std::vector<Term>& terms, const Side& side) {
  terms.push_back(side.term);
  if (side.divisor) terms.push_back(*side.divisor);
}

}  // namespace

std::vector<Term> Comparison::terms() const {
  std::vector<Term> terms;
  append_terms(terms, left);
  append_terms(terms, right);
  return terms;
}

LengthTerm parse_length(const std::string& text) {
  static const std::regex form(R"(([1-9][0-9]{0,9})?L(\+([1-9][0-9]{0,9}))?)");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) {
    throw UsageError(fmt::format("expected a length such as L, 2L or L+10, L being the trained one, got '{}'", text));
  }
  return {text, parts[1].matched ? whole_number(parts[1]) : 1, parts[3].matched ? whole_number(parts[3]) : 0};
}

Comparison parse_comparison(const std::string& text) {
  const std::size_t first = text.find_first_of("<>="), last = text.find_last_of("<>=");
  const std::string compare = first == std::string::npos ? "" : text.substr(first, last + 1 - first);
  if (compare != "<=" && compare != ">=" && compare != "<" && compare != ">") {
    throw UsageError(fmt::format("expected two sides with one of <= >= < > between them, got '{}'; {}", text, kExample));
  }
  Comparison comparison;
  comparison.text = text;
  comparison.compare = compare;
  comparison.left = parse_side(trimmed(text.substr(0, first)));
  comparison.right = parse_side(trimmed(text.substr(last + 1)));
  return comparison;
}

}  // namespace ropewalk
