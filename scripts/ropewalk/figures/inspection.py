"""Figures of a scheme's own tensors: a figure for each kind that it has."""
import math

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ..colors import sequence
from .axis import plain_log, whole_ticks
from .layout import finish, new_figure, panel_height
from .style import COLUMNS, DIVERGING, HIDDEN, SEQUENTIAL, SHAPES

MOST_HEADS = {1: 4, 2: 8}  # drawn, spread over all, by columns of the page
ACROSS = {1: 2, 2: 4}  # panels of heads in a row
HEAD = {1: 1.2, 2: 1.5}  # inches, height of such a row
MARKS = {1: 4, 2: 8}  # on the line of a head, by columns of the page
TRAINED, ASKED, CRITICAL = "#0072b2", "#d55e00", "#000000"  # lines in the figure of wavelengths


def figures(inspection, columns=COLUMNS):
    """{name: figure} of what there is in the file, in reading order."""
    drawn = {}
    if inspection.embedding is not None:
        drawn["embedding"] = embedding_figure(inspection, columns)
        drawn["sum"] = sum_figure(inspection, columns)
    if inspection.rotation is not None:
        drawn["rotation"] = rotation_figure(inspection, columns)
    if inspection.bias is not None:
        drawn["bias"] = bias_figure(inspection, columns)
        drawn["bias-by-distance"] = distance_figure(inspection, columns)
    drawn["attention"] = attention_figure(inspection, columns)
    return drawn


def title(inspection, what):
    return f"{inspection.scheme}: {what}"


def caption(inspection):
    trained = f"after {inspection.step} steps" if inspection.step else "untrained"
    return f"{inspection.length} tokens, trained length {inspection.trained_length}, {trained}."


def heat_map(axes, values, bar_label, *, norm=None, ticks=6, **limits):
    """values [rows, columns] with row 0 at the top, and a colour bar unless its label is None; up to so many ticks an axis."""
    axes.grid(False)
    axes.set_facecolor(HIDDEN)
    image = axes.imshow(values, aspect="auto", interpolation="nearest", norm=norm, **limits)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=ticks))
    if bar_label is not None:
        axes.figure.colorbar(image, ax=axes, label=bar_label)
    return image


def centred(values):
    """Limits of a diverging map with 0 in the middle."""
    finite = np.abs(values[np.isfinite(values)])
    most = finite.max() if finite.size and finite.max() > 0 else 1.0
    return {"cmap": DIVERGING, "vmin": -most, "vmax": most}


def draw_embedding(axes, values, name):
    heat_map(axes, values, "value", **centred(values))
    axes.set_xlabel("dimension")
    axes.set_ylabel("position, tokens")
    axes.set_title(name, loc="left")


def embedding_figure(inspection, columns):
    figure, axes = new_figure(columns, panel_height(columns))
    draw_embedding(axes, inspection.embedding, "")
    return finish(figure, title(inspection, "what is added to the embedding"), caption(inspection))


def sum_figure(inspection, columns):
    """Each with a scale of its own: token embeddings start much smaller than a sinusoid."""
    grid, height = ((1, 3), 2.6) if columns == 2 else ((3, 1), 5.2)
    figure, panels = new_figure(columns, height, *grid, sharex=columns == 1, sharey=columns == 2)
    parts = {"token embedding": inspection.token_embedding, "encoding": inspection.embedding, "their sum": inspection.sum}
    for axes, (name, values) in zip(panels, parts.items()):
        draw_embedding(axes, values, name)
        axes.label_outer()
    return finish(figure, title(inspection, "token embedding and encoding"), caption(inspection))


def rotation_figure(inspection, columns):
    rotation = inspection.rotation
    figure, panels = new_figure(columns, 5 if columns == 2 else 4.2, mosaic=[["cos", "sin"], ["wavelength", "wavelength"]])
    limits = centred(np.stack([rotation.cosine, rotation.sine]))
    for name, values in (("cos", rotation.cosine), ("sin", rotation.sine)):
        image = heat_map(panels[name], values.T, None, ticks=3 * columns, **limits)
        panels[name].set_xlabel("position, tokens")
        panels[name].set_ylabel("pair" if name == "cos" else "")
        panels[name].set_title(f"{name} of the angle", loc="left")
    figure.colorbar(image, ax=[panels["cos"], panels["sin"]], label="cos or sin")
    whose = "" if rotation.length == inspection.length else ", longer side of the grid"
    handles = draw_wavelengths(panels["wavelength"], rotation, whose)
    whole_ticks(panels["wavelength"].xaxis, columns)
    text = f"{caption(inspection)} Pairs left of the critical dimension turn at least once within the trained length."
    return finish(figure, title(inspection, f"rotation of queries and keys, base {rotation.base:g}"), text, handles, beside=False)


