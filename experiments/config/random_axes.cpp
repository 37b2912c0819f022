#include "experiments/config/random_axes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "experiments/config/encode.hpp"
#include "experiments/config/expectation.hpp"
#include "experiments/config/lookup.hpp"
#include "experiments/config/numbers.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/config/sweep_checks.hpp"

namespace ropewalk::config {
namespace {

using Draw = std::function<Tree(Stream)>;

enum class Numbers { none, integers, reals };

// What the setting is whatever its kind; real numbers if kinds differ.
Numbers numbers_of(Fields& schema, const std::string& path) {
  Numbers numbers = Numbers::none;
  for_each_setting(schema, split_path(path), [&](const Field& field) {
    const bool integer = std::holds_alternative<std::int64_t*>(field.target);
    if (integer && numbers == Numbers::none) numbers = Numbers::integers;
    if (std::holds_alternative<double*>(field.target)) numbers = Numbers::reals;
  });
  return numbers;
}

struct Ends {
  double low, high;
};

// Ten digits, and as many more as the ends have in common: enough that no two of a sweep's draws meet.
Tree rounded(double value, const Ends& ends) {
  const double largest = std::max(std::abs(ends.low), std::abs(ends.high));
  const int digits = std::min(17, 10 + static_cast<int>(std::log10(largest / (ends.high - ends.low))));
  const double near = parse_number(fmt::format("{:.{}g}", value, digits)).value();
  return Tree::scalar(fmt::format("{}", std::clamp(near, ends.low, ends.high)));
}

Tree whole(double value, const Ends& ends) {
  return Tree::scalar(fmt::format("{}", static_cast<std::int64_t>(std::clamp(std::floor(value), ends.low, ends.high))));
}

double log_uniform(double low, double high, double share) { return std::exp(std::lerp(std::log(low), std::log(high), share)); }

Draw uniform(const Ends& ends, Numbers numbers) {
  if (numbers == Numbers::reals) {
    return [ends](Stream stream) { return rounded(std::lerp(ends.low, ends.high, stream.uniform()), ends); };
  }
  return [ends](Stream stream) {
    const auto inside = static_cast<std::uint64_t>(ends.high - ends.low) + 1;
    return whole(ends.low + static_cast<double>(stream.below(inside)), ends);
  };
}

Draw logarithmic(const Ends& ends, Numbers numbers) {
  if (numbers == Numbers::reals) {
    return [ends](Stream stream) { return rounded(log_uniform(ends.low, ends.high, stream.uniform()), ends); };
  }
  return [ends](Stream stream) { return whole(log_uniform(ends.low, ends.high + 1, stream.uniform()), ends); };
}

Draw choice(const std::vector<Tree>& values) {
  return [values](Stream stream) { return values[stream.below(values.size())]; };
}

class Reader {
 public:
  Reader(Fields& schema, Complaints& complaints) : schema_(schema), complaints_(complaints) {}

  RandomAxes read(const Tree& random, const std::string& where, std::int64_t most_points) {
    RandomAxes read;
    if (!check_map(random, where, complaints_)) return read;
    check_keys(random, {"count", "seed", "axes"}, where, complaints_);
    Fields fields;
    Field& count = fields.add("count", read.count, "").at_least(1).at_most(static_cast<double>(most_points));
    if (const Entry* entry = random.find("count")) {
      decode_into(count, entry->value, where + ".count", complaints_);
    } else {
      complaints_.add(random.place, where + ".count", expected(expectation(count), "nothing"));
    }
    Field& seed = fields.add("seed", read.seed, "").at_least(0).limit_to(1e15);
    if (const Entry* entry = random.find("seed")) decode_into(seed, entry->value, where + ".seed", complaints_);
    read.axes = read_axes(random, where + ".axes");
    if (read.axes.empty()) read.count = 0;
    return read;
  }

