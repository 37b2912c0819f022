"""Figures of a scheme's own tensors: a figure for each kind that it has."""
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.ticker import MaxNLocator

from ..colors import sequence
from .style import DIVERGING, HIDDEN, SEQUENTIAL, plt

MOST_HEADS = 8  # drawn, spread over all
TRAINED, ASKED, CRITICAL = "#0072B2", "#D55E00", "#000000"  # lines in the figure of wavelengths


def figures(inspection, columns=2):
    """{name: figure} of what there is in the file, in reading order."""
    drawn = {}
    if inspection.embedding is not None:
        drawn["embedding"] = embedding_figure(inspection)
        drawn["sum"] = sum_figure(inspection)
    if inspection.rotation is not None:
        drawn["rotation"] = rotation_figure(inspection)
    if inspection.bias is not None:
        drawn["bias"] = bias_figure(inspection)
        drawn["bias-by-distance"] = distance_figure(inspection)
    drawn["attention"] = attention_figure(inspection)
    return drawn


def title(inspection, what):
    trained = f"after {inspection.step} steps" if inspection.step else "untrained"
    return f"{inspection.scheme}: {what}\n{inspection.length} tokens, trained length {inspection.trained_length}, {trained}"


def heat_map(axes, values, bar_label, *, norm=None, **limits):
    """values [rows, columns] with row 0 at the top, and a colour bar."""
    axes.grid(False)
    axes.set_facecolor(HIDDEN)
    image = axes.imshow(values, aspect="auto", interpolation="nearest", norm=norm, **limits)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=6))
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


def embedding_figure(inspection):
    figure, axes = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    draw_embedding(axes, inspection.embedding, title(inspection, "what is added to the embedding"))
    return figure


def sum_figure(inspection):
    """Each with a scale of its own: token embeddings start much smaller than a sinusoid."""
    figure, panels = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained", sharey=True)
    parts = {"token embedding": inspection.token_embedding, "encoding": inspection.embedding, "their sum": inspection.sum}
    for axes, (name, values) in zip(panels, parts.items()):
        draw_embedding(axes, values, name)
    for axes in panels[1:]:
        axes.set_ylabel("")
    figure.suptitle(title(inspection, "token embedding and encoding"), x=0.01, ha="left")
    return figure


def rotation_figure(inspection):
    rotation = inspection.rotation
    figure, panels = plt.subplot_mosaic([["cos", "sin"], ["wavelength", "wavelength"]], figsize=(9, 7.2), layout="constrained")
    limits = centred(np.stack([rotation.cosine, rotation.sine]))
    for name, values in (("cos", rotation.cosine), ("sin", rotation.sine)):
        image = heat_map(panels[name], values.T, None, **limits)
        panels[name].set_xlabel("position, tokens")
        panels[name].set_ylabel("pair")
        panels[name].set_title(f"{name} of the angle", loc="left")
    figure.colorbar(image, ax=[panels["cos"], panels["sin"]], label="cos or sin")
    draw_wavelengths(panels["wavelength"], rotation, "" if rotation.length == inspection.length else ", longer side of the grid")
    figure.suptitle(title(inspection, f"rotation of queries and keys, base {rotation.base:g}"), x=0.01, ha="left")
    return figure


def draw_wavelengths(axes, rotation, whose):
    """whose: what the lengths are of, for the legend, where they are not those of the sequence."""
    pairs = np.arange(len(rotation.wavelength))
    points = {"color": "0.35", "marker": MARKERS[0], "linestyle": "none", "zorder": 3}
    axes.plot(pairs, rotation.wavelength, label="wavelength of a pair", **points)
    trained = f"trained length: {rotation.trained_length}{whose}"
    axes.axhline(rotation.trained_length, color=TRAINED, linestyle="--", label=trained)
    if rotation.length != rotation.trained_length:
        axes.axhline(rotation.length, color=ASKED, linestyle=":", label=f"asked length: {rotation.length}{whose}")
    label = f"critical dimension: {rotation.critical_dimension} of {rotation.width}"
    for first in range(0, len(pairs), rotation.width // 2):  # pairs of a grid turn by the row, then by the column
        axes.axvline(first + rotation.critical_dimension / 2 - 0.5, color=CRITICAL, linestyle="-.", linewidth=1.2, label=label)
        label = "_again"
    axes.set_yscale("log")
    axes.set_xlim(-0.9, len(pairs) - 0.1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("pair")
    axes.set_ylabel("wavelength, tokens")
    axes.set_title("pairs left of the critical dimension turn at least once within the trained length", loc="left")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)


def shown_heads(inspection):
    heads = inspection.scores.shape[0]
    return np.unique(np.linspace(0, heads - 1, min(heads, MOST_HEADS)).round().astype(int))


def visible(inspection, values):
    """values [N, N] with NaN where the mask hides keys."""
    return np.where(np.tri(len(values), dtype=bool), values, np.nan) if inspection.causal else values


def draw_heads(inspection, rows):
    """A row of images for each of rows: (values [H, N, N], label of the colour bar, limits), a column a head."""
    heads = shown_heads(inspection)
    size = (1.4 + 2.3 * len(heads), 0.9 + 2.4 * len(rows))
    shared = {"squeeze": False, "sharex": True, "sharey": True}
    figure, panels = plt.subplots(len(rows), len(heads), figsize=size, layout="constrained", **shared)
    for panel_row, (values, label, limits) in zip(panels, rows):
        for axes, head in zip(panel_row, heads):
            image = heat_map(axes, visible(inspection, values[head]), None, **limits)
            axes.set_aspect("equal")
        figure.colorbar(image, ax=panel_row, label=label, shrink=0.9)
        panel_row[0].set_ylabel("query, tokens")
    for axes, head in zip(panels[0], heads):
        axes.set_title(f"head {head}", loc="left")
    for axes in panels[-1]:
        axes.set_xlabel("key, tokens")
    return figure


def bias_figure(inspection):
    figure = draw_heads(inspection, [(inspection.bias, "bias of the score", centred(inspection.bias))])
    figure.suptitle(title(inspection, "what is added to scores"), x=0.01, ha="left", fontsize=11)
    return figure


def distance_figure(inspection):
    """The bias of the last query: every distance to the left that there is."""
    heads = shown_heads(inspection)
    distances = inspection.length - 1 - np.arange(inspection.length)
    figure, axes = plt.subplots(figsize=(7.6, 4.2), layout="constrained")
    for index, (head, color) in enumerate(zip(heads, shades(len(heads)))):
        slope = "" if inspection.slopes is None else f", slope {inspection.slopes[head]:.3g}"
        axes.plot(distances, inspection.bias[head, -1], color=color, marker=MARKERS[index % len(MARKERS)], markevery=0.12,
                  label=f"head {head}{slope}")  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("distance m − n of query and key, tokens")
    axes.set_ylabel("bias of the score")
    axes.set_title(title(inspection, "bias of the last query by distance"), loc="left")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def attention_figure(inspection):
    most = inspection.weights.max()
    norm = LogNorm(vmin=max(inspection.weights[inspection.weights > 0].min(), 1e-4 * most), vmax=most, clip=True)
    rows = [
        (inspection.scores, "score", centred(inspection.scores)),
        (inspection.weights, "weight", {"cmap": SEQUENTIAL, "norm": norm}),
    ]
    figure = draw_heads(inspection, rows)
    figure.suptitle(title(inspection, "first layer, random tokens"), x=0.01, ha="left", fontsize=11)
    return figure
