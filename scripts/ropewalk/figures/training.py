"""Training loss against steps, a thin line a run, styled by series: for seeing whether training went as it should."""
import numpy as np

from ..metrics import METRICS
from ..runs import InputError
from ..series import group
from .axis import clipped, label_metric, view, whole_ticks
from .layout import finish, new_figure, panel_height
from .style import COLUMNS

SMOOTHED_SHARE = 0.02  # of the logged steps
MARKED_SHARE = 0.125  # of the figure's diagonal, between the markers of a line
ENDS = {"diverged": "X", "failed": "x"}  # how the last step of a run is marked


def window_of(count):
    """Logged steps that a running mean is over, where a run has logged so many."""
    return max(1, round(SMOOTHED_SHARE * count))


def smooth(values):
    """Running mean of values [N] over a fiftieth of them; a window that sticks out at an end shrinks."""
    window = np.ones(window_of(len(values)))
    return np.convolve(values, window, mode="same") / np.convolve(np.ones(len(values)), window, mode="same")


def draw_run(axes, run, style, label, limits):
    """The run's line."""
    steps, losses = run.train["step"], clipped(smooth(run.train["loss"]), limits)
    several = np.count_nonzero(np.isfinite(losses)) > 1  # else there is no line for markers to be spread on, and one shows a point
    thin = {**style, "linewidth": 0.7, "alpha": 0.8, "markersize": 3.5, "markevery": MARKED_SHARE if several else None}
    line = axes.plot(steps, losses, label=label, **thin)[0]
    if run.status in ENDS and np.isfinite(losses).any():
        last = np.flatnonzero(np.isfinite(losses))[-1]
        height = losses[last] if limits is None else min(losses[last], limits[1])
        axes.plot(steps[last], height, marker=ENDS[run.status], color="black", markersize=5, linestyle="none", zorder=4, clip_on=False)
    return line


def describe_smoothing(runs):
    """What `smooth` does to the runs that are drawn."""
    windows = {window_of(len(run.train["loss"])) for run in runs}
    if windows == {1}:
        return "every logged step as it is"
    span = f"{min(windows)}" if len(windows) == 1 else f"{min(windows)} to {max(windows)}"
    return f"running mean over {span} logged steps, {SMOOTHED_SHARE:.0%} of a run's"


def caption(sweep, runs, limits):
    texts = [f"A line a seed; {describe_smoothing(runs)}."]
    statuses = {run.status for run in sweep.runs}
    texts += [f"{'✖' if status == 'diverged' else '×'}: the run {status} there." for status in ENDS if status in statuses]
    texts += ["Losses above the scale are cut off."] if limits is not None else []
    return " ".join([*texts, sweep.state()]).strip()


def training_figure(sweep, columns=COLUMNS):
    """Of all runs that logged a training step, whatever their status."""
    runs = [run for run in sweep.runs if len(run.train.get("loss", ())) > 0]
    if not runs:
        raise InputError("no run has logged a training step yet; record.every sets how often one is logged")
    all_series = group(runs)
    limits = view(np.concatenate([smooth(run.train["loss"]) for run in runs]), METRICS["loss"])
    figure, axes = new_figure(columns, panel_height(columns))
    handles = []
    for series, style in zip(all_series, sweep.styles(all_series)):
        lines = [draw_run(axes, run, style, series.label, limits) for run in series.runs]
        handles.append(lines[0])
    axes.set_xlabel("step")
    label_metric(axes, METRICS["loss"], f"scored {sweep.token}", limits)
    axes.set_ylabel("training " + axes.get_ylabel())
    whole_ticks(axes.xaxis, columns)
    return finish(figure, f"{sweep.name}: training loss", caption(sweep, runs, limits), handles)
