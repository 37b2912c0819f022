"""Groups runs into series, the lines of a figure: runs of one series differ in their seed alone."""
import re
from dataclasses import dataclass

from .config import flatten

PART_KIND = re.compile(r"model\.position\.parts\[\d+\]\.kind")  # of a hybrid, whose name they are
UNNAMED = {"seed", "name"}  # settings that make no difference between series
KIND = "model.position.kind"
BEYOND = "model.position.beyond"  # named even where all runs share it: it decides the curve of `learned`


@dataclass
class Series:
    label: str  # unique
    scheme: str  # model.position.kind
    variant: int  # 0, 1, …: which of the series of this scheme
    runs: list
    settings: dict  # flat, those that tell series apart


def group(runs):
    """Series in the order of scheme and settings."""
    by_settings = {}
    for run in runs:
        settings = {key: value for key, value in flatten(run.config).items() if key not in UNNAMED}
        by_settings.setdefault(tuple(sorted(settings.items())), []).append(run)
    keys = sorted(by_settings, key=in_numeric_order)
    by_scheme = {}
    for settings, label in zip(keys, labels([dict(settings) for settings in keys])):
        by_scheme.setdefault(dict(settings)[KIND], []).append((label, by_settings[settings], dict(settings)))
    return [
        Series(label, scheme, variant, its_runs, its_settings)
        for scheme, variants in sorted(by_scheme.items())
        for variant, (label, its_runs, its_settings) in enumerate(variants)
    ]


def in_numeric_order(settings):
    """Sorts numbers as numbers: base 500 before base 10000."""
    is_number = lambda value: isinstance(value, (int, float))
    return [(key, not is_number(value), value if is_number(value) else 0, str(value)) for key, value in settings]


def labels(tables):
    """One label for each table of settings, as `ropewalk report` has it: "rope, base 500, length 64". The scheme, or the
    parts of a hybrid, as in "sinusoidal + alibi"; for `learned` what it does beyond its table; then every setting that differs among the series to which it applies: a scheme's among those
    of that scheme."""
    named = [named_settings(table, tables) for table in tables]
    anywhere = {without_kind(path) for paths in named for path in paths}
    name = lambda path: name_in_stage(without_kind(path)) or shortest_unique_tail(without_kind(path), anywhere)
    return [
        ", ".join([scheme_name(table), *(f"{name(path)} {text(table[path])}" for path in paths)]) for table, paths in zip(tables, named)
    ]


def scheme_name(table):
    """Of the scheme, or of its parts together: "sinusoidal + alibi"."""
    return " + ".join(table[path] for path in sorted(filter(PART_KIND.fullmatch, table))) or table[KIND]


def named_settings(table, tables):
    """The settings that the label of a table names, in reading order: an object's kind before its settings."""
    tells = lambda path: path == BEYOND or differs(table, path, tables) or tells_stage(table, path, tables)
    is_name = lambda path: path == KIND or PART_KIND.fullmatch(path)
    return sorted((path for path in table if not is_name(path) and tells(path)), key=without_kind)


def differs(table, path, tables):
    """Whether a setting has other values in other tables that have its stage and the same kind above it."""
    kind, stage = kind_above(path), stage_of(path)
    alike = [other for other in tables if has_stage(other, stage) and other.get(kind) == table.get(kind)]
    return any(other.get(path) != table[path] for other in alike)


def stage_of(path):
    """'train.stages[0].' for a setting of the second stage; '' for one that belongs to no later stage."""
    found = re.match(r"train\.stages\[\d+\]\.", path)
    return found[0] if found else ""


def has_stage(table, stage):
    return any(path.startswith(stage) for path in table)


def tells_stage(table, path, tables):
    """Whether a setting says that there is a stage which others do not have: its length, its scheme or its scaling, or all that
    it changes if that is neither."""
    stage = stage_of(path)
    telling = [stage + name for name in ("length", "position.kind", "position.scaling.kind") if stage + name in table]
    if not stage or (telling and path != telling[0]):
        return False
    return not all(has_stage(other, stage) for other in tables)


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


def text(value):
    """As YAML has it, but numbers short: 100.0 as 100."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)
