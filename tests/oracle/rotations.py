"""Schemes that turn queries and keys, and the ways to scale their frequencies beyond the trained length."""
import math

import torch
from position import Position, frequencies, grid_of, with_defaults

SCALINGS = {  # the settings of each; None: has to be given
    "none": {},
    "linear": {"factor": None},
    "ntk": {"factor": None},
    "dynamic_ntk": {"original": 0},
    "yarn": {"factor": None, "alpha": 1.0, "beta": 32.0, "original": 0},
    "llama3": {"factor": 8.0, "low": 1.0, "high": 4.0, "original": 0},
    "longrope": {"factors": None, "keep": 0},
    "self_extend": {"window": None, "group": None},
    "rerope": {"window": None},
    "log_scale": {"original": 0},
}


def turn(x, angles, layout, magnitude=1.0):
    """x [B,H,T,d], its first 2*pairs elements turned by angles [S,T,pairs], magnitude (one, or one an angle) times as long."""
    cosine, sine = ((magnitude * part)[:, None].to(x.dtype) for part in (angles.cos(), angles.sin()))
    turned, rest = x[..., : 2 * angles.shape[-1]], x[..., 2 * angles.shape[-1] :]
    if layout == "half":
        first, second = turned.chunk(2, dim=-1)
        turned = torch.cat((first * cosine - second * sine, second * cosine + first * sine), -1)
    else:
        first, second = turned[..., 0::2], turned[..., 1::2]
        turned = torch.stack((first * cosine - second * sine, second * cosine + first * sine), -1).flatten(-2)
    return torch.cat((turned, rest), -1)


def ntk(base, width, stretch):
    """base' = base * s^(d/(d-2)): the slowest pair slows down s times. The only pair of width 2 has frequency 1 with any base."""
    return frequencies(base * stretch ** (width / (width - 2)) if width > 2 else base, width)


def yarn(plain, trained, factor, alpha, beta):
    """Peng et al. 2023, section 3.2: pairs of more than beta turns in the trained length stay, of less than alpha slow down."""
    turns = trained * plain / (2 * math.pi)
    kept = ((turns - alpha) / (beta - alpha)).clamp(0, 1)
    return (1 - kept) * plain / factor + kept * plain


def llama3(plain, trained, factor, low, high):
    """Llama 3.1's code: wavelengths below L/high stay, above L/low slow down, between them by a share linear in 1/wavelength."""
    wavelength = 2 * math.pi / plain
    smooth = (trained / wavelength - low) / (high - low)
    blended = (1 - smooth) * plain / factor + smooth * plain
    slowed = torch.where(wavelength > trained / low, plain / factor, blended)
    return torch.where(wavelength < trained / high, plain, slowed)


class Turning:
    """`width` elements that turn by base^(-2j/width) a token, under a scaling. `trained`: L of its formulas, in tokens."""

    def __init__(self, scaling, base, width, trained):
        if scaling["kind"] not in SCALINGS:
            raise ValueError(f"scaling: expected one of {', '.join(SCALINGS)}; got {scaling['kind']}")
        self.scaling, self.base, self.width = with_defaults(scaling, SCALINGS[scaling["kind"]]), base, width
        self.trained = self.scaling.get("original") or trained  # another one if the scaling begins in a later stage

    def frequencies(self, length):
        """[pairs], after any scaling, of a sequence of that many tokens."""
        scaling, base, trained = self.scaling, self.base, self.trained
        plain = frequencies(base, self.width)
        scaled = {
            "linear": lambda: plain / scaling["factor"],  # m -> m/s (Chen et al. 2023)
            "ntk": lambda: ntk(base, self.width, scaling["factor"]),
            "dynamic_ntk": lambda: ntk(base, self.width, max(1.0, length / trained)),
            "yarn": lambda: yarn(plain, trained, scaling["factor"], scaling["alpha"], scaling["beta"]),
            "llama3": lambda: llama3(plain, trained, scaling["factor"], scaling["low"], scaling["high"]),
            "longrope": lambda: plain / torch.tensor(scaling["factors"], dtype=torch.float64),
        }
        return scaled.get(scaling["kind"], lambda: plain)()

    def angles(self, positions, length):
        """[S,T,pairs] of positions [S,T]."""
        angles = positions[..., None] * self.frequencies(length)
        if self.scaling["kind"] == "longrope":  # Ding et al. 2024: the first positions are not scaled
            plain = positions[..., None] * frequencies(self.base, self.width)
            angles = torch.where(positions[..., None] < self.scaling["keep"], plain, angles)
        return angles

    @property
    def magnitude(self):
        """Of queries and of keys alike, so that scores carry its square."""
        return 0.1 * math.log(self.scaling["factor"]) + 1 if self.scaling["kind"] == "yarn" else 1.0


