"""Colours, markers and dashes of schemes and of series: the same in figures and on web pages, told apart by colour-blind eyes and
in grey. Markers and dashes have the names that plotly gives them."""
import re
import zlib

import numpy as np

# No two schemes share a colour or a marker. The six that are most often drawn together differ in lightness by 10 (CIELAB) and stay
# apart for protanopes and deuteranopes; the others are spread as far as colours go. Dashes tell families: dashed is what is added
# to the embedding, solid what turns queries and keys or biases scores.
SCHEMES = {
    "none": ("#000000", "circle", "dot"),
    "sinusoidal": ("#efaf28", "square", "dash"),
    "learned": ("#4fa8e0", "triangle-up", "dash"),
    "rope": ("#ba4500", "diamond", "solid"),
    "alibi": ("#0a4487", "triangle-down", "solid"),
    "t5": ("#18986d", "cross", "solid"),
    "shaw": ("#1e5a69", "x", "longdash"),
    "transformer_xl": ("#5ab4b4", "triangle-left", "longdash"),
    "xpos": ("#871e1e", "diamond-open", "solid"),
    "kerple": ("#007869", "triangle-right", "solid"),
    "sandwich": ("#3c963c", "star", "solid"),
    "fire": ("#96c369", "pentagon", "solid"),
    "cope": ("#9669a5", "hexagon", "dashdot"),
    "forget": ("#0087f0", "triangle-down-open", "solid"),
    "deberta": ("#3c693c", "x-open", "longdash"),
    "abacus": ("#c3a53c", "square-open", "dash"),
    "segment": ("#69c3e1", "circle-open", "dash"),
    "axial_rope": ("#780f3c", "pentagon-open", "solid"),
    "learned_2d": ("#00d296", "triangle-up-open", "dash"),
    "sum": ("#8a2be2", "star-open", "longdashdot"),
}
MARKERS = tuple(marker for _, marker, _ in SCHEMES.values())
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
UNKNOWN = "#7f7f7f"  # a scheme that this table does not have yet

# The viridis of matplotlib, dark to light, without its faint end: even steps for the eye, in colour and in grey.
SEQUENCE = ("#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c", "#22a884", "#44bf70", "#7ad151")
SHADES = 0.16  # of OKLab lightness, to either side of a scheme's colour, over which its variants run


def series_styles(all_series):
    """A style for each of all the series of results, shown or not, so that none depends on what else is shown:
    {"color": "#rrggbb", "marker": …, "dash": …}. They need a `scheme` and flat `settings`. The only series of a scheme has the scheme's own. Several
    run through shades of its colour, in the order of the number that differs most among them, with its marker filled and hollow
    in turns; where there is no other scheme, through all of `SEQUENCE` and all markers. What differs beside the number shows in
    dashes. Unless markers and dashes run out, no two styles are the same."""
    by_scheme = {}
    for index, series in enumerate(all_series):
        by_scheme.setdefault(series.scheme, []).append(index)
    styles = [None] * len(all_series)
    for scheme, members in by_scheme.items():
        others = {scheme_style(other)["marker"] for other in by_scheme if other != scheme}
        places = [places_of_variants([all_series[index].settings for index in members])] if len(members) > 1 else []
        variants = variant_styles(scheme, *places, others) if places else [scheme_style(scheme)]
        for index, style in zip(members, variants):
            styles[index] = style
    return styles


def scheme_style(scheme):
    """Of a scheme that has one series; the same everywhere."""
    number = zlib.crc32(scheme.encode())
    unknown = (UNKNOWN, MARKERS[number % len(MARKERS)], DASHES[number % len(DASHES)])
    return dict(zip(("color", "marker", "dash"), SCHEMES.get(scheme, unknown)))


