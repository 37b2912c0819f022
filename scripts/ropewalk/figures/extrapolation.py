"""The figure this project is about: a metric against the evaluated length, a line a series, the trained length marked."""
from functools import reduce

import numpy as np

from ..series import group
from ..statistics import describe_band, summarize
from .axis import METRICS, PROTOCOLS, ceiling, fit_ticks, label_lengths, label_metric, mark_off_scale, mark_trained_lengths
from .evaluation import at_step, values_at
from .layout import finish, new_figure, panel_height
from .style import COLUMNS, line_styles

METRIC = "perplexity"  # unless another is asked for
PROTOCOL = "nonoverlapping"


class Line:
    """One series: lengths [E] that all its seeds were evaluated at and have a value for; mean, low and high, each [E]."""

    def __init__(self, series, style, metric, protocol, step):
        self.series, self.style = series, style
        shared = reduce(np.intersect1d, [run.lengths for run in series.runs])
        values = np.array([values_at(run, metric, protocol, step, shared) for run in series.runs])
        kept = ~np.isnan(values).any(axis=0)
        self.lengths = shared[kept]
        self.mean, self.low, self.high = summarize(values[:, kept])
        self.is_incomplete = not kept.all()
        self.is_mixed = any(len(run.lengths) != len(shared) for run in series.runs)

    @property
    def end(self):
        return self.mean[-1] if len(self.mean) else -np.inf


def draw(axes, line, top):
    """The handle of the legend."""
    axes.fill_between(line.lengths, line.low, line.high, color=line.style["color"], alpha=0.2, linewidth=0)
    line.is_off_scale = mark_off_scale(axes, line.lengths, line.mean, top, line.style)
    return axes.plot(line.lengths, line.mean, label=line.series.label, zorder=3, **line.style)[0]


def caption(lines, sweep, protocol, step):
    seeds = [len(line.series.runs) for line in lines]
    texts = [f"Lines: {describe_band(min(seeds), max(seeds))}. Evaluation: {PROTOCOLS.get(protocol, protocol)}"]
    texts[0] += "." if step is None else f", after {step} steps."
    texts += ["Tokens are bytes."] if sweep.token == "byte" else []
    texts += [
        f"{what}: {'; '.join(line.series.label for line in lines if told(line))}."
        for what, told in (
            ("Without a value at some lengths", lambda line: line.is_incomplete),
            ("Only at lengths that all seeds share", lambda line: line.is_mixed),
            ("▲ above the scale", lambda line: line.is_off_scale),
        )
        if any(map(told, lines))
    ]
    return " ".join([*texts, sweep.state()]).strip()


def extrapolation_figure(sweep, metric=METRIC, protocol=PROTOCOL, step=None, columns=COLUMNS):
    """Of the runs that are done; with `step`, of all that were evaluated then."""
    all_series = group(sweep.done if step is None else at_step(sweep.runs, step))
    styles = line_styles(all_series)
    lines = [Line(series, style, metric, protocol, step) for series, style in zip(all_series, styles)]
    figure, axes = new_figure(columns, panel_height(columns))
    top = ceiling(np.concatenate([line.mean for line in lines]), METRICS[metric])
    handles = {line: draw(axes, line, top) for line in lines}
    label_lengths(axes, sorted({int(length) for line in lines for length in line.lengths}), f"context length, {sweep.token}s")
    label_metric(axes, METRICS[metric], sweep.token, top)
    mark_trained_lengths(axes, sweep.trained_lengths)
    downwards = sorted(lines, key=lambda line: line.end, reverse=True)  # the order in which lines end
    title = f"{sweep.name}: {metric.replace('_', ' ')} beyond the trained length"
    finish(figure, title, caption(lines, sweep, protocol, step), [handles[line] for line in downwards])
    fit_ticks(axes)
    return figure
