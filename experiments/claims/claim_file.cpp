#include "experiments/claims/claim_file.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "experiments/claims/tree_reader.hpp"
#include "experiments/claims/whole_run.hpp"
#include "experiments/config/encode.hpp"
#include "experiments/config/load.hpp"
#include "experiments/config/numbers.hpp"
#include "experiments/report/metric.hpp"
#include "experiments/text/join.hpp"
#include "experiments/text/nearest.hpp"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;
using config::Complaints;
using config::Entry;
using config::expected;
using config::Place;
using config::Tree;

constexpr const char* kForbiddenInNames = "<>=*/";

std::vector<std::string> names_of(const std::vector<Series>& series) {
  std::vector<std::string> names;
  for (const Series& each : series) names.push_back(each.name);
  return names;
}

class Reader : TreeReader {
 public:
  using TreeReader::TreeReader;

  Claim read(const fs::path& file) {
    const Tree tree = config::read_tree(file, complaints_);
    claim_.id = file.stem().string();
    claim_.file = file;
    claim_.pair = {{"seed", tree.place}};
    read_keys(
        tree, "",
        {{"claim", true, text_into(claim_.text)},
         {"source", true, text_into(claim_.source)},
         {"published", true, [&](const Tree& value, const std::string& path) { read_published(value, path); }},
         {"study", true, [&](const Tree& value, const std::string& path) { read_study(value, path, file); }},
         {"toy", true, text_into(claim_.toy)},
         {"note", false, text_into(claim_.note)},
         {"figure", false, [&](const Tree& value, const std::string& path) { read_figure(value, path); }},
         {"alone", false, [&](const Tree& value, const std::string& path) { claim_.alone = flag(value, path); }},
         {"pair", false, [&](const Tree& value, const std::string& path) { read_pair(value, path); }},
         {"each", false, [&](const Tree& value, const std::string& path) { read_each(value, path); }},
         {"evaluations", false, [&](const Tree& value, const std::string& path) { read_evaluations(value, path); }},
         {"series", true, [&](const Tree& value, const std::string& path) { read_all_series(value, path); }},
         {"predicate", true, [&](const Tree& value, const std::string& path) { claim_.predicate = comparisons(value, path); }},
         {"tried", false, [&](const Tree& value, const std::string& path) { claim_.tried = comparisons(value, path); }},
         {"table", false, [&](const Tree& value, const std::string& path) { read_table(value, path); }}});
    check_names();
    return std::move(claim_);
  }

 private:
  /// A cell of the published table may be empty.
  std::vector<std::string> cells(const Tree& tree, const std::string& path) {
    std::vector<std::string> result;
    each_item(tree, path, [&](const Tree& item, const std::string& where) {
      if (!item.is(Tree::Form::scalar)) complain(item, where, "a number or a text");
      result.push_back(item.text);
    });
    return result;
  }

  void read_pair(const Tree& tree, const std::string& path) {
    claim_.pair.clear();
    each_item(tree, path, [&](const Tree& item, const std::string& where) {
      claim_.pair.push_back({text(item, where), item.place});
    });
  }

  void read_published(const Tree& tree, const std::string& path) {
    const auto columns = [&](const Tree& value, const std::string& where) { claim_.published.columns = texts(value, where); };
    const auto rows = [&](const Tree& value, const std::string& where) { read_rows(value, where); };
    const bool is_table = tree.find("columns") || tree.find("rows");
    read_keys(tree, path,
              {{"what", true, text_into(claim_.published.what)}, {"columns", is_table, columns}, {"rows", is_table, rows}});
  }

  void read_rows(const Tree& tree, const std::string& path) {
    each_entry(tree, path, [&](const Entry& entry, const std::string& where) {
      claim_.published.rows.emplace_back(entry.key, cells(entry.value, where));
      const std::size_t count = claim_.published.rows.back().second.size();
      if (claim_.published.columns.empty() || count == claim_.published.columns.size()) return;
      complaints_.add(entry.value.place, where,
                      fmt::format("expected {} cells, one a column, got {}", claim_.published.columns.size(), count));
    });
  }

  void read_study(const Tree& tree, const std::string& path, const fs::path& file) {
    const std::string name = text(tree, path);
    claim_.study = (file.parent_path() / name).lexically_normal();
    std::error_code error;
    if (name.empty() || fs::is_regular_file(claim_.study, error)) return;
    complain(tree, path, fmt::format("a config, relative to this file: {} is none", claim_.study.string()));
  }

