"""A sweep of bases as a heat map, base by evaluated length, with what theory says of each base and each length drawn in."""
import math
import textwrap

import numpy as np
from matplotlib.colors import LogNorm, Normalize
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ..config import text
from ..metrics import METRICS, PROTOCOLS
from ..rotary import BASE, base_lower_bounds
from ..runs import UsageError
from ..series import UNNAMED, labels
from ..statistics import describe_band
from .axis import fit_ticks, label_lengths, plain_log, short, view
from .evaluation import at_step, describe_without, over_seeds, with_metric
from .extrapolation import METRIC, PROTOCOL
from .layout import finish, new_figure
from .style import COLUMNS, HIDDEN, SEQUENTIAL

DECADES = 1.5  # of a metric, from which on colours are logarithmic
MOST_TICKS = 16  # on the axis of bases
TITLE_LETTERS = 44  # in a line of a panel's title
SMALLEST_CELL = (0.27, 0.13)  # inches, that a number fits in
BOUND = {"color": "white", "linewidth": 1.4, "path_effects": [withStroke(linewidth=3, foreground="black")], "zorder": 4,
         "label": "smallest base that serves a length (Men et al. 2024)"}  # fmt: skip
SERVED = {"color": "white", "markeredgecolor": "black", "marker": "D", "markersize": 4, "linestyle": "none", "zorder": 4,
          "label": "length that a base serves"}  # fmt: skip
SHORTER = {**SERVED, "marker": [(0, 0), (1, 0.7), (1, -0.7), (0, 0)], "markersize": 11,  # the tip of the triangle is at the point
           "label": "a base that serves less than is shown"}  # fmt: skip
TRAINED = {"color": "#ff8c3a", "linestyle": (0, (4, 2)), "linewidth": 1.4, "path_effects": [withStroke(linewidth=2.4, foreground="black")],
           "zorder": 3, "label": "trained length"}  # fmt: skip


class Panel:
    """Runs that differ in base and seed alone."""

    def __init__(self, runs, base_path, metric, protocol, step):
        self.runs = runs
        by_base = {}
        for run in runs:
            by_base.setdefault(run.settings[base_path], []).append(run)
        self.bases = sorted(by_base)
        self.seeds = [len(by_base[base]) for base in self.bases]
        rows = [over_seeds(by_base[base], metric, protocol, step) for base in self.bases]
        self.lengths = sorted({int(length) for run in runs for length in run.lengths})
        self.values = np.full((len(self.bases), len(self.lengths)), np.nan)  # means over seeds
        for row, line in enumerate(rows):
            self.values[row, np.searchsorted(self.lengths, line.lengths)] = line.mean
        self.facts = [by_base[base][0].attributes for base in self.bases]

    @property
    def ticks(self):
        """Bases that are named at the axes: all, or as many as have room."""
        return self.bases[:: math.ceil(len(self.bases) / MOST_TICKS)]

    @property
    def trained_length(self):
        return self.runs[0].trained_length

    @property
    def is_described(self):
        """Whether its files say what turns; those of older programs, and of what is no rotation, do not."""
        return all("critical_dimension" in facts for facts in self.facts)

    @property
    def served(self):
        """[B]: tokens that each base serves; infinite if it is all lengths shown."""
        return np.array([
            facts["base_serves"] if facts["base_serves"] < facts["rotary_longest_length"] else np.inf for facts in self.facts
        ])  # fmt: skip

    @property
    def left(self):
        """The left edge of the cells, tokens: what serves fewer is marked there."""
        return edges(self.lengths)[0]

    @property
    def width(self):
        """Elements of a head that turn."""
        return self.facts[0]["rotary_width"]


def base_path_of(runs):
    """The setting that is a base and has the most values. Raises UsageError if none has two."""
    values = {}
    for run in runs:
        for path, value in run.settings.items():
            if BASE.fullmatch(path):
                values.setdefault(path, set()).add(value)
    if not values or len(values[max(values, key=lambda path: len(values[path]))]) < 2:
        found = ", ".join(f"{path} {text(min(its_values))}" for path, its_values in sorted(values.items())) or "none"
        raise UsageError(f"bases: expected runs with several bases, found {found}; sweep model.position.base")
    return max(sorted(values), key=lambda path: len(values[path]))


