"""Datasets of many runs as one array that is read only where it is asked for."""
import numpy as np
import pandas
from xarray.backends import BackendArray
from xarray.core import indexing

from .headers import read_labels
from .runs import open_run

ABSENT = {"stage": 1.0}  # what a file that lacks a dataset means; otherwise that there is no value


class JoinedArray(BackendArray):
    """A dataset of each run, side by side: [run, *axes], NaN where a run has no value. Reading a part of it opens the files of
    the runs in that part, and reads from them the smallest block that holds it. Whole numbers become floats, exact up to 2^53."""

    dtype = np.dtype(float)

    def __init__(self, headers, group, name, axes):
        """axes: {name of a scale: its labels over all runs}"""
        self.headers, self.group, self.name, self.axes = headers, group, name, axes
        self.shape = (len(headers), *map(len, axes.values()))

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key):
        runs, *places = (np.arange(size)[part] for size, part in zip(self.shape, key))
        wanted = [np.atleast_1d(labels[place]) for labels, place in zip(self.axes.values(), places)]
        values = [self._read_run(self.headers[run], wanted) for run in np.atleast_1d(runs)]
        values = np.reshape(values, (len(values), *map(len, wanted)))
        return values[tuple(0 if np.ndim(place) == 0 else slice(None) for place in (runs, *places))]

    def _read_run(self, header, wanted):
        """The values of one run at the wanted labels of each axis. Asks the file for its own again: the run may have gone on."""
        values = np.full([len(labels) for labels in wanted], np.nan)
        with open_run(header.path) as file:
            group = file.get(self.group, {})
            if any(axis not in group for axis in self.axes):
                return values
            places = [pandas.Index(read_labels(group[axis])).get_indexer(labels) for axis, labels in zip(self.axes, wanted)]
            present = [place >= 0 for place in places]
            if all(part.any() for part in present):
                places = [place[part] for place, part in zip(places, present)]
                values[np.ix_(*present)] = self._read_block(group, places)
        return values

    def _read_block(self, group, places):
        if self.name not in group:
            return ABSENT.get(self.name, np.nan)
        block = group[self.name][tuple(slice(place.min(), place.max() + 1) for place in places)]
        return block[np.ix_(*(place - place.min() for place in places))]
