"""How figures look: one colour and marker a scheme, the same in every figure, told apart by colour-blind eyes and in grey."""
import zlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb

# Okabe and Ito 2008, "Color universal design", with grey for their yellow, which is faint on white.
PALETTE = ("#000000", "#E69F00", "#56B4E9", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#999999")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p")
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
SCHEMES = ("none", "sinusoidal", "learned", "rope", "alibi", "t5", "shaw", "transformer_xl", "xpos", "kerple", "sandwich", "fire",
           "cope", "forget", "deberta", "abacus", "segment", "axial_rope", "learned_2d", "sum")  # fmt: skip

DIVERGING, SEQUENTIAL = "RdBu_r", "cividis"  # told apart by colour-blind eyes
HIDDEN = "0.85"  # what a mask hides

plt.rcParams.update({
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,  # else a gridline cuts the dashed line of a trained length in two
    "grid.color": "0.9",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "lines.markersize": 6,
    "legend.frameon": False,
    "svg.hashsalt": "ropewalk",  # the same figure twice is the same file
})


def _lighter(color, share):
    return tuple(channel + share * (1 - channel) for channel in to_rgb(color))


def line_style(series, single_scheme):
    """Keyword arguments of a line. Variants of a scheme share its colour, lighter and dashed; a figure of one scheme alone spends
    the whole palette on its variants."""
    index = SCHEMES.index(series.scheme) if series.scheme in SCHEMES else zlib.crc32(series.scheme.encode())
    variant = series.variant
    if single_scheme:
        index, variant = index + variant, 0
    return {
        "color": _lighter(PALETTE[index % len(PALETTE)], min(0.2 * variant, 0.6)),
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": DASHES[variant % len(DASHES)],
        "markeredgecolor": "white",
        "markeredgewidth": 0.6,
    }


def shades(count):
    """Colours of things in an order, dark to light, such as heads; the faintest end is left out."""
    return [plt.get_cmap("viridis")(0.9 * index / max(1, count - 1)) for index in range(count)]


def save(figure, stem):
    """Writes STEM.png and STEM.svg, and returns their paths. A suffix on the stem is dropped."""
    stem = stem.with_suffix("") if stem.suffix in (".png", ".svg") else stem
    stem.parent.mkdir(parents=True, exist_ok=True)
    paths = [stem.with_name(stem.name + suffix) for suffix in (".png", ".svg")]
    figure.savefig(paths[0], dpi=160, bbox_inches="tight")
    figure.savefig(paths[1], bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    return paths
