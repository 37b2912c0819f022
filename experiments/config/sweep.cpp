#include "experiments/config/sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "experiments/config/expectation.hpp"
#include "experiments/config/lookup.hpp"
#include "experiments/text/nearest.hpp"
#include "experiments/config/random_axes.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/sweep_checks.hpp"

namespace ropewalk::config {
namespace {

constexpr std::size_t most_points = 100'000;
constexpr std::int64_t largest_seed_count = 10'000;
constexpr double largest_seed = 1e15;

// Points of which a run has one: an axis of the grid, all of zip, all of a list, … .
struct Strand {
  Place place;
  std::vector<Varied> settings;
  std::vector<Point> points;
};

Assignment assignment(const Varied& setting, Tree value) { return {split_path(setting.path), std::move(value), setting.place}; }

// Points of another strand, each beside every point of the first.
std::vector<Point> times(const std::vector<Point>& first, const std::vector<Point>& second) {
  std::vector<Point> all;
  all.reserve(first.size() * second.size());
  for (const Point& slow : first) {
    for (const Point& fast : second) {
      Point& point = all.emplace_back(slow);
      point.assignments.insert(point.assignments.end(), fast.assignments.begin(), fast.assignments.end());
      point.conditions.insert(point.conditions.end(), fast.conditions.begin(), fast.conditions.end());
    }
  }
  return all;
}

bool is_sweep_key(const std::string& key) {
  return std::find(sweep_keys().begin(), sweep_keys().end(), key) != sweep_keys().end();
}

class Expander {
 public:
  Expander(const Tree& config, Fields& schema, Complaints& complaints)
      : config_(config), schema_(schema), complaints_(complaints) {}

  Sweep expand() {
    const Entry* sweep = config_.find("sweep");
    Strand all{{}, {}, {Point()}};
    if (sweep && check_map(sweep->value, "sweep", complaints_)) {
      check_keys(sweep->value, sweep_keys(), "sweep", complaints_);
      all = expand_map(sweep->value, "sweep", {});
    }
    return {std::move(all.points), std::move(all.settings), std::move(conditions_)};
  }

 private:
  // `strands` has what stands beside the sweep's own keys: the settings of an element of a list.
  Strand expand_map(const Tree& sweep, const std::string& where, std::vector<Strand> strands) {
    if (const Entry* grid = sweep.find("grid")) read_grid(grid->value, where + ".grid", strands);
    if (const Entry* zip = sweep.find("zip")) read_zip(zip->value, where + ".zip", strands);
    if (const Entry* list = sweep.find("list")) read_list(list->value, where + ".list", strands);
    if (const Entry* random = sweep.find("random")) read_random_axes(random->value, where + ".random", strands);
    if (const Entry* seeds = sweep.find("seeds")) read_seeds(*seeds, where + ".seeds", strands);
    Strand all = product(strands, sweep.place);
    if (const Entry* exclude = sweep.find("exclude")) add_conditions(exclude->value, where + ".exclude", all);
    return all;
  }

  void read_grid(const Tree& grid, const std::string& where, std::vector<Strand>& strands) {
    if (!check_map(grid, where, complaints_)) return;
    for (const Entry& entry : grid.entries) {
      if (std::optional<Strand> strand = read_axis(entry, where)) strands.push_back(std::move(*strand));
    }
  }

  void read_zip(const Tree& zip, const std::string& where, std::vector<Strand>& strands) {
    if (!check_map(zip, where, complaints_)) return;
    std::optional<Strand> together;
    for (const Entry& entry : zip.entries) {
      std::optional<Strand> strand = read_axis(entry, where);
      if (!strand || (together && !fits(*strand, *together))) continue;
      if (together) {
        append(*strand, *together);
      } else {
        together = std::move(strand);
      }
    }
    if (together) strands.push_back(std::move(*together));
  }

