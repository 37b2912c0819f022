"""A small sweep on a text of its own, and what the program leaves of it."""
import os
import pathlib
import random
import re
import signal
import subprocess
import time

import h5py

WORDS = "strand rope walk twist hemp tar lay and the of".split()

CONFIG = """
name: toy
task: {{kind: text, corpus: '{corpus}', validation: 0.2}}
model: {{layers: 2, heads: 2, width: 32, dropout: 0.1}}
train: {{length: 32, batch: 8, steps: {steps}, schedule: {{kind: cosine, warmup: 10}}}}
evaluate: {{lengths: [32, 96], protocols: [nonoverlapping, sliding], tokens: 2000, every: 60}}
record: {{every: 5}}
sweep: {{grid: {{model.position: [{{kind: rope}}, {{kind: alibi}}]}}}}
"""

# Four runs, two of them the first stage of the other two.
STAGED = """
name: toy
task: {{kind: text, corpus: '{corpus}', validation: 0.2}}
model: {{layers: 1, heads: 2, width: 16, dropout: 0.1}}
train:
  {{length: 32, batch: 8, steps: {steps}, schedule: {{kind: cosine, warmup: 10}},
    stages: [{{length: 64, steps: {steps}, rate: 1.0e-3}}]}}
evaluate: {{lengths: [32, 96], protocols: [nonoverlapping, sliding], tokens: 2000, every: 60}}
record: {{every: 5}}
sweep: {{grid: {{model.position: [{{kind: rope}}, {{kind: alibi}}]}}}}
"""

OFTEN = ("--save-every", "0.05")
PATIENCE = 120  # seconds: what takes longer hangs
TAKEN_UP = re.compile(r"Z (begun|resumed at step (\d+))")


class Sweep:
    """A directory with a text, a config, and room for results."""

    def __init__(self, program, directory, steps=120, config=CONFIG):
        self.program = str(program)
        self.directory = pathlib.Path(directory)
        self.corpus = self.directory / "text.txt"
        self.config = self.directory / "toy.yaml"
        self.corpus.write_text(" ".join(random.Random(5).choices(WORDS, k=8000)))
        self.config.write_text(config.format(corpus=self.corpus, steps=steps))

    def command(self, results, *options):
        return [self.program, "run", str(self.config), "--out", str(self.directory / results), *options]

    def start(self, results, *options):
        return subprocess.Popen(self.command(results, *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self, results, *options):
        done = subprocess.run(self.command(results, *options), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def runs(self, results):
        """Directories of the runs that have begun."""
        return sorted(path.parent for path in (self.directory / results).glob("toy/*/run.h5"))

    def statuses(self, results):
        found = []
        for run in self.runs(results):
            with h5py.File(run / "run.h5") as file:
                found.append(file.attrs["status"])
        return found

    def outcome(self, results):
        """Everything that must not depend on how the sweep got to its end: {(run, dataset): bytes}."""
        found = {}
        for run in self.runs(results):
            with h5py.File(run / "checkpoint.h5") as file:
                file.visititems(lambda name, item: collect(found, run.name, "checkpoint.h5", name, item))
            with h5py.File(run / "run.h5") as file:
                assert file.attrs["status"] == "done", file.attrs["status"]
                file.visititems(lambda name, item: collect(found, run.name, "run.h5", name, item))
        return found

    def taken_up(self, results):
        """Of each run's log, where it was taken up, in order: None at its beginning, else the step at which it was resumed. Its
        file says how often a run was trained, and by how many."""
        found = {}
        for log in sorted((self.directory / results).glob("toy/*/log.txt")):
            found[log.parent.name] = [int(step) if step else None for _, step in TAKEN_UP.findall(log.read_text())]
        return found


def dump_files(directory):
    """Reads every HDF5 file below with h5dump; their paths."""
    files = sorted(pathlib.Path(directory).rglob("*.h5"))
    for path in files:
        done = subprocess.run(["h5dump", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 0, f"{path}: {done.stderr}"
    return files


def wait_until(condition, what, process=None):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, f"it ended with {process.poll()} before {what}"
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.005)


def end(process):
    """Leaves no process behind, whatever became of the test."""
    if process.poll() is None:
        os.kill(process.pid, signal.SIGCONT)
        process.kill()
    process.wait()


def collect(found, run, file, name, item):
    if isinstance(item, h5py.Dataset) and name != "train/seconds":
        values = item[()]
        found[run, file, name] = str(list(values)).encode() if item.dtype == object else values.tobytes()
