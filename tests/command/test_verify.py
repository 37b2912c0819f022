"""Claims held against runs, from nothing on: what is trained and evaluated for them, the numbers, verdicts and exit codes.

usage: test_verify.py ROPEWALK    (the built program)
"""
import itertools
import math
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import yaml

from toy_claim import BEGUN, CLAIM, EVALUATED, ClaimTest
from toy_sweep import TAKEN_UP, end, wait_until

SEEDS, HEADS = range(6), (1, 2)

# Each kind of number that a series can have, and of comparison.
EVERYTHING = """\
claim: Rope, scaled or tuned, is held against ALiBi
source: Nobody 2026, Table 0
published:
  what: perplexity of nothing in particular
  columns: [short, long]
  rows: {rope: [1.5, ""], ALiBi: [2, out of memory]}
study: toy.yaml
toy: It is nothing but one.
note: It is too small.
figure: scripts/plot extrapolation results/toy --output figures/toy
alone: true
pair: [seed]
each: {model.heads: [1, 2]}
evaluations:
  linear: {model.position.scaling: {kind: linear, factor: 2}}
series:
  rope: {where: {model.position.kind: rope}}
  alibi: {where: {model.position.kind: alibi}}
  tuned: {stage: 2, where: {model.position.kind: rope, train.length: 32}, first: {train.length: 16}}
  linear: {where: {model.position.kind: rope}, evaluation: linear}
  sliding: {where: {model.position.kind: rope}, protocol: sliding, metric: loss}
  gained: {where: {model.position.kind: rope}, metric: tokens_gained}
  gained tuned: {stage: 2, where: {model.position.kind: rope}, metric: tokens_gained}
  effective: {where: {model.position.kind: rope}, metric: effective_length}
  rise: {where: {model.position.kind: rope}, metric: steepest_rise}
  rise linear: {where: {model.position.kind: rope}, metric: steepest_rise, evaluation: linear}
  area: {where: {model.position.kind: rope}, metric: area}
  area of alibi: {where: {model.position.kind: alibi}, metric: area}
  memory: {where: {model.position.kind: rope}, metric: peak_bytes}
  memory of alibi: {where: {model.position.kind: alibi}, metric: peak_bytes}
  speed: {where: {model.position.kind: rope}, metric: tokens_per_second}
  speed of alibi: {where: {model.position.kind: alibi}, metric: tokens_per_second}
predicate:
  - alibi at 2L <= rope at 2L
  - linear at 2L > 1.1 * rope at 2L
  - sliding at 4L < sliding at L
  - 0.9 * rope at 4L / rope at L >= alibi at 4L / alibi at L
  - tuned at 4L < rope at 4L
tried:
  - tuned at L+16 <= tuned at 2L
  - gained <= gained tuned
  - gained tuned > 100 * gained
  - effective > 2 * gained
  - rise < rise linear
  - area > area of alibi
  - memory <= memory of alibi
  - speed >= 0.1 * speed of alibi
table: [L, 2L, 4L]
"""

# Looks at one run of each seed.
ROPE_ALONE = """\
claim: Rope is not much worse on a longer text
source: Nobody 2026, Table 1
published: {what: nothing}
study: toy.yaml
toy: It is nothing but one.
series: {rope: {where: {model.position.kind: rope}}}
predicate: [rope at 4L < 2 * rope at L]
"""

CLOCKED = "speed >= 0.1 * speed of alibi"  # what no two trainings agree on


