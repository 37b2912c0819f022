"""A sweep of many runs that hardly train, timed: what is left is what the runner itself costs."""
import os
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import h5py

from ..environment import REPOSITORY

WORDS = "strand rope walk twist hemp tar lay and the of".split()
SCHEMES = ("none", "rope", "alibi", "sinusoidal", "t5")
CONFIG = """\
name: tiny
task: {{corpus: '{corpus}', validation: 0.2}}
model: {{layers: 1, heads: 1, width: 8}}
train: {{length: 8, batch: 2, steps: 1, shards: 1, schedule: {{kind: cosine, warmup: 0}}}}
evaluate: {{lengths: [8, 16], tokens: 200}}
sweep: {{grid: {{model.position: [{schemes}]}}, seeds: {seeds}}}
"""


def time_tiny_sweep(program, runs, repetitions):
    """Seconds of each command on a sweep of so many runs, a list each: check, launch (once, of all runs, with stand-ins for
    Slurm's own programs), run (once), status, report, and index, which is run on a sweep that is done and has lost its index.
    training: what the runs say they trained, in all (once). And how many
    files and bytes the sweep left."""
    (REPOSITORY / "results").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=REPOSITORY / "results") as name:
        directory = Path(name)
        config = write_config(directory, runs)
        run = ("run", config, "--out", directory, "--threads", "1", "--jobs", "1")
        seconds = {"check": [], "status": [], "report": [], "index": []}
        seconds["launch"] = [seconds_of(program, "run", config, "--out", directory, "--launcher", "slurm",
                                        path=stand_ins_for_slurm(directory))]
        shutil.rmtree(directory / "tiny")
        seconds["run"] = [seconds_of(program, *run)]
        files = list(directory.glob("tiny/*/run.h5"))
        assert len(files) == runs, f"{len(files)} of {runs} runs"
        seconds["training"] = [sum(trained(file) for file in files)]
        kept = [path for path in (directory / "tiny").rglob("*") if path.is_file()]
        seconds |= {"files": len(kept), "bytes": sum(path.stat().st_size for path in kept)}
        for _ in range(repetitions):
            (directory / "tiny" / "index.h5").unlink()
            seconds["index"].append(seconds_of(program, *run))
            seconds["check"].append(seconds_of(program, "check", config))
            seconds["status"].append(seconds_of(program, "status", directory))
            seconds["report"].append(seconds_of(program, "report", directory))
    return seconds


def write_config(directory, runs):
    corpus, config = directory / "text.txt", directory / "tiny.yaml"
    corpus.write_text(" ".join(random.Random(5).choices(WORDS, k=1000)))
    schemes = ", ".join(f"{{kind: {scheme}}}" for scheme in SCHEMES)
    config.write_text(CONFIG.format(corpus=corpus, schemes=schemes, seeds=runs // len(SCHEMES)))
    return config


def stand_ins_for_slurm(directory):
    """A folder with programs that answer like Slurm's and do nothing."""
    folder = directory / "slurm"
    folder.mkdir()
    for name, answer in (("scontrol", "MaxArraySize = 1000001"), ("sbatch", "1")):
        (folder / name).write_text(f"#!/bin/sh\necho '{answer}'\n")
        (folder / name).chmod(0o755)
    return folder


def seconds_of(program, *arguments, path=None):
    """`path`: a folder with programs that are found first."""
    environment = os.environ | ({"PATH": f"{path}:{os.environ['PATH']}"} if path else {})
    began = time.perf_counter()
    subprocess.run([str(word) for word in (program, *arguments)], stdout=subprocess.DEVNULL, check=True, env=environment)
    return time.perf_counter() - began


def trained(file):
    """Seconds that a run trained, evaluation excluded."""
    with h5py.File(file) as run:
        return float(run["train/seconds"][-1])
