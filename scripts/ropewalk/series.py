"""Groups runs into series, the lines of a figure: runs of one series differ in their seed alone."""
import re
from dataclasses import dataclass

from .config import text

PART_KIND = re.compile(r"model\.position\.parts\[\d+\]\.kind")  # of a hybrid, whose name they are
UNNAMED = {"seed", "name"}  # settings that make no difference between series
MINOR = re.compile(r"evaluate\.|record\.|train\.batch$")  # how runs are looked at, and what may follow from the length
KIND = "model.position.kind"
BEYOND = "model.position.beyond"  # named even where all runs share it: it decides the curve of `learned`


@dataclass
class Series:
    label: str  # unique
    scheme: str  # model.position.kind
    runs: list

    @property
    def settings(self):
        """{"model.position.base": 500.0, …}: those that all its runs share."""
        return {path: value for path, value in self.runs[0].settings.items() if path not in UNNAMED}


def group(runs):
    """Series in the order of scheme and settings. runs: whatever has `settings`, as `flatten` gives them."""
    by_settings = {}
    for run in runs:
        settings = {path: value for path, value in run.settings.items() if path not in UNNAMED}
        by_settings.setdefault(tuple(sorted(settings.items())), []).append(run)
    tables = [dict(settings) for settings in by_settings]
    names = candidates(tables)
    by_values = lambda row: [order(row[0].get(name)) for name in names]
    in_order = sorted(zip(tables, labels(tables), by_settings.values()), key=by_values)
    return [Series(label, table.get(KIND, ""), its_runs) for table, label, its_runs in in_order]


def order(value):
    """Sorts a missing value first, then numbers by size (base 500 before base 10000), then words."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (value is not None, not is_number, value if is_number else 0, "" if value is None else text(value))


def differing(tables):
    """Names of the settings that are not the same in all tables of settings, seed apart; a missing one is another value."""
    paths = {path for table in tables for path in table} - {"seed"}
    return sorted(path for path in paths if len({table.get(path) for table in tables}) > 1)


def candidates(tables):
    """What differs among tables, in reading order: the scheme, then an object's kind before its settings. Of how runs are looked at,
    and of the batch, only where nothing else tells the tables apart."""
    paths = differing(tables)
    major = [path for path in paths if not MINOR.match(path)]
    if len({tuple(table.get(path) for path in major) for table in tables}) == len(tables):
        paths = major
    return [KIND, *sorted({BEYOND, *paths} - {KIND}, key=without_kind)]


def labels(tables):
    """One label for each table of settings, as `ropewalk report` has it: "rope, base 500, length 64". The scheme, or the parts of
    a hybrid, "sinusoidal + alibi"; for `learned` what it does beyond its table; then every setting that differs among the series
    to which it applies: a scheme's among those of that scheme; see candidates for what is left out."""
    tells = {path: path_teller(path, tables) for path in candidates(tables)[1:] if not PART_KIND.fullmatch(path)}
    named = [[path for path, tell in tells.items() if path in table and tell(table)] for table in tables]
    anywhere = {without_kind(path) for paths in named for path in paths}
    name = lambda path: name_in_stage(without_kind(path)) or shortest_unique_tail(without_kind(path), anywhere)
    names = {path: name(path) for path in {path for paths in named for path in paths}}
    return [
        ", ".join([*scheme_name(table), *(f"{names[path]} {text(table[path])}" for path in paths)])
        for table, paths in zip(tables, named)
    ]


def scheme_name(table):
    """[the scheme], or [its parts together: "sinusoidal + alibi"]; empty if there is none."""
    parts = [table[path] for path in sorted(filter(PART_KIND.fullmatch, table))]
    return [" + ".join(parts) or table[KIND]] if KIND in table else []


def path_teller(path, tables):
    """A function of a table that has the setting: whether the table's label names it."""
    kind, stage = kind_above(path), stage_of(path)
    staged = [table for table in tables if not stage or has_stage(table, stage)]
    values = {}  # of the setting, among tables with its stage, by the kind above it
    for table in staged:
        values.setdefault(table.get(kind), set()).add(table.get(path))
    elsewhere = len(staged) < len(tables)
    return lambda table: path == BEYOND or len(values[table.get(kind)]) > 1 or (elsewhere and tells_stage(table, path))


def stage_of(path):
    """'train.stages[0].' for a setting of the second stage; '' for one that belongs to no later stage."""
    found = re.match(r"train\.stages\[\d+\]\.", path)
    return found[0] if found else ""


def has_stage(table, stage):
    return any(path.startswith(stage) for path in table)


def tells_stage(table, path):
    """Whether a setting says that there is a stage: its length, its scheme or its scaling, or all that it changes if that is
    neither."""
    stage = stage_of(path)
    telling = [stage + name for name in ("length", "position.kind", "position.scaling.kind") if stage + name in table]
    return path == telling[0] if telling else True


def without_kind(path):
    return path.removesuffix(".kind")


def kind_above(path):
    """model.position.kind for model.position.base, model.kind for model.position.kind."""
    whole, _, _ = without_kind(path).rpartition(".")
    return f"{whole}.kind" if whole else "kind"


def name_in_stage(path):
    """'stage 2 length' for train.stages[0].length; None for what is no setting of a later stage."""
    found = re.fullmatch(r"train\.stages\[(\d+)\]\.(?:.*\.)?([^.]+)", path)
    return f"stage {int(found[1]) + 2} {found[2]}" if found else None


def shortest_unique_tail(path, paths):
    """The shortest tail in whole names that ends no other of the paths."""
    names = path.split(".")
    tails = (".".join(names[start:]) for start in reversed(range(len(names))))
    return next((tail for tail in tails if sum(f".{other}".endswith(f".{tail}") for other in paths) == 1), path)
