"""Spread over seeds."""
from functools import lru_cache
from typing import NamedTuple

import numpy as np

RESAMPLES = 10_000
CONFIDENCE = 0.95
FEWEST_FOR_BOOTSTRAP = 4  # seeds; of 3, every resample of one seed is likelier than a tail: their range
COLUMNS_AT_ONCE = 64  # of which the means of all resamples are held in memory


class Interval(NamedTuple):
    """Of values [seeds, …] over seeds. Each field is a number, or an array of the remaining shape […]."""

    mean: object
    low: object  # NaN where there is no interval
    high: object
    seeds: object  # how many have a value


def interval(values, by="label"):
    """Mean over seeds and the interval it is known to.

    One value has no interval. Of two or three it is their range; of four or more the 95 % percentile bootstrap of the mean (Efron
    1979; Efron and Tibshirani 1993, section 13.3) with 10,000 resamples from a stream of its own: the same values, in any order,
    have the same interval. A NaN is a seed without a value, and is not counted. Infinite values have a mean but no interval.

    values: [seeds, …], gives an Interval of arrays […]; or an xarray.DataArray over run, such as
    results.done.evaluate.perplexity, gives an xarray.Dataset of mean, low, high and seeds over (by, …), where `by` is a
    coordinate along run whose equal values are the seeds of one series."""
    if not hasattr(values, "dims"):
        return Interval(*_interval(np.asarray(values, dtype=float)))
    return by_series(values, by, _interval)


def intervals(samples):
    """[Interval] of many samples, [seeds] each; those of the same number of seeds are resampled at once."""
    sizes = {}
    for place, sample in enumerate(samples):
        sizes.setdefault(len(sample), []).append(place)
    found = {}
    for places in sizes.values():
        together = interval(np.stack([samples[place] for place in places], axis=1))
        found.update(zip(places, (Interval(*one) for one in zip(*together))))
    return [found[place] for place in range(len(samples))]


def by_series(values, by, summarize, fields=Interval._fields):
    """An xarray.Dataset (by, …) of what `summarize(values [seeds, …])` gives for each series, a variable a field."""
    import xarray

    values = values.transpose("run", ...)
    data, labels = values.values, values[by].values
    series = list(dict.fromkeys(label for label in labels if label == label))  # NaN: a run without the setting
    summaries = [summarize(data[labels == label]) for label in series]
    coordinates = {name: values[name] for name in values.coords if "run" not in values[name].dims}
    dimensions = (by, *values.dims[1:])
    variables = {name: (dimensions, np.array([summary[place] for summary in summaries])) for place, name in enumerate(fields)}
    return xarray.Dataset(variables, {by: np.array(series, dtype=object), **coordinates}, attrs=values.attrs)


def _interval(values):
    """(mean, low, high, seeds) of values [seeds, …]."""
    shape = values.shape[1:]
    columns = np.sort(values.reshape(len(values), int(np.prod(shape))), axis=0)  # NaN comes last
    seeds = (~np.isnan(columns)).sum(axis=0)
    mean, low, high = np.full((3, columns.shape[1]), np.nan)
    for count in set(seeds[seeds > 0]):
        those = seeds == count
        mean[those], low[those], high[those] = _interval_of_sorted(columns[:count, those])
    return tuple(part.reshape(shape)[()] for part in (mean, low, high, seeds))


def _interval_of_sorted(columns):
    """(mean, low, high), each [C], of ascending values [seeds, C] without NaN."""
    mean = columns.mean(axis=0)
    low, high = np.full((2, len(mean)), np.nan)
    finite = np.isfinite(columns).all(axis=0)
    if len(columns) >= FEWEST_FOR_BOOTSTRAP:
        low[finite], high[finite] = bootstrap(columns[:, finite])
    elif len(columns) > 1:
        low[finite], high[finite] = columns[0, finite], columns[-1, finite]
    return mean, low, high


def bootstrap(columns):
    """(low, high), each [C], of finite, ascending values [seeds, C]: percentiles of resampled means, linear between ranks."""
    seeds = len(columns)
    counts = resamples(seeds)
    tail = 50 * (1 - CONFIDENCE)
    means = lambda start: np.einsum("rs,sc->rc", counts, columns[:, start : start + COLUMNS_AT_ONCE]) / seeds  # faster than @
    parts = [np.percentile(means(start), [tail, 100 - tail], axis=0) for start in range(0, columns.shape[1], COLUMNS_AT_ONCE)]
    low, high = np.concatenate(parts, axis=1) if parts else np.empty((2, 0))
    return np.clip(low, columns[0], columns[-1]), np.clip(high, columns[0], columns[-1])  # rounding may leave the values


@lru_cache(maxsize=8)
def resamples(seeds):
    """[resamples, seeds]: how often each seed is in each resample."""
    drawn = np.random.default_rng(0).integers(seeds, size=(RESAMPLES, seeds))
    return np.apply_along_axis(np.bincount, 1, drawn, minlength=seeds).astype(float)


def describe_band(fewest, most):
    """What means and intervals over seeds are, as lines and bands, for a caption, where series have from `fewest` to `most` seeds."""
    if most == 1:
        return "1 seed"
    seeds = f"{most}" if fewest == most else f"{fewest} to {most}"
    band = "range over seeds" if most < FEWEST_FOR_BOOTSTRAP else f"{100 * CONFIDENCE:.0f} % bootstrap interval"
    few = f", of fewer than {FEWEST_FOR_BOOTSTRAP} their range" if fewest < FEWEST_FOR_BOOTSTRAP <= most else ""
    return f"mean over {seeds} seeds; band: {band}{few}"
