"""Intervals over seeds, paired differences, and how far a run goes: against scipy, and against cases worked out by hand."""
import sys
import unittest
from pathlib import Path

import numpy as np
import xarray

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import ropewalk
from ropewalk import generalization
from ropewalk.statistics import RESAMPLES, describe_band, intervals, resamples

try:
    import scipy.stats
except ImportError:
    scipy = None


def sample(seeds, stream=1):
    return np.random.default_rng(stream).lognormal(size=seeds)


def labelled(series):
    """A DataArray (run, length) of {label: {seed: values [E]}}."""
    rows = [(label, seed, values) for label, seeds in series.items() for seed, values in seeds.items()]
    names, seeds, values = zip(*rows)
    names = np.array(names, dtype=object)
    coordinates = {"label": ("run", names), "seed": ("run", list(seeds)), "length": [64, 128][: len(values[0])]}
    return xarray.DataArray(np.array(values, dtype=float), dims=("run", "length"), coords=coordinates)


class AgainstScipy(unittest.TestCase):
    def setUp(self):
        if scipy is None:
            self.skipTest("scipy is not installed: apt-get install python3-scipy")

    def test_percentile_bootstrap(self):
        for seeds in (4, 5, 8, 16, 40):
            with self.subTest(seeds=seeds):
                values = sample(seeds)
                theirs = scipy.stats.bootstrap((values,), np.mean, n_resamples=200_000, confidence_level=0.95,
                                               method="percentile", random_state=1, batch=10_000).confidence_interval  # fmt: skip
                ours = ropewalk.interval(values)
                for bound, tail in (("low", 0.025), ("high", 0.975)):
                    error = abs(getattr(ours, bound) - getattr(theirs, bound))
                    self.assertLess(error, max(4 * self.sampling_error(values, tail), 1e-12), bound)

    def sampling_error(self, values, tail):
        """The standard error of a percentile of RESAMPLES means, by the density of theirs about it."""
        means = np.random.default_rng(2).choice(values, size=(200_000, len(values))).mean(axis=1)
        share = np.sqrt(tail * (1 - tail) / RESAMPLES)
        return (np.quantile(means, tail + share) - np.quantile(means, tail - share)) / 2

    def test_sampling_error_is_small(self):
        values = sample(16)
        ours = ropewalk.interval(values)
        self.assertLess(4 * self.sampling_error(values, 0.025), 0.1 * (ours.high - ours.low))


