"""Loss by index in the window, a line a series: where in a long context a scheme fails."""
import numpy as np

from ..metrics import METRICS
from ..positions import BINS_PER_DOUBLING, binned, bins, scored_by_bin
from ..runs import UsageError
from ..series import group
from ..statistics import describe_band, interval
from .axis import clipped, fit_ticks, label_lengths, label_metric, mark_trained_lengths, view
from .layout import finish, new_figure, panel_height
from .style import BAND, COLUMNS


def runs_at(sweep, length):
    """(runs that have the loss by position at a length, that length: the longest of all if it is None). Raises UsageError."""
    runs = [run for run in sweep.done if "position_loss" in run.evaluate and len(run.evaluate["step"])]
    if not runs:
        raise UsageError("no run has a loss by position; the protocol nonoverlapping among evaluate.protocols logs it")
    known = sorted({int(known) for run in runs for known in run.lengths})
    length = known[-1] if length is None else length
    if length not in known:
        raise UsageError(f"--length {length}: expected an evaluated length: {', '.join(map(str, known))}")
    return [run for run in runs if length in run.lengths], length


def position_figure(sweep, length=None, columns=COLUMNS):
    """At one evaluated length, the longest unless it is given."""
    runs, length = runs_at(sweep, length)
    all_series = group(runs)
    edges = bins(length)
    middles = np.sqrt((edges[:-1] + 1.0) * edges[1:])  # of a bin, in tokens of context: index 0 has one
    figure, axes = new_figure(columns, panel_height(columns))
    lines = [interval([binned(run, length) for run in series.runs]) for series in all_series]
    limits = view(np.concatenate([line.mean for line in lines]), METRICS["loss"])
    handles = []
    for series, line, style in zip(all_series, lines, sweep.styles(all_series)):
        mean, low, high = (clipped(values, limits) for values in (line.mean, line.low, line.high))
        axes.fill_between(middles, low, high, color=style["color"], alpha=BAND, linewidth=0)
        handles += axes.plot(middles, mean, label=series.label, markevery=0.1, zorder=3, **style)
    label_lengths(axes, powers_of_two(length), f"{sweep.token}s of context, up to {length}")
    label_metric(axes, METRICS["loss"], f"scored {sweep.token}", limits)
    mark_trained_lengths(axes, [trained for trained in sweep.trained_lengths if trained <= length])
    downwards = sorted(handles, key=lambda handle: end_of(handle.get_ydata()), reverse=True)
    finish(figure, f"{sweep.name}: loss by position in windows of {length} {sweep.token}s",
           caption(sweep, all_series, fewest_scored(runs, length), limits), downwards)  # fmt: skip
    fit_ticks(axes)
    return figure


def end_of(values):
    """The last that there is."""
    values = values[~np.isnan(values)]
    return values[-1] if len(values) else -np.inf


def powers_of_two(most):
    return [2**exponent for exponent in range(int(np.log2(most)) + 1)]


def fewest_scored(runs, length):
    """Scored tokens behind the point of a run that rests on the fewest; 0 if nothing is drawn."""
    scored = np.concatenate([scored_by_bin(run, length) for run in runs])
    return min((int(count) for count in scored if count > 0), default=0)


def caption(sweep, all_series, fewest, limits):
    """fewest: scored tokens behind the least certain point of a run."""
    seeds = [len(series.runs) for series in all_series]
    texts = [f"Lines: {describe_band(min(seeds), max(seeds))}.", f"Averaged over bins of positions, {BINS_PER_DOUBLING} to a doubling.",
             f"The least certain point rests on {fewest} scored {sweep.token}{'s' * (fewest != 1)} a seed.",
             "Evaluation: non-overlapping windows."]  # fmt: skip
    texts += ["Losses above the scale are cut off."] if limits is not None else []
    missing = len(sweep.done) - sum(seeds)
    texts += [f"{missing} run{'s' * (missing > 1)} without this length left out."] if missing else []
    return " ".join([*texts, sweep.state()]).strip()
