"""The rules of the samplers of positions, held to many draws [N,T], one row a sequence.

A check is (what, by how many standard errors the draws miss it): 0 or infinite for a rule that every draw has to obey.
"""
import math

import numpy as np
from position import with_defaults

FEWEST_DRAWS = 1000  # below, five standard errors say little

SAMPLERS = {  # the settings of each; None: has to be given
    "contiguous": {},
    "offset": {"max": None},
    "randomized": {"range": None, "evaluation": "contiguous"},
    "cape": {"shift": 0.0, "jitter": 0.0, "scale": 1.0},
}


def rule(what, obeyed):
    return what, 0.0 if np.all(obeyed) else math.inf


def mean(what, sample, expected):
    """`sample` [N]: independent draws of something whose expected value is known."""
    missed, error = abs(sample.mean() - expected), sample.std(ddof=1) / math.sqrt(len(sample))
    if missed <= 1e-9 * max(1.0, abs(expected)):  # as close as rounding lets it be, where draws hardly vary
        return what, 0.0
    return what, missed / error if error else math.inf


def spread(what, sample, expected_mean, expected_variance):
    return [mean(f"mean {what}", sample, expected_mean),
            mean(f"variance of {what}", (sample - expected_mean) ** 2, expected_variance)]  # fmt: skip


def unrelated(what, sample):
    """Sequences next to each other do not know of each other."""
    centred = sample - sample.mean()
    return mean(f"{what} of neighbours", centred[::2][: len(sample) // 2] * centred[1::2], 0.0)


def uniform(what, draws, count):
    """draws [N,K]: each of the numbers 0..count-1 is as likely; looked at in at most 16 parts."""
    parts = min(16, count)
    part_of = lambda numbers: np.floor(numbers * parts / count)
    sizes = [(part_of(np.arange(count)) == part).mean() for part in range(parts)]
    return [mean(f"share of {what} in part {i}", (part_of(draws) == i).mean(-1), size) for i, size in enumerate(sizes)]


def contiguous(positions):
    return [rule("0, 1, 2…", positions == np.arange(positions.shape[1]))]


def offset(positions, settings):
    """Kiyono et al. 2021 (SHAPE)."""
    shift, most = positions[:, 0], int(settings["max"])
    return [
        rule("steps of one", np.diff(positions, axis=1) == 1),
        rule("whole shifts in 0..max", (shift == np.floor(shift)) & (shift >= 0) & (shift <= most)),
        *spread("shift", shift, most / 2, ((most + 1) ** 2 - 1) / 12),
        *uniform("shift", shift[:, None], most + 1),
        unrelated("shift", shift),
    ]


def randomized(positions, settings):
    """Ruoss et al. 2023. The k-th of T numbers drawn from 1..R has mean k(R+1)/(T+1)."""
    length, most = positions.shape[1], int(settings["range"])
    order = np.arange(1, length + 1)
    means = order * (most + 1) / (length + 1) - 1
    variances = order * (length + 1 - order) * (most + 1) * (most - length) / ((length + 1) ** 2 * (length + 2))
    return [
        rule("whole", positions == np.floor(positions)),
        rule("in 0..range-1", (positions >= 0) & (positions < most)),
        rule("increasing", np.diff(positions, axis=1) > 0),
        *(check for k in range(length) for check in spread(f"position {k}", positions[:, k], means[k], variances[k])),
        *uniform("positions", positions, most),
        unrelated("positions", positions.mean(-1)),
    ]


def cape(positions, settings):
    """Likhomanenko et al. 2021: factor * (n + shift + jitter_n), shift and jitters uniform, the factor's logarithm uniform."""
    shift, jitter, scale = (float(settings[name]) for name in ("shift", "jitter", "scale"))
    n, last = np.arange(positions.shape[1]), positions.shape[1] - 1
    power = lambda k: math.sinh(k * math.log(scale)) / (k * math.log(scale)) if scale > 1 else 1.0  # E[factor^k]
    var_shift, var_jitter = shift**2 / 3, jitter**2 / 3
    fourth = shift**4 / 5 + 6 * var_shift * var_jitter + jitter**4 / 5  # E[(shift + jitter)^4]
    steps, slope, bend = np.diff(positions, axis=1), (positions[:, -1] - positions[:, 0]) / last, np.diff(positions, 2, axis=1)
    return [
        rule("as far as shift, jitter and scale go", within(positions, n, shift + jitter, scale)),
        rule("steps as far as jitter and scale go", within(steps, 1.0, 2 * jitter, scale)),
        *(check for k in n for check in spread(f"position {k}", positions[:, k], power(1) * k,
                                               power(2) * (k**2 + var_shift + var_jitter) - (power(1) * k) ** 2)),
        mean("fourth power of the first position", positions[:, 0] ** 4, power(4) * fourth),
        *spread("slope", slope, power(1), power(2) * (1 + 2 * var_jitter / last**2) - power(1) ** 2),
        *spread("jitter", bend[:, 0], 0.0, power(2) * 6 * var_jitter),
        mean("fourth power of the jitter", bend[:, 0] ** 4, power(4) * (3 * 36 - 18 * 1.2) * var_jitter**2),
        unrelated("first position", positions[:, 0]),
        unrelated("slope", slope),
    ]  # fmt: skip


def within(values, centre, reach, scale):
    """Whether values are factor * (centre +- reach) for factors in [1/scale, scale], but for rounding."""
    low, high = centre - reach, centre + reach
    lowest, highest = np.minimum(low * scale, low / scale), np.maximum(high * scale, high / scale)
    return (values >= lowest - 1e-9) & (values <= highest + 1e-9)


def check_sampler(settings, is_training, positions):
    """[(what, missed by)] of positions [N,T]. Raises ValueError on settings it does not know, or too few or too short draws."""
    kind = settings.get("kind")
    if kind not in SAMPLERS:
        raise ValueError(f"positions.kind: expected one of {', '.join(SAMPLERS)}; got {kind}")
    settings = with_defaults(settings, SAMPLERS[kind])
    if kind == "contiguous" or not (is_training or settings.get("evaluation") == "drawn"):
        return contiguous(positions)
    if len(positions) < FEWEST_DRAWS or positions.shape[1] < 3:
        raise ValueError(f"positions: expected {FEWEST_DRAWS} draws of 3 tokens or more; got {list(positions.shape)}")
    return {"offset": offset, "randomized": randomized, "cape": cape}[kind](positions, settings)
