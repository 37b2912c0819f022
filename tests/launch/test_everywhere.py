"""One sweep of two schemes and two stages, by jobs side by side, through Slurm and over MPI ranks: the same bytes everywhere.

usage: test_everywhere.py ROPEWALK    (the built program; exit 77: Slurm, munge, mpirun or MPI in the build is missing)
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import slurm_cluster  # noqa: E402
import test_mpi  # noqa: E402
from toy_sweep import STAGED, Sweep  # noqa: E402

RUNS = 4


class Everywhere(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        directory = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.sweep = Sweep(cls.program, directory, steps=60, config=STAGED)
        cls.sweep.run("local", "--jobs", "2", "--threads", "2")
        cls.expected = cls.sweep.outcome("local")

    def expect_local_bytes(self, results):
        found = self.sweep.outcome(results)
        self.assertEqual(found.keys(), self.expected.keys())
        self.assertEqual([key for key in found if found[key] != self.expected[key]], [])
        self.assertEqual(list(self.sweep.taken_up(results).values()), [[None]] * RUNS)

    def test_the_local_sweep_has_both_stages_of_both_schemes(self):
        runs = self.sweep.runs("local")
        self.assertEqual([("rope" in run.name, "stage-2" in run.name) for run in runs],
                         [(False, True), (False, False), (True, True), (True, False)])
        for run in runs:
            for key in (("run.h5", "evaluate/loss"), ("checkpoint.h5", "parameters/head.weight")):
                self.assertTrue(any(self.expected[run.name, *key]), key)
        losses = {self.expected[run.name, "run.h5", "evaluate/loss"] for run in runs}
        self.assertEqual(len(losses), RUNS, "each run has a loss of its own")

    def test_over_ranks(self):
        for ranks in (2, 4):
            with self.subTest(ranks):
                results = f"ranks-{ranks}"
                done = test_mpi.finish(test_mpi.mpirun(ranks) + self.sweep.command(results, "--threads", "1"))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.expect_local_bytes(results)

    def test_through_slurm(self):
        with slurm_cluster.Cluster() as cluster:
            command = self.sweep.command("slurm", "--launcher", "slurm")
            done = subprocess.run(command, cwd=self.sweep.directory, env=cluster.environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{RUNS} elements for {RUNS} runs", done.stdout)
            cluster.wait_until_idle()
        self.expect_local_bytes("slurm")
        for run in self.sweep.runs("slurm"):
            with h5py.File(run / "run.h5") as file:
                self.assertIn("SLURM_ARRAY_TASK_ID=", file.attrs["launch"])


def missing(program):
    """What has to be installed, or built in, first."""
    found = slurm_cluster.missing_programs()
    if reason := test_mpi.why_not(program):
        found.append(reason)
    return found


if __name__ == "__main__":
    Everywhere.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if absent := missing(Everywhere.program):
        print(f"skipped: missing: {', '.join(absent)}")
        sys.exit(77)
    unittest.main()