def panels_of(runs, base_path, metric, protocol, step):
    """{label: Panel} of settings with which several bases were run. Raises UsageError if there are none."""
    by_settings = {}
    for run in runs:
        rest = {path: value for path, value in run.settings.items() if path not in {*UNNAMED, base_path}}
        by_settings.setdefault(tuple(sorted(rest.items())), []).append(run)
    several = {settings: its for settings, its in by_settings.items() if len({run.settings[base_path] for run in its}) > 1}
    if not several:
        raise UsageError(f"bases: expected runs that differ in {base_path} alone, found none; sweep it with all else the same")
    tables = [dict(settings) for settings in several]
    panels = [Panel(its_runs, base_path, metric, protocol, step) for its_runs in several.values()]
    named = sorted(zip(labels(tables), panels), key=lambda item: (item[1].trained_length, item[0]))
    return dict(named)


def edges(centres):
    """[N + 1] around centres [N] on a log axis."""
    logs = np.log(np.asarray(centres, dtype=float))
    middles = (logs[1:] + logs[:-1]) / 2
    first, last = (logs[1] - logs[0], logs[-1] - logs[-2]) if len(logs) > 1 else (math.log(2),) * 2
    return np.exp([logs[0] - first / 2, *middles, logs[-1] + last / 2])


def colours(panels, metric):
    """(norm of the colours of all panels, whether some value lies above it)."""
    values = np.concatenate([panel.values.ravel() for panel in panels])
    values = values[~np.isnan(values)]
    limits = view(values, metric)
    low, high = (values.min(), values.max() if limits is None else limits[1]) if len(values) else (1, 2)
    is_log = metric.scale == "log" or (low > 0 and high / low > 10**DECADES)
    return (LogNorm if is_log else Normalize)(low, high if high > low else low * 1.01 + 1e-9), limits is not None


def draw_cells(axes, panel, norm):
    axes.grid(False)
    axes.set_facecolor(HIDDEN)
    values = np.ma.masked_invalid(panel.values)
    image = axes.pcolormesh(edges(panel.lengths), edges(panel.bases), values, cmap=SEQUENTIAL, norm=norm)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(FixedLocator(panel.ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: text(float(value))))
    return image


def write_values(axes, panel, image):
    """Each value at the top of its cell, if all cells have room; lines pass behind it."""
    box = axes.get_window_extent().transformed(axes.figure.dpi_scale_trans.inverted())
    smallest = lambda borders: np.diff(np.log(borders)).min() / math.log(borders[-1] / borders[0])
    cell = (box.width * smallest(edges(panel.lengths)), box.height * smallest(edges(panel.bases)))
    if any(size < least for size, least in zip(cell, SMALLEST_CELL)):
        return
    tops = edges(panel.bases)[1:]
    for (row, column), value in np.ndenumerate(panel.values):
        if not np.isnan(value):
            color = image.cmap(image.norm(value))
            axes.annotate(short(value), (panel.lengths[column], tops[row]), xytext=(0, -1.5), textcoords="offset points", size=6,
                          ha="center", va="top", zorder=4.5, color="white" if color[1] < 0.5 else "black",
                          bbox={"facecolor": color, "linewidth": 0, "pad": 0.8})  # fmt: skip


def draw_theory(axes, panel):
    """The bound and what each base serves; the handles of the legend."""
    (left, *_, right), (low, *_, high) = edges(panel.lengths), edges(panel.bases)
    handles = [axes.axvline(panel.trained_length, **TRAINED)]
    if panel.is_described:
        bounds = base_lower_bounds(panel.width, panel.lengths)
        handles += axes.plot(panel.lengths, [np.inf if bound is None else bound for bound in bounds.values()], **BOUND)
        handles += mark_served(axes, panel)
        label_critical_dimensions(axes, panel)
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    return handles


def mark_served(axes, panel):
    """Diamonds at what bases serve, triangles at the left edge for what would lie beyond it; the handles of those there are."""
    bases, served = np.array(panel.bases), panel.served
    shorter, within = served < panel.left, (served >= panel.left) & np.isfinite(served)
    marks = [(served, within, SERVED), (np.full(len(bases), panel.left), shorter, SHORTER)]
    return [axes.plot(x[those], bases[those], **style)[0] for x, those, style in marks if those.any()]


