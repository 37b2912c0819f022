"""Loss by position in the window of a series: in bins, since a page of every position would be large, and noisy to look at."""
from ..positions import binned, bins
from .numbers import over_seeds, plain_over_seeds


def spans(length):
    """[[first, last], …] position of each bin [B] of a window, counted from 1."""
    edges = bins(length)
    return [[int(first) + 1, int(end)] for first, end in zip(edges, edges[1:])]


def has_positions(run):
    return "position_loss" in run.evaluate and len(run.evaluate["step"]) > 0


def positions(runs):
    """{length: [mean, low, high, seeds]}, each [B], of a series' done runs, which share their evaluated lengths."""
    runs = [run for run in runs if has_positions(run)]
    found = {}
    for length in runs[0].lengths if runs else []:
        parts = over_seeds([binned(run, int(length)) for run in runs])
        if parts[3].any():
            found[int(length)] = plain_over_seeds(parts)
    return found