def variant_styles(scheme, places, other_markers):
    """places: [(step of the ordered number, which of those with that number)], as `places_of_variants` has them. other_markers:
    the own ones of other schemes."""
    own = scheme_style(scheme)
    steps = 1 + max(step for step, _ in places)
    colors = shades(own["color"], steps) if other_markers else sequence(steps)
    markers = fills(own["marker"], other_markers) if other_markers else rotated(MARKERS, own["marker"])
    dashes = rotated(DASHES, own["dash"])
    return [
        {
            "color": colors[step],
            "marker": markers[(step + alike // len(dashes)) % len(markers)],
            "dash": dashes[alike % len(dashes)],
        }
        for step, alike in places
    ]


def places_of_variants(tables):
    """[(step, alike)] for each table of settings: where it stands among the values of the number that differs most, and which it
    is of those that share that value. Where no number differs, each is a step of its own. What a later stage changes counts as it is
    in the end."""
    last = [in_the_end(table) for table in tables]
    numbers = [path for path in differing(last) if all(is_number(table.get(path)) for table in last)]
    if not numbers:
        return [(step, 0) for step in range(len(tables))]
    values = lambda path: sorted({table[path] for table in last})
    ordered = max(numbers, key=lambda path: len(values(path)))  # the first of several
    others = [path for path in differing(tables) if ordered not in (path, in_stage(path))]
    changed = [table.get(ordered) if table.get(ordered) != end[ordered] else None for table, end in zip(tables, last)]
    beside = [(*(str(table.get(path)) for path in others), str(before)) for table, before in zip(tables, changed)]
    kinds = list(dict.fromkeys(beside))
    return [(values(ordered).index(table[ordered]), kinds.index(kind)) for table, kind in zip(last, beside)]


def in_the_end(table):
    """Settings as the last stage has them: `train.stages[0].position.base` in the place of `model.position.base`."""
    return {**table, **{in_stage(path): value for path, value in sorted(table.items()) if in_stage(path)}}


def in_stage(path):
    """The setting that a stage's stands for: model.position.base of train.stages[0].position.base; None for another path."""
    found = re.fullmatch(r"train\.stages\[\d+\]\.(.+)", path)
    if not found:
        return None
    return f"model.{found[1]}" if found[1].startswith("position") else f"train.{found[1]}"


def differing(tables):
    paths = sorted({path for table in tables for path in table})
    return [path for path in paths if any(table.get(path) != tables[0].get(path) for table in tables)]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def fills(marker, other_markers):
    """The marker and, unless it is that of another scheme, the same one hollow instead of filled or the other way round."""
    turned = marker.removesuffix("-open") if marker.endswith("-open") else f"{marker}-open"
    return [marker] if turned in other_markers else [marker, turned]


def rotated(items, first):
    start = items.index(first)
    return [*items[start:], *items[:start]]


def sequence(count):
    """Colours of `count` things in an order, dark to light."""
    anchors = np.array([to_oklab(color) for color in SEQUENCE])
    at = np.linspace(0, len(anchors) - 1, count)
    channels = [np.interp(at, np.arange(len(anchors)), channel) for channel in anchors.T]
    return [from_oklab(color) for color in np.stack(channels, axis=1)]


def shades(color, count):
    """`count` lightnesses of a colour, dark to light."""
    lightness, green_red, blue_yellow = to_oklab(color)
    middle = np.clip(lightness, 0.2 + SHADES, 0.82 - SHADES)
    return [from_oklab(np.array([each, green_red, blue_yellow])) for each in np.linspace(middle - SHADES, middle + SHADES, count)]


# OKLab (Ottosson 2020, "A perceptual color space for image processing"): linear light to the responses of cones, to lightness and
# two opponent colours.
_CONES = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                   [0.2119034982, 0.6806995451, 0.1073969566],
                   [0.0883024619, 0.2817188376, 0.6299787005]])  # fmt: skip
_OPPONENTS = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                       [1.9779984951, -2.4285922050, 0.4505937099],
                       [0.0259040371, 0.7827717662, -0.8086757660]])  # fmt: skip


def to_linear(color):
    """[3] in 0 … 1, linear light, of "#rrggbb"."""
    channels = np.array([int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def from_linear(light):
    """ "#rrggbb"; what a screen cannot show is clipped."""
    light = np.clip(light, 0, 1)
    channels = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)


def to_oklab(color):
    return _OPPONENTS @ np.cbrt(_CONES @ to_linear(color))


def from_oklab(lab):
    return from_linear(np.linalg.solve(_CONES, np.linalg.solve(_OPPONENTS, lab) ** 3))
