"""Runs that diverge or fail in a sweep of two stages, and configs that change.

usage: test_failures.py ROPEWALK    (the built program)
"""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

import h5py

from toy_sweep import STAGED, Sweep

DIVERGES = ("--set", "sweep.grid={train.optimizer.rate: [1.0e+30, 1.0e-3]}")  # the first of the two
# A model of 67 MB, of which training keeps several copies, beside one of a few KB. Only the first is too large for the limit.
LARGE = ("--set", "sweep.grid={model.hidden: [131072, 16]}", "--set", "model.width=64", "--set", "train.steps=2",
         "--set", "train.schedule.warmup=1", "--set", "train.batch=4", "--set", "evaluate.tokens=100",
         "--set", "train.stages=[{length: 64, steps: 2, rate: 1.0e-3}]")
MEMORY = 280 << 20  # bytes of address space
ONE = ("--jobs", "1", "--threads", "1")


class Failures(unittest.TestCase):
    program = None

    def setUp(self):
        directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.sweep = Sweep(pathlib.Path(self.program).resolve(), directory, steps=20, config=STAGED)
        self.experiment = directory / "results/toy"

    def run_sweep(self, *options, memory=resource.RLIM_INFINITY):
        """(exit code, standard output and error)"""
        done = subprocess.run(self.sweep.command("results", *ONE, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        return done.returncode, done.stdout

    def index(self):
        with h5py.File(self.experiment / "index.h5") as file:
            return dict(zip(file["runs/id"].asstr(), file["runs/status"].asstr()))

    def status_of(self, *words):
        """In the index, of the one run with all these words in its id, `!word`: without it."""
        (found,) = [state for run, state in self.index().items()
                    if all((word[1:] not in run) if word[0] == "!" else (word in run) for word in words)]
        return found

    def contents(self):
        return {path: path.read_bytes() for path in self.experiment.glob("*/*") if path.is_file()}

    def test_a_diverged_run_is_recorded_and_the_others_go_on(self):
        code, output = self.run_sweep(*DIVERGES)
        self.assertEqual(code, 1, output)
        (diverged,) = re.findall(r"(?m)^(\S+)  diverged$", output)
        with h5py.File(self.experiment / diverged / "run.h5") as file:
            self.assertIn("rate: 1.0e+30\n", file.attrs["config"])
        self.assertIn(f"waiting, skipped: for the run it starts from, {diverged} (diverged)\n", output)
        self.assertIn("2 of 4 runs done, 1 diverged, 1 waiting for a run that is not done, in", output)
        self.assertEqual(sorted(self.index().values()), ["diverged", "done", "done", "waiting"])
        self.assertEqual(sorted(self.sweep.statuses("results")), ["diverged", "done", "done"])
        before = self.contents()
        for options in ((), ("--retry", "failed")):  # it would diverge again
            code, output = self.run_sweep(*DIVERGES, *options)
            self.assertEqual(code, 1)
            self.assertIn(f"{diverged}  diverged already, skipped\n", output)
            self.assertIn("2 of 4 runs done (2 before), 1 diverged, 1 waiting for a run that is not done", output)
            self.assertEqual(self.contents(), before)

    def test_fail_fast_begins_no_other(self):
        code, output = self.run_sweep(*DIVERGES, "--fail-fast")
        self.assertEqual(code, 1, output)
        self.assertEqual(self.sweep.statuses("results"), ["diverged"])
        self.assertEqual(sorted(self.index().values()), ["diverged", "waiting", "waiting", "waiting"])
        self.assertEqual(self.run_sweep(*DIVERGES)[0], 1)
        self.assertEqual(sorted(self.index().values()), ["diverged", "done", "done", "waiting"])

    def test_a_failed_run_is_tried_again_when_asked(self):
        reason = r"no memory for a tensor of \d+ MiB: the model, the batch or a length is too large for this machine"
        code, output = self.run_sweep(*LARGE, memory=MEMORY)
        self.assertEqual(code, 1, output)
        self.assertRegex(output, rf"(?m)hidden-131072\S+  failed: {reason}$")
        self.assertIn("2 of 4 runs done, 1 failed, 1 waiting for a run that is not done, in", output)
        self.assertEqual(sorted(self.index().values()), ["done", "done", "failed", "waiting"])
        (failed,) = [run for run in self.sweep.runs("results") if "hidden-131072" in run.name]
        self.assertRegex((failed / "log.txt").read_text(), rf"Z failed: {reason}\n$")
        status = subprocess.run([self.sweep.program, "status", self.experiment], capture_output=True, text=True)
        self.assertEqual(status.returncode, 0, status.stderr)
        self.assertRegex(status.stdout, "4 runs: .*1 failed")
        before = self.contents()
        code, output = self.run_sweep(*LARGE)
        self.assertEqual(code, 1)
        self.assertRegex(output, rf"{failed.name}  failed already, skipped.*; --retry failed goes on with it\n")
        self.assertEqual(self.contents(), before)
        code, output = self.run_sweep(*LARGE, "--retry", "failed")
        self.assertEqual(code, 0, output)
        self.assertIn("4 of 4 runs done (2 before), in", output)
        self.assertEqual(set(self.index().values()), {"done"})

    def test_a_changed_config_overwrites_nothing(self):
        self.assertEqual(self.run_sweep()[0], 0)
        before = self.contents()
        code, output = self.run_sweep("--set", "train.stages[0].steps=21")  # the first stages are the same
        self.assertEqual(code, 0, output)
        self.assertIn("4 of 4 runs done (2 before)", output)
        code, output = self.run_sweep("--set", "train.batch=6")
        self.assertIn("4 of 4 runs done, in", output)
        after = self.contents()
        self.assertEqual({path: after[path] for path in before}, before)
        self.assertEqual(len(self.index()), 10)

    def test_only_some_runs_and_what_they_start_from(self):
        code, output = self.run_sweep("--only", "*rope*stage-2*")
        self.assertEqual(code, 0, output)
        self.assertIn("2 of 2 runs done", output)
        self.assertEqual(self.status_of("rope", "stage-2"), "done")
        self.assertEqual(self.status_of("rope", "!stage-2"), "done")
        self.assertEqual(self.status_of("alibi", "!stage-2"), "waiting")
        self.assertEqual(self.run_sweep("--only", "*alibi-seed-0-validation*")[0], 0)
        self.assertEqual((self.status_of("alibi", "!stage-2"), self.status_of("alibi", "stage-2")), ("done", "waiting"))
        self.assertRegex(self.run_sweep()[1], re.escape("4 of 4 runs done (3 before)"))
        self.assertEqual(list(self.sweep.taken_up("results").values()), [[None]] * 4)


if __name__ == "__main__":
    Failures.program = sys.argv.pop(1)
    unittest.main()
