"""What `ropewalk status` says while a sweep is under way in another process, and which runs --only and --tag choose.

usage: test_status.py ROPEWALK    (the built program)
"""
import json
import os
import pathlib
import signal
import socket
import sys
import time
import unittest

import h5py

from program_test import ProgramTest

LONG = 100_000  # steps: nobody waits for the end


class Status(ProgramTest):
    def states(self):
        """{scheme: the run's object} of the one experiment."""
        code, output, errors = self.ropewalk("status", "results", "--json")
        self.assertEqual(code, 0, errors)
        (experiment,) = json.loads(output)["experiments"]
        self.assertEqual(experiment["name"], "toy")
        self.assertEqual(sum(experiment["counts"].values()), len(experiment["runs"]))
        return {run["id"].split("-")[1]: run for run in experiment["runs"]}

    def start(self, *options):
        """A sweep that is under way, with a first run that has recorded something."""
        process = self.sweep.start("results", "--jobs", "1", "--threads", "1", "--save-every", "0.1",
                                   "--set", f"train.steps={LONG}", *options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not (any((self.directory / "results").glob("toy/*/checkpoint.h5")) and self.states()["rope"]["step"] > 0):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        return process

    def test_a_sweep_under_way_then_killed(self):
        process = self.start("--set", "notes=the first try")
        states = self.states()
        self.assertEqual({scheme: run["state"] for scheme, run in states.items()}, {"rope": "running", "alibi": "waiting"})
        rope = states["rope"]
        self.assertEqual((rope["host"], rope["process"]), (socket.gethostname(), process.pid))
        self.assertGreater(rope["step"], 0)
        self.assertEqual(rope["steps"], LONG)
        self.assertGreater(rope["tokens_per_second"], 0)
        self.assertGreater(rope["seconds_left"], 0)
        self.assertLess(rope["saved_seconds_ago"], 60)
        code, output, _ = self.ropewalk("status", "results/toy")
        self.assertEqual(code, 0)
        self.assertRegex(output, r"^toy: 2 runs: 1 running, 1 waiting\nnotes: the first try\n")
        self.assertRegex(output, rf"(?m)^running +\d+/{LONG} +\d+ % .* {socket.gethostname()}:{process.pid}, \d+ s ago +position-rope")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(self.states()["rope"]["state"], "stopped")
        self.assertIsNone(self.states()["rope"]["seconds_left"])

    def test_an_interrupted_run_is_stopped_and_a_finished_one_done(self):
        process = self.start()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 130)
        states = self.states()
        self.assertEqual((states["rope"]["state"], states["alibi"]["state"]), ("stopped", "waiting"))
        self.assertEqual(self.ropewalk("run", "toy.yaml", "--out", "other")[0], 0)
        code, output, _ = self.ropewalk("status", "other")
        self.assertEqual(code, 0)
        self.assertRegex(output, r"^toy: 2 runs: 2 done\n")
        self.assertRegex(output, r"(?m)^done +20/20 +100 % +\d\.\d{4} +\d+ +- +- +position-alibi")

    def test_only_some_runs(self):
        code, output, errors = self.ropewalk("run", "toy.yaml", "--only", "*-alibi-*")
        self.assertEqual(code, 0, errors)
        self.assertRegex(output, r"1 of 1 runs done")
        states = self.states()
        self.assertEqual({scheme: run["state"] for scheme, run in states.items()}, {"alibi": "done", "rope": "waiting"})
        self.assertIn("1 run: 1 waiting", self.ropewalk("status", "results", "--only", "*rope*")[1])
        self.assertIn("toy: 1 run\n", self.ropewalk("plan", "toy.yaml", "--only", "*rope*")[1])
        for command in (["run", "toy.yaml"], ["plan", "toy.yaml"], ["status", "results"], ["report", "results"]):
            code, _, errors = self.ropewalk(*command, "--only", "alibi")
            self.assertEqual(code, 2, command)
            self.assertRegex(errors, r"^--only alibi: expected a pattern .* nearest: position-alibi")

    def test_tags_and_notes(self):
        self.assertEqual(self.ropewalk("run", "toy.yaml", "--only", "*alibi*", "--set", "tags=[a, b c]", "--set", "notes=why")[0], 0)
        with h5py.File(next((self.directory / "results/toy").glob("*/run.h5"))) as file:
            self.assertEqual(list(file.attrs["tags"]), ["a", "b c"])
            self.assertEqual(file.attrs["notes"], "why")
            for name in ("source", "build", "system", "host"):
                self.assertTrue(file.attrs[name], name)
                self.assertNotIn(str(pathlib.Path.home()), file.attrs[name])
        self.assertIn("toy: 2 runs: 1 done, 1 waiting\nnotes: why\ntags: a, b c\n",
                      self.ropewalk("status", "results", "--tag", "a", "--tag", "b c")[1])
        code, _, error = self.ropewalk("status", "results", "--tag", "c")
        self.assertEqual((code, error), (2, "--tag c: expected a tag that one of the runs has: a, b c\n"))
        self.assertEqual(self.ropewalk("report", "results", "--tag", "c")[0], 2)
        self.assertRegex(self.ropewalk("report", "results", "--tag", "a")[1], r"^toy: 1 of 1 runs done\nnotes: why\n\nperplexity")
        evaluated = self.ropewalk("evaluate", next((self.directory / "results/toy").glob("*alibi*")), "--set", "tags=[c]")
        self.assertEqual(evaluated[0], 2)
        self.assertIn("tags: it belongs to an experiment, not to a trained run", evaluated[2])

    def test_a_run_is_known_by_the_beginning_of_its_name(self):
        self.assertEqual(self.ropewalk("run", "toy.yaml")[0], 0)
        for command in (["evaluate"], ["generate", "--prompt", "a", "--tokens", "2"],
                        ["inspect", "--length", "8", "--output", "x.h5"]):
            code, _, errors = self.ropewalk(*command, "results/toy/position-al")
            self.assertEqual(code, 0, errors)
        code, _, errors = self.ropewalk("evaluate", "results/toy/position-")
        self.assertEqual(code, 2)
        self.assertRegex(errors, r"^results/toy/position-: expected a run, .* got that of 2:\n  results/toy/position-alibi.*\n  \S+rope")
        code, _, errors = self.ropewalk("evaluate", "results/toy/rope")
        self.assertEqual(code, 3)
        self.assertIn("expected the directory of a run, found nothing", errors)

    def test_damage_and_what_is_no_results(self):
        self.assertEqual(self.ropewalk("status", "nowhere")[0], 3)
        code, _, errors = self.ropewalk("status", ".")
        self.assertEqual(code, 3)
        self.assertIn("'ropewalk run CONFIG' makes them", errors)
        self.assertEqual(self.ropewalk("run", "toy.yaml")[0], 0)
        run = next((self.directory / "results/toy").glob("*alibi*"))
        damaged = run / "run.h5"
        damaged.write_bytes(damaged.read_bytes()[:-100])
        code, output, _ = self.ropewalk("status", "results")
        self.assertEqual(code, 3)
        self.assertIn("toy: 2 runs: 1 done, 1 damaged", output)
        self.assertIn(f"{run.name}: ", output)
        self.assertEqual(self.ropewalk("status", run)[0], 3)
        self.assertEqual(self.ropewalk("status", next((self.directory / "results/toy").glob("*rope*")))[0], 0)

    def test_a_directory_that_nobody_may_write_to(self):
        if os.geteuid() == 0:
            self.skipTest("root may write anywhere")
        self.assertEqual(self.ropewalk("run", "toy.yaml", "--only", "*rope*")[0], 0)
        experiment = self.directory / "results/toy"
        (experiment / ".locks").unlink()
        experiment.chmod(0o555)
        self.addCleanup(experiment.chmod, 0o755)
        self.assertEqual(self.ropewalk("status", "results")[0], 0)
        code, output, _ = self.ropewalk("run", "toy.yaml")
        self.assertEqual(code, 3)
        self.assertIn("results/toy", output)


if __name__ == "__main__":
    Status.program = sys.argv.pop(1)
    unittest.main()
