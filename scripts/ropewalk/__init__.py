"""Results of `ropewalk run` in Python: `results = ropewalk.load("results/quickstart")`.

load            runs as a pandas table, their values as lazy, labelled xarray datasets
interval        mean and interval over seeds
paired          differences from a baseline, seed by seed
extrapolation   a table of how far each series goes beyond its trained length

scripts/README.md shows them at work. Importing this imports nothing heavy: scripts/plot does it before it is in .venv."""
import importlib

_MODULES = {
    "load": "results",
    "Results": "results",
    "interval": "statistics",
    "paired": "comparison",
    "extrapolation": "length_table",
    "InputError": "runs",
    "UsageError": "runs",
}
__all__ = list(_MODULES)


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module 'ropewalk' has no attribute '{name}'")
    return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)


def __dir__():
    return sorted([*globals(), *_MODULES])
