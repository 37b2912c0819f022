"""Axes that several figures share: lengths, metrics, trained lengths, and what is off the scale."""
import math
from dataclasses import dataclass

import numpy as np
from matplotlib.markers import CARETUP
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from .style import QUIET

ROOM, SHOWN = math.log(1e6), math.log(1e4)  # nats: where a metric spans more than the one, the other is shown
MOST_TICKS = 14
EDGE = 0.97  # of the height of the axes, where what is above them is marked


@dataclass(frozen=True)
class Metric:
    label: str  # of the axis
    scale: str  # of the axis: log or linear
    nat: float = 0  # what a nat of loss is on it; 0: bounded, so that nothing is off the scale
    format: str = "{:.2f}"  # of a value


METRICS = {
    "perplexity": Metric("perplexity per {token}", "log", 1),
    "loss": Metric("loss, nats per {token}", "linear", 1),
    "bits_per_byte": Metric("bits per byte", "linear", 1 / math.log(2)),
    "token_accuracy": Metric("accuracy, share of {token}s", "linear"),
}
PROTOCOLS = {
    "nonoverlapping": "non-overlapping windows",
    "sliding": "sliding window",
    "fixed_target": "the same targets at every length",
}


def short(value):
    """A number in few letters: 4.98, 104.8, 2.6e+04."""
    return f"{value:.1e}" if value >= 1e4 else f"{value:.4g}" if value >= 100 else f"{value:.2f}"


def ceiling(values, metric):
    """The value above which nothing is shown, None if all fits: a run that diverged must not squash the others."""
    values = np.asarray(values, dtype=float)
    values = values[~np.isnan(values)]
    if not metric.nat or not len(values):
        return None
    lowest, highest = values.min(), values.max()
    if metric.scale == "log":
        return lowest * math.exp(SHOWN) if highest > lowest * math.exp(ROOM) else None
    return lowest + SHOWN * metric.nat if highest > lowest + ROOM * metric.nat else None


def mark_off_scale(axes, x, values, top, style):
    """Marks values [N] above `top` at the upper edge of the axes; whether there are any."""
    above = np.asarray(values) > (np.inf if top is None else top)
    if above.any():
        axes.plot(np.asarray(x)[above], np.full(above.sum(), EDGE), transform=axes.get_xaxis_transform(), marker=CARETUP,
                  linestyle="none", color=style["color"], markersize=7, zorder=4)  # fmt: skip
    return bool(above.any())


def label_lengths(axes, lengths, label):
    axes.set_xscale("log", base=2)
    axes.xaxis.set_minor_locator(NullLocator())
    shown = lengths[:: math.ceil(len(lengths) / MOST_TICKS)]
    axes.set_xticks(shown, [str(length) for length in shown])
    axes.set_xlabel(label)


def fit_ticks(axes):
    """Turns the labels of lengths that would run into one another."""
    figure = axes.figure
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    if any(one.x1 + 3 > other.x0 for one, other in zip(boxes, boxes[1:])):
        axes.tick_params(axis="x", rotation=60)


def label_metric(axes, metric, token, top=None):
    axes.set_ylabel(metric.label.format(token=token))
    axes.set_yscale(metric.scale)
    if top is not None:
        axes.set_ylim(top=top)
    if metric.scale == "log":
        plain_log(axes.yaxis, *axes.get_ylim())


def plain_log(axis, low, high):
    """Ticks of a log axis, written as numbers: evenly spread ones on less than half a decade, else 1, 2, 3, 5 or fewer of each."""
    steps = (1, 2, 3, 5) if high / low < 100 else (1, 3) if high / low < 1e4 else (1,)
    axis.set_major_locator(MaxNLocator(5) if high / low < 3 else LogLocator(subs=steps))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def mark_trained_lengths(axes, trained_lengths, name="trained length"):
    """A dashed line each, and unless it is empty their name above the axes, where it covers nothing."""
    for length in trained_lengths:
        axes.axvline(length, color="0.2", linestyle=(0, (4, 3)), linewidth=0.9, zorder=1)
    if trained_lengths and name:
        low, high = axes.get_xlim()
        alignment = "left" if trained_lengths[0] <= math.sqrt(low * high) else "right"
        axes.annotate(f"{name} {', '.join(map(str, trained_lengths))}", (trained_lengths[0], 1), color=QUIET, size=7,
                      xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points", va="bottom", ha=alignment)  # fmt: skip
