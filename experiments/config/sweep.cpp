#include "experiments/config/sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/config/decode.hpp"
#include "experiments/config/expectation.hpp"
#include "experiments/config/experiment.hpp"
#include "experiments/config/nearest.hpp"

namespace ropewalk::config {
namespace {

constexpr std::size_t most_points = 100'000;
constexpr std::int64_t largest_seed_count = 10'000;
constexpr double largest_seed = 1e15;

// What stands for the run and not for what it computes, or is gone before there are runs.
bool can_vary(const std::string& path) {
  const std::string first = path.substr(0, path.find_first_of(".["));
  const std::vector<std::string> of_experiment = experiment_settings();
  return first != "name" && first != "extends" && first != "sweep" &&
         std::find(of_experiment.begin(), of_experiment.end(), first) == of_experiment.end();
}

class Reader {
 public:
  Reader(const Tree& config, Complaints& complaints) : config_(config), complaints_(complaints) {}

  std::vector<Strand> read() {
    const Entry* sweep = config_.find("sweep");
    if (!sweep || !check_map(sweep->value, "sweep")) return {};
    complain_of_unknown_keys(sweep->value);
    if (const Entry* grid = sweep->value.find("grid")) read_grid(grid->value);
    if (const Entry* zip = sweep->value.find("zip")) read_zip(zip->value);
    if (const Entry* seeds = sweep->value.find("seeds")) read_seeds(*seeds);
    complain_of_overlaps();
    return std::move(strands_);
  }

 private:
  bool check_map(const Tree& tree, const std::string& path) {
    if (!tree.is(Tree::Form::map)) complaints_.add(tree.place, path, expected("a map", describe(tree)));
    return tree.is(Tree::Form::map);
  }

  void complain_of_unknown_keys(const Tree& sweep) {
    const std::vector<std::string> known = {"grid", "zip", "seeds"};
    for (const Entry& entry : sweep.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      const std::string what = "a known setting (" + comma_separated(known) + ")";
      complaints_.add(entry.place, "sweep." + entry.key, expected(what, entry.key, nearest(entry.key, known)));
    }
  }

  void read_grid(const Tree& grid) {
    if (!check_map(grid, "sweep.grid")) return;
    for (const Entry& entry : grid.entries) {
      if (std::optional<Axis> axis = read_axis(entry, "sweep.grid")) strands_.push_back({std::move(*axis)});
    }
  }

  void read_zip(const Tree& zip) {
    if (!check_map(zip, "sweep.zip")) return;
    Strand strand;
    for (const Entry& entry : zip.entries) {
      std::optional<Axis> axis = read_axis(entry, "sweep.zip");
      if (axis && fits(*axis, strand)) strand.push_back(std::move(*axis));
    }
    if (!strand.empty()) strands_.push_back(std::move(strand));
  }

  bool fits(const Axis& axis, const Strand& strand) {
    if (strand.empty() || axis.values.size() == strand[0].values.size()) return true;
    const std::string what = fmt::format("{} values, as many as {} has", strand[0].values.size(), strand[0].path);
    complaints_.add(axis.place, "sweep.zip." + axis.path, expected(what, fmt::format("{}", axis.values.size())));
    return false;
  }

  std::optional<Axis> read_axis(const Entry& entry, const std::string& where) {
    const std::string path = join(where, entry.key);
    if (split_path(entry.key).empty() || !can_vary(entry.key)) {
      complaints_.add(entry.place, path, expected("a setting that changes what a run computes", entry.key));
    } else if (!entry.value.is(Tree::Form::list)) {
      const bool one_value = entry.value.is(Tree::Form::scalar);
      const std::string near = one_value ? fmt::format("[{}]", describe(entry.value)) : "";
      complaints_.add(entry.value.place, path, expected("a list of values", describe(entry.value), near));
    } else if (entry.value.items.empty()) {
      complaints_.add(entry.value.place, path, expected("at least one value", "an empty list"));
    } else {
      return Axis{entry.key, entry.place, entry.value.items};
    }
    return std::nullopt;
  }

