"""A sweep as a job array, on a real Slurm of one node that the test starts and stops.

usage: test_slurm.py ROPEWALK    (the built program); exit 77: Slurm or munge is not installed
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "command"))
import slurm_cluster
from toy_sweep import Sweep

MOST_ELEMENTS = 3
OFTEN = ("--save-every", "0.05")
PENDING_SIGUSR1 = 1 << (signal.SIGUSR1 - 1)


class Slurm(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        cls.cluster = cls.enterClassContext(slurm_cluster.Cluster(max_array_size=MOST_ELEMENTS + 1))
        directory = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.local = Sweep(cls.program, directory)
        cls.local.run("local", "--jobs", "2")
        cls.expected = cls.local.outcome("local")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        # Words of a shell, of sbatch and of its patterns for the names of logs.
        self.directory = pathlib.Path(temporary.name) / "it's 100%j \"rope\" $HOME"
        self.directory.mkdir()
        self.sweep = Sweep(self.program, self.directory)
        self.sweep.config.write_text(self.local.config.read_text())  # the same text: the same runs
        self.addCleanup(self.cluster.client, "scancel", "--user", str(os.getuid()))

    def launch(self, *options, settings="", sweep=None):
        """(exit code, standard output, standard error) of a launch with these settings of `launch`."""
        command = (sweep or self.sweep).command("results", "--launcher", "slurm", "--set", f"launch={{{settings}}}", *options)
        done = subprocess.run(command, cwd=self.directory, env=self.cluster.environment, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def launched(self, *options, settings=""):
        """(number of the job, directory of the launch)"""
        code, output, errors = self.launch(*options, settings=settings)
        self.assertEqual((code, errors), (0, ""), output)
        found = re.fullmatch(r"toy: job (\d+), .* for .*; logs in (.*)\n", output)
        self.assertTrue(found, output)
        return found[1], pathlib.Path(found[2])

    def launches(self):
        return sorted((self.directory / "results/toy/launch").glob("*"))

    def field(self, job, name):
        """Of the jobs that `scontrol show job` lists, each element its own."""
        return re.findall(rf"\b{name}=(\S+)", self.cluster.client("scontrol", "show", "job", job))

    def wait_for_a_checkpoint(self):
        self.cluster.wait_until(lambda: list(self.directory.rglob("checkpoint.h5")), "a checkpoint")

    def expect_local_outcome(self):
        found = self.sweep.outcome("results")
        self.assertEqual(found.keys(), self.expected.keys())
        self.assertEqual([key for key in found if found[key] != self.expected[key]], [])

    def test_shares_of_a_sweep_with_more_runs_than_an_array_has_elements(self):
        sweep = ("--set", "sweep.seeds=4", "--set", "task.corpus=text.txt", "--set", "train.steps=60")
        local = subprocess.run(self.sweep.command("local", "--jobs", "2", *sweep), cwd=self.directory, capture_output=True)
        self.assertEqual(local.returncode, 0, local.stderr)
        began = time.monotonic()
        job, directory = self.launched(*sweep, settings="at_once: 1, options: [\"--comment='many words'\"], "
                                                        "setup: ['echo a module is loaded']")
        self.assertLess(time.monotonic() - began, 5, "it returns at once")
        self.assertEqual(self.field(job, "ArrayTaskThrottle"), ["1"] * len(self.field(job, "JobId")))
        self.assertIn("#SBATCH --comment='many words'\n", (directory / "array.sh").read_text())
        running = 0
        while queue := self.cluster.queue():
            running = max(running, sum(state == "R" for _, state, _ in queue))
            time.sleep(0.2)
        self.assertEqual(running, 1, "elements at the same time")
        logs = [path.read_text() for path in sorted(directory.glob("*.log"))]
        self.assertEqual([re.findall(r"(\d) of \d runs done", log) for log in logs], [["3"], ["3"], ["2"]])
        self.assertTrue(all(log.startswith("a module is loaded\n") for log in logs))
        self.assertEqual(self.sweep.outcome("results"), self.sweep.outcome("local"))
        self.assertEqual(len(self.sweep.runs("results")), 8)
        code, output, errors = self.launch(*sweep)
        self.assertEqual((code, output, errors), (0, "toy: nothing to launch, all runs are over\n", ""))
        self.assertEqual(self.launches(), [directory])

    def test_a_time_limit_saves_queues_again_and_goes_on(self):
        job, directory = self.launched(*OFTEN, settings="time: 1, lead: 30, elements: 1")
        self.wait_for_a_checkpoint()
        program = self.program_of(directory)
        os.kill(program, signal.SIGSTOP)  # so that the runs are not done before the signal comes
        self.addCleanup(self.resume, program)
        self.cluster.wait_until(lambda: self.pending_signals(program) & PENDING_SIGUSR1, "the signal before the limit")
        self.resume(program)
        self.cluster.wait_until_idle()
        log = (directory / "1.log").read_text()
        self.assertRegex(log, r"interrupted, everything is saved: .*\ntime limit: saved, queueing again\n")
        self.assertRegex(log, r"resumed at step [1-9]")
        self.assertEqual(self.field(job, "Restarts"), ["1"])
        self.assertEqual(self.field(job, "ExitCode"), ["0:0"])
        self.expect_local_outcome()

    def program_of(self, directory):
        """The process that runs the config in `directory`."""
        config = f"\0{directory / 'config.yaml'}\0".encode()
        return next(process for process in self.cluster.processes()
                    if config in (pathlib.Path("/proc") / str(process) / "cmdline").read_bytes())

    @staticmethod
    def pending_signals(process):
        status = (pathlib.Path("/proc") / str(process) / "status").read_text()
        return int(re.search(r"ShdPnd:\s*(\w+)", status)[1], 16)

    @staticmethod
    def resume(process):
        try:
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:  # ended
            pass

    def test_an_element_queues_again_no_more_than_allowed(self):
        job, directory = self.launched(*OFTEN, settings="elements: 1, restarts: 0, cores: 2, memory: 300, time: 90")
        self.assertEqual(self.field(job, "CPUs/Task"), ["2"])
        self.assertEqual(self.field(job, "MinMemoryNode"), ["300M"])
        self.assertEqual(self.field(job, "TimeLimit"), ["01:30:00"])
        self.wait_for_a_checkpoint()
        self.cluster.client("scancel", "--batch", "--signal=USR1", job)  # what Slurm itself does before the limit
        self.cluster.wait_until_idle()
        self.assertEqual(self.field(job, "ExitCode"), ["130:0"])
        self.assertEqual(self.field(job, "JobState"), ["FAILED"])
        self.assertIn("restarted 0 times (launch.restarts), launch again to go on\n", (directory / "1.log").read_text())
        self.assertIn("interrupted", self.sweep.statuses("results"))
        self.launched()
        self.cluster.wait_until_idle()
        self.expect_local_outcome()

    def test_scancel_saves_and_a_further_launch_goes_on(self):
        job, directory = self.launched(*OFTEN)
        self.wait_for_a_checkpoint()
        self.cluster.client("scancel", job)
        self.cluster.wait_until_idle()
        logs = "".join(path.read_text() for path in directory.glob("*.log"))
        self.assertIn("interrupted, everything is saved", logs)
        self.assertNotIn("queueing again", logs)
        self.assertIn("interrupted", self.sweep.statuses("results"))
        self.assertNotIn("running", self.sweep.statuses("results"))
        _, again = self.launched()
        self.cluster.wait_until_idle()
        self.assertRegex("".join(path.read_text() for path in again.glob("*.log")), r"resumed at step [1-9]")
        self.expect_local_outcome()

    def test_what_is_queued_twice_runs_once_and_as_it_was_launched(self):
        launches = [self.launched(settings="options: [--hold]") for _ in range(2)]
        self.sweep.config.write_text("edited: [since")
        for job, _ in launches:
            self.cluster.client("scontrol", "release", job)
        self.cluster.wait_until_idle()
        logs = "".join(path.read_text() for _, directory in launches for path in directory.glob("*.log"))
        self.assertEqual(len(re.findall(r"(?m) begun$", logs)), 2, logs)
        self.assertEqual(len(re.findall(r"(?m) (done already|running in another process), skipped$", logs)), 2, logs)
        self.expect_local_outcome()

    def test_the_exit_code_of_an_element_is_that_of_the_program(self):
        job, directory = self.launched("--set", "train.optimizer.rate=1e30", settings="elements: 1")
        self.cluster.wait_until_idle()
        self.assertEqual(self.field(job, "ExitCode"), ["1:0"], (directory / "1.log").read_text())

    def test_what_sbatch_refuses(self):
        code, output, errors = self.launch(settings="partition: nowhere")
        self.assertEqual((code, output), (3, ""))
        self.assertRegex(errors, "(?s)sbatch: error: invalid partition specified: nowhere\n.*"
                                 "sbatch ended with exit code 1; see the settings of `launch`")
        self.assertEqual(self.launches(), [])
        self.assertEqual(self.cluster.queue(), [])


if __name__ == "__main__":
    Slurm.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if missing := slurm_cluster.missing_programs():
        print(f"skipped: not installed: {', '.join(missing)}; apt-get install slurm-wlm munge")
        sys.exit(77)
    unittest.main()
