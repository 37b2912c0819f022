"""All ways of looking at results, on a real small sweep, whole, under way, damaged, mixed and empty: they have to agree on what
there is, show the rest, and end with the same exit code.

usage: test_looking.py ROPEWALK    (the built program)
"""
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

import h5py

from program_test import ProgramTest
from toy_sweep import end, wait_until

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SEEDS = ("--set", "sweep.seeds=2", "--set", "record.attention=true")
BASES = ("--set", "sweep.grid.model.position=[{kind: rope, base: 100}, {kind: rope}]")
SLOW = ("--set", "train.steps=100000", "--save-every", "0.05", "--jobs", "1")


class Looking(ProgramTest):
    def run_sweep(self, out, *options):
        code, _, errors = self.ropewalk("run", "toy.yaml", "--out", out, *options)
        self.assertEqual((code, errors), (0, ""))
        return self.directory / out / "toy"

    def script(self, name, *arguments):
        """(exit code, standard output, standard error)"""
        command = [REPOSITORY / "scripts" / name, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def page(self, *arguments):
        """(exit code, what the page holds, standard error); nothing where there is no page."""
        file = self.directory / "page.html"
        file.unlink(missing_ok=True)
        code, _, errors = self.script("report", *arguments, "--output", file)
        found = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', file.read_text(), re.DOTALL) if file.exists() else None
        return code, json.loads(found[1]) if found else None, errors

    def plot(self, figure, *arguments):
        """(exit code, the text of the figure as SVG, standard error)"""
        stem = self.directory / "figure"
        stem.with_suffix(".svg").unlink(missing_ok=True)
        code, _, errors = self.script("plot", figure, *arguments, "--format", "svg", "--output", stem)
        return code, stem.with_suffix(".svg").read_text() if stem.with_suffix(".svg").exists() else "", errors

    def loaded(self, directory):
        """What `import ropewalk` says of a folder, or of why not."""
        code = "import ropewalk, sys; sys.path.insert(0, 'scripts'); print(ropewalk.load(sys.argv[1]).summary())"
        done = subprocess.run([sys.executable, "-c", code, directory], cwd=REPOSITORY / "scripts", capture_output=True, text=True)
        return done.stdout + done.stderr

    def assert_counts(self, directory, counts, code=0):
        """All say of a directory what there is: "3 of 4 runs done"."""
        told = self.ropewalk("report", directory)
        self.assertEqual(told[0], code, told)
        self.assertIn(counts, told[1])
        told = self.page(directory)
        self.assertEqual(told[0], code, told[2])
        self.assertIn(counts, told[1]["summary"])
        self.assertIn(counts, self.loaded(directory))
        told = self.plot("extrapolation", directory)
        self.assertEqual(told[0], code, told[2])
        everything = re.fullmatch(r"(\d+) of \1 runs done", counts)
        self.assertEqual(counts in told[1], not everything, "a figure says so only where something is missing")

    def test_a_whole_sweep(self):
        folder = self.run_sweep("results", *SEEDS, *BASES)
        self.assert_counts(folder, "4 of 4 runs done")
        for figure in ("position", "bases", "training", "attention"):
            code, drawn, errors = self.plot(figure, folder)
            self.assertEqual((code, errors), (0, ""), figure)
            self.assertIn("<svg", drawn)
        code, page, _ = self.page(folder)
        self.assertEqual((code, page["absent"]), (0, {}), "every section has its chart")
        self.assertEqual([group["label"] for group in page["groups"]], ["rope, base 100", "rope, base 10000"])
        for label in ("rope, base 100", "rope, base 10000"):
            self.assertRegex(self.ropewalk("report", folder)[1], rf"\n{label} +2 +\d")

    def test_one_run(self):
        folder = next(self.run_sweep("results").glob("*alibi*"))
        self.assert_counts(folder, "1 of 1 runs done")

    def test_a_sweep_under_way_and_one_that_was_killed(self):
        process = self.sweep.start("results", *SLOW)
        self.addCleanup(end, process)
        folder = self.directory / "results" / "toy"
        wait_until(lambda: list(folder.glob("*/run.h5")) and (folder / "index.h5").exists(), "its first run", process)
        for state in ("running", "stopped"):
            code, text, _ = self.ropewalk("report", folder)
            self.assertEqual(code, 0)
            self.assertIn(f"0 of 2 runs done, 1 {state}, 1 waiting", text)
            code, page, _ = self.page(folder)
            self.assertEqual((code, page["summary"][:3]), (0, ["0 of 2 runs done", f"1 {state}", "1 waiting"]))
            self.assertIn(f"0 of 2 runs done, 1 {state}, 1 waiting", self.loaded(folder))
            code, _, errors = self.plot("extrapolation", folder)
            self.assertEqual(code, 3)
            self.assertIn("no finished runs", errors)
            self.assertEqual(self.plot("training", folder)[0], 0)
            process.send_signal(signal.SIGKILL)
            process.wait()

    def test_a_failed_and_a_diverged_run_stay_visible(self):
        folder = self.run_sweep("results", *SEEDS)
        for run, status in zip(sorted(folder.glob("*/run.h5")), ("failed", "diverged")):
            with h5py.File(run, "r") as old, h5py.File(run.with_name("new"), "w") as new:  # without the seal of the old bytes
                new.attrs.update({**old.attrs, "status": status, "message": "why not"})
                for group in ("train", "evaluate", "attention"):
                    old.copy(group, new)
            run.with_name("new").replace(run)
        self.assert_counts(folder, "2 of 4 runs done")
        self.assertIn("2 of 4 runs done, 1 diverged, 1 failed", self.ropewalk("report", folder)[1])
        self.assertIn("why not", self.ropewalk("report", folder)[1])
        runs = self.page(folder)[1]["runs"]
        self.assertEqual(sorted(run["status"] for run in runs), ["diverged", "done", "done", "failed"])
        self.assertIn("the run diverged there", self.plot("training", folder)[1])

    def test_a_damaged_file_is_named_and_the_rest_is_shown(self):
        folder = self.run_sweep("results", *SEEDS)
        run = next(folder.glob("*alibi-seed-1*")) / "run.h5"
        run.write_bytes(run.read_bytes()[:3000])
        self.assert_counts(folder, "3 of 4 runs done", code=3)
        self.assertIn(str(run), self.ropewalk("report", folder)[1])
        _, page, errors = self.page(folder)
        self.assertIn(str(run), errors)
        self.assertIn(str(run), "".join(page["problems"]))
        self.assertIn(str(run), self.plot("extrapolation", folder)[2])

    def test_runs_with_other_lengths_and_metrics(self):
        self.run_sweep("results", "--only", "*alibi*")
        self.run_sweep("results", "--only", "*rope*", "--set", "evaluate.lengths=[128, 32]", "--set", "evaluate.protocols=[nonoverlapping]")
        folder = self.directory / "results" / "toy"
        shutil.rmtree(folder / "index.h5", ignore_errors=True)
        code, text, _ = self.ropewalk("report", folder)
        self.assertEqual(code, 0)
        self.assertRegex(text, r"\n(alibi.*) +1 +[\d.<]+ +[\d.<]+ +-\n")
        self.assertRegex(text, r"\n(rope.*) +1 +[\d.<]+ +- +[\d.<]+\n")
        for command in (["report", folder, "--protocol", "sliding"], ["report", folder, "--metric", "bits_per_byte"]):
            self.assertEqual(self.ropewalk(*command)[0], 0)
        for options in ([], ["--protocol", "sliding"], ["--metric", "bits_per_byte"]):
            self.assertEqual(self.plot("extrapolation", folder, *options)[0], 0, options)
        self.assertEqual(self.page(folder)[0], 0)

    def test_an_empty_directory_and_none(self):
        (self.directory / "empty").mkdir()
        for directory in ("empty", "missing"):
            for code, output, errors in (self.ropewalk("report", directory), self.script("report", directory),
                                         self.script("plot", "extrapolation", directory)):  # fmt: skip
                self.assertEqual((code, output), (3, ""))
                self.assertIn(directory, errors)
                self.assertNotIn("Traceback", errors)

    def test_the_same_choice_everywhere(self):
        folder = self.run_sweep("results", *SEEDS, "--set", "tags=[first]")
        for choice, left in ((["--where", "model.position.kind=alibi"], 2), (["--only", "*seed-0*"], 2), (["--tag", "first"], 4)):
            with self.subTest(choice):
                self.assertRegex(self.ropewalk("report", folder, *choice)[1], rf"^toy: {left} of {left} runs done\n")
                self.assertEqual(len(self.page(folder, *choice)[1]["runs"]), left)
                self.assertEqual(self.plot("extrapolation", folder, *choice)[0], 0)
        for choice in (["--where", "base>1"], ["--where", "train.length"], ["--where", "train.length>1000"], ["--only", "nope"],
                       ["--tag", "nope"]):
            with self.subTest(choice):
                for code, output, errors in (self.ropewalk("report", folder, *choice), self.script("report", folder, *choice),
                                             self.script("plot", "extrapolation", folder, *choice)):  # fmt: skip
                    self.assertEqual((code, output), (2, ""))
                    self.assertIn(choice[1], errors)


if __name__ == "__main__":
    ProgramTest.program = sys.argv.pop(1)
    unittest.main()