  void read_seeds(const Entry& seeds) {
    Axis axis{"seed", seeds.place, {}};
    for (const std::int64_t seed : seed_values(seeds.value)) {
      axis.values.push_back(Tree::scalar(fmt::format("{}", seed), seeds.value.place));
    }
    if (!axis.values.empty()) strands_.push_back({std::move(axis)});
  }

  std::vector<std::int64_t> seed_values(const Tree& seeds) {
    std::vector<std::int64_t> values;
    Fields fields;
    if (seeds.is(Tree::Form::list)) {
      fields.add("sweep.seeds", values, "").elements(1).at_least(0).limit_to(largest_seed);
      return decode_one("sweep.seeds", seeds, fields) ? values : std::vector<std::int64_t>();
    }
    std::int64_t how_many = 0, first = 0;
    fields.add("sweep.seeds", how_many, "").at_least(1).at_most(static_cast<double>(largest_seed_count));
    fields.add("seed", first, "").at_least(0).limit_to(largest_seed);
    const Entry* seed = config_.find("seed");
    if (!decode_one("sweep.seeds", seeds, fields) || (seed && !decode_one("seed", seed->value, fields))) return {};
    for (std::int64_t i = 0; i < how_many; ++i) values.push_back(first + i);
    return values;
  }

  bool decode_one(const std::string& name, const Tree& value, Fields& fields) {
    Tree map = Tree::map(value.place);
    map.entries.push_back({name, value.place, value});
    Complaints found;
    decode(map, fields, found);
    complaints_.add(found);
    return found.empty();
  }

  // Axes are applied in order, so one that replaces a section has to come before those that set something in it.
  void complain_of_overlaps() {
    std::vector<const Axis*> before;
    for (const Strand& strand : strands_) {
      for (const Axis& axis : strand) {
        for (const Axis* earlier : before) compare(*earlier, axis);
        before.push_back(&axis);
      }
    }
  }

  void compare(const Axis& earlier, const Axis& later) {
    if (earlier.path == later.path) {
      const std::string got = fmt::format("{} again, first given at {}", later.path, to_string(earlier.place));
      complaints_.add(later.place, "sweep", expected("each setting on one axis", got));
    } else if (earlier.path.starts_with(later.path + ".") || earlier.path.starts_with(later.path + "[")) {
      const std::string got = fmt::format("it after {}, whose values it would replace; put it first", earlier.path);
      complaints_.add(later.place, "sweep", fmt::format("expected the axis {} first, got {}", later.path, got));
    }
  }

  const Tree& config_;
  Complaints& complaints_;
  std::vector<Strand> strands_;
};

std::size_t length(const Strand& strand) { return strand[0].values.size(); }

Point point(const std::vector<Strand>& strands, std::size_t index) {
  Point point;
  for (auto strand = strands.rbegin(); strand != strands.rend(); ++strand) {
    for (auto axis = strand->rbegin(); axis != strand->rend(); ++axis) {
      point.push_back({split_path(axis->path), axis->values[index % length(*strand)], axis->place});
    }
    index /= length(*strand);
  }
  std::reverse(point.begin(), point.end());
  return point;
}

}  // namespace

std::vector<Strand> read_sweep(const Tree& config, Complaints& complaints) { return Reader(config, complaints).read(); }

std::vector<Point> points(const std::vector<Strand>& strands, Complaints& complaints) {
  std::size_t total = 1;
  for (const Strand& strand : strands) {
    total *= length(strand);
    if (total <= most_points) continue;
    complaints.add(strand[0].place, "sweep", expected(fmt::format("at most {} runs", most_points), "more"));
    return {};
  }
  std::vector<Point> all;
  for (std::size_t index = 0; index < total; ++index) all.push_back(point(strands, index));
  return all;
}

}  // namespace ropewalk::config
