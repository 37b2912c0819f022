"""Arrays of many runs side by side as xarray datasets, outer-joined over what each run has, read when asked for."""
import numpy as np
import xarray
from xarray.core import indexing

from .headers import STAGE
from .joined_array import JoinedArray


def train(headers):
    """(run, step)"""
    return dataset(headers, "train", lambda layout: layout.axes == ("step",), ("step",), {"stage": STAGE})


def evaluate(headers):
    """(run, step, protocol, length)"""
    is_ours = lambda layout: layout.axes[0] == "step"
    return dataset(headers, "evaluate", is_ours, ("step", "protocol", "length"), {"stage": STAGE})


def position(headers):
    """(run, length, position)"""
    return dataset(headers, "evaluate", lambda layout: layout.axes == ("length", "position"), ("length", "position"))


def attention(headers):
    """(run, layer, head, length)"""
    return dataset(headers, "attention", lambda layout: len(layout.axes) > 1, ("layer", "head", "length"))


def dataset(headers, group, is_ours, axes, always=None):
    """The datasets of a group of every run.h5 that are ours, and those that are always there, on the axes of all runs."""
    layouts = {name: layout for header in headers for name, layout in header.layouts[group].items()}
    labels = {axis: union(headers, group, axis) for axis in axes}
    coordinates = {axis: (axis, found, layouts[axis].attributes if axis in layouts else {}) for axis, found in labels.items()}
    ids = np.array([header.run_id for header in headers], dtype=object)
    wanted = {**(always or {}), **{name: layout for name, layout in layouts.items() if name not in axes and is_ours(layout)}}
    variables = {
        name: (("run", *layout.axes), lazy(JoinedArray(headers, group, name, {axis: labels[axis] for axis in layout.axes})),
               layout.attributes)
        for name, layout in wanted.items()
    }  # fmt: skip
    return xarray.Dataset(variables, {"run": ("run", ids, {"long_name": "run_id"}), **coordinates})


def union(headers, group, axis):
    """All labels of an axis: numbers ascending, texts in the order in which runs name them."""
    distinct = {id(labels): labels for labels in (header.axis(group, axis) for header in headers) if len(labels)}.values()
    if any(labels.dtype == object for labels in distinct):
        return np.array(list(dict.fromkeys(label for labels in distinct for label in labels)), dtype=object)
    return np.unique(np.concatenate([*distinct, np.array([], dtype=int)]))


def lazy(array):
    """As xarray wraps what open_dataset reads: read in parts when indexed, kept once it was read whole."""
    return indexing.MemoryCachedArray(indexing.CopyOnWriteArray(indexing.LazilyIndexedArray(array)))