  bool fits(const Strand& axis, const Strand& together) {
    if (axis.points.size() == together.points.size()) return true;
    const std::string what = fmt::format("{} values, as many as {} has", together.points.size(), together.settings[0].path);
    complaints_.add(axis.place, axis.settings[0].where, expected(what, fmt::format("{}", axis.points.size())));
    return false;
  }

  static void append(const Strand& axis, Strand& together) {
    together.settings.push_back(axis.settings[0]);
    for (std::size_t i = 0; i < axis.points.size(); ++i) {
      together.points[i].assignments.push_back(axis.points[i].assignments[0]);
    }
  }

  std::optional<Strand> read_axis(const Entry& entry, const std::string& where) {
    const Varied setting{entry.key, join(where, entry.key), entry.place};
    if (!check_varies(entry.key, entry.place, setting.where, complaints_)) return std::nullopt;
    if (!check_values(entry.value, setting.where, complaints_)) return std::nullopt;
    Strand axis{entry.place, {setting}, {}};
    for (const Tree& value : entry.value.items) axis.points.push_back({{assignment(setting, value)}, {}});
    return axis;
  }

  void read_list(const Tree& list, const std::string& where, std::vector<Strand>& strands) {
    if (!check_values(list, where, complaints_, "point")) return;
    Strand all{list.place, {}, {}};
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      std::optional<Strand> element = read_element(list.items[i], fmt::format("{}[{}]", where, i));
      if (!element) continue;
      if (!few_enough(all.points.size() + element->points.size(), list.place, where)) return;
      std::move(element->points.begin(), element->points.end(), std::back_inserter(all.points));
      std::move(element->settings.begin(), element->settings.end(), std::back_inserter(all.settings));
    }
    if (!all.points.empty()) strands.push_back(std::move(all));
  }

  std::optional<Strand> read_element(const Tree& element, const std::string& where) {
    if (!element.is(Tree::Form::map)) {
      complaints_.add(element.place, where, expected("settings and their values", describe(element)));
      return std::nullopt;
    }
    Strand given{element.place, {}, {Point()}};
    for (const Entry& entry : element.entries) {
      const Varied setting{entry.key, join(where, entry.key), entry.place};
      if (is_sweep_key(entry.key) || !check_element_key(setting)) continue;
      given.points[0].assignments.push_back(assignment(setting, entry.value));
      given.settings.push_back(setting);
    }
    return expand_map(element, where, {std::move(given)});
  }

  // A name that is nothing at all may be meant for a key of a sweep.
  bool check_element_key(const Varied& setting) {
    const std::string near = nearest(setting.path, sweep_keys());
    const std::vector<Step> steps = split_path(setting.path);
    const bool known = !steps.empty() && find_field(&schema_, std::get<std::string>(steps[0]));
    if (known || near.empty()) return check_varies(setting.path, setting.place, setting.where, complaints_);
    const std::string what = "a setting or a key of a sweep (" + comma_separated(sweep_keys()) + ")";
    complaints_.add(setting.place, setting.where, expected(what, setting.path, near));
    return false;
  }

  void read_random_axes(const Tree& random, const std::string& where, std::vector<Strand>& strands) {
    const RandomAxes read = read_random(random, where, most_points, schema_, complaints_);
    Strand strand{random.place, {}, {}};
    for (const RandomAxis& axis : read.axes) strand.settings.push_back({axis.path, axis.where, axis.place});
    for (std::int64_t i = 0; i < read.count; ++i) {
      Point& point = strand.points.emplace_back();
      for (std::size_t a = 0; a < read.axes.size(); ++a) {
        point.assignments.push_back(assignment(strand.settings[a], read.value(read.axes[a], i)));
      }
    }
    if (!strand.points.empty()) strands.push_back(std::move(strand));
  }

