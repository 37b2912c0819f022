"""The driver of scripts/benchmark with programs that only print; the speeds themselves are no test."""
import contextlib
import io
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from ropewalk import benchmark

TALKS = [sys.executable, "-c", "import os; print(f'tokens_per_second={os.environ[\"OMP_NUM_THREADS\"]}000 peak_bytes=1048576')"]
FAILS = [sys.executable, "-c", "import sys; sys.exit('out of luck')"]


class Benchmark(unittest.TestCase):
    def test_measure_passes_the_threads_on_and_reads_the_line(self):
        self.assertEqual(benchmark.measure(TALKS, "S", 2, 1), (2000, 1048576))

    def test_a_program_that_fails_is_quoted(self):
        with self.assertRaisesRegex(RuntimeError, r"(?s)--size S --threads 1.*exit code 1.*out of luck"):
            benchmark.measure(FAILS, "S", 1, 1)

    def test_ratios_are_of_neighbours(self):
        speeds = iter([(100, 0), (50, 0), (300, 0), (100, 0)])
        arguments = benchmark.parse(["S", "--repetitions", "2"])
        out = io.StringIO()
        with mock.patch.object(benchmark, "measure", lambda *_: next(speeds)), contextlib.redirect_stdout(out):
            benchmark.compare("S", 1, arguments)
        self.assertRegex(out.getvalue(), r"ropewalk/PyTorch +2\.00 +2\.50 +3\.00")

    def test_bad_usage(self):
        for arguments in (["XL"], ["--repetitions", "0"], ["--threads", "-1"], ["--seconds", "x"]):
            with self.subTest(arguments=arguments), contextlib.redirect_stderr(io.StringIO()):
                with self.assertRaises(SystemExit) as stopped:
                    benchmark.parse(arguments)
                self.assertEqual(stopped.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