class Intervals(unittest.TestCase):
    def test_one_seed_has_a_mean_and_no_interval(self):
        one = ropewalk.interval([3.0])
        self.assertEqual((one.mean, one.seeds), (3.0, 1))
        self.assertTrue(np.isnan(one.low) and np.isnan(one.high))

    def test_of_two_and_three_it_is_the_range(self):
        self.assertEqual(ropewalk.interval([3.0, 1.0]), (2.0, 1.0, 3.0, 2))
        self.assertEqual(ropewalk.interval([3.0, 1.0, 5.0]), (3.0, 1.0, 5.0, 3))

    def test_of_four_it_is_within_the_range(self):
        values = [1.0, 2.0, 3.0, 10.0]
        _, low, high, seeds = ropewalk.interval(values)
        self.assertEqual(seeds, 4)
        self.assertTrue(1 < low < 4 < high < 10, (low, high))

    def test_same_values_in_any_order_have_the_same_interval(self):
        values = sample(9)
        self.assertEqual(ropewalk.interval(values)[1:], ropewalk.interval(values[::-1])[1:])
        before = ropewalk.interval(values)
        resamples.cache_clear()  # as in another process
        self.assertEqual(before, ropewalk.interval(values))

    def test_a_column_among_others_has_the_interval_that_it_has_alone(self):
        values = np.random.default_rng(3).normal(size=(6, 2, 70))
        together = ropewalk.interval(values)
        self.assertEqual(together.low.shape, (2, 70))
        alone = ropewalk.interval(values[:, 1, 68])
        np.testing.assert_allclose([part[1, 68] for part in together], alone, rtol=1e-12)

    def test_many_samples_of_any_size(self):
        samples = [sample(seeds, stream) for stream, seeds in enumerate((4, 1, 7, 4, 2))]
        for found, values in zip(intervals(samples), samples):
            np.testing.assert_allclose(found, ropewalk.interval(values), rtol=1e-12)

    def test_ties(self):
        self.assertEqual(ropewalk.interval([0.1] * 7)[1:], (0.1, 0.1, 7))
        _, low, high, _ = ropewalk.interval([1.0, 1.0, 1.0, 2.0])
        self.assertEqual(low, 1.0)  # of 256 resamples as likely as each other 81 have no 2
        self.assertEqual(high, 1.75)  # 13 have three or four of it, 5 %

    def test_a_seed_without_a_value_is_not_counted(self):
        values = np.array([[1.0, 1.0, np.nan], [2.0, np.nan, np.nan], [3.0, 3.0, np.nan], [4.0, 5.0, np.nan], [6.0, 4.0, 7.0]])
        together = ropewalk.interval(values)
        self.assertEqual(list(together.seeds), [5, 4, 1])
        for column in range(3):
            alone = ropewalk.interval(values[~np.isnan(values[:, column]), column])
            np.testing.assert_array_equal([part[column] for part in together], alone)

    def test_infinite_values_have_no_interval(self):
        mean, low, high, seeds = ropewalk.interval([1.0, 2.0, np.inf, 3.0])
        self.assertEqual((mean, seeds), (np.inf, 4))
        self.assertTrue(np.isnan([low, high]).all())

    def test_no_seed(self):
        mean, low, high, seeds = ropewalk.interval([])
        self.assertTrue(np.isnan([mean, low, high]).all())
        self.assertEqual(seeds, 0)

    def test_bands_of_figures_are_called_what_they_are(self):
        self.assertEqual(describe_band(2, 3), "mean over 2 to 3 seeds; band: range over seeds")
        self.assertEqual(describe_band(2, 5), "mean over 2 to 5 seeds; band: 95 % bootstrap interval, of fewer than 4 their range")

    def test_labelled_values_are_summarized_by_series(self):
        values = labelled({"rope": {0: [1.0, 5.0], 1: [3.0, 5.0]}, "alibi": {0: [2.0, np.nan]}})
        found = ropewalk.interval(values)
        self.assertEqual((list(found.label.values), list(found.length.values)), (["rope", "alibi"], [64, 128]))
        np.testing.assert_array_equal(found["mean"].sel(label="rope"), [2.0, 5.0])
        np.testing.assert_array_equal(found.low.sel(label="rope"), [1.0, 5.0])
        np.testing.assert_array_equal(found.seeds, [[2, 2], [1, 0]])
        self.assertTrue(np.isnan(found.low.sel(label="alibi")).all())


class PairedDifferences(unittest.TestCase):
    def test_are_tighter_than_unpaired_where_seeds_agree(self):
        random = np.random.default_rng(4)
        seeds = random.normal(size=10)  # what both share
        baseline = seeds + 0.05 * random.normal(size=10)
        values = seeds + 0.2 + 0.05 * random.normal(size=10)
        pair, ours, theirs = ropewalk.paired(values, baseline), ropewalk.interval(values), ropewalk.interval(baseline)
        self.assertLess(pair.high - pair.low, 0.2 * ((ours.high - ours.low) + (theirs.high - theirs.low)))
        self.assertEqual((pair.pairs, pair.sign), (10, "higher"))
        self.assertTrue(ours.low < theirs.high)  # unpaired they overlap
        self.assertEqual(ropewalk.paired(baseline, values).sign, "lower")

    def test_signs(self):
        self.assertEqual(ropewalk.paired([1.0], [0.0]).sign, "undecided")  # one pair has no interval
        self.assertEqual(ropewalk.paired([1.0, 2.0], [0.0, 0.0]), (1.5, 1.0, 2.0, 2, "higher"))
        self.assertEqual(ropewalk.paired([-1.0, 2.0], [0.0, 0.0]).sign, "undecided")
        self.assertEqual(ropewalk.paired([0.0, 2.0], [0.0, 0.0]).sign, "undecided")  # 0 is contained
        np.testing.assert_array_equal(ropewalk.paired([[1.0, -1.0], [2.0, -2.0]], [[0.0, 0.0]] * 2).sign, ["higher", "lower"])

    def test_labelled_values_pair_by_seed(self):
        values = labelled({
            "alibi": {0: [1.0, 1.0], 1: [2.0, 2.0], 2: [3.0, 3.0]},
            "rope": {2: [3.5, 2.0], 7: [100.0, 100.0], 1: [2.25, 1.0]},
            "none": {7: [1.0, 1.0]},
        })
        found = ropewalk.paired(values, "alibi")
        self.assertEqual(list(found.label.values), ["rope"])  # none shares no seed
        np.testing.assert_array_equal(found["mean"].sel(label="rope"), [0.375, -1.0])
        np.testing.assert_array_equal(found.low.sel(label="rope"), [0.25, -1.0])
        np.testing.assert_array_equal(found.pairs.sel(label="rope"), [2, 2])
        np.testing.assert_array_equal(found.sign.sel(label="rope"), ["higher", "lower"])

    def test_unknown_baseline(self):
        with self.assertRaisesRegex(ropewalk.UsageError, "baseline: expected one of alibi; rope, .*, got 'alibo'"):
            ropewalk.paired(labelled({"alibi": {0: [1.0]}, "rope": {0: [1.0]}}), "alibo")


