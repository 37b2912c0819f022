"""What every positional scheme of the oracle is: the hooks of attention, and what a scheme may read.

Written from the papers and the names of parameters and settings alone, plainly and densely. Letters: B batch, S rows of positions
(1 or B), H heads, T tokens, d head width, D model width; m position of a query, n of a key. Positions and angles are doubles
whatever the model's type.
"""
import math
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass(frozen=True)
class Shape:
    """What a scheme has to know of the model it is in. `trained`: the trained length in tokens."""

    heads: int
    width: int
    causal: bool
    trained: int

    @property
    def head_width(self):
        return self.width // self.heads


@dataclass(frozen=True)
class Sequence:
    """A batch as positional schemes see it."""

    tokens: torch.Tensor  # [B,T]
    positions: torch.Tensor  # [S,T], double: any real numbers, as the sampler gave them
    input: torch.Tensor = None  # [B,T,D]: the input of the attention layer
    digits: tuple = ()  # ids of the tokens that are digits (abacus)
    separators: tuple = ()  # ids of the tokens that end a part (segment)
    shift: torch.Tensor = field(default_factory=lambda: torch.zeros(1, dtype=torch.long))  # [B] or [1]: offset of abacus

    @property
    def length(self):
        return self.tokens.shape[1]

    @property
    def offsets(self):
        """[S,T,T]: m - n, row = query."""
        return pairwise(self.positions)

    @property
    def whole_offsets(self):
        """[S,T,T], integers: m - n of the positions rounded half up."""
        return pairwise((self.positions + 0.5).floor().long())


def pairwise(positions):
    return positions[:, :, None] - positions[:, None, :]


def contiguous(length):
    """[1,T]: 0, 1, 2…"""
    return torch.arange(length, dtype=torch.float64)[None]


class Position(nn.Module):
    """A scheme that does nothing (NoPE). The others override what they change. Raises ValueError on settings it does not know."""

    defaults = {}  # of the settings; None: has to be given

    def __init__(self, settings, shape):
        super().__init__()
        self.settings = with_defaults(settings, self.defaults, common=("kind", "per_layer"))
        self.shape = shape

    def embed(self, sequence):
        """[S or B,T,D]: what is added to the embedding; or None."""
        return None

    def pairs(self, query, key, sequence):
        """The products of content: [(query', key', where [S,T,T] or True)]. A score takes the product whose `where` holds."""
        return [(query, key, True)]

    def interaction(self, query, key, sequence):
        """What is added to scores and depends on queries or keys [B,H,T,d], broadcast to [B,H,T,T], row = query; or None."""
        return None

    def bias(self, sequence):
        """What is added to scores and does not depend on queries and keys, broadcast to [B,H,T,T], row = query; or None."""
        return None

    def values(self, weights, sequence):
        """[B,H,T,d]: what is added to the heads' output, from weights [B,H,T,T]; or None."""
        return None

    def rotation(self, sequence):
        """(cos, sin [S,T,pairs], frequency [pairs]) that queries are turned by; or None."""
        return None

    def skips(self, length):
        """Whether the scheme has no answer for sequences of this length, and was told to leave them out."""
        return False


def with_defaults(settings, defaults, common=("kind",)):
    unknown = settings.keys() - defaults.keys() - set(common)
    missing = [name for name, value in defaults.items() if value is None and settings.get(name) is None]
    if unknown or missing:
        wrong = [f"unknown {name}" for name in sorted(unknown)] + [f"missing {name}" for name in missing]
        raise ValueError(f"{settings.get('kind')}: {', '.join(wrong)}; its settings: {', '.join(defaults) or 'none'}")
    return {**defaults, **settings}


def zeros(*sizes):
    return nn.Parameter(torch.zeros(*sizes))


def frequencies(base, width):
    """[width/2]: base^(-2j/width), radians per token."""
    return torch.tensor(base, dtype=torch.float64) ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoid(positions, width, base):
    """[...,width] of positions [...]: sin and cos by turns (Vaswani et al. 2017, section 3.5)."""
    angles = positions.double()[..., None] * frequencies(base, width)
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)


def grid_of(grid, length):
    """(rows, columns) with the aspect ratio of `grid` and `length` cells. ValueError where there is none in whole numbers."""
    rows, columns = (side // math.gcd(*grid) for side in grid)
    times = math.isqrt(length // (rows * columns))
    if times * times * rows * columns != length:
        raise ValueError(f"grid {list(grid)}: no grid of {length} cells has its aspect ratio")
    return rows * times, columns * times
