"""Holds the intervals that `ropewalk report` prints to those of scipy.stats.bootstrap, of means and of paired differences.

usage: check_statistics.py ROPEWALK    (77: scipy is not installed)
"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
import yaml

try:
    from scipy.stats import bootstrap
except ImportError:
    print("scipy is not installed (Debian: python3-scipy): skipped")
    sys.exit(77)

RUN = Path(__file__).resolve().parents[1] / "record" / "version_1" / "alibi" / "run.h5"
SEEDS = (4, 5, 8, 12, 20)
PRINTED = 0.0005  # of a loss, half of its last decimal


def copy_run(target, scheme, seed, loss):
    """The run in RUN with another scheme, seed and loss at every length."""
    target.parent.mkdir(parents=True)
    with h5py.File(RUN) as old, h5py.File(target, "w") as new:
        config = yaml.safe_load(old.attrs["config"])
        config["seed"], config["model"]["position"] = seed, {"kind": scheme}
        new.attrs.update({**old.attrs, "config": yaml.safe_dump(config), "run_id": target.parent.name})
        for group in ("train", "evaluate"):
            for name, dataset in old[group].items():
                new[f"{group}/{name}"] = dataset[()]
        new["evaluate/loss"][...] = loss


def intervals_of(text, title):
    """{label: (mean, low, high, sign)} in the first column of numbers of the table under a title."""
    table = text[text.index(title):].split("\n\n")[1]
    number = r"([-+]?\d+\.\d+)"
    rows = re.findall(rf"^(\w+) +\d+ +{number} \[{number}, {number}\] ?(\w*)", table, re.MULTILINE)
    return {label: (*map(float, numbers), sign) for label, *numbers, sign in rows}


def scipy_interval(values):
    """(low, high) of the mean, and how far apart two of these may be: four standard errors of a percentile of 10,000 draws."""
    drawn = bootstrap((values,), np.mean, n_resamples=200_000, method="percentile", random_state=0)
    deviation = values.std() / np.sqrt(len(values))
    density = 0.0584 / deviation  # of a normal distribution at its 2.5 % point
    allowed = 4 * np.sqrt(0.025 * 0.975 / 10_000) / density
    return drawn.confidence_interval, allowed


class Statistics(unittest.TestCase):
    program = None

    def report(self, losses):
        """The report on runs with these losses {scheme: [seeds]}, with rope as the baseline."""
        with tempfile.TemporaryDirectory() as folder:
            for scheme, values in losses.items():
                for seed, loss in enumerate(values):
                    copy_run(Path(folder) / f"{scheme}-{seed}" / "run.h5", scheme, seed, loss)
            command = [self.program, "report", folder, "--metric", "loss", "--baseline", "rope"]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def assert_agrees(self, found, values):
        mean, low, high, _ = found
        expected, allowed = scipy_interval(values)
        self.assertAlmostEqual(mean, values.mean(), delta=PRINTED)
        self.assertAlmostEqual(low, expected.low, delta=allowed + PRINTED)
        self.assertAlmostEqual(high, expected.high, delta=allowed + PRINTED)

    def test_means_and_paired_differences(self):
        for seeds in SEEDS:
            with self.subTest(seeds=seeds):
                random = np.random.default_rng(seeds)
                of_seed = random.normal(3, 0.5, seeds)
                losses = {"rope": of_seed, "alibi": of_seed - 0.3 + random.normal(0, 0.1, seeds)}
                text = self.report(losses)
                means = intervals_of(text, "loss by length")
                for scheme, values in losses.items():
                    self.assert_agrees(means[scheme], values)
                paired = intervals_of(text, "loss less that of rope")["alibi"]
                self.assert_agrees(paired, losses["alibi"] - losses["rope"])
                self.assertEqual(paired[3], "lower")
                width = lambda interval: interval[2] - interval[1]
                self.assertLess(width(paired), width(means["alibi"]) / 2, "what the seeds share cancels in a pair")

    def test_a_difference_that_may_be_none_is_undecided(self):
        losses = {"rope": np.full(6, 3.0), "alibi": 3 + np.array([0.4, -0.5, 0.3, -0.2, 0.1, -0.1])}
        self.assertEqual(intervals_of(self.report(losses), "loss less that of rope")["alibi"][3], "undecided")


if __name__ == "__main__":
    Statistics.program = sys.argv.pop(1)
    unittest.main()