class Numbers:
    """What one file says of one run, worked out here from its datasets."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.config = yaml.safe_load(file.attrs["config"])
            self.peak_bytes = int(file.attrs["peak_bytes"])
            self.train = {name: file["train"][name][()] for name in ("tokens", "seconds")} if "train" in file else None
            self.stage = int(file["evaluate/stage"][-1])
            self.curves = {(name, protocol): dict(zip(file["evaluate/length"][()].tolist(), values.tolist()))
                           for name in ("loss", "perplexity")
                           for protocol, values in zip(file["evaluate/protocol"].asstr(), file["evaluate"][name][-1])}
        self.loss = self.curves["loss", "nonoverlapping"]
        self.trained = 32 if self.stage == 2 else 16
        self.steps = list(itertools.pairwise(length for length in sorted(self.loss) if length >= self.trained))

    def perplexity(self, length):
        return self.curves["perplexity", "nonoverlapping"][length]

    def tokens_gained(self):
        bound = self.loss[self.trained] + math.log(1.01)
        for below, above in self.steps:
            if self.loss[above] > bound:
                share = (bound - self.loss[below]) / (self.loss[above] - self.loss[below])
                return below * (above / below) ** share - self.trained
        return max(self.loss) - self.trained

    def ever_passed(self):
        return any(self.loss[above] > self.loss[self.trained] + math.log(1.01) for _, above in self.steps)

    def effective_length(self):
        return max(length for length in self.loss if length >= self.trained and
                   self.loss[length] <= 1.02 * self.loss[self.trained])

    def steepest_rise(self):
        return max((self.loss[above] - self.loss[below]) / math.log2(above / below) for below, above in self.steps)

    def area(self):
        widths = [math.log2(above / below) for below, above in self.steps]
        heights = [(self.perplexity(above) + self.perplexity(below)) / 2 for below, above in self.steps]
        return np.dot(widths, heights) / sum(widths)

    def tokens_per_second(self):
        tokens, seconds = self.train["tokens"], self.train["seconds"]
        return (tokens[-1] - tokens[0]) / (seconds[-1] - seconds[0])


def sides(rope, alibi, tuned, linear):
    """{comparison: both sides} of one seed and number of heads."""
    sliding = rope.curves["loss", "sliding"]
    return {
        "alibi at 2L <= rope at 2L": (alibi.perplexity(32), rope.perplexity(32)),
        "linear at 2L > 1.1 * rope at 2L": (linear.perplexity(32), 1.1 * rope.perplexity(32)),
        "sliding at 4L < sliding at L": (sliding[64], sliding[16]),
        "0.9 * rope at 4L / rope at L >= alibi at 4L / alibi at L": (
            0.9 * rope.perplexity(64) / rope.perplexity(16), alibi.perplexity(64) / alibi.perplexity(16)),
        "tuned at 4L < rope at 4L": (tuned.perplexity(64), rope.perplexity(64)),
        "tuned at L+16 <= tuned at 2L": (tuned.perplexity(32), tuned.perplexity(32)),
        "gained <= gained tuned": (rope.tokens_gained(), tuned.tokens_gained()),
        "gained tuned > 100 * gained": (tuned.tokens_gained(), 100 * rope.tokens_gained()),
        "effective > 2 * gained": (rope.effective_length(), 2 * rope.tokens_gained()),
        "rise < rise linear": (rope.steepest_rise(), linear.steepest_rise()),
        "area > area of alibi": (rope.area(), alibi.area()),
        "memory <= memory of alibi": (rope.peak_bytes, alibi.peak_bytes),
        CLOCKED: (rope.tokens_per_second(), 0.1 * alibi.tokens_per_second()),
    }


def verdict_of(row):
    """Of a comparison in six pairs, from the interval in its row."""
    low, high = float(row["low"]), float(row["high"])
    compare = re.search("[<>]=?", row["comparison"])[0]
    holds, fails = {"<": (high < 0, low >= 0), "<=": (high <= 0, low > 0),
                    ">": (low > 0, high <= 0), ">=": (low >= 0, high < 0)}[compare]
    left_smaller = holds if compare[0] == "<" else fails
    # A number that is at least what it says may still turn the difference, or not be the smaller one.
    if (row["left_at_least"] == "1" and left_smaller) or (row["right_at_least"] == "1" and (holds or fails) and not left_smaller):
        return "undecided"
    return "reproduced" if holds else "not reproduced" if fails else "undecided"


class Judging(ClaimTest):
    """One claim with a bit of everything, verified once from nothing on."""

    def setUp(self):
        pass  # one directory for all

    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        once = cls()
        once.write_text()
        once.write_study(steps=80, heads="[1, 2]", seeds=len(SEEDS))
        once.write("everything.yaml", EVERYTHING)
        cls.output = once.verify("everything.yaml", "--threads", 2, "--jobs", 2, "--csv", "first.csv", "--markdown", "first.md")
        cls.csv = once.rows("first.csv")
        cls.found = {}
        for path in (cls.directory / "results/toy").glob("*/run.h5"):
            numbers = Numbers(path)
            model = numbers.config["model"]
            cls.found[model["position"]["kind"], numbers.stage, model["heads"], numbers.config["seed"]] = path, numbers

    def test_only_the_runs_it_looks_at_are_trained(self):
        expected = itertools.product([("rope", 1), ("rope", 2), ("alibi", 1)], HEADS, SEEDS)
        self.assertEqual(set(self.found), {(*kind, heads, seed) for kind, heads, seed in expected})
        self.assertIn("36 of 36 runs done", self.output)
        self.assertIn("\nruns: 36 of 36 done, ", self.output)

    def test_alone_they_are_trained_one_at_a_time(self):
        lines = re.findall(r"(?m)^(\S+)  (begun|done)$", self.output)
        self.assertEqual([word for _, word in lines], ["begun", "done"] * 36)

    def test_only_runs_of_that_series_are_evaluated_anew(self):
        evaluated = [path.parent.parent.name for path in (self.directory / "results/toy").glob("*/evaluations/*")]
        untuned = {path.parent.name for (scheme, stage, *_), (path, _) in self.found.items() if (scheme, stage) == ("rope", 1)}
        self.assertEqual(len(evaluated), len(untuned))
        self.assertEqual(set(evaluated), untuned)
        self.assertEqual(sorted(EVALUATED.findall(self.output)), sorted((run, "linear") for run in untuned))

    def of(self, heads):
        """{comparison: both sides [seed, 2]}"""
        of_seeds = []
        for seed in SEEDS:
            path, rope = self.found["rope", 1, heads, seed]
            (evaluated,) = (path.parent / "evaluations").glob("*.h5")
            linear = Numbers(evaluated)
            self.assertEqual(linear.config["model"]["position"]["scaling"], {"kind": "linear", "factor": 2})
            of_seeds.append(sides(rope, self.found["alibi", 1, heads, seed][1], self.found["rope", 2, heads, seed][1], linear))
        return {comparison: np.array([one[comparison] for one in of_seeds]) for comparison in of_seeds[0]}

    def rows_and_values(self):
        """Rows of the CSV, each with both sides of each seed."""
        expected = {(comparison, f"model.heads={heads}"): values
                    for heads in HEADS for comparison, values in self.of(heads).items()}
        self.assertEqual([(row["comparison"], row["where"]) for row in self.csv],
                         [(comparison, f"model.heads={heads}") for comparison in self.of(1) for heads in HEADS])
        return [(row, expected[row["comparison"], row["where"]]) for row in self.csv]

    def naming(self, row):
        return self.subTest(row["comparison"], where=row["where"])

    def test_numbers_are_those_of_the_files(self):
        for row, values in self.rows_and_values():
            with self.naming(row):
                np.testing.assert_allclose([float(row["left"]), float(row["right"])], values.mean(axis=0), rtol=1e-12)
                np.testing.assert_allclose(float(row["difference"]), np.subtract(*values.T).mean(), rtol=1e-9, atol=1e-12)
                self.assertEqual(row["pairs"], "6")

    def test_intervals_are_those_of_scipy(self):
        try:
            from scipy.stats import bootstrap
        except ImportError:
            self.skipTest("scipy is not installed (Debian: python3-scipy)")
        for row, values in self.rows_and_values():
            with self.naming(row):
                differences = np.subtract(*values.T)
                low, high = float(row["low"]), float(row["high"])
                if np.ptp(differences) == 0:
                    self.assertEqual((low, high), (differences[0], differences[0]))
                    continue
                drawn = bootstrap((differences,), np.mean, n_resamples=200_000, method="percentile", random_state=0)
                deviation = differences.std() / np.sqrt(len(differences))
                allowed = 4 * np.sqrt(0.025 * 0.975 / 10_000) / (0.0584 / deviation)  # see tests/report/check_statistics.py
                np.testing.assert_allclose([low, high], drawn.confidence_interval, rtol=0, atol=allowed)

    def test_bounds_are_marked(self):
        for row, _ in self.rows_and_values():
            with self.naming(row):
                heads = int(row["where"].removeprefix("model.heads="))
                bound = {stage: any(not self.found["rope", stage, heads, seed][1].ever_passed() for seed in SEEDS)
                         for stage in (1, 2)}
                effective = any(self.found["rope", 1, heads, seed][1].effective_length() == 64 for seed in SEEDS)
                left, right = {"gained <= gained tuned": (bound[1], bound[2]),
                               "gained tuned > 100 * gained": (bound[2], bound[1]),
                               "effective > 2 * gained": (effective, bound[1])}.get(row["comparison"], (False, False))
                self.assertEqual((row["left_at_least"], row["right_at_least"]), (str(int(left)), str(int(right))))

    def test_verdicts_follow(self):
        for row, _ in self.rows_and_values():
            with self.naming(row):
                self.assertEqual(row["verdict"], verdict_of(row))
                self.assertEqual(row["why"] == "", row["verdict"] != "undecided")
                self.assertEqual((row["claim"], row["part"]), ("everything", "predicate" if row in self.csv[:10] else "tried"))
        self.assertEqual({row["verdict"] for row in self.csv}, {"reproduced", "not reproduced", "undecided"})

    def test_one_comparison_that_fails_decides_the_claim(self):
        self.assertIn("not reproduced", {row["verdict"] for row in self.csv if row["part"] == "predicate"})
        self.assertEqual({row["claim_verdict"] for row in self.csv}, {"not reproduced"})
        self.assertIn("\neverything: not reproduced\n", self.output)
        self.assertTrue(self.output.endswith("\n1 claim: 0 reproduced, 1 not reproduced, 0 undecided\n"))

    def test_the_table_shows_means_over_runs(self):
        measured = self.output.split("\nmeasured: mean over runs [as below]\n\n")[1].split("\n\n")[0]
        shown = dict(re.findall(r"(?m)^(\w+, model\.heads=\d)  +(.*)$", measured))
        at = [f"{name}, model.heads={heads}" for heads in HEADS for name in ("rope", "alibi", "tuned", "linear", "sliding")]
        self.assertEqual(list(shown), at)  # those of whole runs have no length
        kinds = {"rope": ("rope", 1), "tuned": ("rope", 2), "alibi": ("alibi", 1)}
        for heads, (name, kind) in itertools.product(HEADS, kinds.items()):
            runs = [self.found[*kind, heads, seed][1] for seed in SEEDS]
            means = [f"{np.mean([run.perplexity(length) for run in runs]):.2f}" for length in (16, 32, 64)]
            self.assertEqual(re.findall(r"(\S+) \[", shown[f"{name}, model.heads={heads}"]), means)

    def test_what_was_published_is_shown(self):
        self.assertIn("\nRope, scaled or tuned, is held against ALiBi (Nobody 2026, Table 0)\n", self.output)
        self.assertRegex(self.output, r"\npublished: perplexity of nothing in particular\n\n +short +long\n-+\nrope +1\.5 *\n"
                                      r"ALiBi +2 +out of memory\n")

    def test_the_page_has_what_the_terminal_has(self):
        page = (self.directory / "first.md").read_text()
        self.assertIn("\n### everything: not reproduced\n", page)
        for row in self.csv:
            numbers = f"{float(row['left']):.3f}" if row["part"] == "predicate" else ""
            self.assertIn("| " + re.sub(r"([<*|])", r"\\\1", row["comparison"]) + f" | {row['where']} | {numbers}", page)
        self.assertIn("\nNote: It is too small.\n", page)
        self.assertIn("\n![Rope, scaled or tuned, is held against ALiBi](figures/toy.png)\n", page)
        self.assertIn("\n| `build/ropewalk run toy.yaml` | 36 of 72 | ", page)

    def test_again_nothing_is_run_and_nothing_changes(self):
        before = self.contents()
        again = self.verify("everything.yaml", "--csv", "again.csv", "--markdown", "first.md")
        self.assert_kept(before)
        self.assertEqual(set(self.contents()), set(before))
        self.assertTrue(again.startswith("everything: not reproduced\n"), again)
        self.assertTrue(self.output.endswith("\n" + again))
        self.assertEqual((self.directory / "again.csv").read_bytes(), (self.directory / "first.csv").read_bytes())
        page = (self.directory / "first.md").read_bytes()
        self.assertEqual(self.verify("everything.yaml", "--judge-only", "--markdown", "first.md"), again)
        self.assertTrue((self.directory / "first.md").read_bytes() == page)

    def test_trained_anew_it_ends_with_the_same_numbers(self):
        self.verify("everything.yaml", "--out", "other", "--threads", 1, "--csv", "other.csv")
        rows, others = ([row for row in rows if row["comparison"] != CLOCKED] for rows in (self.csv, self.rows("other.csv")))
        self.assertEqual(len(others), 24)
        self.assertEqual(others, rows)


class FromNothing(ClaimTest):
    def setUp(self):
        super().setUp()
        self.write_study()
        self.write("claim.yaml", CLAIM)

    def runs(self, results="results"):
        return sorted(path.parent for path in (self.directory / results).glob("toy/*/run.h5"))

    def one_verdict(self, *arguments, code):
        """(verdict, why) of all comparisons, which agree."""
        output = self.verify("claim.yaml", "--csv", "claim.csv", *arguments, code=code)
        ((verdict, why),) = {(row["verdict"], row["why"]) for row in self.rows("claim.csv")}
        self.assertIn(f"\nclaim: {verdict}\n", "\n" + output)
        return verdict, why

    def test_a_claim_that_holds(self):
        self.assertEqual(self.one_verdict(code=0), ("reproduced", ""))
        self.assertEqual(len(self.runs()), 6)

    def test_what_a_run_starts_from_is_trained_too(self):
        self.write("claim.yaml", re.sub(r"(?m)^evaluations:\n.*\n|^  rope:.*\n|^  linear:.*\n|^  - linear.*\n", "", CLAIM)
                   .replace("1.5 * rope at 4L", "1.5 * tuned at L"))
        self.assertEqual(self.one_verdict(code=0), ("reproduced", ""))
        self.assertEqual(len(self.runs()), 6)
        self.assertIn("\nruns: 3 of 3 done", self.verify("claim.yaml"))

    def test_judged_before_any_run(self):
        self.write("claim.yaml", ROPE_ALONE)
        self.assertEqual(self.one_verdict("--judge-only", code=1), ("undecided", "missing: 3 runs"))
        self.assertFalse((self.directory / "results").exists())

    def test_judged_before_its_evaluations(self):
        self.ropewalk("run", "toy.yaml")
        self.verify("claim.yaml", "--judge-only", "--csv", "claim.csv", code=1)
        self.assertEqual([(row["verdict"], row["why"]) for row in self.rows("claim.csv")],
                         [("reproduced", ""), ("undecided", "evaluation 'linear' missing: 3 runs")])
        output = self.verify("claim.yaml")
        self.assertEqual((len(BEGUN.findall(output)), len(EVALUATED.findall(output))), (0, 3))

    def test_too_few_seeds(self):
        for seeds, pairs in ((1, "1 pair"), (2, "2 pairs")):
            self.write_study(seeds=seeds)
            self.assertEqual(self.one_verdict(code=1), ("undecided", f"{pairs}, expected 3 or more"))
        self.write_study(seeds=3)  # those trained so far count
        self.assertEqual(self.one_verdict(code=0), ("reproduced", ""))
        self.assertEqual([len(TAKEN_UP.findall((run / "log.txt").read_text())) for run in self.runs()], [1] * 6)

    def test_a_diverged_run(self):
        study = (self.directory / "toy.yaml").read_text()
        self.write("toy.yaml", study.replace("rate: 0.02", "rate: 1.0e+30"))
        for verb in ("begun", "diverged"), (), ():  # what diverged is not tried again
            output = self.verify("claim.yaml", "--csv", "claim.csv", code=1)
            self.assertEqual(set(re.findall(r"(?m)^\S+  (begun|diverged)$", output)), set(verb))
            rows = self.rows("claim.csv")
            self.assertEqual({row["verdict"] for row in rows}, {"undecided"})
            self.assertRegex(rows[1]["why"], r"^diverged: 3 runs$")
            self.assertIn("\nruns: 0 of 6 done", output)

    def test_a_bad_claim_runs_nothing(self):
        self.write("bad.yaml", CLAIM.replace("tuned at 4L", "tuned at 5L"))
        output, errors = self.ropewalk("verify", "claim.yaml", "bad.yaml", code=2)
        self.assertEqual(output, "")
        self.assertEqual(errors, "bad.yaml:13:5: predicate[0]: tuned at 5L: expected one of the evaluated lengths 16, 32, 64, "
                                 "got 80\n")
        self.assertFalse((self.directory / "results").exists())

    def test_names_of_claims(self):
        self.write("configs/claims/toy.yaml", CLAIM.replace("study: toy.yaml", "study: ../../toy.yaml"))
        self.write("configs/claims/two.yaml", CLAIM.replace("study: toy.yaml", "study: ../../toy.yaml"))
        self.assertIn("\n1 claim: 1 reproduced, ", self.verify("toy"))
        self.assertIn("\n2 claims: 2 reproduced, ", self.verify("all", "toy", "--judge-only"))
        self.assertEqual(self.ropewalk("verify", "tow", code=2),
                         ("", "CLAIM: expected a file, all, or one of toy, two, got tow; did you mean toy?\n"))

    def test_a_missing_text(self):
        (self.directory / "text.txt").rename(self.directory / "elsewhere.txt")
        errors = self.ropewalk("verify", "claim.yaml", code=3)[1]
        self.assertIn("corpus text.txt: expected a text, found nothing; ", errors)
        self.assertEqual(self.runs(), [])
        (self.directory / "elsewhere.txt").rename(self.directory / "text.txt")
        self.verify("claim.yaml")
        (self.directory / "text.txt").unlink()
        self.assertEqual(self.one_verdict(code=0), ("reproduced", ""))  # all is measured

    def test_damaged_files(self):
        self.verify("claim.yaml")
        (evaluation,) = (self.runs()[0].parent).glob("position-rope-seed-0-v*/evaluations/*.h5")
        for damaged in (evaluation, evaluation.parents[1] / "run.h5"):
            whole = damaged.read_bytes()
            damaged.write_bytes(whole[: len(whole) // 2])
            for options in ((), ("--judge-only",)):
                with self.subTest(damaged.name, options=options):
                    output, errors = self.ropewalk("verify", "claim.yaml", *options, code=3)
                    self.assertIn(str(damaged.relative_to(self.directory)), errors)
                    self.assertEqual(output, "")
            damaged.write_bytes(whole)
        self.verify("claim.yaml")

    def test_a_file_that_cannot_be_written_is_said_before_anything_runs(self):
        for option in ("--csv", "--markdown"):
            with self.subTest(option):
                output, errors = self.ropewalk("verify", "claim.yaml", option, "no/such/directory.txt", code=3)
                self.assertIn("no/such/directory.txt: cannot write", errors)
                self.assertEqual(self.runs(), [], "trained in vain")

    def test_a_run_is_not_overwritten(self):
        self.verify("claim.yaml")
        before = self.contents()
        for option in ("--csv", "--markdown"):
            with self.subTest(option):
                file = self.runs()[0].relative_to(self.directory) / "run.h5"
                errors = self.ropewalk("verify", "claim.yaml", option, file, code=2)[1]
                self.assertIn(f"{option}: expected a file of its own, got {file}, which belongs to a run", errors)
                self.assert_kept(before)

    def test_failed_runs_are_tried_again_when_asked(self):
        self.write_study(steps=1, seeds=1)
        study = (self.directory / "toy.yaml").read_text()
        self.write("toy.yaml", study.replace("width: 16", "width: 64, hidden: 131072").replace("warmup: 5", "warmup: 0")
                   .replace("tokens: 500", "tokens: 100"))
        self.write("claim.yaml", ROPE_ALONE)
        memory = 280 << 20  # bytes of address space: too few for the model and its gradient
        limited = subprocess.run(self.command("verify", "claim.yaml", "--jobs", 1, "--threads", 1), cwd=self.directory, text=True,
                                 capture_output=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        self.assertEqual(limited.returncode, 1, limited.stdout + limited.stderr)
        self.assertRegex(limited.stdout, r"(?m)^(position-rope\S+)  failed: no memory")
        output = self.verify("claim.yaml", code=1)
        self.assertNotIn("begun", output)
        self.assertRegex(output, r"undecided: failed: position-rope-\S+\n")
        self.assertRegex(self.verify("claim.yaml", "--retry", "failed", code=1), "undecided: 1 pair, expected 3 or more")

    def test_interrupted_while_training_it_goes_on_to_the_same_numbers(self):
        self.write_study(steps=1000)
        self.verify("claim.yaml", "--out", "undisturbed", "--csv", "undisturbed.csv")
        process = subprocess.Popen(self.command("verify", "claim.yaml", "--csv", "interrupted.csv"), cwd=self.directory,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(end, process)
        wait_until(self.runs, "a run began", process)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 130, output)
        self.assertNotIn("undecided", output)
        self.assertFalse((self.directory / "interrupted.csv").exists())
        verdicts = self.verify("claim.yaml", "--judge-only", code=1)
        self.assertRegex(verdicts, "undecided: (missing|not over): ")
        self.verify("claim.yaml", "--csv", "interrupted.csv")
        self.assertEqual((self.directory / "interrupted.csv").read_bytes(), (self.directory / "undisturbed.csv").read_bytes())

    def test_interrupted_while_evaluating(self):
        self.write("claim.yaml", CLAIM.replace("factor: 2}", "factor: 2}, evaluate.protocols: [nonoverlapping, sliding], "
                                               "evaluate.stride: 1, evaluate.tokens: 2000"))
        self.ropewalk("run", "toy.yaml")
        before = self.contents()
        process = subprocess.Popen(self.command("verify", "claim.yaml", "--threads", 1), cwd=self.directory,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(end, process)
        self.assertRegex(process.stdout.readline(), EVALUATED)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        kept = list(self.directory.rglob("evaluations/*"))
        self.assertLess(len(kept), 3)
        self.assertEqual(len(EVALUATED.findall(self.verify("claim.yaml"))), 3 - len(kept))
        self.assert_kept(before)

    def test_claims_of_one_study_share_its_runs(self):
        self.write("second.yaml", CLAIM.replace("1.5 * rope", "3 * rope"))
        output = self.verify("claim.yaml", "second.yaml", "claim.yaml")
        begun = BEGUN.findall(output)
        self.assertEqual((len(begun), len(set(begun))), (6, 6))
        self.assertEqual([len(TAKEN_UP.findall((run / "log.txt").read_text())) for run in self.runs()], [1] * 6)
        self.assertEqual(len(EVALUATED.findall(output)), 3)
        self.assertIn("\n2 claims: 2 reproduced, ", output)

    def test_runs_of_a_claim_that_is_alone_have_no_company_of_another_claim(self):
        self.write("timed.yaml", CLAIM.replace("series:\n", "alone: true\nseries:\n"))
        self.write_study(steps=100)
        output = self.verify("claim.yaml", "timed.yaml", "--threads", 2, "--jobs", 2)
        lines = re.findall(r"(?m)^\S+  (begun|done)$", output)
        self.assertEqual(lines, ["begun", "done"] * 6)

    def test_another_evaluation_leaves_the_old_one(self):
        self.verify("claim.yaml", "--csv", "before.csv")
        before = self.contents()
        self.write("claim.yaml", CLAIM.replace("factor: 2", "factor: 4"))
        output = self.verify("claim.yaml", "--csv", "after.csv")
        self.assertEqual((len(BEGUN.findall(output)), len(EVALUATED.findall(output))), (0, 3))
        self.assert_kept(before)
        added = self.contents().keys() - before.keys()
        self.assertEqual([path.parent.name for path in added], ["evaluations"] * 3)
        self.assertNotEqual(self.rows("after.csv")[1]["left"], self.rows("before.csv")[1]["left"])
        self.write("claim.yaml", CLAIM)
        self.assertEqual(EVALUATED.findall(self.verify("claim.yaml", "--csv", "back.csv")), [])
        self.assertEqual((self.directory / "back.csv").read_bytes(), (self.directory / "before.csv").read_bytes())


if __name__ == "__main__":
    ClaimTest.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
