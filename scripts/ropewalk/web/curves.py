"""Metrics of a series by protocol, evaluated step and length: S steps, P protocols, E lengths."""
import numpy as np

from ..metrics import METRICS, PROTOCOLS, Metric
from .numbers import over_seeds, plain_over_seeds

NO_METRICS = {"scored", "position_loss", "position_count"}
MOST_STEPS = 12  # of a page: more evaluations are thinned out, so that it stays small


def metrics_of(runs, token):
    """[{"name", "title", "scale", "axis"}] of what any run has measured, in the order of `METRICS`."""
    found = {name for run in runs for name, values in run.evaluate.items() if is_metric(name, values)}
    return [describe(name, token) for name in [*filter(found.__contains__, METRICS), *sorted(found - set(METRICS))]]


def describe(name, token):
    title = name.replace("_", " ")
    metric = METRICS.get(name, Metric(title, "linear"))
    return {"name": name, "title": title, "scale": metric.scale, "axis": metric.label.format(token=token)}


def is_metric(name, values):
    return name not in NO_METRICS and np.ndim(values) in (2, 3) and np.size(values) > 0


def protocols_of(runs):
    """[{"name", "title"}] in the order of `PROTOCOLS`."""
    found = {protocol for run in runs for protocol in run.evaluate["protocol"]}
    names = [name for name in PROTOCOLS if name in found] + sorted(found - set(PROTOCOLS))
    return [{"name": name, "title": PROTOCOLS.get(name, name)} for name in names]


def steps_of(runs):
    """None for the last of each run; then, where any run has more than one, at most `MOST_STEPS` spread over all."""
    if all(len(run.evaluate["step"]) < 2 for run in runs):
        return [None]
    steps = sorted({int(step) for run in runs for step in run.evaluate["step"]})
    kept = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), MOST_STEPS)).round().astype(int))
    return [None, *(steps[index] for index in kept)]


def value_of(run, metric, protocol, step):
    """[E] of one run; NaN if it has no such value. step: None for the last. A metric [S,E] is the same under every protocol."""
    nothing = np.full(len(run.lengths), np.nan)
    steps, protocols = list(run.evaluate["step"]), list(run.evaluate["protocol"])
    if metric not in run.evaluate or not steps or protocol not in protocols or (step is not None and step not in steps):
        return nothing
    values = run.evaluate[metric][-1 if step is None else steps.index(step)]
    return values if values.ndim == 1 else values[protocols.index(protocol)]


def curves(runs, metrics, protocols, steps):
    """[metric][protocol][step] of a series' done runs: [mean, low, high, seeds], each [E], or None without a value."""
    values = np.array([
        [value_of(run, metric["name"], protocol["name"], step) for metric in metrics for protocol in protocols for step in steps]
        for run in runs
    ])  # fmt: skip
    shape = (4, len(metrics), len(protocols), len(steps), values.shape[-1])
    parts = np.moveaxis(over_seeds(values).reshape(shape), 0, 3)  # [metric, protocol, step, 4, E]
    values_of = lambda cell: plain_over_seeds(cell) if cell[3].any() else None
    return [[[values_of(cell) for cell in row] for row in table] for table in parts]
