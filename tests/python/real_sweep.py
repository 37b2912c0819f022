"""The Python module on a sweep that the program has just made: against what `ropewalk report` and `ropewalk status` say of it,
and the cells of scripts/example.py.

usage: real_sweep.py ROPEWALK    (the built program)
"""
import contextlib
import csv
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

import ropewalk
from ropewalk.length_table import measures

WORDS = "strand rope walk twist hemp tar lay and the of".split()
PATIENCE = 120  # seconds: what takes longer hangs
CONFIG = """
name: quickstart
task: {corpus: text.txt, validation: 0.2}
model: {layers: 1, heads: 2, width: 16, position: {kind: rope}}
train: {length: 64, batch: 4, steps: 100, optimizer: {rate: 1.0e-2}, schedule: {warmup: 10}}
evaluate: {lengths: [64, 128, 512], protocols: [nonoverlapping, sliding], stride: 32, tokens: 2000, every: 50}
record: {every: 10, attention: true}
tags: [python, small]
sweep:
  seeds: 4
  list:
    - model.position: {kind: rope}
      grid: {model.position.base: [100, 10000]}
    - model.position: {kind: alibi}
    - model.position: {kind: sinusoidal}
    - model.position: {kind: learned, beyond: clamp}
    - model.position: {kind: sum, parts: [{kind: sinusoidal}, {kind: alibi}]}
    - train.stages: [{length: 128, steps: 10, rate: 1.0e-3}]
"""


