"""The figure this project is about: a metric against the evaluated length, a line a series, the trained length marked."""
import numpy as np

from ..metrics import METRICS, PROTOCOLS
from ..runs import UsageError
from ..series import group
from ..statistics import describe_band
from .axis import clipped, fit_ticks, label_lengths, label_metric, mark_off_scale, mark_trained_lengths, view
from .evaluation import at_step, over_seeds
from .layout import finish, new_figure, panel_height
from .style import BAND, COLUMNS

METRIC = "perplexity"  # unless another is asked for
PROTOCOL = "nonoverlapping"


class Line:
    """One series and what is drawn of it."""

    def __init__(self, series, style, metric, protocol, step):
        self.series, self.style = series, style
        self.values = over_seeds(series.runs, metric, protocol, step)
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


def caption(lines, sweep, protocol, step):
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
    return " ".join([*texts, sweep.state()]).strip()


def extrapolation_figure(sweep, metric=METRIC, protocol=PROTOCOL, step=None, columns=COLUMNS):
    """Of the runs that are done; with `step`, of all that were evaluated then."""
    all_series = group(sweep.done if step is None else at_step(sweep.runs, step))
    styles = sweep.styles(all_series)
    lines = [Line(series, style, metric, protocol, step) for series, style in zip(all_series, styles)]
    if not any(len(line.values.mean) for line in lines):
        raise UsageError(f"no run has a value of {metric} at any length")
    figure, axes = new_figure(columns, panel_height(columns))
    limits = view(np.concatenate([line.values.mean for line in lines]), METRICS[metric])
    handles = {}
    for line in lines:
        handles[line] = draw(axes, line, limits, row=sum(other.is_off_scale for other in handles))
    lengths = sorted({int(length) for series in all_series for run in series.runs for length in run.lengths})
    label_lengths(axes, lengths, f"context length, {sweep.token}s")
    label_metric(axes, METRICS[metric], sweep.token, limits)
    mark_trained_lengths(axes, sweep.trained_lengths)
    downwards = sorted(lines, key=lambda line: line.end, reverse=True)  # the order in which lines end
    title = f"{sweep.name}: {metric.replace('_', ' ')} beyond the trained length"
    finish(figure, title, caption(lines, sweep, protocol, step), [handles[line] for line in downwards])
    fit_ticks(axes)
    return figure
