"""The base that a context length needs, against published bounds, against the definition and against what the program records."""
import unittest

import h5py
import numpy as np

from plotting import REPOSITORY
from ropewalk.rotary import BASE_STEP, base_lower_bounds, first_failing_offset


def serves(width, base, length):
    """The definition: sum_j cos(m b^(-2j/width)) >= 0 for every offset m < length."""
    sums = np.cos(np.outer(np.arange(length), base ** (-2 * np.arange(width // 2) / width))).sum(axis=1)
    return bool((sums >= 0).all())


class BaseLowerBound(unittest.TestCase):
    def test_bounds_of_men_et_al(self):
        published = {1024: 4.3e3, 2048: 1.2e4, 4096: 2.7e4, 8192: 8.4e4}  # table 1, heads of 128
        for length, bound in base_lower_bounds(128, published).items():
            self.assertAlmostEqual(bound / published[length], 1, delta=0.04)  # two digits are published

    def test_it_serves_the_length_and_no_smaller_base_of_the_grid_does(self):
        for width, lengths in ((16, [8, 40]), (32, [16, 100])):
            for length, bound in base_lower_bounds(width, lengths).items():
                self.assertTrue(serves(width, bound, length))
                exponent = round(np.log(bound) / np.log(BASE_STEP))
                self.assertFalse(any(serves(width, BASE_STEP**smaller, length) for smaller in range(1, exponent)))

    def test_the_order_of_lengths_does_not_matter(self):
        together = base_lower_bounds(32, [256, 64, 128, 64])
        self.assertEqual(together, {length: base_lower_bounds(32, [length])[length] for length in (64, 128, 256)})

    def test_one_pair_turns_by_a_radian_a_token_whatever_the_base(self):
        self.assertEqual(base_lower_bounds(2, [2, 64]), {2: BASE_STEP, 64: None})

    def test_a_guess_finds_what_a_search_finds(self):
        first = first_failing_offset(32, 500.0, 512)
        self.assertFalse(serves(32, 500.0, first + 1))
        self.assertTrue(serves(32, 500.0, first))
        self.assertEqual(first_failing_offset(32, 500.0, 512, guess=first + 30), first)
        self.assertEqual(first_failing_offset(32, 1e6, 512), 512)


if __name__ == "__main__":
    unittest.main()