  void read_figure(const Tree& tree, const std::string& path) {
    constexpr std::string_view kOutput = " --output";
    claim_.figure = text(tree, path);
    const std::size_t output = claim_.figure.find(kOutput);
    if (claim_.figure.empty()) return;
    if (output == std::string::npos) return complain(tree, path, "a command with --output");
    if (claim_.figure.size() < output + kOutput.size() + 2) complain(tree, path, "a command with --output and a file");
  }

  void read_each(const Tree& tree, const std::string& path) {
    if (tree.is(Tree::Form::map) && tree.entries.size() > 1) return complain(tree, path, "one setting with a list of values");
    each_entry(tree, path, [&](const Entry& entry, const std::string& where) {
      claim_.each = {entry.key, entry.place, values(entry.value, where)};
    });
  }

  /// Values of a setting, each once, as the config writes them.
  std::vector<std::string> values(const Tree& tree, const std::string& path) {
    std::vector<std::string> result;
    each_item(tree, path, [&](const Tree& item, const std::string& where) {
      result.push_back(config::flow_yaml(item));
      if (std::ranges::count(result, result.back()) == 1) return;
      complaints_.add(item.place, where, fmt::format("expected each value once, got {} again", result.back()));
    });
    return result;
  }

  void read_evaluations(const Tree& tree, const std::string& path) {
    each_entry(tree, path, [&](const Entry& entry, const std::string& where) {
      ClaimEvaluation evaluation{entry.key, entry.place, {}};
      each_entry(entry.value, where, [&](const Entry& setting, const std::string&) {
        evaluation.sets.push_back(fmt::format("{}={}", setting.key, config::flow_yaml(setting.value)));
      });
      claim_.evaluations.push_back(std::move(evaluation));
    });
  }

  void read_all_series(const Tree& tree, const std::string& path) {
    each_entry(tree, path, [&](const Entry& entry, const std::string& where) {
      if (entry.key.find_first_of(kForbiddenInNames) != std::string::npos || entry.key.find(" at ") != std::string::npos) {
        complaints_.add(entry.place, where,
                        fmt::format("expected a name without ' at ' and any of {}, got {}", kForbiddenInNames, entry.key));
      }
      claim_.series.emplace_back();
      claim_.series.back().name = entry.key;
      claim_.series.back().place = entry.place;
      read_series(entry.value, where, claim_.series.back());
    });
  }

  void read_series(const Tree& tree, const std::string& path, Series& series) {
    read_keys(tree, path,
              {{"stage", false, [&](const Tree& value, const std::string& where) { series.stage = stage(value, where); }},
               {"where", false, [&](const Tree& value, const std::string& where) { series.where = conditions(value, where); }},
               {"first", false, [&](const Tree& value, const std::string& where) { series.first = conditions(value, where); }},
               {"evaluation", false, [&](const Tree& value, const std::string& where) { read_evaluation(value, where, series); }},
               {"protocol", false, text_into(series.protocol)},
               {"metric", false, [&](const Tree& value, const std::string& where) { read_metric(value, where, series); }}});
    if (is_of_lengths(series.metric)) return;
    for (const char* key : {"evaluation", "protocol"}) {
      const Entry* idle = tree.find(key);
      if (!idle) continue;
      complaints_.add(idle->place, config::join(path, key),
                      fmt::format("expected none, as {} does not depend on it", series.metric));
    }
  }

  std::int64_t stage(const Tree& tree, const std::string& path) {
    const auto value = tree.is(Tree::Form::scalar) ? config::parse_integer(tree.text) : std::nullopt;
    if (!value || *value < 1) complain(tree, path, "an integer >= 1");
    return value.value_or(1);
  }

  Conditions conditions(const Tree& tree, const std::string& path) {
    Conditions result;
    each_entry(tree, path,
               [&](const Entry& entry, const std::string&) { result.emplace_back(entry.key, config::flow_yaml(entry.value)); });
    return result;
  }

  void read_evaluation(const Tree& tree, const std::string& path, Series& series) {
    series.evaluation = text(tree, path);
    std::vector<std::string> names;
    for (const ClaimEvaluation& evaluation : claim_.evaluations) names.push_back(evaluation.name);
    if (std::ranges::count(names, series.evaluation) > 0) return;
    misspelt_ = true;
    complain(tree, path, names.empty() ? "one of evaluations, of which there are none" : "one of " + join(names, ", "),
             nearest(series.evaluation, names));
  }

  void read_metric(const Tree& tree, const std::string& path, Series& series) {
    series.metric = text(tree, path);
    std::vector<std::string> names = whole_run_metrics();
    for (const Metric& metric : metrics()) names.push_back(metric.name);
    if (std::ranges::count(names, series.metric) > 0) return;
    complain(tree, path, "one of " + join(names, ", "), nearest(series.metric, names));
    unclear_.insert(series.name);
  }

