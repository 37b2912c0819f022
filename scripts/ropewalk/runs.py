"""Reads run.h5 files. Letters as in the files: S evaluated steps, P protocols, E evaluated lengths, N logged training steps."""
import contextlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import h5py
import numpy as np

from .axes import expect_shapes, in_order_of_length
from .config import flatten, load_config, trained_lengths
from .seal import is_broken

FORMAT = "ropewalk-run"
FORMAT_VERSION = 1
ATTRIBUTES = ("run_id", "status", "config", "software", "machine", "parameters", "started", "finished", "peak_bytes")
SCALES = ("train/step", "evaluate/step", "evaluate/protocol", "evaluate/length")


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

    @cached_property
    def settings(self):
        """{"model.position.kind": "rope", …}"""
        return flatten(self.config)

    @property
    def status(self):
        """running, done, diverged, failed or interrupted"""
        return self.attributes["status"]

    @property
    def trained_length(self):
        """Tokens, of the last stage."""
        return trained_lengths(self.config)[-1]

    def trained_length_at(self, step):
        """Tokens, of the stage in which the run was evaluated after `step` optimizer steps; of the last one if it was not, or
        for None."""
        places = np.flatnonzero(self.evaluate["step"] == step)
        if step is None or len(places) == 0:
            return self.trained_length
        stage = self.evaluate["stage"][places[0]] if "stage" in self.evaluate else 1  # older files have no stages
        return trained_lengths(self.config)[int(stage) - 1]

    @property
    def lengths(self):
        return self.evaluate["length"]


def _read_group(file, name):
    """{dataset name: array} of a group, lengths ascending; empty if there is no such group."""
    arrays = {key: _read_dataset(item) for key, item in file.get(name, {}).items() if isinstance(item, h5py.Dataset)}
    expect_shapes(name, arrays)
    return in_order_of_length(name, arrays)


def _read_dataset(dataset):
    is_text = h5py.check_string_dtype(dataset.dtype) is not None
    return dataset.asstr()[()] if is_text else dataset[()]


def read_attributes(file):
    """{name: text, number or list of texts} of a file."""
    return {name: _plain(value) for name, value in file.attrs.items()}


def _plain(attribute):
    if isinstance(attribute, (bytes, np.bytes_)):
        return attribute.decode()
    if isinstance(attribute, h5py.Empty):
        return ""
    return attribute.tolist() if isinstance(attribute, (np.ndarray, np.generic)) else attribute


@contextlib.contextmanager
def open_run(path, largest_checked=0):
    """The h5py.File of a run.h5. Raises InputError, also of what its reader stumbles over, if it is damaged or something else.
    All bytes of one of at most `largest_checked` bytes are held to its checksum first."""
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: there is no such file; `ropewalk run CONFIG` makes it")
    if not path.is_file():  # a pipe would be waited for
        raise InputError(f"{path}: expected a file, found something else; move it away")
    try:
        if path.stat().st_size <= largest_checked:
            expect_seal(path)
        with h5py.File(path, "r") as file:
            yield file
    except InputError:
        raise
    except Exception as error:  # h5py raises what it likes of a damaged file, such as AttributeError
        reason = error.args[0] if isinstance(error, KeyError) else error
        raise InputError(f"{path}: cannot be read as a run ({reason}); delete its folder and run the config again") from error


def expect_seal(path):
    """Raises InputError if a file has a checksum, and it is not that of its bytes."""
    if is_broken(path.read_bytes()):
        raise InputError(f"{path}: damaged: its bytes are not those that were written; delete its folder and run again")


def read_run_attributes(file, path):
    """{name: text, number or list of texts} of a run.h5. Raises InputError if the file is no run, or of a version that this
    program does not know; KeyError if it lacks a part."""
    expect_format(file, path)
    attributes = read_attributes(file)
    missing = [name for name in ATTRIBUTES if name not in attributes] + [name for name in SCALES if name not in file]
    if missing:
        raise KeyError(f"it has no {', '.join(missing)}")
    return attributes


def expect_format(file, path):
    name, version = _plain(file.attrs.get("format", "none")), int(file.attrs.get("format_version", 0))
    if (name, version) == (FORMAT, FORMAT_VERSION):
        return
    advice = "; use the version of ropewalk that wrote it" if name == FORMAT else ""
    raise InputError(f"{path}: expected format {FORMAT} version {FORMAT_VERSION}, got {name} version {version}{advice}")


def parse_config(attributes):
    """The run's config as nested dictionaries. Raises ValueError if it is none."""
    config = load_config(attributes["config"])
    if not isinstance(config, dict):
        raise ValueError("its config holds no settings")
    return config


def read_run(path):
    """The run of a run.h5 file. Raises InputError if the file is damaged or is something else."""
    with open_run(path, largest_checked=np.inf) as file:
        attributes = read_run_attributes(file, path)
        groups = (_read_group(file, name) for name in ("train", "evaluate", "attention"))
        return Run(Path(path), attributes, parse_config(attributes), *groups)


def find_experiment(directory):
    """The folder itself if it holds a run or runs, else the only such folder in it. Raises InputError if there is not just
    one."""
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
