"""The runs that a figure is about: those chosen of an experiment, and what to say of the others."""
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..results import Results, load
from ..runs import InputError, find_experiment
from .style import line_style


@dataclass
class Sweep:
    folder: Path
    results: Results  # what was chosen
    runs: list  # those of its runs that can be read, whatever their status
    damaged: list  # a text for each file that cannot be read

    @property
    def name(self):
        return self.runs[0].config["name"]

    @property
    def token(self):
        """What a token is called: byte or token."""
        return "byte" if all(run.config["task"].get("tokens") == "bytes" for run in self.runs) else "token"

    @cached_property
    def done(self):
        """Raises InputError if there are none."""
        runs = [run for run in self.runs if run.status == "done"]
        if not runs:
            raise InputError("no finished runs; `ropewalk run CONFIG` goes on with unfinished ones")
        return runs

    @property
    def trained_lengths(self):
        return sorted({run.trained_length for run in self.runs})

    def styles(self, all_series):
        """Keyword arguments of a line for each of some series of these runs."""
        return [line_style(**self.results.styles[series.runs[0].attributes["run_id"]]) for series in all_series]

    def state(self):
        """For a caption: "9 of 12 runs done, 1 diverged, 2 waiting."; empty if all are done and can be read."""
        is_whole = not self.damaged and len(self.results.done) == self.results.expected
        return "" if is_whole else f"{self.results.summary().partition(': ')[2]}."

    def troubles(self):
        """A text for each run that is not done, and for each file that is left out."""
        unfinished = [header for header in self.results.headers if header.state != "done"]
        told = [f"{header.path}: {header.state}{message_of(header)}" for header in unfinished]
        return [*told, *self.results.copies, *self.damaged]


def message_of(header):
    message = header.attributes.get("message")
    return f": {message}" if message else ""


def read_sweep(directory, only=(), tags=(), conditions=()):
    """The runs of an experiment's folder whose id fits a pattern of `only`, with all `tags`, that meet all conditions. Raises
    InputError if there is no run to read, UsageError if none is left."""
    folder = find_experiment(directory)
    results = load(folder)
    if results.headers:
        results = results.select(only, tags).where(*conditions)
    read, damaged = results.read()
    if not read:
        found = "".join(f"\n  {problem}" for problem in damaged)
        raise InputError(f"{folder}: expected runs, found none that has begun and can be read{found}")
    return Sweep(folder, results, [run for _, run in read], damaged)