  std::vector<Comparison> comparisons(const Tree& tree, const std::string& path) {
    std::vector<Comparison> result;
    each_item(tree, path, [&](const Tree& item, const std::string& where) {
      const std::string line = text(item, where);
      if (line.empty()) return;
      try {
        result.push_back(parse_comparison(line));
        result.back().place = item.place;
        check_terms(result.back(), where);
        check_units(result.back(), where);
      } catch (const UsageError& error) {
        complaints_.add(item.place, where, error.what());
      }
    });
    return result;
  }

  /// Sides of different metrics have different units.
  void check_units(const Comparison& comparison, const std::string& path) {
    const auto left = unit_of_side(comparison.left), right = unit_of_side(comparison.right);
    if (!left || !right || *left == *right) return;
    complaints_.add(comparison.place, path, fmt::format("expected both sides in one unit, got {} and {}", *left, *right));
  }

  /// The metric of a side, or "a quotient" of two numbers of one metric; none if that is unclear.
  std::optional<std::string> unit_of_side(const Side& side) const {
    const auto metric = [&](const Term& term) -> std::optional<std::string> {
      const auto series = std::ranges::find(claim_.series, term.series, &Series::name);
      if (series == claim_.series.end() || unclear_.contains(term.series)) return std::nullopt;
      return unit_of(series->metric);
    };
    const auto unit = metric(side.term);
    if (!unit || !side.divisor) return unit;
    const auto divisor = metric(*side.divisor);
    if (!divisor) return std::nullopt;
    return *unit == *divisor ? "a quotient" : fmt::format("{} / {}", *unit, *divisor);
  }

  void check_terms(const Comparison& comparison, const std::string& path) {
    if (claim_.series.empty()) return;  // complained of
    for (const Term& term : comparison.terms()) {
      const auto series = std::ranges::find(claim_.series, term.series, &Series::name);
      if (series == claim_.series.end()) {
        const std::vector<std::string> names = names_of(claim_.series);
        complaints_.add(comparison.place, path,
                        expected("one of the series " + join(names, ", "), term.series, nearest(term.series, names)));
        continue;
      }
      used_.insert(term.series);
      const bool whole = is_whole_run_metric(series->metric);
      if (whole == !term.length || unclear_.contains(term.series)) continue;
      complaints_.add(comparison.place, path,
                      whole ? fmt::format("expected {} without a length, {} being of the whole run", term.series, series->metric)
                            : fmt::format("expected '{} at' a length such as 2L", term.series));
    }
  }

  void read_table(const Tree& tree, const std::string& path) {
    table_ = tree.place;
    each_item(tree, path, [&](const Tree& item, const std::string& where) {
      try {
        claim_.table.push_back(parse_length(text(item, where)));
      } catch (const UsageError& error) {
        complaints_.add(item.place, where, error.what());
      }
    });
  }

  /// What nothing looks at was meant for something.
  void check_names() {
    if (claim_.series.empty()) return;  // complained of
    const bool all_whole = std::ranges::all_of(claim_.series, is_whole_run_metric, &Series::metric);
    if (table_ && all_whole) {
      complaints_.add(*table_, "table", "expected a series with a length, got those of whole runs alone");
    }
    for (const Series& series : claim_.series) {
      const bool whole = is_whole_run_metric(series.metric);
      if (used_.contains(series.name) || (!claim_.table.empty() && !whole)) continue;
      complaints_.add(series.place, "series." + series.name, "expected predicate, tried or table to look at it");
    }
    for (const ClaimEvaluation& evaluation : claim_.evaluations) {
      if (misspelt_ || std::ranges::count(claim_.series, evaluation.name, &Series::evaluation) > 0) continue;
      complaints_.add(evaluation.place, "evaluations." + evaluation.name, "expected a series that has this evaluation");
    }
  }

  Claim claim_;
  std::set<std::string> used_;     ///< series that comparisons name
  std::set<std::string> unclear_;  ///< series whose metric is none
  bool misspelt_ = false;          ///< a series asks for an evaluation that there is not
  std::optional<Place> table_;
};

}  // namespace

Claim read_claim(const fs::path& file, Complaints& complaints) { return Reader(complaints).read(file); }

bool is_claim_file(const fs::path& file) {
  Complaints ignored;
  try {
    const Tree tree = config::read_tree(file, ignored);
    return tree.find("predicate") || tree.find("claim");
  } catch (const Error&) {
    return false;  // whoever reads it says what is wrong
  }
}

}  // namespace ropewalk
