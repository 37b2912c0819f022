// FIRE's bias: a small MLP of one input, evaluated for every query and key of a block, and its gradient.
//
// A hidden unit relu(w1 x + b1) bends at one x alone. Most bend outside the range that x has within a strip of the block: there
// they are lines or 0, all of them together one line, and only the few that bend inside have to be evaluated one by one.
#include "framework/kernels/simd/declarations.hpp"
#include "framework/kernels/simd/vector.hpp"

namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET {
namespace {

constexpr Index kStripRows = 32;
constexpr Index kMostUnits = 32;  // evaluated at a time; a wider MLP is a sum of such
constexpr Index kTile = 4;        // rows or units whose vectors stay in registers
static_assert(kStripRows % kTile == 0 && kMostUnits % kTile == 0);

inline std::uint32_t distance_between(std::int32_t a, std::int32_t b) {
  return static_cast<std::uint32_t>(a < b ? b - a : a - b);
}

/// A strip of a block: some keys, and at most a vector of queries. Lanes without a query repeat the first.
template <class T>
class Strip {
 public:
  Strip(const Fire<T>& fire, Range queries, Range keys) : fire_(fire), queries_(queries), keys_(keys) {
    for (Index lane = 0; lane < kLanes<T>; ++lane) {
      const Index i = queries.begin + (lane < queries.size() ? lane : 0);
      positions_[lane] = fire.positions.queries[i];
      reciprocal_[lane] = fire.reciprocal_queries[i];
    }
    measure();
  }

  Index rows() const { return keys_.size(); }
  Vector<T> x(Index row) const { return x_[row]; }
  /// The range of x.
  T least() const { return least_; }
  T most() const { return most_; }

  /// Calls body(row, entry, lanes) for the rows of the strip in an array laid out like the block.
  template <class Entry, class Body>
  void for_rows(Entry* entries, Index stride, Body body) const {
    for (Index r = 0; r < rows(); ++r, entries += stride) {
      if (queries_.size() == kLanes<T>) {
        body(r, entries, AllLanes{});
      } else {
        body(r, entries, FirstLanes{queries_.size()});
      }
    }
  }

  /// Hands the gradient of x [rows] on to what x is made of.
  void collect(const Vector<T>* dx, const FireGradient<T>& gradient) const {
    const T largest = maximum_across<T>(reciprocal_);
    Vector<T> dqueries{};
    for (Index r = 0; r < rows(); ++r) {
      const T of_key = key_reciprocal(r);
      const Vector<T> dreciprocal = dx[r] * load(psi_[r]);
      scatter(dx[r] * minimum(of_key), r, gradient.psi);
      dqueries += of_key < reciprocal_ ? Vector<T>{} : dreciprocal;
      if (of_key < largest) {
        gradient.reciprocal_keys[keys_.begin + r] += sum_across<T>(of_key < reciprocal_ ? dreciprocal : Vector<T>{});
      }
    }
    for (Index i = 0; i < queries_.size(); ++i) gradient.reciprocal_queries[queries_.begin + i] += dqueries[i];
  }

 private:
  T key_reciprocal(Index row) const { return fire_.reciprocal_keys[keys_.begin + row]; }
  Vector<T> minimum(T of_key) const { return of_key < reciprocal_ ? broadcast(of_key) : reciprocal_; }

  void measure() {
    look_up(0);  // a strip has at least one key
    for (Index r = 1; r < rows(); ++r) look_up(r);
    x_[0] = measured(0);
    Vector<T> least = x_[0], most = x_[0];
    for (Index r = 1; r < rows(); ++r) {
      x_[r] = measured(r);
      least = x_[r] < least ? x_[r] : least;
      most = larger(x_[r], most);
    }
    least_ = -maximum_across<T>(-least);
    most_ = maximum_across<T>(most);
    for (Index r = rows(); r % kTile != 0; ++r) x_[r] = x_[0];
  }

  Vector<T> measured(Index row) const { return load(psi_[row]) * minimum(key_reciprocal(row)); }

  void look_up(Index row) {
    const std::int32_t key = fire_.positions.keys[keys_.begin + row];
    std::uint32_t* distances = distances_[row];
#pragma omp simd
    for (Index lane = 0; lane < kLanes<T>; ++lane) distances[lane] = distance_between(positions_[lane], key);
    for (Index lane = 0; lane < kLanes<T>; ++lane) psi_[row][lane] = fire_.psi[distances[lane]];
  }

  // One lane after the other: distances that repeat meet in one element.
  void scatter(Vector<T> v, Index row, double* by_distance) const {
    for (Index lane = 0; lane < queries_.size(); ++lane) by_distance[distances_[row][lane]] += v[lane];
  }

  const Fire<T>& fire_;
  Range queries_, keys_;
  std::int32_t positions_[kLanes<T>];
  T least_, most_;
  Vector<T> reciprocal_;
  std::uint32_t distances_[kStripRows][kLanes<T>];
  T psi_[kStripRows][kLanes<T>];
  Vector<T> x_[kStripRows];  // x in whole tiles: the first row again past the end
};

/// Sums over entries of dscores, and of dscores x: of the entries where a unit is above 0, and of all.
struct Sums {
  double dscores[kMostUnits] = {}, dscores_x[kMostUnits] = {};
  double all = 0;
};

/// The MLP over a strip's range of x: a line, and the units that bend within the range.
template <class T>
class Units {
 public:
  Units(const Fire<T>& fire, const Strip<T>& strip) : strip_(strip) {
    double value = static_cast<double>(fire.b2), slope = 0;
    for (Index k = 0; k < fire.width; ++k) {
      const T w1 = fire.w1[k], b1 = fire.b1[k], w2 = fire.w2[k];
      const T first = w1 * strip.least() + b1, last = w1 * strip.most() + b1;
      if (first <= 0 && last <= 0) continue;
      if (first > 0 && last > 0) {
        straight_[straight_count_++] = k;
        value += static_cast<double>(w2) * static_cast<double>(first);
        slope += static_cast<double>(w2) * static_cast<double>(w1);
      } else {
        bent_[bent_count_++] = {w1, b1, w2, k};
      }
    }
    value_ = static_cast<T>(value);
    slope_ = static_cast<T>(slope);
  }

  void add(T* scores, Index stride) const {
    Vector<T> values[kStripRows];
    for (Index r = 0; r < strip_.rows(); r += kTile) evaluate(r, values + r);
    strip_.for_rows(scores, stride, [&](Index r, T* entry, auto lanes) { store(entry, load(entry, lanes) + values[r], lanes); });
  }

  void collect(const T* dscores, Index stride, Sums& sums, const FireGradient<T>& gradient) const {
    Vector<T> entries[kStripRows], dx[kStripRows];
    strip_.for_rows(dscores, stride, [&](Index r, const T* entry, auto lanes) { entries[r] = load(entry, lanes); });
    collect_line(entries, sums, dx);
    // Units past the last are all 0, and so never above 0.
    for (Index n = 0; n < bent_count_; n += kTile) collect_bent(bent_ + n, entries, sums, dx);
    for (Index r = 0; r < strip_.rows(); ++r) dx[r] *= entries[r];
    strip_.collect(dx, gradient);
  }

 private:
  struct Unit {
    T w1 = 0, b1 = 0, w2 = 0;
    Index index = 0;
  };

  /// The values of a tile of rows.
  void evaluate(Index row, Vector<T>* values) const {
    Vector<T> x[kTile], value[kTile];
    for (Index t = 0; t < kTile; ++t) {
      x[t] = strip_.x(row + t);
      value[t] = value_ + slope_ * (x[t] - strip_.least());
    }
    for (Index n = 0; n < bent_count_; ++n) {
      const Unit& unit = bent_[n];
#pragma GCC unroll 4
      for (Index t = 0; t < kTile; ++t) value[t] += unit.w2 * larger(Vector<T>{}, unit.w1 * x[t] + unit.b1);
    }
    for (Index t = 0; t < kTile; ++t) values[t] = value[t];
  }

  /// Starts `slopes` [rows] with that of the line.
  void collect_line(const Vector<T>* dscores, Sums& sums, Vector<T>* slopes) const {
    Vector<T> total{}, total_x{};
    for (Index r = 0; r < strip_.rows(); ++r) {
      total += dscores[r];
      total_x += dscores[r] * strip_.x(r);
      slopes[r] = broadcast(slope_);
    }
    const T all = sum_across<T>(total), all_x = sum_across<T>(total_x);
    sums.all += static_cast<double>(all);
    for (Index n = 0; n < straight_count_; ++n) add_sums(straight_[n], all, all_x, sums);
  }

  /// Adds the slopes of a tile of units.
  void collect_bent(const Unit* units, const Vector<T>* dscores, Sums& sums, Vector<T>* slopes) const {
    Vector<T> total[kTile] = {}, total_x[kTile] = {};
    for (Index r = 0; r < strip_.rows(); ++r) {
      const Vector<T> x = strip_.x(r), d = dscores[r], dx = d * x;
      Vector<T> slope = slopes[r];
#pragma GCC unroll 4
      for (Index t = 0; t < kTile; ++t) {
        const auto above = units[t].w1 * x + units[t].b1 > T(0);
        total[t] += above ? d : Vector<T>{};
        total_x[t] += above ? dx : Vector<T>{};
        slope += above ? broadcast(units[t].w1 * units[t].w2) : Vector<T>{};
      }
      slopes[r] = slope;
    }
    for (Index t = 0; t < kTile; ++t) add_sums(units[t].index, sum_across<T>(total[t]), sum_across<T>(total_x[t]), sums);
  }

  static void add_sums(Index unit, T dscores, T dscores_x, Sums& sums) {
    sums.dscores[unit] += static_cast<double>(dscores);
    sums.dscores_x[unit] += static_cast<double>(dscores_x);
  }

  const Strip<T>& strip_;
  Unit bent_[kMostUnits];
  Index bent_count_ = 0;
  Index straight_[kMostUnits];
  Index straight_count_ = 0;
  T value_, slope_;  // of the line, where x is least
};

/// Calls body(fire, first) for MLPs of at most `kMostUnits` units that add up to the given one, with their first unit in it.
template <class T, class Body>
void for_slices(const Fire<T>& fire, Body body) {
  Index first = 0;
  do {
    const Index left = fire.width - first;
    Fire<T> slice = fire;
    slice.width = left < kMostUnits ? left : kMostUnits;
    for (const T** weights : {&slice.w1, &slice.b1, &slice.w2}) *weights += first;
    slice.b2 = first == 0 ? fire.b2 : T(0);
    body(slice, first);
    first += kMostUnits;
  } while (first < fire.width);
}

/// Calls body(strip, entry) with where the strip's entries begin in the block.
template <class T, class Body>
void for_strips(const Fire<T>& fire, Range queries, Range keys, Index stride, Body body) {
  const auto part = [](Range all, Index begin, Index most) {
    return Range{begin, begin + most < all.end ? begin + most : all.end};
  };
  for (Index i = queries.begin; i < queries.end; i += kLanes<T>) {
    for (Index j = keys.begin; j < keys.end; j += kStripRows) {
      body(Strip<T>(fire, part(queries, i, kLanes<T>), part(keys, j, kStripRows)), (j - keys.begin) * stride + i - queries.begin);
    }
  }
}

/// The gradients of one slice's weights, from sums over the block.
template <class T>
void collect_weights(const Fire<T>& slice, const Sums& sums, const FireGradient<T>& gradient, Index first) {
  for (Index k = 0; k < slice.width; ++k) {
    const double w1 = static_cast<double>(slice.w1[k]), b1 = static_cast<double>(slice.b1[k]);
    const double w2 = static_cast<double>(slice.w2[k]);
    gradient.w1[first + k] += static_cast<T>(w2 * sums.dscores_x[k]);
    gradient.b1[first + k] += static_cast<T>(w2 * sums.dscores[k]);
    gradient.w2[first + k] += static_cast<T>(w1 * sums.dscores_x[k] + b1 * sums.dscores[k]);
  }
  if (first == 0) *gradient.b2 += static_cast<T>(sums.all);
}

}  // namespace

template <class T>
void add_fire_bias(const Fire<T>& fire, Range queries, Range keys, T* scores, Index stride) {
  for_slices(fire, [&](const Fire<T>& slice, Index) {
    for_strips(slice, queries, keys, stride,
               [&](const Strip<T>& strip, Index entry) { Units<T>(slice, strip).add(scores + entry, stride); });
  });
}

template <class T>
void collect_fire_bias(const Fire<T>& fire, const FireGradient<T>& gradient, Range queries, Range keys, const T* dscores,
                       Index stride) {
  for_slices(fire, [&](const Fire<T>& slice, Index first) {
    Sums sums;
    for_strips(slice, queries, keys, stride, [&](const Strip<T>& strip, Index entry) {
      Units<T>(slice, strip).collect(dscores + entry, stride, sums, gradient);
    });
    collect_weights(slice, sums, gradient, first);
  });
}

template void add_fire_bias(const Fire<float>&, Range, Range, float*, Index);
template void add_fire_bias(const Fire<double>&, Range, Range, double*, Index);
template void collect_fire_bias(const Fire<float>&, const FireGradient<float>&, Range, Range, const float*, Index);
template void collect_fire_bias(const Fire<double>&, const FireGradient<double>&, Range, Range, const double*, Index);

}  // namespace ropewalk::kernels::ROPEWALK_INSTRUCTION_SET
