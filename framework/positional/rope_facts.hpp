// What the frequencies of a rotary embedding say about a context length, before anything is trained.
#pragma once

#include <optional>

#include "framework/core/shape.hpp"

namespace ropewalk::positional {

/// How many of the `width` elements of a head turn at least once within the trained `length`: 2·⌈(d/2)·log_base(L/2π)⌉, held
/// within [0, d] (Liu et al. 2023, "Scaling Laws of RoPE-based Extrapolation"). The others meet angles beyond the trained length
/// that they never saw. `width`: of the part that rotates, even; base > 1; length in tokens.
Index critical_dimension(Index width, double base, Index length);

/// The first offset m < `length` with Σ_j cos(m·θ_j) < 0, at which a query prefers a random key to one that is like itself (Men et
/// al. 2024, eq. 3 and theorem 2); `length` if there is none. A base serves a context length if there is none within it.
Index first_failing_offset(Index width, double base, Index length);

/// Bases are searched on the grid base_step^k, k = 1, 2, …, up to `largest_base`.
constexpr double base_step = 1.001;
constexpr double largest_base = 1e12;

/// The smallest base of the grid with Σ_j cos(m·θ_j) ≥ 0 for every offset m < `length` (Men et al. 2024, "Base of RoPE Bounds
/// Context Length"). Empty if no base of the grid will do, as for one pair, which turns by a radian a token whatever the base.
///
/// The condition is not monotone: above the smallest base that satisfies it there are others that do not, and the bases that do
/// begin as islands that can be narrower than 1 %, which a coarser grid misses. So the bound depends on the grid; for heads of
/// 128 and contexts of 1k to 32k this one is at most 1.1 % above one ten times finer. `width` as above; length in tokens.
std::optional<double> base_lower_bound(Index width, Index length);

}  // namespace ropewalk::positional
