"""The figure this project is about: a metric against the evaluated length, a line a scheme, the trained length marked."""
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from ..runs import InputError
from ..series import group
from ..statistics import describe_band, summarize
from .style import line_style, plt

METRIC = "perplexity"  # unless another is asked for
PROTOCOL = "nonoverlapping"
METRICS = {  # name: (label of the axis, scale of the axis)
    "perplexity": ("perplexity per {token}", "log"),
    "loss": ("loss, nats per {token}", "linear"),
    "bits_per_byte": ("bits per byte", "linear"),
    "token_accuracy": ("accuracy, share of {token}s", "linear"),
}
PROTOCOLS = {
    "nonoverlapping": "non-overlapping windows",
    "sliding": "sliding window",
    "fixed_target": "the same targets at every length",
}


def lines_of(series, metric, protocol):
    """(lengths [E], mean [E], low [E], high [E]) of one series; lengths without a finite value are left out."""
    lengths = series.runs[0].lengths
    if any(not np.array_equal(run.lengths, lengths) for run in series.runs):
        raise InputError(f"{series.label}: its seeds are evaluated at different lengths; run the sweep again with one config")
    values = np.array([run.metric(metric, protocol) for run in series.runs], dtype=float)
    kept = np.isfinite(values).all(axis=0)
    return lengths[kept], *(part[kept] for part in summarize(values))


def draw_series(axes, all_series, metric, protocol):
    """Draws every series; returns the labels of those that miss some length."""
    single_scheme = len({series.scheme for series in all_series}) == 1
    incomplete = []
    for series in all_series:
        lengths, mean, low, high = lines_of(series, metric, protocol)
        if len(lengths) < len(series.runs[0].lengths):
            incomplete.append(series.label)
        style = line_style(series, single_scheme)
        axes.plot(lengths, mean, label=series.label, zorder=3, **style)
        axes.fill_between(lengths, low, high, color=style["color"], alpha=0.2, linewidth=0)
    return incomplete


def mark_trained_lengths(axes, trained_lengths, lengths):
    """A dashed line each, its name a row below the one before, on the side of the line where there is more room."""
    middle = np.sqrt(lengths[0] * lengths[-1])
    for row, length in enumerate(trained_lengths):
        axes.axvline(length, color="0.2", linestyle=(0, (4, 3)), linewidth=1.2, zorder=1)
        offset, alignment = (-5, "right") if length > middle else (5, "left")
        axes.annotate(f"trained length: {length}", (length, 1), xycoords=("data", "axes fraction"),
                      xytext=(offset, -3 - 14 * row), textcoords="offset points", va="top", ha=alignment, color="0.25", fontsize=9,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip


def label_lengths(axes, lengths, token):
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [str(length) for length in lengths], rotation=45 if len(lengths) > 9 else 0)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(f"context length, {token}s")


def label_metric(axes, metric, token):
    label, scale = METRICS[metric]
    axes.set_ylabel(label.format(token=token))
    axes.set_yscale(scale)
    if scale == "log":
        low, high = axes.get_ylim()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5) if high / low < 100 else (1, 3) if high / low < 1e4 else (1,)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())


def add_legend(axes):
    """Outside, top to bottom in the order in which the lines end."""
    ends = lambda line: line.get_ydata()[-1] if len(line.get_ydata()) else -np.inf
    lines = sorted((line for line in axes.get_lines() if not line.get_label().startswith("_")), key=ends, reverse=True)
    axes.legend(handles=lines, loc="center left", bbox_to_anchor=(1.01, 0.5), handlelength=3)


def caption(all_series, token, protocol, incomplete, left_out):
    seeds = [len(series.runs) for series in all_series]
    text = f"Lines: {describe_band(min(seeds), max(seeds))}. Evaluation: {PROTOCOLS.get(protocol, protocol)}."
    if token == "byte":
        text += " Tokens are bytes."
    if incomplete:
        text += f"\nWithout a value at some lengths: {'; '.join(incomplete)}."
    if left_out:
        text += f"\n{left_out} run{'s' if left_out > 1 else ''} unfinished or unreadable, left out."
    return text


def extrapolation_figure(runs, metric=METRIC, protocol=PROTOCOL, left_out=0):
    """The figure of finished runs; left_out: how many of the sweep's runs are not among them, for the caption."""
    all_series = group(runs)
    token = "byte" if runs[0].config["task"].get("tokens") == "bytes" else "token"
    trained_lengths = sorted({run.trained_length for run in runs})
    lengths = sorted({int(length) for run in runs for length in run.lengths})
    figure, axes = plt.subplots(figsize=(7.2, 4.4))
    axes.margins(y=0.06 + 0.06 * len(trained_lengths))  # room above the lines for the names of the trained lengths
    incomplete = draw_series(axes, all_series, metric, protocol)
    mark_trained_lengths(axes, trained_lengths, lengths)
    label_lengths(axes, lengths, token)
    label_metric(axes, metric, token)
    axes.set_title(f"{runs[0].config['name']}: {metric.replace('_', ' ')} beyond the trained length", loc="left")
    add_legend(axes)
    text = caption(all_series, token, protocol, incomplete, left_out)
    axes.annotate(text, (0, -0.16), xycoords="axes fraction", va="top", fontsize=8, color="0.3")
    return figure
