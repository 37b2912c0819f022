"""index.h5: the runs that an experiment is to have, also those that have not begun."""
from dataclasses import dataclass, replace

import h5py

from .config import load_config
from .runs import InputError
from .seal import is_broken

FORMAT = "ropewalk-index"
FORMAT_VERSION = 1
COLUMNS = {"id", "status", "step", "seed", "tags", "notes"}  # the others are settings


@dataclass(eq=False)
class Row:
    run_id: str
    settings: dict  # {"seed": 0, "model.position.kind": "rope", …}: those that differ among the runs, as `flatten` has them
    tags: list
    name: str  # of the experiment
    told: frozenset = frozenset()  # names of the settings that differ, also of those that this run lacks


def read_index(experiment):
    """[Row] of an experiment's folder. Raises InputError if its index.h5 is damaged or something else."""
    path = experiment / "index.h5"
    try:
        if not path.is_file() or is_broken(path.read_bytes()):
            raise ValueError("its bytes are not those that were written")
        with h5py.File(path, "r") as file:
            if (file.attrs.get("format"), file.attrs.get("format_version")) != (FORMAT, FORMAT_VERSION):
                raise ValueError(f"expected format {FORMAT} version {FORMAT_VERSION}")
            columns = {name: _column(dataset) for name, dataset in file["runs"].items()}
            return [_row(columns, place, experiment.name) for place in range(len(columns["id"]))]
    except (OSError, RuntimeError, KeyError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as an index ({error}); `ropewalk run CONFIG` writes it again") from error


def _column(dataset):
    return dataset.asstr()[()] if h5py.check_string_dtype(dataset.dtype) else dataset[()].tolist()


def completed(row, header):
    """The row with the settings that it shares with the header of another run of its experiment: an index leaves them out."""
    shared = {path: value for path, value in header.settings.items() if path not in row.told}
    return replace(row, settings=shared | row.settings, name=header.name)


def _row(columns, place, folder):
    told = frozenset({*columns} - COLUMNS)
    settings = {name: _plain(columns[name][place]) for name in sorted(told) if columns[name][place] != ""}
    if "seed" in columns:
        settings["seed"] = columns["seed"][place]
    tags = columns["tags"][place].split(", ") if "tags" in columns and columns["tags"][place] else []
    return Row(columns["id"][place], settings, tags, settings.get("name", folder), told | {"seed"})


def _plain(written):
    """The number, truth or null that a text is; else the text."""
    value = load_config(written)
    return value if value is None or isinstance(value, (bool, int, float)) else written
