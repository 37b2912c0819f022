"""What `ropewalk run` left in a folder, as a pandas table of runs and labelled xarray arrays."""
import fnmatch
import html
import os
from collections import Counter
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas
import xarray

from .colors import series_styles
from .conditions import Condition, expect_known, nearest
from .datasets import attention, evaluate, position, train
from .headers import Header, HeaderReader
from .index import completed, read_index
from .runs import InputError, UsageError, read_run
from .series import differing, group


def load(directory):
    """The Results of a folder: of one experiment, of several in one folder, or of one run.

    Reads headers only; values are read when they are asked for. What it says is as of now: load again to see more of a sweep in
    progress. Raises InputError if there is no run to be found; damaged files are left out and named in `problems`."""
    directory = Path(directory)
    if not directory.is_dir():
        raise InputError(f"{directory}: expected a folder that `ropewalk run` made, such as results/quickstart; there is none")
    files, indexes = find_files(directory)
    headers, copies, damaged = read_headers(files)
    waiting, damaged_indexes = read_waiting(indexes, headers)
    if not files and not waiting:
        raise InputError(f"{directory}: expected a run.h5 in it or below, found none; `ropewalk run CONFIG` makes them")
    return Results(headers, waiting, damaged, copies, damaged_indexes)


def find_files(directory):
    """(paths of run.h5 files, folders with an index.h5) in a folder and below, in the order of their names."""
    files, indexes = [], []
    for folder, folders, names in os.walk(directory):
        files += [Path(folder) / "run.h5"] if "run.h5" in [*names, *folders] else []
        indexes += [Path(folder)] if "index.h5" in names else []
    return sorted(files), sorted(indexes)


def read_waiting(experiments, headers):
    """(rows of the indexes of experiments' folders whose run has no file yet, with all settings if any other has begun; [text] for
    each damaged index)."""
    waiting, problems = [], []
    for experiment in experiments:
        try:
            rows = [row for row in read_index(experiment) if not os.path.lexists(experiment / row.run_id / "run.h5")]
        except InputError as error:
            problems.append(str(error))
            continue
        begun = next((header for header in headers if header.path.parent.parent == experiment), None)
        waiting += [completed(row, begun) for row in rows] if begun else rows
    return waiting, problems


def read_headers(files):
    """(headers, copies, problems): a text for each file that has the settings of one before it, and for each damaged one."""
    reader, headers, copies, problems, first = HeaderReader(), [], [], [], {}
    for file in files:
        try:
            header = reader.read(file)
        except InputError as error:
            problems.append(str(error))
            continue
        settings = tuple(sorted(header.settings.items()))
        same = first.get(settings) or first.get(header.run_id)
        if same:
            copies.append(f"{file}: left out, same settings as {same.path}")
        else:
            headers.append(header)
            first[settings] = first[header.run_id] = header
    return headers, copies, problems


def labels_of(headers):
    """{run_id: label of its series}, the experiment in front where there are several: "bases: rope, base 100"."""
    experiments, found = by_experiment(headers), {}
    for name, its_headers in experiments.items():
        front = f"{name}: " if len(experiments) > 1 else ""
        for series in group(its_headers):
            found.update({header.run_id: front + (series.label or "all runs") for header in series.runs})
    return found


def styles_of(runs):
    """{run_id: style of its series among those of all the runs}, as `series_styles` has it. runs: headers and rows of indexes."""
    all_series = [(name, series) for name, its_runs in by_experiment(runs).items() for series in group(its_runs)]
    styles = series_styles([SimpleNamespace(scheme=series.scheme, settings=series.settings | {"name": name})
                            for name, series in all_series])  # fmt: skip
    return {run.run_id: style for (_, series), style in zip(all_series, styles) for run in series.runs}


def by_experiment(runs):
    """{name: runs}"""
    found = {}
    for run in runs:
        found.setdefault(run.name, []).append(run)
    return found


