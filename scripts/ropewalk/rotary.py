"""What the wavelengths of a rotation say about a context length; as framework/positional/rope_facts.cpp computes it."""
import re

import numpy as np

BASE = re.compile(r"(model|train\.stages\[\d+\])\.position(\.parts\[\d+\])?\.base")  # settings that are one
BASE_STEP = 1.001  # bases are searched on the grid BASE_STEP^k
LARGEST_BASE = 1e12
AROUND = 128  # tokens; a base fails near the offset at which the one before it failed


def base_lower_bounds(width, lengths):
    """{length: bound}: the smallest base b of the grid with sum_j cos(m b^(-2j/width)) >= 0 for every offset m < length, None if no
    base of the grid will do (Men et al. 2024, "Base of RoPE Bounds Context Length"). width: elements of a head that turn, even;
    lengths in tokens. Above the smallest base there are others that do not serve the length."""
    bounds, exponent, failed = {}, 1, 0
    for length in sorted(set(lengths)):  # what serves a length serves all that are shorter, so the search goes on
        while length not in bounds:
            base = BASE_STEP**exponent
            if base > LARGEST_BASE:
                bounds[length] = None
                break
            failed = first_failing_offset(width, base, length, failed)
            if failed == length:
                bounds[length] = base
            else:
                exponent += 1
    return bounds


def first_failing_offset(width, base, length, guess=0):
    """An offset m < length with a negative sum of cosines, `length` if there is none: the first within 128 tokens of the guess if
    there is one there, else the first of all."""
    first, last = max(0, guess - AROUND), min(length, guess + AROUND)
    found = _first_negative(width, base, first, last)
    return found if found < last else _first_negative(width, base, 0, length)


def _first_negative(width, base, first, last):
    frequencies = base ** (-2 * np.arange(width // 2) / width)
    for start in range(first, last, 1024):
        offsets = np.arange(start, min(start + 1024, last))
        negative = np.flatnonzero(np.cos(np.outer(offsets, frequencies)).sum(axis=1) < 0)
        if len(negative):
            return int(offsets[negative[0]])
    return last
