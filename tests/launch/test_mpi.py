"""One run over many MPI ranks leaves the bytes of one process, however it gets to its end.

usage: test_mpi.py ROPEWALK    (the built program; exit 77 if mpirun is not installed or the build has no MPI)
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from toy_sweep import Sweep  # noqa: E402

PATIENCE = 120  # seconds: what takes longer hangs
OFTEN = ("--save-every", "0.05")

# Tests may run as root, and on fewer cores than ranks. Each line once for Open MPI 4 and once for 5.
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def mpirun(ranks):
    return ["mpirun", "--bind-to", "none", "-n", str(ranks)]


def finish(command, **options):
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False, **options)


def pid_of_rank(launcher, rank):
    """Of a process that mpirun has started; None while there is none."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            variables = (process / "environ").read_bytes().split(b"\0")
            if int(parent) == launcher and f"OMPI_COMM_WORLD_RANK={rank}".encode() in variables:
                return int(process.name)
        except OSError:
            continue  # it has ended meanwhile
    return None


class Mpi(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.sweep = cls.sweep_of(temporary.name, "brief", steps=120)
        cls.longer = cls.sweep_of(temporary.name, "longer", steps=400)  # time to disturb it

    @classmethod
    def sweep_of(cls, directory, name, steps):
        place = pathlib.Path(directory) / name
        place.mkdir()
        sweep = Sweep(cls.program, place, steps)
        sweep.run("local", "--threads", "2")
        sweep.expected = sweep.outcome("local")
        return sweep

    def run_over(self, ranks, sweep, results, *options):
        done = finish(mpirun(ranks) + sweep.command(results, *options))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def expect_local_bytes(self, sweep, results):
        found = sweep.outcome(results)
        self.assertEqual(found.keys(), sweep.expected.keys())
        self.assertEqual([key for key in found if found[key] != sweep.expected[key]], [])

    def test_the_bytes_are_those_of_threads(self):
        names = {name for _, _, name in self.sweep.expected}
        self.assertTrue({"evaluate/loss", "train/loss", "parameters/head.weight"} <= names, names)
        for ranks, threads in ((2, 1), (3, 1), (4, 1), (2, 2)):
            with self.subTest(ranks=ranks, threads=threads):
                results = f"ranks-{ranks}-{threads}"
                done = self.run_over(ranks, self.sweep, results, "--threads", str(threads))
                self.assertNotIn("shards", done.stderr)
                self.expect_local_bytes(self.sweep, results)

    def test_more_ranks_than_shards(self):
        done = self.run_over(6, self.sweep, "idle", "--threads", "1")
        warning = "train.shards: 4 shards occupy no more than 4 of the 6 ranks in training"
        self.assertEqual(done.stderr.count(warning), 1, done.stderr)
        self.expect_local_bytes(self.sweep, "idle")

    def start(self, ranks, results):
        """The longer sweep, once it has saved something; ended with the test, whatever that finds."""
        process = subprocess.Popen(mpirun(ranks) + self.longer.command(results, *OFTEN), env=ENVIRONMENT,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: process.poll() is None and process.terminate())
        self.wait_for(process, lambda: list((self.longer.directory / results).glob("toy/*/checkpoint.h5")))
        return process

    def wait_for(self, process, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertIsNone(process.poll(), "it was faster")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)

    def test_a_killed_rank_ends_all_and_another_number_of_ranks_goes_on(self):
        for ranks, killed in ((2, 1), (3, 0)):
            with self.subTest(ranks=ranks, killed=killed):
                results = f"killed-{killed}"
                process = self.start(ranks, results)
                os.kill(pid_of_rank(process.pid, killed), signal.SIGKILL)
                self.assertNotEqual(process.wait(PATIENCE), 0)
                self.assertIn("running", self.longer.statuses(results))
                self.run_over(5 - ranks, self.longer, results)
                self.expect_local_bytes(self.longer, results)

    def test_signals_to_mpirun_save_the_run(self):
        # mpirun passes SIGUSR1 on and waits. After SIGTERM and SIGINT it gives the ranks a second and exits with 1.
        for number, code in ((signal.SIGUSR1, 130), (signal.SIGTERM, 1), (signal.SIGINT, 1)):
            with self.subTest(number):
                results = f"signal-{number}"
                process = self.start(3, results)
                process.send_signal(number)
                self.assertEqual(process.wait(PATIENCE), code)
                self.expect_saved(results)
                self.longer.run(results, "--threads", "2")
                self.expect_local_bytes(self.longer, results)

    def expect_saved(self, results):
        statuses = self.longer.statuses(results)
        self.assertNotIn("running", statuses)
        self.assertNotEqual(statuses, ["done", "done"], "it was faster")

    def test_the_leader_stops_with_130(self):
        process = self.start(2, "leader")
        os.kill(pid_of_rank(process.pid, 0), signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), 130)
        self.expect_saved("leader")

    def run_with_texts(self, results, texts):
        """The toy sweep on ranks that each have a text of their own, or none, under the same relative path."""
        config = self.sweep.directory / "relative.yaml"
        config.write_text(self.sweep.config.read_text().replace(f"'{self.sweep.corpus}'", "text.txt"))
        command = ["mpirun", "--bind-to", "none"]
        for rank, text in enumerate(texts):
            directory = self.sweep.directory / f"{results}-{rank}"
            directory.mkdir()
            if text is not None:
                (directory / "text.txt").write_text(text)
            command += [":"] * (rank > 0) + ["-n", "1", "--wdir", str(directory), self.program, "run", str(config), "--out",
                                             str(self.sweep.directory / results)]
        return finish(command)

    def expect_failed(self, results, done, message):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.sweep.statuses(results), ["failed", "failed"])
        for run in self.sweep.runs(results):
            self.assertIn(message, (run / "log.txt").read_text())
        self.assertIn(message, done.stdout)

    def test_what_fails_on_one_rank_fails_the_run(self):
        text = self.sweep.corpus.read_text()
        done = self.run_with_texts("missing", [text, text, None])
        self.expect_failed("missing", done, "rank 2: corpus text.txt: expected a text, found nothing")
        done = self.run_with_texts("other", [text, text[1:]])
        self.expect_failed("other", done, "rank 1: text.txt: expected the text of rank 0")

    def test_what_the_leader_refuses_is_said_once_and_ends_all(self):
        for arguments, code, message in (
            (["run", "absent.yaml"], 3, "absent.yaml"),
            (["run", str(self.sweep.config), "--set", "model.heads=3"], 2, "heads"),
            (["run", str(self.sweep.config), "--jobs", "2"], 2, "--jobs: expected 1 on 2 ranks, each run being trained on all"),
            (["run", "--nonsense"], 2, "--help"),
            (["list", "schemes", "--nonsense"], 2, "--help"),
        ):
            with self.subTest(arguments):
                done = finish(mpirun(2) + [self.program, *arguments], cwd=self.sweep.directory)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                lines = [line for line in (done.stdout + done.stderr).splitlines() if message in line]
                self.assertEqual(len(lines), 1, done.stdout + done.stderr)

    def test_results_that_cannot_be_written_end_all(self):
        done = finish(mpirun(2) + [self.program, "run", str(self.sweep.config), "--out", "/proc/none"])
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("the run's directory cannot be made", done.stdout)

    def test_other_commands_are_the_first_ranks_alone(self):
        alone = finish([self.program, "list", "schemes"])
        done = finish(mpirun(3) + [self.program, "list", "schemes"])
        self.assertEqual((done.returncode, done.stdout.splitlines()), (0, alone.stdout.splitlines()))


def why_not(program):
    """What is missing for these tests; None: nothing."""
    if shutil.which("mpirun") is None:
        return "mpirun is not installed (openmpi-bin)"
    probe = finish(mpirun(2) + [program, "run", "absent.yaml"])
    return "the build has no MPI (libopenmpi-dev)" if "this build has no MPI" in probe.stderr else None


if __name__ == "__main__":
    Mpi.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if reason := why_not(Mpi.program):
        print(f"skipped: {reason}")
        sys.exit(77)
    unittest.main()
