"""How figures look, and how they are written."""
from functools import partial

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from ..output import replace_file
from ..runs import UsageError

WIDTHS = {1: 3.35, 2: 6.9}  # inches, by columns of a page
COLUMNS = 2
FORMATS = ("png", "svg", "pdf")
DATELESS = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}  # the same figure is the same file
MARKERS = {  # plotly's names and matplotlib's
    "circle": "o", "square": "s", "diamond": "D", "cross": "P", "x": "X", "triangle-up": "^", "triangle-down": "v",
    "triangle-left": "<", "triangle-right": ">", "pentagon": "p", "hexagon": "h", "star": "*",
}  # fmt: skip
SHAPES = list(MARKERS.values())  # for things that are no series, such as heads
SIZES = {"P": 5.5, "X": 5.2, "*": 6.5, "D": 4, "s": 4.2}  # points, where the usual would look smaller or larger than others
DASHES = {
    "solid": "-", "dash": (0, (4, 1.5)), "dot": (0, (1.2, 1.2)), "dashdot": (0, (5, 1.5, 1.2, 1.5)), "longdash": (0, (8, 2)),
    "longdashdot": (0, (8, 1.5, 1.2, 1.5)),
}  # fmt: skip
DIVERGING, SEQUENTIAL = "RdBu_r", "cividis"  # told apart by colour-blind eyes
HIDDEN = "0.85"  # what a mask hides
BAND = 0.18  # opacity
QUIET = "0.3"  # captions and marks

plt.rcParams.update({
    "font.family": "DejaVu Sans",  # matplotlib brings it
    "font.size": 8,
    "text.parse_math": False,  # a $ in a name is a $
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,  # else a gridline cuts the dashed line of a trained length in two
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.3,
    "legend.frameon": False,
    "svg.hashsalt": "ropewalk",
    "svg.fonttype": "none",  # text stays text
    "pdf.fonttype": 42,
})


def line_style(color, marker, dash):
    """Keyword arguments of a line."""
    is_open, shape = marker.endswith("-open"), MARKERS[marker.removesuffix("-open")]
    return {
        "color": color,
        "marker": shape,
        "markersize": SIZES.get(shape, 4.7),
        "linestyle": DASHES[dash],
        "markerfacecolor": "white" if is_open else color,
        "markeredgecolor": color if is_open else "white",
        "markeredgewidth": 0.9 if is_open else 0.4,
    }


def parse_formats(text):
    """["png", "pdf"] of "png,pdf". Raises UsageError."""
    formats = list(dict.fromkeys(text.split(",")))
    for name in formats:
        if name not in FORMATS:
            raise UsageError(f"--format: expected some of {','.join(FORMATS)}, got '{name}'")
    return formats


def settle(figure):
    """Lays the figure out once and for all, to a millionth of it: solving the layout anew can move axes in the last bits, which
    are in the names of an SVG's parts."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position([round(side, 6) for side in axes.get_position(original=True).bounds])


def save(figure, stem, formats=FORMATS):
    """Writes STEM.png and so on, and returns their paths. A suffix on the stem that names a format is dropped."""
    stem = stem.with_suffix("") if stem.suffix[1:] in FORMATS else stem
    paths = [stem.with_name(f"{stem.name}.{name}") for name in formats]
    settle(figure)
    for name, path in zip(formats, paths):
        draw = partial(figure.savefig, format=name, dpi=300 if name == "png" else 72, metadata=DATELESS[name])
        replace_file(path, draw)
    plt.close(figure)
    return paths
