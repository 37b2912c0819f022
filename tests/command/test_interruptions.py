"""However a sweep gets to its end, by kill -9 or by signals, on one thread or more, it leaves the same bits.

usage: test_interruptions.py ROPEWALK    (the built program)
"""
import random
import shutil
import signal
import sys
import tempfile
import time
import unittest

import h5py

from toy_sweep import Sweep

KILLS = 12
OFTEN = ("--save-every", "0.05")

RUN_ATTRIBUTES = {"format", "format_version", "run_id", "status", "config", "software", "machine", "parameters", "started",
                  "finished", "peak_bytes"}
TRAIN = {"step", "tokens", "loss", "rate", "gradient_norm", "seconds"}
EVALUATE = {"step", "length", "protocol", "loss", "perplexity", "token_accuracy", "scored", "bits_per_byte"}


class Interruptions(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.sweep = Sweep(cls.program, temporary.name)
        began = time.monotonic()
        cls.sweep.run("undisturbed", "--threads", "2", *OFTEN)
        cls.seconds = time.monotonic() - began
        cls.expected = cls.sweep.outcome("undisturbed")

    def expect_undisturbed(self, results):
        found = self.sweep.outcome(results)
        self.assertEqual(found.keys(), self.expected.keys())
        different = [key for key in found if found[key] != self.expected[key]]
        self.assertEqual(different, [])

    def test_the_outcome_is_not_empty(self):
        self.assertEqual(len({run for run, _, _ in self.expected}), 2)
        names = {name for _, _, name in self.expected}
        self.assertTrue({"evaluate/loss", "parameters/head.weight", "optimizer/first_moment/embed.weight"} <= names, names)

    def test_threads_and_jobs_change_no_bit(self):
        for options in (["--threads", "1"], ["--threads", "2", "--jobs", "1"], ["--threads", "3"]):
            with self.subTest(options):
                results = "".join(options)
                self.sweep.run(results, *options)
                self.expect_undisturbed(results)

    def test_kill(self):
        moments = random.Random(12)
        kills = 0
        while kills < KILLS:
            process = self.sweep.start("killed", "--threads", "2", *OFTEN)
            time.sleep(moments.uniform(0.02, 0.5) * self.seconds)
            process.kill()
            code = process.wait()
            if code == 0:  # it was faster
                self.expect_undisturbed("killed")
                shutil.rmtree(self.sweep.directory / "killed")
                continue
            self.assertEqual(code, -signal.SIGKILL)
            kills += 1
            self.expect_sound_files("killed")
        self.sweep.run("killed", "--threads", "2", *OFTEN)
        self.expect_undisturbed("killed")
        self.assertEqual(list((self.sweep.directory / "killed").rglob(".*partial*")), [], "temporaries of killed programs")

    def expect_sound_files(self, results):
        for path in (self.sweep.directory / results).rglob("*.h5"):
            with h5py.File(path) as file:
                check = {"run.h5": self.check_run, "checkpoint.h5": self.check_checkpoint, "index.h5": self.check_index}
                check[path.name](file)

    def check_run(self, file):
        self.assertLessEqual(RUN_ATTRIBUTES, set(file.attrs))
        self.assertIn(file.attrs["status"], {"running", "done"})
        self.assertLessEqual(TRAIN, set(file["train"]))
        self.assertLessEqual(EVALUATE, set(file["evaluate"]))
        steps, evaluations = len(file["train/step"]), len(file["evaluate/step"])
        for name in TRAIN:
            self.assertEqual(file["train"][name].shape, (steps,))
        self.assertEqual(file["evaluate/loss"].shape, (evaluations, 2, 2))

    def check_checkpoint(self, file):
        self.assertLessEqual({"step", "config"}, set(file.attrs))
        names = set(file["parameters"])
        self.assertIn("blocks.1.attention.qkv.weight", names)
        for moment in ("first_moment", "second_moment"):
            self.assertEqual(set(file["optimizer"][moment]), names)

    def check_index(self, file):
        self.assertEqual(len(file["runs/id"]), 2)
        self.assertEqual(len(file["files"]), 2)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            with self.subTest(number):
                results = f"signal-{number}"
                process = self.sweep.start(results, "--threads", "2", *OFTEN)
                self.wait_for_a_checkpoint(results)
                process.send_signal(number)
                self.assertEqual(process.wait(), 130)
                self.assertIn("interrupted", self.sweep.statuses(results))
                self.assertNotIn("running", self.sweep.statuses(results))
                self.sweep.run(results, "--threads", "2")
                self.expect_undisturbed(results)

    def wait_for_a_checkpoint(self, results):
        deadline = time.monotonic() + 60
        while not list((self.sweep.directory / results).glob("toy/*/checkpoint.h5")):
            self.assertLess(time.monotonic(), deadline, "no checkpoint in a minute")
            time.sleep(0.005)


if __name__ == "__main__":
    Interruptions.program = sys.argv.pop(1)
    unittest.main()