def label_critical_dimensions(axes, panel):
    """On the right, for each base."""
    right = axes.twinx()
    right.set_yscale("log")
    right.set_ylim(edges(panel.bases)[[0, -1]])
    dimensions = dict(zip(panel.bases, (facts["critical_dimension"] for facts in panel.facts)))
    right.set_yticks(panel.ticks, [str(dimensions[base]) for base in panel.ticks])
    right.yaxis.set_minor_locator(NullLocator())
    right.grid(False)
    right.set_ylabel(f"critical dimension of {panel.width}")


def caption(sweep, panels, protocol, step, about, is_off_scale):
    """about: more texts."""
    seeds = [seeds for panel in panels for seeds in panel.seeds]
    texts = [f"Cells: {describe_band(min(seeds), max(seeds)).partition(';')[0]}. Evaluation: {PROTOCOLS.get(protocol, protocol)}"]
    texts[0] += "." if step is None else f", after {step} steps."
    texts += describe_theory(panels)
    texts += ["The lightest cells are above the scale."] if is_off_scale else []
    return " ".join([*texts, *about, sweep.state()]).strip()


def describe_theory(panels):
    """Texts on the critical dimension, and on the bases that have no diamond."""
    described = [panel for panel in panels if panel.is_described]
    if not described:
        return ["These files do not say what each base serves."]
    texts = ["Critical dimension: elements of a head that turn at least once within the trained length (Liu et al. 2023)."]
    shorter = [int(served) for panel in described for served in panel.served if served < panel.left]
    if shorter:
        span = f"{min(shorter)}" if len(set(shorter)) == 1 else f"{min(shorter)} to {max(shorter)}"
        texts += [f"◀ at the left edge: a base that serves less than is shown, {span} tokens."]
    if any(np.isinf(panel.served).any() for panel in described):
        texts += ["A base without a mark serves all lengths shown."]
    texts += ["Panels without marks: their files do not say what each base serves."] if len(described) < len(panels) else []
    return texts


def bases_figure(sweep, metric=METRIC, protocol=PROTOCOL, step=None, columns=COLUMNS):
    """A panel for each of the settings that differ beside base and seed."""
    asked = sweep.done if step is None else at_step(sweep.runs, step)
    runs = with_metric(asked, metric, protocol)
    base_path = base_path_of(runs)
    with_base = [run for run in runs if base_path in run.settings]
    panels = panels_of(with_base, base_path, metric, protocol, step)
    norm, is_off_scale = colours(panels.values(), METRICS[metric])
    across = min(columns, len(panels))
    rows = math.ceil(len(panels) / across)
    tallest = max(len(panel.bases) for panel in panels.values())
    figure, grid = new_figure(columns, rows * min(4, max(2.2, 0.9 + 0.3 * tallest)), rows, across, squeeze=False)
    drawn, handles = [], {}
    for axes, (label, panel) in zip(grid.flat, panels.items()):
        image = draw_cells(axes, panel, norm)
        handles |= {handle.get_label(): handle for handle in draw_theory(axes, panel)}
        label_lengths(axes, panel.lengths, f"context length, {sweep.token}s")
        axes.set_ylabel(base_path.rpartition(".")[2])
        axes.set_title(textwrap.fill(label, TITLE_LETTERS) if len(panels) > 1 else "", loc="left")
        drawn.append((axes, panel, image))
    for axes in grid.flat[len(panels) :]:
        axes.remove()
    bar = figure.colorbar(image, ax=[axes for axes, _, _ in drawn], label=METRICS[metric].label.format(token=sweep.token),
                          aspect=30 * rows, pad=0.02, extend="max" if is_off_scale else "neither")  # fmt: skip
    if isinstance(norm, LogNorm):
        plain_log(bar.ax.yaxis, norm.vmin, norm.vmax)
    title = f"{sweep.name}: {metric.replace('_', ' ')} by base and context length"
    left_out = len(runs) - sum(len(panel.runs) for panel in panels.values())
    about = describe_without(len(asked) - len(runs), metric, protocol)
    about += [f"Left out: {left_out} run{'s' * (left_out > 1)} with no other that differs in the base alone."] if left_out else []
    finish(figure, title, caption(sweep, panels.values(), protocol, step, about, is_off_scale), [*handles.values()])
    for axes, panel, image in drawn:
        fit_ticks(axes)
        write_values(axes, panel, image)
    return figure