class RealSweep(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.directory = pathlib.Path(temporary.name)
        (cls.directory / "text.txt").write_text(" ".join(random.Random(5).choices(WORDS, k=8000)))
        (cls.directory / "small.yaml").write_text(CONFIG)
        cls.half = cls.sweep("half", "--only", "*alibi*")
        cls.whole = cls.sweep("results")

    @classmethod
    def sweep(cls, out, *options):
        cls.ropewalk("run", "small.yaml", "--out", out, *options)
        return cls.directory / out / "quickstart"

    @classmethod
    def ropewalk(cls, *arguments):
        done = subprocess.run([cls.program, *map(str, arguments)], cwd=cls.directory, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def test_every_number_of_a_run_is_that_of_report(self):
        file = self.directory / "report.csv"
        self.ropewalk("report", self.whole, "--csv", file)
        results = ropewalk.load(self.whole)
        loss, perplexity = results.evaluate.loss, results.evaluate.perplexity
        trained = {header.run_id: header.trained_lengths for header in results.headers}
        with open(file, newline="") as opened:
            rows = list(csv.DictReader(opened))
        self.assertGreaterEqual(len(rows), 28 * 2 * 3)
        for row in rows:
            place = {"run": row["run"], "step": int(row["step"]), "protocol": row["protocol"], "length": int(row["length"])}
            self.assertAlmostEqual(float(loss.sel(place)), float(row["loss"]), 12)
            self.assertAlmostEqual(float(perplexity.sel(place)), float(row["perplexity"]), 10)
            self.assertEqual(trained[row["run"]][int(row["stage"]) - 1], int(row["trained_length"]))

    def test_how_far_each_run_goes_is_what_report_says(self):
        file = self.directory / "far.csv"
        self.ropewalk("report", self.whole, "--csv", file)
        results = ropewalk.load(self.whole)
        last = dict(results.runs.step)
        found = measures(results).fillna({"length": 0}).set_index(["label", "seed", "quantity", "length"])
        with open(file, newline="") as opened:
            rows = [row for row in csv.DictReader(opened)
                    if row["protocol"] == "nonoverlapping" and int(row["step"]) == last[row["run"]]]  # fmt: skip
        self.assertEqual(len(rows), 28 * 3)
        for row in rows:
            mine = lambda quantity, length=0: found.loc[(results.labels[row["run"]], int(row["seed"]), quantity, length)]
            self.assertAlmostEqual(mine("ratio", int(row["length"])).value, float(row["perplexity_ratio"]), 10)
            self.assertAlmostEqual(mine("area").value, float(row["perplexity_area"]), 10)
            for quantity in ("effective_length", "tokens_gained"):
                self.assertAlmostEqual(mine(quantity).value, float(row[quantity]), 6)
                self.assertEqual(mine(quantity).bound, row[f"{quantity}_at_least"] == "1")

    def test_estimates_are_those_of_report(self):
        report = self.ropewalk("report", self.whole, "--baseline", "alibi", "--protocol", "sliding")
        results = ropewalk.load(self.whole)
        table = ropewalk.extrapolation(results, protocol="sliding").set_index(["label", "quantity", "length"]).sort_index()
        labels = list(dict.fromkeys(results.labels.values()))
        self.assertEqual(len(labels), 7)
        compared = 0
        for title, quantity in (("perplexity by length", "perplexity"), ("perplexity relative", "ratio")):
            for label, cells in rows_of(report, title):
                self.assertIn(label, labels)
                for length, cell in zip((64, 128, 512), cells):
                    row = table.loc[(label, quantity, length)]
                    for number, name in zip(cell, ("mean", "low", "high")):
                        width = row.high - row.low  # two bootstraps of 10,000 draws, and a number of two decimals
                        self.assertAlmostEqual(number, row[name], delta=0.006 if name == "mean" else 0.006 + 0.04 * width)
                        compared += 1
        self.assertGreater(compared, 7 * 3 * 3)
        order = [label for label, _ in rows_of(report, "perplexity by length")]
        self.assertEqual(order, list(dict.fromkeys(ropewalk.extrapolation(results).label)))

    def test_statuses_are_those_of_status(self):
        for folder in (self.half, self.whole):
            (experiment,) = json.loads(self.ropewalk("status", folder, "--json", "--all"))["experiments"]
            results = ropewalk.load(folder)
            counts = {state: count for state, count in experiment["counts"].items() if count}
            begun = {run["id"]: run["state"] for run in experiment["runs"] if run["state"] != "waiting"}
            self.assertEqual(dict(results.runs.status), begun)
            self.assertEqual(results.expected, sum(counts.values()))
            self.assertEqual(len(results.waiting), counts.get("waiting", 0))

    def test_a_run_is_running_as_long_as_its_process(self):
        endless = ("--set", "train.steps=100000000", "--only", "position-alibi-seed-0*", "--out", "live")
        process = subprocess.Popen([self.program, "run", "small.yaml", *endless], cwd=self.directory, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            deadline = time.monotonic() + PATIENCE
            while not list(self.directory.glob("live/*/*/run.h5")):
                self.assertLess(time.monotonic(), deadline, "it has not begun")
                time.sleep(0.05)
            results = ropewalk.load(self.directory / "live")
        finally:
            process.kill()
            process.wait()
        self.assertEqual(list(results.runs.status), ["running"])
        self.assertIn(" runs done, 1 running", results.summary())
        self.assertEqual(list(ropewalk.load(self.directory / "live").runs.status), ["stopped"])

    def test_a_sweep_in_progress(self):
        results = ropewalk.load(self.half)
        self.assertEqual(results.summary(), "quickstart: 8 of 28 runs done, 20 waiting")
        self.assertEqual(results.where("model.position.kind = rope").expected, 12)
        self.assertEqual(len(results.select(tags=["small", "python"])), 8)
        self.assertEqual(set(ropewalk.extrapolation(results, step=50).seeds), {4})

    def test_evaluations_along_the_training(self):
        evaluate = ropewalk.load(self.whole).evaluate
        self.assertEqual(list(evaluate.step), [50, 100, 110])
        staged = evaluate.where(evaluate.stage == 2, drop=True)
        self.assertEqual((list(staged.step), staged.sizes["run"]), ([110], 4))
        self.assertEqual(evaluate.perplexity.attrs["long_name"], "exp(loss)")

    def test_attention_is_there(self):
        attention = ropewalk.load(self.whole).attention
        self.assertEqual(dict(attention.sizes), {"run": 28, "layer": 1, "head": 2, "length": 3})
        self.assertEqual(attention.mean_distance.attrs["units"], "tokens")
        self.assertTrue(((attention.entropy > 0) & (attention.entropy < np.log(attention.length))).all())
        self.assertTrue(((attention.mean_distance > 0) & (attention.mean_distance < attention.length)).all())

    def test_position_and_training_are_there(self):
        results = ropewalk.load(self.whole)
        loss = results.position.position_loss.sel(length=64)
        self.assertTrue(np.isfinite(loss[:, :64]).all() and np.isnan(loss[:, 64:]).all())
        self.assertTrue((results.train.tokens.max("step") >= 100 * 4 * 64).all())
        self.assertTrue((results.runs.tokens_per_second > 0).all())


    def test_cells_run(self):
        printed = []
        scope = {}
        with contextlib.chdir(self.directory):
            for cell in cells():
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(cell, scope)
                printed.append(out.getvalue())
        self.assertIn("quickstart: 28 of 28 runs done", printed[0])
        self.assertTrue(all(printed[:-1]))
        png = (self.directory / "results" / "quickstart" / "training-loss.png").read_bytes()
        self.assertTrue(png.startswith(b"\x89PNG"))

    def test_readme_shows_the_cells(self):
        readme = (REPOSITORY / "scripts" / "README.md").read_text()
        shown = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
        self.assertEqual([block.strip() for block in shown], [cell.strip() for cell in cells()])


def cells():
    """The code of each cell of the example, its title as a comment."""
    text = (REPOSITORY / "scripts" / "example.py").read_text()
    return [f"#{cell}" for cell in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]]


def rows_of(report, title):
    """(label, [(mean, low, high)] by length) of the rows of a table of `ropewalk report`."""
    table = report[report.index(title) :].split("\n\n")[1]
    number = r"[-+]?\d+(?:\.\d+)?"
    for line in table.splitlines()[2:]:
        label, _, values = re.fullmatch(r"(.*?) {2,}(\d+) +(.*)", line).groups()
        found = re.findall(rf"({number})(?: \[({number}), ({number})\])?", values)
        yield label, [[float(part) for part in cell if part] for cell in found]


if __name__ == "__main__":
    RealSweep.program = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
