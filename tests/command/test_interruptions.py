"""However a sweep gets to its end, by signals or undisturbed, on one thread or more, it leaves the same bits.

usage: test_interruptions.py ROPEWALK    (the built program)
"""
import signal
import sys
import tempfile
import time
import unittest

from toy_sweep import OFTEN, Sweep


class Interruptions(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.sweep = Sweep(cls.program, temporary.name)
        cls.sweep.run("undisturbed", "--threads", "2", *OFTEN)
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

    def test_signals(self):
        numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGXCPU]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # under nohup it has no effect
            numbers.append(signal.SIGHUP)
        for number in numbers:
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
