"""Schemes that add something to the embedding."""
import torch
import torch.nn.functional as F
from position import Position, grid_of, sinusoid, zeros


class Sinusoidal(Position):
    """Vaswani et al. 2017: PE(m,2i) = sin(m / base^(2i/D)), PE(m,2i+1) = cos(same)."""

    defaults = {"base": 10000.0, "scale": 1.0}

    def embed(self, sequence):
        return self.settings["scale"] * sinusoid(sequence.positions, self.shape.width, self.settings["base"])


class Learned(Position):
    """A table of vectors, one a position, linear between rows; `beyond` says what happens past its end."""

    defaults = {"max_length": 0, "beyond": "error"}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.table = zeros(self.settings["max_length"] or shape.trained, shape.width)

    def embed(self, sequence):
        places = self.places(sequence.positions.clamp(min=0))
        below = places.floor().long()
        above = (below + 1).clamp(max=len(self.table) - 1)
        share = (places - below)[..., None]
        return (1 - share) * self.table[below] + share * self.table[above]

    def places(self, positions):
        """[S,T]: real row numbers."""
        last = len(self.table) - 1
        furthest = positions.amax(-1, keepdim=True)
        beyond = self.settings["beyond"]
        if beyond == "clamp":
            return positions.clamp(max=last)
        if beyond == "interpolate":  # ends aligned, as scipy.ndimage.zoom of order 1 does in the code of Dosovitskiy et al. 2021
            return torch.where(furthest > last, positions * (last / furthest.clamp(min=1)), positions)
        if (furthest > last).any():
            raise ValueError(f"learned: position {furthest.max()} asked of a table of {last + 1}, and beyond is {beyond}")
        return positions

    def skips(self, length):
        return self.settings["beyond"] == "skip" and length > len(self.table)


class Learned2D(Position):
    """A table over the patches of an image, resampled for another grid (Dosovitskiy et al. 2021, section 3.2)."""

    defaults = {"grid": None, "resample": "bilinear"}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.table = zeros(*self.settings["grid"], shape.width)

    def embed(self, sequence):
        grid = grid_of(self.settings["grid"], sequence.length)
        images = self.table.movedim(-1, 0)[None]  # [1,D,rows,columns]
        resampled = F.interpolate(images, size=grid, mode=self.settings["resample"], align_corners=False)
        cells = sequence.positions.long()
        if (cells != sequence.positions).any() or cells.min() < 0 or cells.max() >= sequence.length:
            raise ValueError(f"learned_2d: expected whole positions below {sequence.length}, the cells of grid {list(grid)}")
        return resampled[0].flatten(1).T[cells]


class Abacus(Position):
    """McLeish et al. 2024: which digit of its number a token is, from 0 at the first of its run, plus the sequence's offset."""

    defaults = {"max_offset": 100}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.table = zeros(self.settings["max_offset"] + shape.trained, shape.width)

    def embed(self, sequence):
        is_digit = torch.isin(sequence.tokens, torch.tensor(sequence.digits, dtype=torch.long))
        row = torch.zeros_like(sequence.tokens)
        for t in range(1, sequence.length):
            row[:, t] = torch.where(is_digit[:, t - 1], row[:, t - 1] + 1, 0)
        row = (row + sequence.shift[:, None]).clamp(max=len(self.table) - 1)
        return self.table[row] * is_digit[..., None]


class Segment(Position):
    """Devlin et al. 2019: a vector for each part of the sequence. A separator belongs to the part that it ends."""

    defaults = {"segments": 2}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.table = zeros(self.settings["segments"], shape.width)

    def embed(self, sequence):
        ends = torch.isin(sequence.tokens, torch.tensor(sequence.separators, dtype=torch.long)).long()
        return self.table[(ends.cumsum(-1) - ends) % len(self.table)]
