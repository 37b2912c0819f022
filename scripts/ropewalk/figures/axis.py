"""Axes that several figures share: lengths, metrics, trained lengths, and what is off the scale."""
import math

import numpy as np
from matplotlib.markers import CARETUP
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from .style import QUIET

ROOM, SHOWN = math.log(1e6), math.log(1e4)  # nats: where a metric spans more than the one, the other is shown
ROUND = (1, 2, 5, 10)  # steps between ticks: 1 is at one, as ratios want it
TICK_GAP = 3  # pixels, between labels of ticks
EDGE, ROW, ROWS = 0.97, 0.035, 4  # of the height of the axes: where what is above them is marked, series by series


def short(value):
    """A number in few letters: 4.98, 104.8, 2.6e+04."""
    return f"{value:.1e}" if value >= 1e4 else f"{value:.4g}" if value >= 100 else f"{value:.2f}"


def view(values, metric):
    """(bottom, top) of the axis if the values span too much to show them all, else None: a run that diverged must not squash the
    others."""
    values = np.asarray(values, dtype=float)
    values = values[~np.isnan(values)]
    if not metric.nat or not len(values):
        return None
    is_log = metric.scale == "log"
    nats = np.log(values) if is_log else values / metric.nat
    lowest = nats.min()
    if not nats.max() > lowest + ROOM:
        return None
    highest = nats[nats <= lowest + SHOWN].max()
    margin = 0.06 * (highest - lowest) + 0.03
    limits = (lowest - margin, highest + 3 * margin)  # more above, for the marks of what is off the scale
    return tuple(float(np.exp(limit)) if is_log else limit * metric.nat for limit in limits)


def clipped(values, limits):
    """Values that leave a view do so just above it: what is far away, drawing cannot cope with."""
    return values if limits is None else np.minimum(values, 1.05 * limits[1])


def mark_off_scale(axes, x, values, limits, style, row):
    """Marks values [N] above a view at the upper edge of the axes, in a row of its own; whether there are any."""
    above = np.asarray(values) > (np.inf if limits is None else limits[1])
    if above.any():
        heights = np.full(above.sum(), EDGE - ROW * (row % ROWS))
        axes.plot(np.asarray(x)[above], heights, transform=axes.get_xaxis_transform(), marker=CARETUP, markersize=5,
                  linestyle="none", color=style["color"], markeredgecolor="white", markeredgewidth=0.3, zorder=4)  # fmt: skip
    return bool(above.any())


def label_lengths(axes, lengths, label):
    axes.set_xscale("log", base=2)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(lengths, [str(length) if length >= 1 else f"{length:g}" for length in lengths])
    axes.set_xlabel(label)


def fit_ticks(axes):
    """Where labels of lengths would run into one another: turns them, and leaves out those that still would."""
    axes.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    if not any(one.x1 + TICK_GAP > other.x0 for one, other in zip(boxes, boxes[1:])):
        return
    kept = [0]
    for index, box in enumerate(boxes):
        if middle(box) - middle(boxes[kept[-1]]) > box.height + TICK_GAP:
            kept.append(index)
    places, texts = axes.get_xticks(), [label.get_text() for label in axes.get_xticklabels()]
    axes.set_xticks([places[index] for index in kept], [texts[index] for index in kept], rotation=90)


def middle(box):
    return (box.x0 + box.x1) / 2


def whole_ticks(axis, columns):
    """Ticks at whole numbers, so few that numbers of six digits have room beside a legend. columns: of the page."""
    axis.set_major_locator(MaxNLocator(integer=True, nbins=4 * columns))


def label_metric(axes, metric, token, limits=None):
    axes.set_ylabel(metric.label.format(token=token))
    axes.set_yscale(metric.scale)
    if limits is not None:
        axes.set_ylim(*limits)
    if metric.scale == "log":
        plain_log(axes.yaxis, *axes.get_ylim())


def plain_log(axis, low, high):
    """Ticks of a log axis, as plain numbers: evenly spread on less than half a decade, else at 1, 2, 3, 5 or fewer of each."""
    steps = (1, 2, 3, 5) if high / low < 100 else (1, 3) if high / low < 1e4 else (1,)
    axis.set_major_locator(MaxNLocator(5, steps=ROUND) if high / low < 3 else LogLocator(subs=steps))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def mark_trained_lengths(axes, trained_lengths, name="trained length"):
    """A dashed line each, and unless it is empty their name above the axes, where it covers nothing."""
    for length in trained_lengths:
        axes.axvline(length, color="0.2", linestyle=(0, (4, 3)), linewidth=0.9, zorder=1)
    if trained_lengths and name:
        low, high = axes.get_xlim()
        alignment = "left" if trained_lengths[0] <= math.sqrt(low * high) else "right"
        text = f"{name} {', '.join(map(str, trained_lengths))}"
        axes.annotate(text, (trained_lengths[0], 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points",
                      va="bottom", ha=alignment, color=QUIET, size=7)  # fmt: skip
