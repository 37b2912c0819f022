"""How attention spreads over a context: entropy and mean distance by layer and head against the evaluated length."""
import math
from functools import reduce

import numpy as np

from ..colors import sequence
from ..runs import UsageError
from ..series import group
from ..statistics import describe_band
from .axis import fit_ticks, label_lengths, mark_trained_lengths, plain_log
from .layout import finish, new_figure
from .style import COLUMNS, QUIET, SHAPES

QUANTITIES = {"entropy": "entropy, nats", "mean_distance": "mean distance, {token}s"}
UNIFORM = {  # of attention that looks at all of N tokens alike, averaged over queries
    "entropy": lambda length: np.log(np.arange(1, length + 1)).mean(),
    "mean_distance": lambda length: (length - 1) / 4,
}


class Spread:
    """One series, averaged over seeds: quantities by name [layer, head, E] at the lengths [E] that its seeds share."""

    def __init__(self, series, style):
        self.series, self.style = series, style
        self.lengths = reduce(np.intersect1d, [run.lengths for run in series.runs])
        self.values = {name: np.mean([self._shared(run, name) for run in series.runs], axis=0) for name in QUANTITIES}

    def _shared(self, run, name):
        return run.attention[name][..., np.searchsorted(run.lengths, self.lengths)]

    @property
    def layers(self):
        return self.values["entropy"].shape[0]


def spreads_of(sweep):
    """Raises UsageError if no run has measured it."""
    runs = [run for run in sweep.done if all(name in run.attention for name in QUANTITIES)]
    if not runs:
        raise UsageError("attention: no run has measured it; `ropewalk evaluate RUN --set record.attention=true` prints it of a "
                         "trained run, and to draw it set record.attention: true and run the config again")  # fmt: skip
    all_series = group(runs)
    return [Spread(series, style) for series, style in zip(all_series, sweep.styles(all_series))]


def draw_heads(axes, spread, name, layer):
    """A line a head; the handles of the legend."""
    heads = spread.values[name][layer]
    for head, (values, color) in enumerate(zip(heads, sequence(len(heads)))):
        axes.plot(spread.lengths, values, color=color, marker=SHAPES[head % len(SHAPES)], markersize=4,
                  markeredgecolor="white", markeredgewidth=0.4, label=f"head {head}")  # fmt: skip
    return axes.get_lines()[: len(heads)]


def draw_series(axes, spreads, name, layer):
    """Heads as thin lines and their mean, for each of several series; the handles of the legend."""
    handles = []
    for spread in (spread for spread in spreads if layer < spread.layers):
        heads = spread.values[name][layer]
        axes.plot(spread.lengths, heads.T, color=spread.style["color"], alpha=0.35, linewidth=0.6)
        handles += axes.plot(spread.lengths, heads.mean(axis=0), label=spread.series.label, zorder=3, **spread.style)
    return handles


def draw_uniform(axes, name, lengths):
    values = [UNIFORM[name](length) for length in lengths]
    return axes.plot(lengths, values, color=QUIET, linestyle=":", linewidth=1, zorder=1, label="uniform attention")[0]


def caption(sweep, spreads):
    seeds = [len(spread.series.runs) for spread in spreads]
    mean = "1 seed" if max(seeds) == 1 else describe_band(min(seeds), max(seeds)).partition(";")[0].capitalize()
    texts = [f"{mean}." if len(spreads) == 1 else f"{mean}. Thin lines: heads; thick ones: their mean."]
    texts += ["Dashed: the trained length. Averaged over the queries of non-overlapping windows."]
    missing = len(sweep.done) - sum(seeds)
    texts += [f"{missing} run{'s' * (missing > 1)} without attention left out."] if missing else []
    return " ".join([*texts, sweep.state()]).strip()


def panels_of(grid, layers):
    """{(layer, quantity): axes} of a grid with two rows for each line of layers; what is left over is removed."""
    across = grid.shape[1]
    place = lambda layer, row: grid[2 * (layer // across) + row, layer % across]
    panels = {(layer, name): place(layer, row) for layer in range(layers) for row, name in enumerate(QUANTITIES)}
    for axes in set(grid.flat) - set(panels.values()):
        axes.remove()
    return panels


def label_panel(axes, layer, name, lengths, sweep, is_first):
    label_lengths(axes, lengths, f"length, {sweep.token}s" if name == "mean_distance" else "")
    mark_trained_lengths(axes, [length for length in sweep.trained_lengths if length <= lengths[-1]], name="")
    axes.set_title(f"layer {layer}" if name == "entropy" else "", loc="left")
    axes.set_ylabel(QUANTITIES[name].format(token=sweep.token) if is_first else "")
    if name == "mean_distance":
        axes.set_yscale("log")
    else:
        axes.tick_params(labelbottom=False)


def share_limits(panels):
    """One scale for each quantity, so that layers compare."""
    for name in QUANTITIES:
        its_panels = [axes for (_, its_name), axes in panels.items() if its_name == name]
        lows, highs = zip(*(axes.get_ylim() for axes in its_panels))
        for axes in its_panels:
            axes.set_ylim(min(lows), max(highs))
            if axes.get_yscale() == "log":
                plain_log(axes.yaxis, *axes.get_ylim())


def attention_figure(sweep, columns=COLUMNS):
    """A column of panels a layer, a row a quantity. Of one series a line a head; of several their means over heads too."""
    spreads = spreads_of(sweep)
    layers = max(spread.layers for spread in spreads)
    across = min(layers, 2 * columns)
    lines = math.ceil(layers / across)
    figure, grid = new_figure(columns, 3.2 * lines, 2 * lines, across, squeeze=False)
    lengths = sorted({int(length) for spread in spreads for length in spread.lengths})
    panels = panels_of(grid, layers)
    handles = {}
    for (layer, name), axes in panels.items():
        alone = len(spreads) == 1
        drawn = draw_heads(axes, spreads[0], name, layer) if alone else draw_series(axes, spreads, name, layer)
        handles[layer, name] = [*drawn, draw_uniform(axes, name, lengths)]
        label_panel(axes, layer, name, lengths, sweep, layer % across == 0)
    share_limits(panels)
    title = f"{sweep.name}: attention by context length"
    title += f", {spreads[0].series.label}" if len(spreads) == 1 else ""
    finish(figure, title, caption(sweep, spreads), handles[0, "entropy"])
    for (_, name), axes in panels.items():
        if name == "mean_distance":
            fit_ticks(axes)
    return figure