class Results:
    """Runs of one experiment or of several. `len()` is how many there are, whatever their state."""

    def __init__(self, headers, waiting=(), damaged=(), copies=(), damaged_indexes=(), whole=None):
        self.headers = list(headers)
        self.waiting = list(waiting)  # rows of index.h5 whose run has no file yet
        self.damaged = list(damaged)  # a text for each damaged run.h5
        self.damaged_indexes = list(damaged_indexes)  # and for each damaged index.h5: what waits there is not known
        self.copies = list(copies)  # a text for each file left out because another has its settings
        self._whole = whole or self  # the Results that these were chosen from

    @cached_property
    def labels(self):
        """{run_id: label}, in the order of the series: by scheme, then by setting."""
        return labels_of(self.headers)

    @cached_property
    def styles(self):
        """{run_id: {"color": "#rrggbb", "marker": …, "dash": …}}, a style a series. Decided over all runs that there are to be in
        what was loaded, begun or not, chosen or not: none changes while a sweep goes on, or where only a part is drawn."""
        return styles_of(self._everything) if self._whole is self else self._whole.styles

    @cached_property
    def runs(self):
        """pandas.DataFrame, a row a run, index run_id: status (running, stopped, done, failed, diverged), label (of its series,
        runs that differ in their seed alone), seed, every setting by its dotted name (NaN where a run has none), trained_length
        (tokens), step, tokens, seconds (of training), tokens_per_second, path, and the attributes of run.h5: parameters,
        peak_bytes, message, tags, notes, started, finished…"""
        tables = [self._row(header) for header in self.headers]
        front, back = ["status", "label", "seed"], ["path"]
        settings = [path for path in self._settings if path not in front]
        names = dict.fromkeys(name for table in tables for name in table)
        rest = [name for name in names if name not in {*front, *settings, *back}]
        index = pandas.Index([header.run_id for header in self.headers], name="run_id", dtype=object)
        return pandas.DataFrame(tables, index=index, columns=[*front, *settings, *rest, *back])

    @cached_property
    def differing(self):
        """Names of the settings that are not the same in all runs, seed apart."""
        return differing([header.settings for header in self.headers])

    @cached_property
    def evaluate(self):
        """xarray.Dataset (run, step, protocol, length): loss, nats per scored token; perplexity; token_accuracy; bits_per_byte;
        scored, tokens… Every setting is a coordinate along run, as are label, seed, status and trained_length. NaN where a run
        has none."""
        return evaluate(self.headers).assign_coords(self._coordinates)

    @cached_property
    def train(self):
        """xarray.Dataset (run, step): loss, nats per scored token; rate; gradient_norm; seconds and tokens, cumulative; stage."""
        return train(self.headers).assign_coords(self._coordinates)

    @cached_property
    def position(self):
        """xarray.Dataset (run, length, position): position_loss, mean nats at each index of the window, of the last evaluation
        over non-overlapping windows; position_count, tokens behind it."""
        return position(self.headers).assign_coords(self._coordinates)

    @cached_property
    def attention(self):
        """xarray.Dataset (run, layer, head, length): entropy, nats; mean_distance, tokens. Empty unless runs recorded them."""
        return attention(self.headers).assign_coords(self._coordinates)

    def evaluation(self, step=None):
        """xarray.Dataset (run, protocol, length): `evaluate` at one step, or at the last of each run, which is then a coordinate.
        Raises UsageError if no run was evaluated at that step."""
        data = self.evaluate
        if step is not None:
            if step not in data.step:
                known = ", ".join(map(str, data.step.values))
                raise UsageError(f"step: expected one of {known or 'none'}, at which these runs were evaluated, got {step}")
            return data.sel(step=step)
        last = [header.axis("evaluate", "step")[-1:] for header in self.headers]
        places = [int(data.indexes["step"].get_indexer(steps)[0]) if len(steps) else 0 for steps in last]
        if data.sizes["step"] == 0:
            data = data.reindex(step=[0])
        return data.isel(step=xarray.DataArray(np.array(places, dtype=int), dims="run"))

    @cached_property
    def done(self):
        """The Results of the runs that are done."""
        return self._of([header for header in self.headers if header.state == "done"])

    @property
    def expected(self):
        """How many runs there are to be: those there are, readable or damaged, and those of index.h5 that have no file yet."""
        return len(self.headers) + len(self.waiting) + len(self.damaged)

    @property
    def problems(self):
        """A text for each damaged file."""
        return self.damaged + self.damaged_indexes

    def where(self, *conditions):
        """The Results of the runs that meet all conditions, such as "model.position.base > 1000" or "model.norm = rms". Numbers
        compare as numbers, text only with = and !=; a run without the setting does not meet it. Raises UsageError if one is no
        condition, if no run has its setting, or if no run is left."""
        parsed = [Condition(written) for written in conditions]
        expect_known(parsed, [one.settings for one in self._everything])
        chosen = [one for one in self._everything if all(condition.holds(one.settings) for condition in parsed)]
        if not chosen:
            raise UsageError(f"conditions: none of {len(self._everything)} runs meets {' and '.join(conditions)}")
        return self._of(chosen)

    def select(self, only=(), tags=()):
        """The Results of the runs whose whole id a pattern matches, as '*rope*' does, and which have all the tags. Both a text or
        a list of them. Raises UsageError if a pattern matches no run, or if no run is left."""
        only, tags = ([one] if isinstance(one, str) else list(one) for one in (only, tags))
        ids = [one.run_id for one in self._everything]
        for pattern in only:
            if not fnmatch.filter(ids, pattern):
                raise UsageError(f"only {pattern}: expected a pattern that matches the whole id of one of {len(ids)} runs, as "
                                 f"'*rope*' does; nearest: {', '.join(nearest(pattern, ids)) or 'none'}")  # fmt: skip
        matches = lambda one: not only or any(fnmatch.fnmatchcase(one.run_id, pattern) for pattern in only)
        chosen = [one for one in self._everything if matches(one) and set(tags) <= set(one.tags)]
        if not chosen:
            raise UsageError(f"tags: none of {len(ids)} runs has {' and '.join(tags)}")
        return self._of(chosen)

    def read(self):
        """([(header, Run)], [text]): all runs read whole, for what is going to use everything of them; and a text for each file that is
        damaged, or has become so since it was loaded."""
        read, damaged = [], list(self.problems)
        for header in self.headers:
            try:
                read.append((header, read_run(header.path)))
            except InputError as error:
                damaged.append(str(error))
        return read, damaged

    def summary(self):
        """Such as: quickstart: 11 of 12 runs done, 1 running"""
        names = sorted({one.name for one in self._everything})
        counts = Counter(header.state for header in self.headers)
        counts.update({"waiting": len(self.waiting), f"damaged file{'s' * (len(self.damaged) > 1)}": len(self.damaged)})
        others = "".join(f", {count} {state}" for state, count in sorted(counts.items()) if count and state != "done")
        front = f"{', '.join(names)}: " if names else ""
        return f"{front}{counts['done']} of {self.expected} runs done{others}"

    def __len__(self):
        return len(self.headers)

    def __repr__(self):
        lines = [self.summary(), f"settings that differ: {', '.join(self.differing) or 'none'}"]
        return "\n".join(lines + [f"damaged: {problem}" for problem in self.problems])

    def _repr_html_(self):
        columns = ["status", "label", "seed", "step", "tokens_per_second", "message"]
        table = self.runs[[column for column in columns if column in self.runs]].to_html(max_rows=20)
        return f"<pre>{html.escape(repr(self))}</pre>{table}"

    @property
    def _everything(self):
        return [*self.headers, *self.waiting]

    def _of(self, chosen):
        headers = [one for one in chosen if isinstance(one, Header)]
        return Results(headers, [one for one in chosen if one not in headers], self.damaged, self.copies, self.damaged_indexes,
                       self._whole)  # fmt: skip

    def _row(self, header):
        elsewhere = {"format", "format_version", "config", "run_id", "status"}
        attributes = {name: value for name, value in header.attributes.items() if name not in elsewhere}
        return {
            "status": header.state,
            "label": self.labels[header.run_id],
            "seed": header.settings.get("seed", np.nan),
            **header.settings,
            "trained_length": header.trained_length,
            **header.progress,
            **attributes,
            "path": str(header.path),
        }

    @cached_property
    def _settings(self):
        return sorted({path for header in self.headers for path in header.settings})

    @cached_property
    def _coordinates(self):
        names = dict.fromkeys(["label", "seed", "status", "trained_length", *self._settings])
        return {name: ("run", self.runs[name].to_numpy()) for name in names if name in self.runs}
