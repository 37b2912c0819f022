"""Entropy and mean distance of attention by head."""
import numpy as np

from ..colors import DASHES, MARKERS, sequence, shades
from .numbers import over_seeds, plain_over_seeds

QUANTITIES = ("mean_distance", "entropy")


def has_attention(run):
    return all(name in run.attention for name in QUANTITIES)


def attention(runs):
    """{"lengths": [E], "seeds", "heads": [{"layer", "head", "color", "dash", "symbol", quantity: [mean, low, high, seeds]}]} of a
    series' done runs, or None without any. A layer has a hue and a dash, a head a shade of it and a marker."""
    runs = [run for run in runs if has_attention(run)]
    if not runs:
        return None
    layers, heads, lengths = runs[0].attention["entropy"].shape
    look = lambda layer, head: {"dash": DASHES[layer % len(DASHES)], "symbol": MARKERS[head % len(MARKERS)]}
    found = [
        {"layer": layer, "head": head, "color": color, **look(layer, head)}
        for layer, hue in enumerate(sequence(layers))
        for head, color in enumerate(shades(hue, heads))
    ]
    for quantity in QUANTITIES:
        parts = over_seeds([run.attention[quantity] for run in runs]).reshape(4, layers * heads, lengths)
        for place, head in enumerate(found):
            head[quantity] = plain_over_seeds(parts[:, place])
    return {"lengths": [int(length) for length in runs[0].attention["length"]], "seeds": len(runs), "heads": found}
