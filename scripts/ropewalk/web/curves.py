"""Metrics of a series by protocol, evaluated step and length: S steps, P protocols, E lengths."""
import numpy as np

from ..comparison import paired
from ..generalization import ratio
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
    steps = evaluated_steps(runs)
    kept = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), MOST_STEPS)).round().astype(int))
    return [None, *(steps[index] for index in kept)]


def evaluated_steps(runs):
    """Ascending, of all runs together."""
    return sorted({int(step) for run in runs for step in run.evaluate["step"]})


def value_of(run, metric, protocol, step):
    """[E] of one run; NaN if it has no such value. step: None for the last. A metric [S,E] is the same under every protocol."""
    nothing = np.full(len(run.lengths), np.nan)
    steps, protocols = list(run.evaluate["step"]), list(run.evaluate["protocol"])
    if metric not in run.evaluate or not steps or protocol not in protocols or (step is not None and step not in steps):
        return nothing
    values = run.evaluate[metric][-1 if step is None else steps.index(step)]
    return values if values.ndim == 1 else values[protocols.index(protocol)]


class Curves:
    """The values of a series' done runs, which share their evaluated lengths [E]. Each kind is [metric][protocol][step] of
    [mean, low, high, seeds], each [E], or None without a value."""

    def __init__(self, runs, metrics, protocols, steps):
        self.lengths = runs[0].lengths
        self.trained = [runs[0].trained_length_at(step) for step in steps]  # [step]
        self.seeds = [run.config.get("seed") for run in runs]
        cells = [(metric["name"], protocol["name"], step) for metric in metrics for protocol in protocols for step in steps]
        values = np.array([[value_of(run, *cell) for cell in cells] for run in runs])
        self.values = values.reshape(len(runs), len(metrics), len(protocols), len(steps), len(self.lengths))

    def measured(self):
        return plain_cells(over_seeds(self.values))

    def relative(self):
        """Each run's values over its own at its trained length."""
        with np.errstate(divide="ignore", invalid="ignore"):
            by_step = [ratio(self.lengths, self.values[:, :, :, s], trained) for s, trained in enumerate(self.trained)]
        return plain_cells(over_seeds(np.stack(by_step, axis=3)))

    def difference(self, baseline):
        """Value - baseline of the seeds that both have, which are counted in place of seeds; baseline: Curves."""
        shared = [seed for seed in self.seeds if seed in baseline.seeds]
        ours = self.values[[self.seeds.index(seed) for seed in shared]]
        theirs = baseline.at(self.lengths)[[baseline.seeds.index(seed) for seed in shared]]
        with np.errstate(invalid="ignore"):
            return plain_cells(np.stack(paired(ours, theirs)[:4]))

    def at(self, lengths):
        """Values […, E] of other lengths [E]; NaN where these runs have none."""
        found = np.full((*self.values.shape[:-1], len(lengths)), np.nan)
        _, places, own = np.intersect1d(lengths, self.lengths, return_indices=True)
        found[..., places] = self.values[..., own]
        return found


def plain_cells(parts):
    """[metric][protocol][step] of parts [4, metric, protocol, step, E]."""
    values_of = lambda cell: plain_over_seeds(cell) if cell[3].any() else None
    return [[[values_of(cell) for cell in row] for row in table] for table in np.moveaxis(parts, 0, 3)]
