"""Command line of scripts/benchmark: training speed, ours and PyTorch's, by turns so that a noisy machine disturbs both alike."""
import argparse
import importlib.util
import os
import re
import subprocess
import sys
from statistics import median

from .environment import REPOSITORY
from .sizes import SIZES

PROGRAM = REPOSITORY / "build" / "benchmark_training"
BUSY = 0.5  # load average above which figures are suspect
LINE = re.compile(r"tokens_per_second=(\S+) peak_bytes=(\S+)")


def measure(command, size, threads, seconds):
    """(tokens per second, peak bytes) of one program run."""
    arguments = ["--size", size, "--threads", str(threads), "--seconds", str(seconds)]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(REPOSITORY / "scripts")}
    done = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True)
    match = LINE.search(done.stdout)
    if done.returncode != 0 or not match:
        called = " ".join(map(str, [*command, *arguments]))
        raise RuntimeError(f"{called}: expected a line tokens_per_second=… peak_bytes=…, got exit code {done.returncode} and:\n"
                           f"{done.stdout}{done.stderr}")  # fmt: skip
    return float(match[1]), float(match[2])


def row(size, threads, name, values, form="{:>10,.0f}", peak=None):
    columns = "".join(form.format(value) for value in (min(values), median(values), max(values)))
    print(f"{size:<5}{threads:>7}  {name:<18}{columns}{f'{peak / 2**20:>12,.0f}' if peak else ''}", flush=True)


def compare(size, threads, arguments):
    """Prints both programs' speed and the ratio of neighbours in time."""
    ours, theirs = [], []
    for _ in range(arguments.repetitions):
        ours.append(measure([PROGRAM], size, threads, arguments.seconds))
        theirs.append(measure([sys.executable, "-m", "ropewalk.torch_training"], size, threads, arguments.seconds))
    for name, results in (("ropewalk", ours), ("PyTorch", theirs)):
        row(size, threads, name, [speed for speed, _ in results], peak=max(peak for _, peak in results))
    row(size, threads, "ropewalk/PyTorch", [mine / other for (mine, _), (other, _) in zip(ours, theirs)], form="{:>10.2f}")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/benchmark", description="Compares training speed with PyTorch, in tokens/s.")
    parser.add_argument("sizes", nargs="*", metavar="SIZE", help=f"of {', '.join(SIZES)}; default M")
    parser.add_argument("--repetitions", type=int, default=5, help="pairs of runs; default 5")
    parser.add_argument("--seconds", type=float, default=5, help="of each run; default 5")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="default: 1 2")
    parsed = parser.parse_args(arguments)
    parsed.sizes = parsed.sizes or ["M"]
    if unknown := set(parsed.sizes) - set(SIZES):
        parser.error(f"SIZE: expected of {', '.join(SIZES)}; got {', '.join(sorted(unknown))}")
    if parsed.repetitions < 1 or parsed.seconds <= 0 or min(parsed.threads) < 1:
        parser.error("--repetitions, --seconds, --threads: expected positive numbers")
    return parsed


def main(arguments=None):
    """Exit code: 0 done, 1 a program failed, 2 usage, 3 one of the two programs is missing."""
    arguments = parse(arguments)
    if not PROGRAM.exists():
        print(f"benchmark: expected {PROGRAM}; scripts/setup builds it", file=sys.stderr)
        return 3
    if importlib.util.find_spec("torch") is None:
        print("benchmark: PyTorch is not installed; scripts/setup --with-optional installs it", file=sys.stderr)
        return 3
    if (load := os.getloadavg()[0]) > BUSY:
        print(f"benchmark: load average {load:.1f}: other programs disturb the figures, of 2 threads above all", file=sys.stderr)
    print(f"{'size':<5}{'threads':>7}  {'tokens/s':<18}{'min':>10}{'median':>10}{'max':>10}{'peak MiB':>12}", flush=True)
    try:
        for size in arguments.sizes:
            for threads in arguments.threads:
                compare(size, threads, arguments)
    except RuntimeError as error:
        print(f"benchmark: {error}", file=sys.stderr)
        return 1
    return 0
