"""Spread over seeds."""
import numpy as np

RESAMPLES = 2000
CONFIDENCE = 0.95
FEWEST_FOR_BOOTSTRAP = 4  # seeds; of 3, every resample of one seed is likelier than a tail: their range


def bootstrap_interval(values, random):
    """(low, high), each [E]: percentile bootstrap of the mean over seeds; values [seeds, E]."""
    seeds = len(values)
    means = values[random.integers(seeds, size=(RESAMPLES, seeds))].mean(axis=1)
    tail = 50 * (1 - CONFIDENCE)
    return np.percentile(means, tail, axis=0), np.percentile(means, 100 - tail, axis=0)


def summarize(values):
    """(mean, low, high), each [E], of values [seeds, E]. For three seeds or fewer, the band is their range."""
    values = np.asarray(values, dtype=float)
    if len(values) < FEWEST_FOR_BOOTSTRAP:
        return values.mean(axis=0), values.min(axis=0), values.max(axis=0)
    return values.mean(axis=0), *bootstrap_interval(values, np.random.default_rng(0))


def describe_band(fewest, most):
    """What lines and bands of `summarize` are, for a caption, where series have from `fewest` to `most` seeds."""
    if most == 1:
        return "1 seed"
    seeds = f"{most}" if fewest == most else f"{fewest} to {most}"
    band = "range over seeds" if most < FEWEST_FOR_BOOTSTRAP else f"{100 * CONFIDENCE:.0f} % bootstrap interval"
    return f"mean over {seeds} seeds; band: {band}"
