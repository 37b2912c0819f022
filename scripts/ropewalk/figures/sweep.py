"""The runs that a figure is about: those chosen of an experiment, and what to say of the others."""
import fnmatch
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import h5py

from ..config import flatten
from ..runs import InputError, UsageError, find_experiment, read_runs


@dataclass
class Sweep:
    folder: Path
    runs: list  # that were chosen, whatever their status
    waiting: int  # runs that were chosen and have not begun
    damaged: list  # a text for each file that cannot be read

    @property
    def name(self):
        return self.runs[0].config["name"]

    @property
    def token(self):
        """What a token is called: byte or token."""
        return "byte" if all(run.config["task"].get("tokens") == "bytes" for run in self.runs) else "token"

    @property
    def done(self):
        """Raises InputError if there are none."""
        runs = [run for run in self.runs if run.status == "done"]
        if not runs:
            raise InputError("no finished runs; `ropewalk run CONFIG` goes on with unfinished ones")
        return runs

    @property
    def trained_lengths(self):
        return sorted({run.trained_length for run in self.runs})

    def troubles(self):
        """A text for each run that is not done, and for each file that cannot be read."""
        unfinished = [run for run in self.runs if run.status != "done"]
        return [f"{run.path}: {run.status}{message_of(run)}" for run in unfinished] + self.damaged

    def state(self):
        """For a caption: "9 of 12 runs done, 1 diverged, 2 not begun"; empty if all are done and whole."""
        counts = Counter(run.status for run in self.runs)
        done = counts.pop("done", 0)
        others = {**dict(sorted(counts.items())), "not begun": self.waiting, "unreadable": len(self.damaged)}
        told = [f"{count} {what}" for what, count in others.items() if count]
        return f"{', '.join([f'{done} of {sum(others.values()) + done} runs done', *told])}." if told else ""


def read_sweep(directory, only=(), tags=(), conditions=()):
    """The runs of an experiment's folder whose id fits a pattern of `only`, with all `tags`, for which all conditions hold. Raises
    InputError if there is no run to read, UsageError if none is left."""
    folder = find_experiment(directory)
    runs, damaged = read_runs(folder)
    if not runs:
        raise InputError("no run can be read:\n  " + "\n  ".join(damaged))
    chosen = [run for run in by_id(runs, only) if set(tags) <= tags_of(run)]
    chosen = [run for run in chosen if all(condition.holds(flatten(run.config)) for condition in conditions)]
    if not chosen:
        raise UsageError(f"none of the {len(runs)} runs in {folder} is left by what was chosen; less of it leaves more")
    chosen_by_settings = tags or conditions  # of a run that has not begun, neither is known
    return Sweep(folder, chosen, 0 if chosen_by_settings else waiting(folder, only), damaged)


def by_id(runs, only):
    """Runs that a pattern fits, all of them if there is none. Raises UsageError for a pattern that fits none."""
    ids = [run_id(run) for run in runs]
    for pattern in only:
        if not fnmatch.filter(ids, pattern):
            raise UsageError(f"--only {pattern}: expected a pattern that fits the whole id of one of {len(ids)} runs, "
                             f"as '*rope*' does, such as {ids[0]}")  # fmt: skip
    return [run for run, its_id in zip(runs, ids) if fits(its_id, only)]


def fits(run_id, only):
    return not only or any(fnmatch.fnmatchcase(run_id, pattern) for pattern in only)


def run_id(run):
    return run.attributes.get("run_id", run.path.parent.name)


def message_of(run):
    message = run.attributes.get("message")
    return f": {message}" if message else ""


def tags_of(run):
    return set(map(str, run.attributes.get("tags", ())))


def waiting(folder, only):
    """How many rows of the index have no run.h5 yet; 0 without an index, which is no more than a help."""
    try:
        with h5py.File(folder / "index.h5", "r") as file:
            ids = file["runs/id"].asstr()[()]
    except (OSError, KeyError, TypeError):
        return 0
    return sum(fits(its_id, only) and not (folder / its_id / "run.h5").exists() for its_id in ids)
