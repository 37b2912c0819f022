"""Reads run.h5 files. Letters as in the files: S evaluated steps, P protocols, E evaluated lengths, N logged training steps."""
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import yaml

from .config import load_config

FORMAT = "ropewalk-run"
FORMAT_VERSION = 1


class InputError(Exception):
    """A file or a directory that cannot be used: place, what was expected, what was found, what to try. Exit code 3."""


class UsageError(Exception):
    """A question that these runs cannot answer. Exit code 2."""


@dataclass
class Run:
    """One run.h5, read whole."""

    path: Path
    attributes: dict  # of the file: run_id, status, parameters, peak_bytes, critical_dimension…; text and numbers
    config: dict
    train: dict  # name: [N]
    evaluate: dict  # name: array; step [S], protocol [P], length [E], metrics [S,P,E], position_loss [E,max length]
    attention: dict  # name: entropy and mean_distance [layer,head,E]; empty unless it was asked for

    @property
    def status(self):
        """running, done, diverged, failed or interrupted"""
        return self.attributes["status"]

    @property
    def trained_length(self):
        """Tokens, of the last stage."""
        train = self.config["train"]
        return (train.get("stages") or [train])[-1]["length"]

    @property
    def lengths(self):
        return self.evaluate["length"]

    def metric(self, name, protocol):
        """[E]: a metric by evaluated length, of the last evaluation."""
        if name not in self.evaluate:
            known = ", ".join(sorted(set(self.evaluate) - {"step", "length", "protocol"}))
            raise UsageError(f"{self.path}: no metric '{name}'; logged: {known}")
        protocols = list(self.evaluate["protocol"])
        if protocol not in protocols:
            raise UsageError(f"{self.path}: no protocol '{protocol}'; logged: {', '.join(protocols)}")
        return self.evaluate[name][-1, protocols.index(protocol)]


def _read_group(file, name):
    """{dataset name: array} of a group; empty if there is no such group."""
    return {key: _read_dataset(item) for key, item in file.get(name, {}).items() if isinstance(item, h5py.Dataset)}


def _read_dataset(dataset):
    is_text = h5py.check_string_dtype(dataset.dtype) is not None
    return dataset.asstr()[()] if is_text else dataset[()]


def _read_attributes(file):
    plain = lambda value: value.item() if isinstance(value, np.generic) else value
    return {name: _text(value) if isinstance(value, (bytes, np.bytes_, str)) else plain(value) for name, value in file.attrs.items()}


def _text(attribute):
    return attribute.decode() if isinstance(attribute, (bytes, np.bytes_)) else str(attribute)


def read_run(path):
    """The run of a run.h5 file. Raises InputError if the file is damaged or is something else."""
    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file; `ropewalk run CONFIG` makes it")
    try:
        with h5py.File(path, "r") as file:
            found = (_text(file.attrs.get("format", "none")), int(file.attrs.get("format_version", 0)))
            if found != (FORMAT, FORMAT_VERSION):
                raise InputError(f"{path}: expected format {FORMAT} version {FORMAT_VERSION}, got {found[0]} version {found[1]}")
            config = load_config(_text(file.attrs["config"]))
            groups = (_read_group(file, name) for name in ("train", "evaluate", "attention"))
            return Run(Path(path), _read_attributes(file), config, *groups)
    except (OSError, RuntimeError, KeyError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read as a run ({error}); delete its folder and run the config again") from error


def find_experiment(directory):
    """The folder itself if it holds a run or runs, else the only such folder in it. Raises InputError if there is not just one."""
    directory = Path(directory)
    if not directory.is_dir():
        raise InputError(f"{directory}: expected a folder that `ropewalk run` made, such as results/quickstart; there is none")
    if run_files(directory):
        return directory
    experiments = [folder for folder in sorted(directory.iterdir()) if folder.is_dir() and run_files(folder)]
    if not experiments:
        raise InputError(f"{directory}: expected folders with a run.h5 inside, found none; `ropewalk run CONFIG` makes them")
    if len(experiments) > 1:
        found = "".join(f"\n  {experiment}" for experiment in experiments)
        raise InputError(f"{directory}: expected one experiment, found {len(experiments)}; name one of them:{found}")
    return experiments[0]


def run_files(directory):
    """The run.h5 of a run's folder, or every */run.h5 of an experiment's."""
    directory = Path(directory)
    return [directory / "run.h5"] if (directory / "run.h5").exists() else sorted(directory.glob("*/run.h5"))


def read_runs(experiment):
    """(runs, problems) of a folder that `find_experiment` found; problems: a text for each damaged file."""
    runs, problems = [], []
    for file in run_files(experiment):
        try:
            runs.append(read_run(file))
        except InputError as error:
            problems.append(str(error))
    return runs, problems


def finished(runs, problems):
    """(done runs, problems with a line for each run that is not done). Raises InputError if none is done."""
    done = [run for run in runs if run.status == "done"]
    problems = problems + [f"{run.path}: left out, its status is {run.status}" for run in runs if run.status != "done"]
    if not done:
        raise InputError("no finished runs:\n  " + "\n  ".join(problems) + "\n`ropewalk run CONFIG` goes on with unfinished ones")
    return done, problems
