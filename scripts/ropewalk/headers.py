"""What is known of a run before any of its values is read: attributes, settings, and what its arrays are over."""
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from .axes import AXES, axes_of
from .config import flatten, trained_lengths
from .run_lock import is_held
from .runs import open_run, parse_config, read_run_attributes

LARGEST_CHECKED = 1 << 18  # bytes: of a larger file its headers alone are read, so that loading it takes no longer
OVER = {"done", "failed", "diverged"}  # statuses of runs that nobody is at


@dataclass
class Layout:
    """One dataset of a run.h5."""

    axes: tuple  # names of the scales it is over, such as ("step", "protocol", "length")
    attributes: dict  # units, long_name


STAGE = Layout(("step",), {"units": "1", "long_name": "stage of the training, from 1"})  # which older files lack


@dataclass(eq=False)
class Header:
    """One run.h5, all but the values."""

    path: Path
    attributes: dict  # run_id, status, parameters, peak_bytes, critical_dimension…; text, numbers, lists of texts
    settings: dict  # {"model.position.kind": "rope", …}
    trained_lengths: list  # tokens, of each stage; NaN if the config has none
    layouts: dict  # {group: {dataset: Layout}}
    scales: dict  # {group: {axis: labels}}
    progress: dict  # step, tokens, seconds, tokens_per_second of training so far; those that there are
    state: str = ""  # running, stopped, done, failed or diverged

    @property
    def trained_length(self):
        """Tokens, of the last stage."""
        return self.trained_lengths[-1]

    @property
    def run_id(self):
        return self.attributes["run_id"]

    @property
    def tags(self):
        return self.attributes.get("tags", [])

    @property
    def experiment(self):
        """The folder of the run's folder."""
        return self.path.resolve().parent.parent

    @property
    def name(self):
        return str(self.settings.get("name", self.experiment.name))

    def axis(self, group, name):
        """Labels of an axis; empty if the run has no such axis."""
        return self.scales[group].get(name, np.array([]))


class HeaderReader:
    """Reads headers one after another. Runs of a sweep are alike: what they share is read or kept once."""

    def __init__(self):
        self._layouts = {}
        self._labels = {}

    def read(self, path):
        """The header of a run.h5. Raises InputError if it is damaged or is something else."""
        with open_run(path, LARGEST_CHECKED) as file:
            attributes = read_run_attributes(file, path)
            config = parse_config(attributes)
            groups = {name: file[name] if name in file else {} for name in AXES}
            layouts = {name: self._layouts_of(name, datasets) for name, datasets in groups.items()}
            scales = {name: self._labels_of(datasets, layouts[name]) for name, datasets in groups.items()}
            header = Header(Path(path), attributes, flatten(config), trained_lengths(config), layouts, scales,
                            read_progress(groups["train"], scales))  # fmt: skip
        header.state = state_of(header)
        return header

    def _layouts_of(self, group, datasets):
        key = (group, *datasets)
        if key not in self._layouts:
            self._layouts[key] = read_layouts(group, datasets)
        return self._layouts[key]

    def _labels_of(self, datasets, layouts):
        return {name: self._shared(read_labels(datasets[name])) for name, layout in layouts.items() if layout.axes == (name,)}

    def _shared(self, labels):
        key = labels.tobytes() if labels.dtype != object else tuple(labels)
        return self._labels.setdefault(key, labels)


def read_layouts(group, datasets):
    """{name: Layout} of the datasets of a group whose axes are known; scales are over themselves."""
    found = {}
    for name, dataset in datasets.items():
        axes = axes_of(group, name, dataset.ndim)
        if axes:
            found[name] = Layout(axes, {key: dataset.attrs[key] for key in ("units", "long_name") if key in dataset.attrs})
    return found


def read_labels(dataset):
    """[N]: the labels of an axis, numbers or texts."""
    return dataset.asstr()[()] if h5py.check_string_dtype(dataset.dtype) else dataset[()]


def read_progress(train, scales):
    """{step, tokens, seconds, tokens_per_second}: optimizer steps done, and what training took up to the last recorded one."""
    done = [labels[-1] for labels in (scales["train"]["step"], scales["evaluate"]["step"]) if len(labels)]
    progress = {"step": int(max(done, default=0))}
    for name in ("tokens", "seconds"):
        if name in train and len(scales["train"]["step"]):
            progress[name] = train[name][-1].item()
    if progress.get("seconds", 0) > 0 and "tokens" in progress:
        progress["tokens_per_second"] = progress["tokens"] / progress["seconds"]
    return progress


def state_of(header):
    """As `ropewalk status` has it: a run that is not over and that no process is at is stopped."""
    recorded = header.attributes["status"]
    if recorded in OVER:
        return recorded
    held = is_held(header.experiment, header.run_id)
    return "running" if held or (held is None and recorded == "running") else "stopped"