def draw_wavelengths(axes, rotation, whose):
    """The handles of the legend. whose: what the lengths are of where they are not those of the sequence."""
    pairs = np.arange(len(rotation.wavelength))
    points = {"color": "0.35", "marker": SHAPES[0], "markersize": 4, "linestyle": "none", "zorder": 3}
    handles = axes.plot(pairs, rotation.wavelength, label="wavelength of a pair", **points)
    trained = f"trained length: {rotation.trained_length}{whose}"
    handles += [axes.axhline(rotation.trained_length, color=TRAINED, linestyle="--", label=trained)]
    if rotation.length != rotation.trained_length:
        handles += [axes.axhline(rotation.length, color=ASKED, linestyle=":", label=f"asked length: {rotation.length}{whose}")]
    label = f"critical dimension: {rotation.critical_dimension} of {rotation.width}"
    for first in range(0, len(pairs), rotation.width // 2):  # pairs of a grid turn by the row, then by the column
        place = first + rotation.critical_dimension / 2 - 0.5
        line = axes.axvline(place, color=CRITICAL, linestyle="-.", linewidth=1, label=label)
        handles += [line] if first == 0 else []
    axes.set_yscale("log")
    axes.set_xlim(-0.9, len(pairs) - 0.1)
    axes.set_xlabel("pair")
    axes.set_ylabel("wavelength, tokens")
    plain_log(axes.yaxis, *axes.get_ylim())
    return handles


def shown_heads(inspection, columns):
    heads = inspection.scores.shape[0]
    return np.unique(np.linspace(0, heads - 1, min(heads, MOST_HEADS[columns])).round().astype(int))


def visible(inspection, values):
    """values [N, N] with NaN where the mask hides keys."""
    return np.where(np.tri(len(values), dtype=bool), values, np.nan) if inspection.causal else values


def draw_heads(inspection, columns, blocks):
    """A figure with an image a head for each of blocks: (values [H, N, N], label of the colour bar, limits)."""
    heads = shown_heads(inspection, columns)
    across = min(ACROSS[columns], len(heads))
    down = math.ceil(len(heads) / across)
    rows = down * len(blocks)
    figure, grid = new_figure(columns, 0.5 + HEAD[columns] * rows, rows, across, squeeze=False, sharex=True, sharey=True)
    for start, (values, label, limits) in zip(range(0, len(grid), down), blocks):
        panels = grid[start : start + down].ravel()
        for axes, head in zip(panels, heads):
            image = heat_map(axes, visible(inspection, values[head]), None, ticks=3, **limits)
            axes.set_aspect("equal")
            axes.set_title(f"head {head}", loc="left", fontsize=7.5)
        bar = figure.colorbar(image, ax=list(panels), label=label, aspect=15 * down)
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        for axes in panels[len(heads) :]:
            axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel("query, tokens")
    for axes in grid[-1]:
        axes.set_xlabel("key, tokens")
    return figure


def bias_figure(inspection, columns):
    figure = draw_heads(inspection, columns, [(inspection.bias, "bias of the score", centred(inspection.bias))])
    return finish(figure, title(inspection, "what is added to scores"), caption(inspection))


def distance_figure(inspection, columns):
    """The bias of the last query: every distance to the left that there is."""
    heads = shown_heads(inspection, 2)
    distances = inspection.length - 1 - np.arange(inspection.length)
    figure, axes = new_figure(columns, panel_height(columns))
    handles = []
    every = math.ceil(inspection.length / MARKS[columns])
    for place, (head, color, shape) in enumerate(zip(heads, sequence(len(heads)), SHAPES)):
        slope = "" if inspection.slopes is None else f", slope {inspection.slopes[head]:.3g}"
        handles += axes.plot(distances, inspection.bias[head, -1], color=color, marker=shape, markersize=4,
                             markevery=(place * every // len(heads), every),  # in turns, so that none covers another
                             label=f"head {head}{slope}")  # fmt: skip
    whole_ticks(axes.xaxis, columns)
    axes.set_xlabel("distance m − n of query and key, tokens")
    axes.set_ylabel("bias of the score")
    return finish(figure, title(inspection, "bias of the last query by distance"), caption(inspection), handles)


def attention_figure(inspection, columns):
    most = inspection.weights.max()
    norm = LogNorm(vmin=max(inspection.weights[inspection.weights > 0].min(), 1e-4 * most), vmax=most, clip=True)
    blocks = [
        (inspection.scores, "score", centred(inspection.scores)),
        (inspection.weights, "weight", {"cmap": SEQUENTIAL, "norm": norm}),
    ]
    figure = draw_heads(inspection, columns, blocks)
    return finish(figure, title(inspection, "first layer, random tokens"), caption(inspection))