def grown(query, scaling, positions, trained):
    """log_scale: whole products times max(1, ln m / ln L), so the part of a query that does not turn is scaled too."""
    if scaling["kind"] != "log_scale":
        return query
    growth = (positions.clamp(min=1).log() / math.log(scaling["original"] or trained)).clamp(min=1)
    return query * growth[:, None, :, None].to(query.dtype)


class Rope(Position):
    """Su et al. 2021: pair j of the rotated part turns by m * base^(-2j/r), r the width of that part."""

    defaults = {"base": 10000.0, "layout": "interleaved", "fraction": 1.0, "scaling": {"kind": "none"}}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        width = 2 * round(self.settings["fraction"] * shape.head_width / 2)
        self.turning = Turning(self.settings["scaling"], self.settings["base"], width, shape.trained)

    def rotation(self, sequence):
        angles, magnitude = self.turning.angles(sequence.positions, sequence.length), self.turning.magnitude
        return magnitude * angles.cos(), magnitude * angles.sin(), self.turning.frequencies(sequence.length)

    def pairs(self, query, key, sequence):
        p, turning, scaling = sequence.positions, self.turning, self.turning.scaling
        at = lambda x, positions: turn(x, turning.angles(positions, sequence.length), self.settings["layout"], turning.magnitude)
        if scaling["kind"] == "self_extend":  # Jin et al. 2024
            window, group = scaling["window"], scaling["group"]
            near = sequence.offsets <= window
            far = (p / group).floor()
            return [(at(query, p), at(key, p), near), (at(query, far + window - window // group), at(key, far), ~near)]
        if scaling["kind"] == "rerope":  # Su 2023: the relative position is at most the window
            near = sequence.offsets <= scaling["window"]
            far = torch.full_like(p, float(scaling["window"]))
            return [(at(query, p), at(key, p), near), (at(query, far), at(key, torch.zeros_like(p)), ~near)]
        return [(at(grown(query, scaling, p, self.shape.trained), p), at(key, p), True)]


class Xpos(Position):
    """Sun et al. 2022: rope, with pair j of a score times zeta_j^((m-n)/scale_base)."""

    defaults = {"base": 10000.0, "gamma": 0.4, "scale_base": 512.0, "layout": "interleaved", "scaling": {"kind": "none"}}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.turning = Turning(self.settings["scaling"], self.settings["base"], shape.head_width, shape.trained)

    def growth(self, positions):
        """[S,T,d/2]: zeta_j^(m/scale_base)."""
        width, gamma = self.shape.head_width, self.settings["gamma"]
        zeta = (torch.arange(0, width, 2, dtype=torch.float64) / width + gamma) / (1 + gamma)
        return zeta ** (positions[..., None] / self.settings["scale_base"])

    def rotation(self, sequence):
        angles = self.turning.angles(sequence.positions, sequence.length)
        growth = self.turning.magnitude * self.growth(sequence.positions)
        return growth * angles.cos(), growth * angles.sin(), self.turning.frequencies(sequence.length)

    def pairs(self, query, key, sequence):
        p, magnitude, layout = sequence.positions, self.turning.magnitude, self.settings["layout"]
        angles, growth = self.turning.angles(p, sequence.length), self.growth(p)
        query = grown(query, self.turning.scaling, p, self.shape.trained)
        return [(turn(query, angles, layout, magnitude * growth), turn(key, angles, layout, magnitude / growth), True)]


class AxialRope(Position):
    """Rope in two dimensions: the first half of a head turns by the row of a patch, the second half by its column. A scaling takes
    the longer side of a grid for its length."""

    defaults = {"base": 100.0, "grid": None, "scaling": {"kind": "none"}}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.turning = Turning(self.settings["scaling"], self.settings["base"], shape.head_width // 2, max(self.settings["grid"]))

    def rotation(self, sequence):
        angles, magnitude = self.angles(sequence), self.turning.magnitude
        half = self.turning.frequencies(max(grid_of(self.settings["grid"], sequence.length)))
        return magnitude * angles.cos(), magnitude * angles.sin(), torch.cat((half, half))

    def angles(self, sequence):
        """[S,T,d/2]: d/4 pairs of the row, then d/4 of the column."""
        grid = grid_of(self.settings["grid"], sequence.length)
        row = (sequence.positions / grid[1]).floor()
        column = sequence.positions - grid[1] * row
        return torch.cat([self.turning.angles(axis, max(grid)) for axis in (row, column)], -1)

    def pairs(self, query, key, sequence):
        angles, magnitude = self.angles(sequence), self.turning.magnitude
        query = grown(query, self.turning.scaling, sequence.positions, self.shape.trained)
        return [(turn(query, angles, "interleaved", magnitude), turn(key, angles, "interleaved", magnitude), True)]
