"""Published answers of Philox, and what they make of the choice of masked tokens."""
import unittest

import numpy as np
from masking import WORD, chosen, philox


class Masking(unittest.TestCase):
    def test_philox_gives_the_published_answers(self):
        # Random123's known answers for philox4x32-10.
        for counter, key, answer in (
            ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
            ([WORD] * 4, [WORD] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        ):
            words = philox([np.array([word], dtype=np.uint64) for word in counter], key)
            self.assertEqual([int(word[0]) for word in words], answer)

    def test_as_many_are_chosen_as_the_rate_says_and_more_at_a_higher_one(self):
        few, more = chosen(100_000, 0.15), chosen(100_000, 0.4)
        self.assertAlmostEqual(few.mean(), 0.15, delta=0.005)
        self.assertAlmostEqual(more.mean(), 0.4, delta=0.007)
        self.assertFalse((few & ~more).any())
        np.testing.assert_array_equal(chosen(100, 0.15), few[:100])


if __name__ == "__main__":
    unittest.main()
