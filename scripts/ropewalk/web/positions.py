"""Loss by position in the window, in bins: a page of every position would be large, and noisy to look at."""
import functools

import numpy as np

from .numbers import over_seeds, plain_over_seeds

MOST_BINS = 40


@functools.cache
def bin_starts(length):
    """First index of each bin [B] of a window: single positions at first, then wider ones, equal in the logarithm."""
    edges = np.geomspace(1, length + 1, min(length, MOST_BINS) + 1)
    return np.unique(edges[:-1].round().astype(int)) - 1


def bins(length):
    """[[first, last], …] position of each bin, counted from 1."""
    starts = bin_starts(length)
    return [[int(first) + 1, int(end)] for first, end in zip(starts, [*starts[1:], length])]


def binned(run, index):
    """[B]: mean loss over the scored tokens of each bin, of the run's evaluated length `index`; NaN where none is scored."""
    length = int(run.lengths[index])
    loss, count = (run.evaluate[name][index, :length] for name in ("position_loss", "position_count"))
    count = np.where(np.isnan(loss), 0, count)
    starts = bin_starts(length)
    with np.errstate(invalid="ignore"):
        return np.add.reduceat(np.where(count > 0, loss * count, 0), starts) / np.add.reduceat(count, starts)


def has_positions(run):
    return "position_loss" in run.evaluate and "position_count" in run.evaluate


def positions(runs):
    """{length: [mean, low, high, seeds]}, each [B], of a series' done runs, which share their evaluated lengths."""
    runs = [run for run in runs if has_positions(run)]
    found = {}
    for index, length in enumerate(runs[0].lengths if runs else []):
        parts = over_seeds([binned(run, index) for run in runs])
        if parts[3].any():
            found[int(length)] = plain_over_seeds(parts)
    return found
