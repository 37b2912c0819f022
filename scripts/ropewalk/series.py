"""Groups runs into series, the lines of a figure: runs of one series differ in their seed alone."""
from dataclasses import dataclass

from .config import flatten

UNNAMED = {"seed", "name"}  # settings that make no difference between series
KIND = "model.position.kind"


@dataclass
class Series:
    label: str
    scheme: str  # model.position.kind
    variant: int  # 0, 1, …: which of the series of this scheme
    runs: list


def group(runs):
    """Series in the order of scheme and settings, with labels that name the scheme and whatever else differs within it."""
    by_settings = {}
    for run in runs:
        settings = {key: value for key, value in flatten(run.config).items() if key not in UNNAMED}
        by_settings.setdefault(tuple(sorted(settings.items())), []).append(run)
    by_scheme = {}
    for settings in sorted(by_settings, key=in_numeric_order):
        by_scheme.setdefault(dict(settings)[KIND], []).append(settings)
    return [
        Series(label, scheme, variant, by_settings[settings])
        for scheme, variants in sorted(by_scheme.items())
        for variant, (settings, label) in enumerate(zip(variants, labels(scheme, variants)))
    ]


def in_numeric_order(settings):
    """Sorts numbers as numbers: base 500 before base 10000."""
    is_number = lambda value: isinstance(value, (int, float))
    return [(key, not is_number(value), value if is_number(value) else 0, str(value)) for key, value in settings]


def labels(scheme, variants):
    """One label each: "rope", or "rope, base 500" where several ropes differ in their base."""
    tables = [dict(settings) for settings in variants]
    keys = sorted(set().union(*tables))
    differing = [key for key in keys if len({str(table.get(key)) for table in tables}) > 1]
    settings_of = lambda table: [f"{key.split('.')[-1]} {number(table[key])}" for key in differing if key in table]
    return [", ".join([scheme, *settings_of(table)]) for table in tables]


def number(value):
    return f"{value:.10g}" if isinstance(value, float) else str(value)