class Definitions(unittest.TestCase):
    lengths = np.array([32, 64, 128, 256, 512])

    def test_effective_length(self):
        effective = lambda *loss, trained=64: generalization.effective_length(self.lengths, np.array(loss), trained)
        self.assertEqual(effective(9.0, 1.0, 1.01, 1.03, 1.5), (128, False))
        self.assertEqual(effective(9.0, 1.0, 1.021, 1.02, 1.021), (256, False))  # the largest, whatever is before it
        self.assertEqual(effective(9.0, 1.0, 1.5, 1.5, 0.9), (512, True))
        self.assertEqual(effective(0.5, 1.0, 1.5, np.nan, 1.5), (64, False))
        self.assertEqual(effective(9.0, 1.0, 1.0, np.nan, 1.5), (128, False))
        self.assertEqual(effective(1.0, 1.0, 1.0, 1.0, 1.0, trained=512), (512, True))
        for nothing in (effective(1.0, np.nan, 1.0, 1.0, 1.0), effective(1.0, 1.0, 1.0, 1.0, 1.0, trained=100)):
            self.assertTrue(np.isnan(nothing[0]))
            self.assertFalse(nothing[1])

    def test_tokens_gained(self):
        gained = lambda *loss, trained=64: generalization.tokens_gained(self.lengths, np.array(loss), trained)
        step = np.log(1.01)
        at = lambda *steps: [1 + step * number for number in steps]
        self.assertEqual(gained(*at(9, 0, 0, 0, 1)), (448, True))  # as much is not past it
        self.assertEqual(gained(*at(9, 0, 0, 1, np.nan)), (192, True))
        self.assertEqual(gained(*at(9, 0, np.nan, 0, 0)), (0, True))
        self.assertEqual(gained(*at(0, 0, 0, 0, 0), trained=512), (0, True))
        tokens, bound = gained(*at(9, 0, 2, 0, 0))  # half way to 128 in log length, whatever comes after
        self.assertAlmostEqual(tokens, 64 * 2**0.5 - 64)
        self.assertFalse(bound)
        self.assertAlmostEqual(gained(*at(9, 0, 0.5, 2.5, 0))[0], 128 * 2**0.25 - 64)
        self.assertAlmostEqual(gained(9.0, 1.0, np.inf, 1.0, 1.0)[0], 0)
        self.assertTrue(np.isnan(gained(*at(0, np.nan, 0, 0, 0))[0]))
        self.assertTrue(np.isnan(gained(*at(0, 0, 0, 0, 0), trained=100)[0]))

    def test_area(self):
        area = lambda *values, trained=64: generalization.area(self.lengths, np.array(values), trained)
        self.assertEqual(area(99.0, 4.0, 4.0, 4.0, 4.0), 4.0)
        self.assertAlmostEqual(area(99.0, 1.0, 2.0, 3.0, 4.0), 2.5)
        self.assertAlmostEqual(area(99.0, 0.0, 6.0, 0.0, 0.0), 2.0)
        uneven = generalization.area(np.array([64, 128, 512]), np.array([0.0, 3.0, 3.0]), 64)
        self.assertAlmostEqual(uneven, (1.5 + 6) / 3)
        for nothing in (area(1.0, 1.0, np.nan, 1.0, 1.0), area(1.0, np.nan, 1.0, 1.0, 1.0),
                        area(1.0, 1.0, 1.0, 1.0, 1.0, trained=512), area(1.0, 1.0, 1.0, 1.0, 1.0, trained=100)):  # fmt: skip
            self.assertTrue(np.isnan(nothing))

    def test_ratio(self):
        values = generalization.ratio(self.lengths, np.array([1.0, 2.0, 3.0, np.nan, 8.0]), 64)
        np.testing.assert_array_equal(values, [0.5, 1.0, 1.5, np.nan, 4.0])
        self.assertTrue(np.isnan(generalization.ratio(self.lengths, np.ones(5), 100)).all())
        several = generalization.ratio(self.lengths, np.array([[1.0, 2, 3, 4, 5], [2, 2, 2, 4, 8]]), 64)
        np.testing.assert_array_equal(several, [[0.5, 1, 1.5, 2, 2.5], [1, 1, 1, 2, 4]])


if __name__ == "__main__":
    unittest.main()