 private:
  std::vector<RandomAxis> read_axes(const Tree& random, const std::string& where) {
    std::vector<RandomAxis> axes;
    const Entry* entry = random.find("axes");
    if (!entry || (entry->value.is(Tree::Form::map) && entry->value.entries.empty())) {
      complaints_.add(entry ? entry->value.place : random.place, where,
                      expected("settings and what to draw them from, such as {train.steps: {range: [100, 1000]}}", "nothing"));
    } else if (check_map(entry->value, where, complaints_)) {
      for (const Entry& axis : entry->value.entries) {
        const std::string inside = join(where, axis.key);
        if (!check_varies(axis.key, axis.place, inside, complaints_)) continue;
        if (!check_known(schema_, axis.key, axis.place, inside, complaints_)) continue;
        if (Draw draw = read_draw(axis, inside)) axes.push_back({axis.key, inside, axis.place, std::move(draw)});
      }
    }
    return axes;
  }

  Draw read_draw(const Entry& axis, const std::string& where) {
    const Tree& from = axis.value;
    const Entry* way = from.is(Tree::Form::map) && from.entries.size() == 1 ? &from.entries[0] : nullptr;
    const std::string inside = way ? join(where, way->key) : where;
    if (way && way->key == "choice") return read_choice(axis.key, way->value, inside);
    if (way && way->key == "range") return read_ends(axis.key, way->value, inside, uniform);
    if (way && way->key == "log") return read_ends(axis.key, way->value, inside, logarithmic);
    const std::string near = from.is(Tree::Form::list) ? fmt::format("{{choice: {}}}", flow_yaml(from)) : "";
    const std::string got = from.is(Tree::Form::map) ? flow_yaml(from) : describe(from);
    complaints_.add(from.place, where,
                    expected("one of {range: [low, high]}, {log: [low, high]}, {choice: [values]}", got, near));
    return {};
  }

  Draw read_choice(const std::string& path, const Tree& values, const std::string& where) {
    if (!check_values(values, where, complaints_)) return {};
    bool sound = true;
    for (std::size_t i = 0; i < values.items.size(); ++i) {
      sound &= check_value(schema_, path, values.items[i], fmt::format("{}[{}]", where, i), complaints_);
    }
    return sound ? choice(values.items) : Draw();
  }

  Draw read_ends(const std::string& path, const Tree& values, const std::string& where, Draw (*make)(const Ends&, Numbers)) {
    const Numbers numbers = numbers_of(schema_, path);
    if (numbers == Numbers::none) {
      complaints_.add(values.place, where, expected("{choice: [values]}, since " + path + " is no number", "a range of numbers"));
      return {};
    }
    const std::optional<Ends> ends = two_numbers(path, values, where);
    if (ends && make == logarithmic && ends->low <= 0) {
      complaints_.add(values.items[0].place, where + "[0]",
                      expected("a number > 0, since its logarithm is taken", describe(values.items[0])));
      return {};
    }
    return ends ? make(*ends, numbers) : Draw();
  }

  std::optional<Ends> two_numbers(const std::string& path, const Tree& values, const std::string& where) {
    const std::string got = values.is(Tree::Form::list) ? flow_yaml(values) : describe(values);
    const bool are_two = values.is(Tree::Form::list) && values.items.size() == 2;
    bool sound = true;
    for (std::size_t i = 0; are_two && i < 2; ++i) {
      sound &= check_value(schema_, path, values.items[i], fmt::format("{}[{}]", where, i), complaints_);
    }
    if (!sound) return std::nullopt;
    const std::optional<double> low = are_two ? parse_number(values.items[0].text) : std::nullopt;
    const std::optional<double> high = are_two ? parse_number(values.items[1].text) : std::nullopt;
    if (!low || !high) {
      complaints_.add(values.place, where, expected("a list of 2 numbers, low and high", got));
    } else if (*low >= *high) {
      complaints_.add(values.place, where, expected("low < high", got));
    } else {
      return Ends{*low, *high};
    }
    return std::nullopt;
  }

  Fields& schema_;
  Complaints& complaints_;
};

}  // namespace

Tree RandomAxes::value(const RandomAxis& axis, std::int64_t point) const {
  const Random random(static_cast<std::uint64_t>(seed));
  Tree drawn = axis.draw(random.stream(axis.path, static_cast<std::uint64_t>(point)));
  drawn.place = axis.place;
  return drawn;
}

RandomAxes read_random(const Tree& random, const std::string& where, std::int64_t most_points, Fields& schema,
                       Complaints& complaints) {
  return Reader(schema, complaints).read(random, where, most_points);
}

}  // namespace ropewalk::config
