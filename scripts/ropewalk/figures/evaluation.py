"""Values of an evaluation of a run, by name."""
import numpy as np

from ..runs import UsageError


def at_step(runs, step):
    """The runs that were evaluated after `step` optimizer steps. Raises UsageError if none was, and names the steps there are."""
    found = [run for run in runs if step in run.evaluate["step"]]
    if not found:
        steps = sorted({int(step) for run in runs for step in run.evaluate["step"]})
        known = ", ".join(map(str, steps)) or "none"
        raise UsageError(f"--step {step}: expected a step after which a run was evaluated: {known}; evaluate.every sets them")
    return found


def values_at(run, metric, protocol, step, lengths):
    """[E]: a metric at some of the evaluated lengths; step: optimizer steps done, None for the last evaluation. Raises UsageError."""
    if metric not in run.evaluate:
        known = ", ".join(sorted(set(run.evaluate) - {"step", "stage", "length", "protocol", "position"}))
        raise UsageError(f"{run.path}: no metric '{metric}'; logged: {known}")
    protocols = list(run.evaluate["protocol"])
    if protocol not in protocols:
        raise UsageError(f"{run.path}: no protocol '{protocol}'; logged: {', '.join(protocols)}")
    index = -1 if step is None else list(run.evaluate["step"]).index(step)
    values = run.evaluate[metric][index, protocols.index(protocol)]
    return values[np.searchsorted(run.lengths, lengths)].astype(float)
