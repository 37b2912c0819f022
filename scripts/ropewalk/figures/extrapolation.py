"""The figure this project is about: a metric against the evaluated length, a line a series, the trained length marked."""
import math
from dataclasses import replace

import numpy as np

from ..metrics import METRICS, PROTOCOLS
from ..runs import UsageError
from ..series import group
from ..statistics import describe_band
from .axis import clipped, fit_ticks, label_lengths, label_metric, mark_off_scale, mark_trained_lengths, view
from .evaluation import at_step, describe_without, over_seeds, with_metric, with_trained_length
from .layout import finish, new_figure, panel_height
from .style import BAND, COLUMNS

METRIC = "perplexity"  # unless another is asked for
PROTOCOL = "nonoverlapping"


class Line:
    """One series and what is drawn of it."""

    def __init__(self, series, style, values):
        self.series, self.style = series, style
        self.values = values  # OverSeeds
        self.is_off_scale = False

    @property
    def end(self):
        """Where it ends."""
        return self.values.mean[-1] if len(self.values.mean) else -np.inf


def draw(axes, line, limits, row):
    """The handle of the legend. row: of the marks of what is off the scale."""
    values = line.values
    low, high = clipped(values.low, limits), clipped(values.high, limits)
    axes.fill_between(values.lengths, low, high, color=line.style["color"], alpha=BAND, linewidth=0)
    line.is_off_scale = mark_off_scale(axes, values.lengths, values.mean, limits, line.style, row)
    return axes.plot(values.lengths, clipped(values.mean, limits), label=line.series.label, zorder=3, **line.style)[0]


def label_axes(axes, metric, sweep, all_series, limits):
    lengths = sorted({int(length) for series in all_series for run in series.runs for length in run.lengths})
    label_lengths(axes, lengths, f"context length, {sweep.token}s")
    label_metric(axes, metric, sweep.token, limits)
    mark_trained_lengths(axes, sweep.trained_lengths)


def label_relative_axes(axes, metric, lines, limits):
    multiples = np.concatenate([line.values.lengths for line in lines])
    powers = range(math.ceil(np.log2(multiples.min())), math.floor(np.log2(multiples.max())) + 1)
    label_lengths(axes, [2**power for power in powers], "context length / trained length")
    label_metric(axes, metric, "", limits)
    mark_trained_lengths(axes, [1], name="")


def relative_metric(name):
    """The Metric of ratios of one."""
    return replace(METRICS[name], label=f"relative {name.replace('_', ' ')}", nat=1 if METRICS[name].nat else 0)


def describe_relative(metric, left_out):
    """Texts. left_out: how many runs have no value to relate to."""
    texts = [f"Relative: each run's {metric.replace('_', ' ')} over its own at the trained length (dashed)."]
    runs = "1 run" if left_out == 1 else f"{left_out} runs"
    return [*texts, f"{runs} without a value there left out."] if left_out else texts


def caption(lines, sweep, protocol, step, about):
    """about: more texts."""
    seeds = [len(line.series.runs) for line in lines]
    texts = [f"Lines: {describe_band(min(seeds), max(seeds))}. Evaluation: {PROTOCOLS.get(protocol, protocol)}"]
    texts[0] += "." if step is None else f", after {step} steps."
    texts += ["Tokens are bytes."] if sweep.token == "byte" else []
    texts += [
        f"{what}: {'; '.join(line.series.label for line in lines if told(line))}."
        for what, told in (
            ("Without a value at some lengths", lambda line: line.values.is_incomplete),
            ("Only at lengths that all seeds share", lambda line: line.values.is_mixed),
            ("▲ above the scale", lambda line: line.is_off_scale),
        )
        if any(map(told, lines))
    ]
    return " ".join([*texts, *about, sweep.state()]).strip()


def extrapolation_figure(sweep, metric=METRIC, protocol=PROTOCOL, step=None, relative=False, columns=COLUMNS):
    """Of the runs that are done; with `step`, of all that were evaluated then. relative: to each run's trained length, and to its
    value there, so that runs of several trained lengths compare."""
    runs = sweep.done if step is None else at_step(sweep.runs, step)
    measured = with_metric(runs, metric, protocol)
    related = with_trained_length(measured, metric, protocol, step) if relative else measured
    all_series = group(related)
    values = [over_seeds(series.runs, metric, protocol, step, relative) for series in all_series]
    lines = [Line(*parts) for parts in zip(all_series, sweep.styles(all_series), values)]
    if not any(len(line.values.mean) for line in lines):
        raise UsageError(f"no run has a value of {metric} at any length")
    figure, axes = new_figure(columns, panel_height(columns))
    shown = relative_metric(metric) if relative else METRICS[metric]
    limits = view(np.concatenate([line.values.mean for line in lines]), shown)
    handles = {}
    for line in lines:
        handles[line] = draw(axes, line, limits, row=sum(other.is_off_scale for other in handles))
    if relative:
        label_relative_axes(axes, shown, lines, limits)
    else:
        label_axes(axes, shown, sweep, all_series, limits)
    downwards = sorted(lines, key=lambda line: line.end, reverse=True)  # the order in which lines end
    title = f"{sweep.name}: {'relative ' * relative}{metric.replace('_', ' ')} beyond the trained length"
    about = describe_without(len(runs) - len(measured), metric, protocol)
    about += describe_relative(metric, len(measured) - len(related)) if relative else []
    finish(figure, title, caption(lines, sweep, protocol, step, about), [handles[line] for line in downwards])
    fit_ticks(axes)
    return figure
