"""Numbers as the page takes them: short, and None for what has no value, since JSON has neither NaN nor infinity."""
import math

import numpy as np

from ..statistics import summarize

DIGITS = 5  # significant


def plain(values):
    """Nested lists of an array or of numbers, rounded."""
    if isinstance(values, (list, tuple, np.ndarray)):
        return [plain(value) for value in values]
    if values is None or not math.isfinite(values):
        return None
    return int(values) if isinstance(values, (int, np.integer)) else float(f"{values:.{DIGITS}g}")


def over_seeds(values):
    """(mean, low, high, seeds), each [K], of values [seeds, K]: of those seeds that have a value. NaN where there is no such seed, and
    no interval (NaN) of one."""
    values = np.asarray(values, dtype=float)
    present = ~np.isnan(values)
    seeds = present.sum(axis=0)
    mean, low, high = np.full((3, values.shape[1]), np.nan)
    for pattern in np.unique(present, axis=1).T:
        columns = (present == pattern[:, None]).all(axis=0)
        if pattern.any():
            mean[columns], low[columns], high[columns] = summarize(values[pattern][:, columns])
    low[seeds < 2] = high[seeds < 2] = np.nan
    return mean, low, high, seeds
