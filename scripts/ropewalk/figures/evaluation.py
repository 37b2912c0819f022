"""Values of an evaluation of a run, by name."""
from dataclasses import dataclass
from functools import reduce

import numpy as np

from ..generalization import ratio
from ..metrics import METRICS
from ..runs import UsageError
from ..statistics import interval


@dataclass
class OverSeeds:
    """A metric of runs that differ in their seed alone, at the lengths [E] that all were evaluated at and have a value for."""

    lengths: object  # tokens, or multiples of the trained length
    mean: object  # [E], as are the ends of the interval
    low: object
    high: object
    is_incomplete: bool  # whether a length is left out because some seed has no value
    is_mixed: bool  # whether one is left out because some seed was not evaluated at it


def over_seeds(runs, metric, protocol, step=None, relative=False):
    """OverSeeds of the runs of one series; relative: to their trained length, at which all have a value: lengths as multiples of
    it, and values over that at it, run by run."""
    shared = reduce(np.intersect1d, [run.lengths for run in runs])
    values = np.array([values_at(run, metric, protocol, step, shared) for run in runs])
    lengths = shared
    if relative:
        trained = runs[0].trained_length_at(step)
        values = np.array([ratio(shared, of_run, trained) for of_run in values])
        lengths = shared / trained
    kept = ~np.isnan(values).any(axis=0)
    mean, low, high, _ = interval(values[:, kept])
    is_mixed = any(len(run.lengths) != len(shared) for run in runs)
    return OverSeeds(lengths[kept], mean, low, high, not kept.all(), is_mixed)


def with_trained_length(runs, metric, protocol, step=None):
    """The runs that `over_seeds` can relate to their trained length. Raises UsageError if there are none."""
    found = [run for run in runs if is_divisor(value_at_trained(run, metric, protocol, step))]
    if not found:
        trained = ", ".join(map(str, sorted({run.trained_length for run in runs})))
        raise UsageError(f"--relative: expected runs with a value of {metric} at their trained length, found none; "
                         f"evaluate.lengths would need {trained}")  # fmt: skip
    return found


def value_at_trained(run, metric, protocol, step):
    """NaN if the run was not evaluated there."""
    trained = run.trained_length_at(step)
    return values_at(run, metric, protocol, step, [trained])[0] if trained in run.lengths else np.nan


def is_divisor(value):
    return np.isfinite(value) and value > 0


def at_step(runs, step):
    """The runs that were evaluated after `step` optimizer steps. Raises UsageError if none was, and names the steps there are."""
    found = [run for run in runs if step in run.evaluate["step"]]
    if not found:
        steps = sorted({int(step) for run in runs for step in run.evaluate["step"]})
        known = ", ".join(map(str, steps)) or "none"
        raise UsageError(f"--step {step}: expected a step after which a run was evaluated: {known}; evaluate.every sets them")
    return found


def with_metric(runs, metric, protocol):
    """The runs that have a metric under a protocol. Raises UsageError if there are none, and names what is logged."""
    has_metric = [run for run in runs if metric in run.evaluate]
    if not has_metric:
        logged = {name for run in runs for name in set(run.evaluate) & METRICS.keys()}
        raise UsageError(f"no metric '{metric}'; logged: {', '.join(sorted(logged)) or 'none'}")
    found = [run for run in has_metric if protocol in run.evaluate["protocol"]]
    if not found:
        logged = {name for run in has_metric for name in run.evaluate["protocol"]}
        raise UsageError(f"no protocol '{protocol}'; logged: {', '.join(sorted(logged)) or 'none'}")
    return found


def describe_without(count, metric, protocol):
    """Texts on how many runs `with_metric` left out."""
    runs = "1 run" if count == 1 else f"{count} runs"
    return [f"{runs} without {metric.replace('_', ' ')} under {protocol} left out."] if count else []


def values_at(run, metric, protocol, step, lengths):
    """[E]: a metric at some of the evaluated lengths; step: optimizer steps done, None for the last evaluation."""
    index = -1 if step is None else list(run.evaluate["step"]).index(step)
    values = run.evaluate[metric][index, list(run.evaluate["protocol"]).index(protocol)]
    return values[np.searchsorted(run.lengths, lengths)].astype(float)
