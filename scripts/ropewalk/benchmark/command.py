"""Command line of scripts/benchmark: sections of measurements, as tables and as CSV."""
import argparse
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from ..environment import REPOSITORY
from .evaluation import evaluation
from .machine import peak, sgemm
from .plan import plan
from .programs import ProgramError, Programs
from .runner import runner
from .scale import scale
from .scaling import jobs, scaling
from .schemes import schemes
from .sizes import SIZES
from .table import CsvFile, heading, line
from .training import training

# name: (rows of (programs, sizes, repetitions), sizes unless others are asked for, title)
SECTIONS = {
    "peak": (peak, (), "multiply-adds that a core can do at most"),
    "sgemm": (sgemm, tuple(SIZES), "products of the matrix library at the shapes of training; fused: with bias and residual"),
    "training": (training, tuple(SIZES), "training, against PyTorch and against the peak"),
    "schemes": (schemes, ("M",), "training under each positional scheme, against the scheme none; half of --seconds each"),
    "jobs": (jobs, ("M",), "two trainings side by side, against one"),
    "scaling": (scaling, ("S",), "training over many steps and with many sequences in a step"),
    "runner": (runner, (), "what a sweep of a thousand runs costs beside their training"),
    "plan": (plan, (), "what plan predicts, against what run then takes"),
    "scale": (scale, (), "10,000 runs, and 64 ranks: arithmetic from constants measured here"),
    "evaluation": (evaluation, (), "evaluation of one long sequence by a model of size S, once for each row"),
}
DESCRIPTION = """\
Measures speed and memory, ours and PyTorch's, by turns so that a noisy machine disturbs both alike. A ratio is taken within each
repetition, and its min, median and max are over the repetitions. Where something was asked for, the column `floor` says what
(<= where less is better), and the median decides the verdict: worth little with one repetition or on a busy machine.

sizes    S: width 64, 2 layers, 4 heads, 64 tokens, batch 32; M: 128, 4, 4, 128, 16; L: 256, 6, 8, 256, 8
sections
"""
BUSY = 0.5  # load average above which figures are suspect
NO_TORCH = "PyTorch is not installed; scripts/setup --with-optional installs it, scripts/benchmark {} goes without"


def describe_sections():
    lines = [f"  {name:<11}{title}{f' ({chr(44).join(sizes)})' if sizes else ''}" for name, (_, sizes, title) in SECTIONS.items()]
    return DESCRIPTION + "\n".join(lines)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/benchmark", description=describe_sections(),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("words", nargs="*", metavar="SECTION|SIZE",
                        help="default: all sections, about fifteen minutes, with the sizes named there")  # fmt: skip
    parser.add_argument("--repetitions", type=int, default=5, help="of each measurement; default 5")
    parser.add_argument("--seconds", type=float, default=3, help="of each training; default 3")
    parser.add_argument("--csv", type=Path, default=REPOSITORY / "results" / "benchmark.csv", metavar="FILE",
                        help="where the figures go; default results/benchmark.csv")  # fmt: skip
    parser.add_argument("--build", type=Path, default=REPOSITORY / "build", metavar="DIR", help="whose programs; default build")
    parsed = parser.parse_args(arguments)
    if unknown := [word for word in parsed.words if word not in SECTIONS and word not in SIZES]:
        parser.error(f"expected some of {', '.join([*SECTIONS, *SIZES])}; got {', '.join(map(repr, unknown))}")
    parsed.sections = [name for name in parsed.words if name in SECTIONS] or list(SECTIONS)
    parsed.sizes = [name for name in parsed.words if name in SIZES]
    if parsed.repetitions < 1 or not 0 < parsed.seconds < float("inf"):
        parser.error("--repetitions, --seconds: expected positive numbers")
    return parsed


def complain(text):
    print(f"benchmark: {text}", file=sys.stderr, flush=True)


def what_is_missing(programs, sections):
    """Why these sections cannot be measured; empty if they can."""
    if missing := programs.missing():
        return f"expected {', '.join(missing)} in the build; scripts/setup builds them"
    if "scale" in sections and shutil.which("mpirun") is None:
        return "mpirun is not installed; scripts/setup --with-optional installs it"
    if "training" in sections and importlib.util.find_spec("torch") is None:
        return NO_TORCH.format(" ".join(name for name in sections if name != "training") or "another section")
    return ""


def describe_peer(programs):
    """Says which PyTorch it is, and warns if its matrix products run on a slow library or on one thread whatever is asked."""
    peer = programs.torch()
    print(f"PyTorch {peer['version']}, BLAS: {peer['blas']}")
    if not is_fast_blas(str(peer["blas"])):
        complain("WARNING: PyTorch does not run on OpenBLAS with OpenMP, so every comparison with it flatters us.\n"
                 "  Install libopenblas0-openmp (scripts/setup --with-optional does) and choose it with\n"
                 "  sudo update-alternatives --config libblas.so.3-$(gcc -print-multiarch)")  # fmt: skip


def is_fast_blas(name):
    """MKL, or OpenBLAS built with OpenMP; the other builds of OpenBLAS do not share threads with PyTorch."""
    return name == "MKL" or "openblas-openmp" in name


def report(programs, arguments):
    with CsvFile(arguments.csv) as file:
        for name in arguments.sections:
            rows, default_sizes, title = SECTIONS[name]
            print(f"\n{name}: {title}\n{heading()}", flush=True)
            for row in rows(programs, arguments.sizes or default_sizes, arguments.repetitions):
                if row.printed:
                    print(line(row), flush=True)
                file.add(row)
    print(f"\nwritten to {arguments.csv}")


def main(arguments=None, make_programs=Programs):
    """Exit code: 0 done, 1 a program failed, 2 usage, 3 something is missing or the CSV cannot be written, 130 interrupted."""
    arguments = parse(arguments)
    programs = make_programs(arguments.build, arguments.seconds)
    if problem := what_is_missing(programs, arguments.sections):
        complain(problem)
        return 3
    if (load := os.getloadavg()[0]) > BUSY:
        complain(f"load average {load:.1f}: other programs disturb the figures, those of 2 threads above all")
    try:
        if "training" in arguments.sections:
            describe_peer(programs)
        report(programs, arguments)
    except ProgramError as error:
        complain(error)
        return 1
    except OSError as error:
        complain(error)
        return 3
    except KeyboardInterrupt:
        complain(f"interrupted; the rows printed so far are in {arguments.csv}")
        return 130
    return 0
