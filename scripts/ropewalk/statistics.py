"""Spread over seeds."""
import numpy as np

RESAMPLES = 2000
CONFIDENCE = 0.95


def bootstrap_interval(values, random):
    """(low, high), each [E]: percentile bootstrap of the mean over seeds; values [seeds, E]."""
    seeds = len(values)
    means = values[random.integers(seeds, size=(RESAMPLES, seeds))].mean(axis=1)
    tail = 50 * (1 - CONFIDENCE)
    return np.percentile(means, tail, axis=0), np.percentile(means, 100 - tail, axis=0)


def summarize(values):
    """(mean, low, high), each [E], of values [seeds, E]. For two seeds or one, the band is their range."""
    values = np.asarray(values, dtype=float)
    if len(values) <= 2:
        return values.mean(axis=0), values.min(axis=0), values.max(axis=0)
    return values.mean(axis=0), *bootstrap_interval(values, np.random.default_rng(0))


def describe_band(seeds):
    """What the band of `summarize` means, for a caption."""
    if seeds == 1:
        return "1 seed, no band"
    if seeds == 2:
        return "mean over 2 seeds; band: the smaller to the larger"
    return f"mean over {seeds} seeds; band: {CONFIDENCE:.0%} bootstrap interval of the mean"
