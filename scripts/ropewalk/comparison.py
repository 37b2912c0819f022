"""Differences from a baseline, seed by seed: seeds share their data, so that much of what a seed does cancels."""
from typing import NamedTuple

import numpy as np
import pandas

from .length_table import METRIC, PROTOCOL, measures
from .runs import UsageError
from .statistics import by_series, interval, intervals


class Paired(NamedTuple):
    """Of values and a baseline [pairs, …]. Each field is a number or text, or an array of the remaining shape […]."""

    mean: object  # of value - baseline
    low: object  # NaN where there is no interval
    high: object
    pairs: object  # how many differences there are
    sign: object  # "lower" or "higher" than the baseline; "undecided" if the interval contains 0 or there is none


def paired(values, baseline, metric=METRIC, protocol=PROTOCOL, step=None):
    """Paired differences, value - baseline, of the seeds that both have; mean and interval of them as `ropewalk.interval` has it
    (Efron 1979), none of one pair.

    values: [pairs, …] and baseline: [pairs, …], in the same order of seeds, give a Paired of arrays […].
    values: an xarray.DataArray over run, such as results.done.evaluate.perplexity, and baseline: the label of a series, give an
    xarray.Dataset of mean, low, high, pairs and sign over (label, …), a row each of the other series.
    values: Results, and baseline: a label, give a tidy pandas table of the runs that are done: label, quantity, length, mean,
    low, high, pairs, sign, and bound: "≥" if the mean is a lower bound, "≤" an upper one, "?" either. Quantities, metric,
    protocol and step are those of `ropewalk.extrapolation`.

    Raises UsageError if no series has the baseline's label."""
    if hasattr(values, "headers"):
        return _table(measures(values, metric, protocol, step), baseline)
    if hasattr(values, "dims"):
        return _dataset(values, baseline)
    return Paired(*_paired(np.asarray(values, dtype=float) - np.asarray(baseline, dtype=float)))


def _paired(differences):
    """(mean, low, high, pairs, sign) of differences [pairs, …]."""
    estimate = interval(differences)
    return *estimate, sign(estimate)


def sign(estimate):
    """"lower", "higher" or "undecided", for the Interval of a difference."""
    return np.select([estimate.high < 0, estimate.low > 0], ["lower", "higher"], "undecided")[()]


def expect_baseline(baseline, labels):
    """Raises UsageError if it is none of the labels."""
    if baseline not in labels:
        raise UsageError(f"baseline: expected one of {'; '.join(dict.fromkeys(labels))}, which these runs are, got '{baseline}'")


def _dataset(values, baseline):
    values = values.transpose("run", ...).load()
    expect_baseline(baseline, values.label.values)
    is_baseline = values.label.values == baseline
    at = dict(zip(values.seed.values[is_baseline], values.values[is_baseline]))  # {seed: [...]}
    others = values[[not it and seed in at for it, seed in zip(is_baseline, values.seed.values)]]
    differences = others - np.array([at[seed] for seed in others.seed.values]).reshape(others.shape)
    return by_series(differences, "label", _paired, Paired._fields)


def _table(values, baseline):
    expect_baseline(baseline, list(values.label))
    values = values.fillna({"length": 0})  # a whole run's quantities have none, and NaN joins with nothing
    shared = ["seed", "quantity", "length"]
    is_baseline = values.label == baseline
    at = values[is_baseline].set_index(shared)[["value", "bound"]]
    pairs = values[~is_baseline].join(at, on=shared, rsuffix="_baseline")
    pairs = pairs[pairs.bound_baseline.notna()].assign(difference=pairs.value - pairs.value_baseline)
    groups = list(pairs.groupby(["label", "quantity", "length"], sort=False))
    estimates = intervals([group.difference.to_numpy() for _, group in groups])
    rows = [
        (label, quantity, length or np.nan, *estimate, sign(estimate), _bound(group.bound.any(), group.bound_baseline.any()))
        for ((label, quantity, length), group), estimate in zip(groups, estimates)
    ]
    return pandas.DataFrame(rows, columns=["label", "quantity", "length", *Paired._fields, "bound"])


def _bound(value, baseline):
    """Which way a difference is bounded where the value, the baseline or both are lower bounds."""
    return {(False, False): "", (True, False): "≥", (False, True): "≤", (True, True): "?"}[bool(value), bool(baseline)]
