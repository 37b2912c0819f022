"""Several processes at one sweep of two stages, and signals to them: each run is trained once, whoever stops or dies.

usage: test_shared_sweep.py ROPEWALK    (the built program)
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

from toy_sweep import OFTEN, STAGED, Sweep, end, wait_until

RUNS = 8
SEEDS = ("--set", "sweep.seeds=2")
SINGLE = ("--jobs", "1", "--threads", "1", *OFTEN)
ROPE = ("--only", "position-rope-seed-0-*")  # both stages
LONG = ("--set", "train.steps=600", "--set", "train.stages[0].steps=400")  # seconds for each stage
LONG_EVALUATION = ("--set", "evaluate.tokens=4000", "--set", "evaluate.stride=1", "--set", "evaluate.lengths=[32, 512]",
                   "--set", "evaluate.every=0", "--set", "train.stages=[]")
PROMPT = 5  # seconds in which a signal has to have taken effect


class SharedSweep(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        directory = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.sweep = Sweep(pathlib.Path(cls.program).resolve(), directory, config=STAGED)
        cls.expected = {}

    def expect_undisturbed(self, results, *options):
        """The same runs with the same bytes as one process leaves that nobody disturbs; the same runs in the index, all done."""
        if options not in self.expected:
            name = f"undisturbed-{len(self.expected)}"
            self.sweep.run(name, "--jobs", "2", *options)
            self.expected[options] = self.sweep.outcome(name)
        found, expected = self.sweep.outcome(results), self.expected[options]
        self.assertEqual(found.keys(), expected.keys())
        self.assertEqual([key for key in found if found[key] != expected[key]], [])
        with h5py.File(self.sweep.directory / results / "toy/index.h5") as index:
            status = dict(zip(index["runs/id"].asstr(), index["runs/status"].asstr()))
        self.assertEqual({run for run, state in status.items() if state == "done"}, {run for run, _, _ in expected})

    def start(self, results, *options):
        process = subprocess.Popen(self.sweep.command(results, *SINGLE, *options), stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.addCleanup(end, process)
        self.addCleanup(process.stdout.close)
        return process

    def output_of(self, process, code=0):
        output = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, code, output)
        return output

    def held_by(self, process, results, stage):
        """A run that a process is at and has saved a checkpoint of, in its second stage or in its first."""
        for run in self.sweep.runs(results):
            if ("stage-2" in run.name) == (stage == 2) and (run / "checkpoint.h5").exists():
                with h5py.File(run / "run.h5") as file:
                    if file.attrs["process"] == process.pid and file.attrs["status"] == "running":
                        return run.name
        return None

    def wait_until_it_holds(self, process, results, stage):
        wait_until(lambda: self.held_by(process, results, stage), f"a checkpoint in stage {stage}", process)

    def trainers(self, results):
        found = set()
        for run in self.sweep.runs(results):
            with h5py.File(run / "run.h5") as file:
                found.add(int(file.attrs["process"]))
        return found

    def test_processes_started_at_once_train_each_run_once(self):
        for count in (2, 3):
            with self.subTest(count):
                results = f"at-once-{count}"
                processes = [self.start(results, *SEEDS) for _ in range(count)]
                for process in processes:
                    self.output_of(process)
                self.assertEqual(list(self.sweep.taken_up(results).values()), [[None]] * RUNS)
                self.assertGreater(len(self.trainers(results)), 1, "they shared the work")
                self.expect_undisturbed(results, *SEEDS)

    def test_a_first_stage_of_a_killed_process_is_taken_over(self):
        killed = self.start("first", *ROPE, *LONG)
        self.wait_until_it_holds(killed, "first", 1)
        other = self.start("first", *ROPE, *LONG)
        with self.assertRaises(subprocess.TimeoutExpired):
            other.wait(0.5)
        killed.kill()
        output = self.output_of(other)
        self.assertRegex(output, "resumed at step [1-9]")
        self.assertIn("2 of 2 runs done", output)
        first, second = sorted(self.sweep.taken_up("first").values(), key=len, reverse=True)
        self.assertEqual((first[0], len(first), second), (None, 2, [None]))
        self.expect_undisturbed("first", *ROPE, *LONG)

    def test_a_last_stage_of_another_process_is_left_to_it(self):
        killed = self.start("last", *ROPE, *LONG)
        self.wait_until_it_holds(killed, "last", 2)
        killed.send_signal(signal.SIGSTOP)
        held = self.held_by(killed, "last", 2)
        output = self.output_of(self.start("last", *ROPE, *LONG))
        self.assertIn(f"{held}  running in another process, skipped", output)
        self.assertIn("1 of 2 runs done (1 before), 1 running in another process", output)
        killed.kill()
        killed.wait()
        self.assertRegex(self.output_of(self.start("last", *ROPE, *LONG)), "resumed at step [1-9]")
        self.assertEqual([len(places) for name, places in self.sweep.taken_up("last").items() if name == held], [2])
        self.expect_undisturbed("last", *ROPE, *LONG)

    def test_a_last_stage_of_a_process_killed_meanwhile_is_taken_over(self):
        both = ("--only", "*-seed-0-*", *LONG)
        killed = self.start("meanwhile", *ROPE, *LONG)
        self.wait_until_it_holds(killed, "meanwhile", 2)
        killed.send_signal(signal.SIGSTOP)
        other = self.start("meanwhile", *both)
        self.wait_until_it_holds(other, "meanwhile", 1)  # of alibi: it has passed over the last stage of rope
        killed.kill()
        output = self.output_of(other)
        self.assertRegex(output, "resumed at step [1-9]")
        self.assertIn("4 of 4 runs done (1 before), in", output)
        self.expect_undisturbed("meanwhile", *both)

    def test_one_of_three_is_killed(self):
        processes = [self.start("three", *SEEDS) for _ in range(3)]
        self.wait_until_it_holds(processes[0], "three", 1)
        processes[0].kill()
        processes[0].wait()
        for process in processes[1:]:
            self.output_of(process)
        self.assertEqual(self.sweep.statuses("three"), ["done"] * RUNS)  # others waited for the first stage
        self.assertEqual(sum(map(len, self.sweep.taken_up("three").values())), RUNS + 1)
        self.expect_undisturbed("three", *SEEDS)

    def test_one_of_two_is_interrupted(self):
        interrupted, other = [self.start("interrupted", *SEEDS) for _ in range(2)]
        self.wait_until_it_holds(interrupted, "interrupted", 1)
        interrupted.send_signal(signal.SIGINT)
        self.assertIn("interrupted, everything is saved", self.output_of(interrupted, 130))
        self.output_of(other)
        self.expect_undisturbed("interrupted", *SEEDS)

    def test_a_signal_in_either_stage(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for stage in (1, 2):
                with self.subTest(number, stage=stage):
                    results = f"{number}-in-stage-{stage}"
                    process = self.start(results, *ROPE, *LONG)
                    self.wait_until_it_holds(process, results, stage)
                    process.send_signal(number)
                    began = time.monotonic()
                    self.assertIn("interrupted, everything is saved", self.output_of(process, 130))
                    self.assertLess(time.monotonic() - began, PROMPT)
                    self.assertEqual(self.sweep.statuses(results).count("interrupted"), 1)
                    self.sweep.run(results, *ROPE, *LONG)
                    self.expect_undisturbed(results, *ROPE, *LONG)

    def log_of_interrupted(self, results, options, number, delay):
        """The log of a run that gets a signal some seconds after it began."""
        process = self.start(results, *options)
        self.wait_until_it_holds(process, results, 1)
        time.sleep(delay)
        process.send_signal(number)
        began = time.monotonic()
        self.output_of(process, 130)
        self.assertLess(time.monotonic() - began, PROMPT)
        (run,) = self.sweep.runs(results)
        return (run / "log.txt").read_text()

    def test_a_signal_during_an_evaluation(self):
        options = (*ROPE, *LONG_EVALUATION)
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                for delay in (0.7, 1.4, 2.8, 5.6):  # training takes half of the first on a quiet machine, the evaluation far longer
                    results = f"{number}-in-evaluation-{delay}"
                    log = self.log_of_interrupted(results, options, number, delay)
                    if "interrupted at step 120\n" in log:  # the last
                        break
                self.assertIn("interrupted at step 120\n", log)
                self.assertNotIn("evaluated", log)
                self.sweep.run(results, *options)
                self.expect_undisturbed(results, *options)

    def test_a_signal_while_waiting_for_another_process(self):
        holder = self.start("waiting", *ROPE)
        self.wait_until_it_holds(holder, "waiting", 1)
        holder.send_signal(signal.SIGSTOP)
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                waiting = self.start("waiting", *ROPE)
                with self.assertRaises(subprocess.TimeoutExpired):
                    waiting.wait(0.5)
                waiting.send_signal(number)
                began = time.monotonic()
                self.assertIn("0 of 2 runs done", self.output_of(waiting, 130))
                self.assertLess(time.monotonic() - began, PROMPT)
        holder.send_signal(signal.SIGCONT)
        self.output_of(holder)
        self.assertEqual(list(self.sweep.taken_up("waiting").values()), [[None]] * 2)
        self.expect_undisturbed("waiting", *ROPE)

    def test_a_second_signal_ends_at_once_and_loses_nothing(self):
        process = self.start("twice", *ROPE, *LONG)
        self.wait_until_it_holds(process, "twice", 2)
        process.send_signal(signal.SIGSTOP)  # so that both are there before it has stopped for the first
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        self.assertIn(process.wait(PROMPT), (-signal.SIGINT, -signal.SIGTERM))
        self.assertIn("running", self.sweep.statuses("twice"))
        self.sweep.run("twice", *ROPE, *LONG)
        self.expect_undisturbed("twice", *ROPE, *LONG)

    def test_ctrl_c_twice(self):
        process = self.start("ctrl-c", *ROPE, *LONG)
        self.wait_until_it_holds(process, "ctrl-c", 1)
        for _ in range(2):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGINT)
            time.sleep(0.001)
        self.assertIn(process.wait(PROMPT), (-signal.SIGINT, 130))
        self.sweep.run("ctrl-c", *ROPE, *LONG)
        self.expect_undisturbed("ctrl-c", *ROPE, *LONG)


if __name__ == "__main__":
    SharedSweep.program = sys.argv.pop(1)
    unittest.main()
