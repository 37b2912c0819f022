"""Numbers as the page takes them: short, and None for what has no value, since JSON has neither NaN nor infinity."""
import math

import numpy as np

from ..statistics import interval

DIGITS = 5  # significant


def plain(values, digits=DIGITS):
    """Nested lists of an array or of numbers, rounded."""
    if isinstance(values, (list, tuple, np.ndarray)):
        return [plain(value, digits) for value in values]
    if values is None or not math.isfinite(values):
        return None
    return int(values) if isinstance(values, (int, np.integer)) else float(f"{values:.{digits}g}")


def over_seeds(values):
    """[4, …] of values [seeds, …]: mean, low and high end of its interval, and how many seeds have a value."""
    return np.stack(interval(np.asarray(values, dtype=float)))


def plain_over_seeds(parts):
    """[mean, low, high, seeds] of parts [4, K]."""
    return [*(plain(part) for part in parts[:3]), [int(seeds) for seeds in parts[3]]]
