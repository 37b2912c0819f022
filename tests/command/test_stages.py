"""A training in two stages, through the commands: what is planned, trained, labelled, reported, and asked of it afterwards.

usage: test_stages.py ROPEWALK    (the built program)
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

from toy_sweep import WORDS

CONFIG = """
name: toy
task: {{kind: text, corpus: '{corpus}', validation: 0.2}}
model: {{layers: 1, heads: 2, width: 16, position: {{kind: rope}}}}
train:
  length: 16
  batch: 4
  steps: 20
  schedule: {{kind: cosine, warmup: 5}}
  stages: [{{length: 32, steps: 10, rate: 1.0e-3, position: {{scaling: {{kind: yarn, factor: 2}}}}}}]
evaluate: {{lengths: [16, 48], tokens: 500}}
sweep: {{grid: {{'train.stages[0].position.scaling.factor': [2, 4]}}}}
"""


class Stages(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.directory = pathlib.Path(temporary.name)
        corpus, cls.config = cls.directory / "text.txt", cls.directory / "toy.yaml"
        corpus.write_text(" ".join(random.Random(5).choices(WORDS, k=3000)))
        cls.config.write_text(CONFIG.format(corpus=corpus))
        cls.results = cls.directory / "results"
        cls.trained = cls.ropewalk("run", cls.config, "--out", cls.results)
        cls.runs = {path.name: path for path in sorted((cls.results / "toy").iterdir()) if path.is_dir()}
        cls.later = [path for name, path in cls.runs.items() if "stage-2" in name]

    @classmethod
    def ropewalk(cls, *arguments, code=0):
        done = subprocess.run([str(cls.program), *map(str, arguments)], capture_output=True, text=True, errors="replace")
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def test_the_first_stage_is_trained_once_for_both(self):
        self.assertEqual(len(self.runs), 3)
        self.assertEqual(len(self.later), 2)
        self.assertIn("3 of 3 runs done", self.trained)

    def test_plan_shows_both_stages(self):
        plan = self.ropewalk("plan", self.config)
        for name in self.runs:
            self.assertIn(name, plan)

    def test_steps_and_evaluations_carry_their_stage(self):
        for path in self.later:
            with h5py.File(path / "run.h5") as file:
                self.assertEqual(list(file["train/step"]), [10, 20, 30])
                self.assertEqual(list(file["train/stage"]), [1, 1, 2])
                self.assertEqual(list(file["evaluate/step"]), [20, 30])
                self.assertEqual(list(file["evaluate/stage"]), [1, 2])
                self.assertTrue(file.attrs["start"].startswith("run position-rope-seed-0-"))
                self.assertIn("long_name", file["evaluate/stage"].attrs)

    def test_report_names_what_a_stage_changes(self):
        report = self.ropewalk("report", self.results)
        self.assertRegex(report, r"\nrope  +1 ")
        self.assertIn("rope, stage 2 length 32, stage 2 factor 4", report)

    def test_evaluate_takes_the_last_stage(self):
        for path in self.later:
            out = self.directory / f"{path.name}.h5"
            self.ropewalk("evaluate", path, "--out", out)
            with h5py.File(path / "run.h5") as run, h5py.File(out) as again:
                np.testing.assert_array_equal(again["evaluate/loss"][0], run["evaluate/loss"][-1])
        changed = self.directory / "changed.h5"
        self.ropewalk("evaluate", self.later[0], "--set", "model.position.scaling.factor=8", "--out", changed)
        with h5py.File(changed) as file:
            self.assertIn("factor: 8", file.attrs["config"])
            self.assertIn("original: 16", file.attrs["config"])

    def test_inspect_and_generate_take_the_last_stage(self):
        out = self.directory / "inspect.h5"
        self.ropewalk("inspect", self.later[0], "--length", 40, "--output", out)
        alone = self.directory / "alone.h5"
        self.ropewalk("inspect", self.config, "--set", "sweep=null", "--length", 40, "--output", alone)
        with h5py.File(out) as trained, h5py.File(alone) as config:
            for file in (trained, config):  # yarn stretches the slow pairs
                self.assertLess(file["rotation/frequency"][-1], 0.6 * 10000 ** (-6 / 8))
        self.assertTrue(self.ropewalk("generate", self.later[0], "--prompt", "rope", "--tokens", 5))

    def test_a_stage_that_cannot_go_on_is_refused_before_anything_runs(self):
        learned = ["--set", "sweep=null", "--set", "model.position={kind: learned, max_length: 40, beyond: clamp}", "--set",
                   "train.stages=[{length: 32, steps: 10, position: {max_length: 50}}]"]
        for command in ("check", "plan", "run"):
            said = self.ropewalk(command, self.config, *learned, code=2)
            self.assertIn("train.stages[0].position: the parameters of the stage before do not go with this model: expected "
                          "position.table [50, 16], got [40, 16]", said)

    def test_from_starts_a_run_of_another_config(self):
        first = next(path for name, path in self.runs.items() if "stage-2" not in name)
        said = self.ropewalk("run", self.config, "--out", self.results, "--set", "sweep=null", "--set", "train.stages=[]", "--set",
                             f"train.from={first}", "--set", "name=tuned")
        self.assertIn("1 of 1 runs done", said)
        with h5py.File(next((self.results / "tuned").glob("*/run.h5"))) as file:
            self.assertEqual(file.attrs["start"], f"run {first.name} at step 20")
            self.assertLess(file["train/loss"][0], 0.9 * np.log(256))
        checked = self.ropewalk("check", self.config, "--set", "train.stages=[]", "--set", "sweep=null", "--set", "train.from=nowhere",
                                code=3)
        self.assertIn("train.from: nowhere: expected the directory of a run that is done", checked)
        refused = self.ropewalk("run", self.config, "--out", self.results, "--set", "train.stages=[]", "--set", "sweep=null", "--set",
                                "train.from=nowhere", code=3)
        self.assertIn("train.from: nowhere: expected the directory of a run that is done", refused)


if __name__ == "__main__":
    Stages.program = sys.argv.pop(1)
    unittest.main()
