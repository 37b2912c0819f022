"""The programs that measure. Each prints lines of name=value pairs; rates are per second, memory in bytes."""
import os
import subprocess
import sys
from pathlib import Path

from ..environment import REPOSITORY
from .planned_sweep import plan_and_run
from .sizes import SIZES
from .tiny_sweep import time_tiny_sweep

BUILT = ("benchmark_peak", "benchmark_gemm", "benchmark_training", "benchmark_evaluation", "benchmark_ranks",
         "ropewalk")  # fmt: skip
TORCH_TRAINING = (sys.executable, "-m", "ropewalk.benchmark.torch_training")
PEAK_SECONDS = 0.2  # short, since it stands beside every measurement that is compared with it


class ProgramError(RuntimeError):
    """A program failed or printed something else than was expected."""


def parse_line(text):
    """{"rows": 512.0, "product": "forward"} of "rows=512 product=forward": numbers where they are some."""
    pairs = dict(word.split("=", 1) for word in text.split())
    return {name: _number_or_text(value) for name, value in pairs.items()}


def _number_or_text(value):
    try:
        return float(value)
    except ValueError:
        return value


def output(command, threads=1):
    """What a program prints. OMP_NUM_THREADS is set for all: libraries must use no more threads than is claimed."""
    command = [str(word) for word in command]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(REPOSITORY / "scripts")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise ProgramError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def measure(command, names, threads=1):
    """The lines that a program prints, each with at least these names."""
    text = output(command, threads)
    try:
        lines = [parse_line(line) for line in text.splitlines()]
    except ValueError:
        lines = []
    if not lines or any(name not in line for name in names for line in lines):
        raise ProgramError(f"{' '.join(map(str, command))}: expected lines of {'=… '.join(names)}=…, got:\n{text}".rstrip())
    return lines


class Programs:
    """Those of one build, and PyTorch's. Tests of the sections put others in their place."""

    def __init__(self, build, seconds):
        self._build = Path(build)
        self._seconds = seconds

    def missing(self):
        return [name for name in BUILT if not (self._build / name).exists()]

    def peak(self):
        """instruction_set, flops_per_second of one core."""
        return measure([self._build / "benchmark_peak", "--seconds", PEAK_SECONDS],
                       ["instruction_set", "flops_per_second"])[0]  # fmt: skip

    def gemm(self, size):
        """A line for each product of a model: weight, product, gemm and, where the model has a bias, fused."""
        return measure([self._build / "benchmark_gemm", "--size", size], ["weight", "product", "gemm"])

    def training(self, size, threads=1, jobs=1):
        """tokens_per_second, first_tenth, last_tenth, parameters, peak_bytes; of all jobs together."""
        return self._train(["--size", size, "--threads", threads, "--jobs", jobs, "--seconds", self._seconds], threads)[0]

    def training_by_scheme(self, size, schemes):
        """{scheme: the same}: one thread, by turns."""
        lines = self._train(["--size", size, "--seconds", self._seconds / 2, "--position", *schemes])
        return {line["position"]: line for line in lines}

    def training_by_batch(self, size, batches):
        """{batch: the same}: one thread, by turns."""
        lines = self._train(["--size", size, "--seconds", self._seconds / 2, "--batch", *batches])
        return {int(line["batch"]): line for line in lines}

    def _train(self, options, threads=1):
        return measure([self._build / "benchmark_training", *options], ["tokens_per_second", "peak_bytes"], threads)

    def evaluation(self, scheme, length, threads):
        """seconds, peak_bytes."""
        options = ["--position", scheme, "--length", length, "--threads", threads]
        return measure([self._build / "benchmark_evaluation", *options], ["seconds", "peak_bytes"], threads)[0]

    def tiny_sweep(self, runs, repetitions):
        """{command: seconds of each repetition}; see time_tiny_sweep."""
        try:
            return time_tiny_sweep(self._build / "ropewalk", runs, repetitions)
        except subprocess.CalledProcessError as error:
            raise ProgramError(str(error)) from error

    def ranks(self):
        """Lines of messages between two ranks (bytes, send_seconds), then of steps on one (size, step_seconds, parameters)."""
        program = self._build / "benchmark_ranks"
        as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []  # as in a container
        two = output(["mpirun", *as_root, "--oversubscribe", "--bind-to", "none", "-n", 2, program, "--seconds", PEAK_SECONDS])
        messages = [line.removeprefix("message ") for line in two.splitlines() if line.startswith("message ")]
        alone = measure([program, "--seconds", self._seconds, "--size", *SIZES], ["size", "step_seconds", "parameters"])
        return [*map(parse_line, messages), *alone]

    def planned_sweep(self, config, jobs):
        """(predicted, taken); see plan_and_run."""
        try:
            return plan_and_run(self._build / "ropewalk", config, jobs)
        except subprocess.CalledProcessError as error:
            raise ProgramError(str(error)) from error

    def schemes(self):
        """The names of all positional schemes."""
        lines = output([self._build / "ropewalk", "list", "schemes"]).splitlines()
        return [line.split(":")[0] for line in lines if not line.startswith(" ")]

    def torch_training(self, size, threads):
        """tokens_per_second, peak_bytes of PyTorch."""
        options = ["--size", size, "--threads", threads, "--seconds", self._seconds]
        return measure([*TORCH_TRAINING, *options], ["tokens_per_second", "peak_bytes"], threads)[0]

    def torch(self):
        """version and blas, the library behind its products."""
        return measure([*TORCH_TRAINING, "--describe"], ["version", "blas"])[0]