  void read_seeds(const Entry& seeds, const std::string& where, std::vector<Strand>& strands) {
    const Varied setting{"seed", where, seeds.place};
    Strand strand{seeds.place, {setting}, {}};
    for (const std::int64_t seed : seed_values(seeds.value, where)) {
      strand.points.push_back({{assignment(setting, Tree::scalar(fmt::format("{}", seed), seeds.value.place))}, {}});
    }
    if (!strand.points.empty()) strands.push_back(std::move(strand));
  }

  std::vector<std::int64_t> seed_values(const Tree& seeds, const std::string& where) {
    std::vector<std::int64_t> values;
    Fields fields;
    if (seeds.is(Tree::Form::list)) {
      Field& field = fields.add("", values, "").elements(1).at_least(0).limit_to(largest_seed);
      return decode_into(field, seeds, where, complaints_) ? values : std::vector<std::int64_t>();
    }
    std::int64_t how_many = 0, first = 0;
    const Field count = fields.add("", how_many, "").at_least(1).at_most(static_cast<double>(largest_seed_count));
    const Field start = fields.add("", first, "").at_least(0).limit_to(largest_seed);
    const Entry* seed = config_.find("seed");
    if (!decode_into(count, seeds, where, complaints_)) return {};
    if (seed && !decode_into(start, seed->value, "seed", complaints_)) return {};
    for (std::int64_t i = 0; i < how_many; ++i) values.push_back(first + i);
    return values;
  }

  void add_conditions(const Tree& exclude, const std::string& where, Strand& strand) {
    for (Condition& condition : read_exclude(exclude, where, schema_, complaints_)) {
      for (Point& point : strand.points) point.conditions.push_back(conditions_.size());
      conditions_.push_back(std::move(condition));
    }
  }

  Strand product(const std::vector<Strand>& strands, const Place& place) {
    Strand all{place, {}, {Point()}};
    std::size_t total = 1;
    for (const Strand& strand : strands) {
      complain_of_repeats(all.settings, strand.settings);
      all.settings.insert(all.settings.end(), strand.settings.begin(), strand.settings.end());
      total *= strand.points.size();
      if (!few_enough(total, strand.place, "sweep")) return {place, {}, {}};
    }
    for (const Strand& strand : strands) all.points = times(all.points, strand.points);
    return all;
  }

  bool few_enough(std::size_t points, const Place& place, const std::string& where) {
    if (points > most_points) complaints_.add(place, where, expected(fmt::format("at most {} runs", most_points), "more"));
    return points <= most_points;
  }

  // Elements of a list may set the same, what stands side by side may not.
  void complain_of_repeats(const std::vector<Varied>& earlier, const std::vector<Varied>& later) {
    for (const Varied& setting : later) {
      const auto first =
          std::find_if(earlier.begin(), earlier.end(), [&](const Varied& other) { return other.path == setting.path; });
      if (first == earlier.end()) continue;
      std::string got = fmt::format("{} again, first given at {}", setting.path, to_string(first->place));
      if (first->place.origin != setting.place.origin) got += fmt::format("; null for {} removes that one", first->where);
      complaints_.add(setting.place, "sweep", expected("each setting on one axis", got));
    }
  }

  const Tree& config_;
  Fields& schema_;
  Complaints& complaints_;
  std::vector<Condition> conditions_;
};

}  // namespace

Sweep expand_sweep(const Tree& config, Fields& schema, Complaints& complaints) {
  return Expander(config, schema, complaints).expand();
}

std::pair<std::size_t, int> outer_rank(const std::vector<Step>& steps) {
  return {steps.size(), !steps.empty() && steps.back() == Step(std::string("kind")) ? 0 : 1};
}

std::vector<const Assignment*> outer_first(const Point& point) {
  std::vector<const Assignment*> order;
  for (const Assignment& assignment : point.assignments) order.push_back(&assignment);
  std::stable_sort(order.begin(), order.end(),
                   [](const Assignment* a, const Assignment* b) { return outer_rank(a->steps) < outer_rank(b->steps); });
  return order;
}

}  // namespace ropewalk::config
