"""A sweep that is planned and then run: what `ropewalk plan` says it will take, and what it takes."""
import random
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import h5py

from ..environment import REPOSITORY

TEXT_BYTES = 800_000
MEBI = 2**20
SECONDS = re.compile(r"^left: .*\(([\d.]+) s\)", re.MULTILINE)
MEMORY = re.compile(r"^\S+ +\d+ +[\d.]+ +[\d.]+ +([\d.]+)  ", re.MULTILINE)  # the last number of a run's row


class Outcome(NamedTuple):
    """Seconds of the whole sweep, and the most bytes that one of its runs had in use."""

    seconds: float
    bytes: float


def plan_and_run(program, config, jobs):
    """(predicted, taken) of a config without name and corpus, on as many threads as jobs."""
    (REPOSITORY / "results").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=REPOSITORY / "results") as name:
        directory = Path(name)
        (directory / "text.txt").write_bytes(random.Random(5).randbytes(TEXT_BYTES))
        file = directory / "planned.yaml"
        file.write_text(f"name: planned\ntask: {{corpus: '{directory / 'text.txt'}', validation: 0.2}}\n{config}")
        options = [str(file), "--out", name, "--jobs", str(jobs), "--threads", str(jobs)]
        plan = subprocess.run([str(program), "plan", *options], stdout=subprocess.PIPE, text=True, check=True).stdout
        predicted = Outcome(float(SECONDS.search(plan)[1]), MEBI * max(map(float, MEMORY.findall(plan))))
        began = time.perf_counter()
        subprocess.run([str(program), "run", *options], stdout=subprocess.DEVNULL, check=True)
        return predicted, Outcome(time.perf_counter() - began, max(map(peak_bytes, directory.glob("planned/*/run.h5"))))


def peak_bytes(file):
    with h5py.File(file) as run:
        return float(run.attrs["peak_bytes"])
