"""Schemes that add to the scores what does not depend on queries and keys."""
import torch
import torch.nn.functional as F
from position import Position, frequencies, zeros
from torch import nn


def per_head(numbers):
    """[H] -> [H,1,1]"""
    return numbers[:, None, None]


def alibi_slopes(heads):
    """2^(-8h/H) for a power of two; otherwise those of the largest power below, then every second one of the next."""
    power = 1 << (heads.bit_length() - 1)
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    return slopes if power == heads else slopes + alibi_slopes(2 * power)[0::2][: heads - power]


class Alibi(Position):
    """Press, Smith, Lewis 2022: -slope_h * |m - n|. In an encoder, keys to the right may have other slopes."""

    defaults = {"slopes": "fixed", "heads": "all", "right": 1.0}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        count = shape.heads if self.settings["heads"] in ("all", 0) else self.settings["heads"]
        left = torch.tensor(alibi_slopes(count) + [0.0] * (shape.heads - count), dtype=torch.float64)
        learned = lambda slopes: nn.Parameter(slopes.float()) if self.settings["slopes"] == "learned" else slopes
        self.carries_bias = torch.arange(shape.heads) < count  # heads without a bias do not learn one
        self.slopes, self.slopes_right = learned(left), None
        if not shape.causal and self.settings["right"] != 1:
            self.slopes_right = learned(left * self.settings["right"])

    def bias(self, sequence):
        offsets = sequence.offsets[:, None]
        both = (self.slopes if self.slopes_right is None else self.slopes_right, self.slopes)
        right, left = (per_head((slopes * self.carries_bias).double()) for slopes in both)
        return -torch.where(offsets < 0, right, left) * offsets.abs()


class T5(Position):
    """Raffel et al. 2020: a learned number per head and bucket of distances, wide buckets far away."""

    defaults = {"buckets": 32, "max_distance": 128}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.table = zeros(shape.heads, self.settings["buckets"])

    def bias(self, sequence):
        return self.table[:, self.bucket(sequence.whole_offsets)].movedim(0, 1)

    def bucket(self, offsets):
        """Offsets m - n, integers, to columns of the table; keys to the right take its second half in an encoder."""
        buckets, max_distance = self.settings["buckets"], self.settings["max_distance"]
        if self.shape.causal:
            return bucket_of_distance(offsets.clamp(min=0), buckets, max_distance)
        half = buckets // 2
        return bucket_of_distance(offsets.abs(), half, max_distance) + half * (offsets < 0)


def bucket_of_distance(distance, buckets, max_distance):
    """E = buckets/2 exact ones, then E + floor(ln(D/E) / ln(max/E) * W), W the number of wide ones, at most the last.

    In whole numbers, so that rounding decides nothing: D reaches wide bucket j where (D/E)^W >= (max/E)^j.
    """
    exact = buckets // 2
    wide = buckets - exact
    starts, start = [], exact
    for j in range(1, wide):
        while start**wide * exact**j < max_distance**j * exact**wide:
            start += 1
        starts.append(start)
    far = exact + torch.bucketize(distance, torch.tensor(starts, dtype=torch.long), right=True)
    return torch.where(distance < exact, distance, far)


class Kerple(Position):
    """Chi et al. 2022: log: -p ln(1 + a|m-n|), power: -a |m-n|^p; p and a at least 0.01, the power at most 2."""

    defaults = {"form": "log"}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.p, self.a = zeros(shape.heads), zeros(shape.heads)

    def bias(self, sequence):
        distance = sequence.offsets.abs()[:, None]
        is_power = self.settings["form"] == "power"
        p, a = per_head(self.p.double().clamp(0.01, 2 if is_power else None)), per_head(self.a.double().clamp(min=0.01))
        return -a * distance**p if is_power else -p * torch.log1p(a * distance)


class Sandwich(Position):
    """Chi et al. 2023: (sum of cos((m-n) * frequency) over width/2 frequencies, minus width/2) divided by 8h/H, h = 1..H."""

    defaults = {"width": 128, "base": 10000.0}

    def bias(self, sequence):
        width, heads = self.settings["width"], self.shape.heads
        angles = sequence.offsets[..., None] * frequencies(self.settings["base"], width)
        ratios = 8 * torch.arange(1, heads + 1, dtype=torch.float64) / heads
        return (angles.cos().sum(-1) - width / 2)[:, None] / per_head(ratios)


class Fire(Position):
    """Li et al. 2023 (FIRE): f(psi(|m-n|) / psi(max(m, n, threshold))), psi(x) = ln(cx + 1), f a network of one hidden layer."""

    defaults = {"width": 32}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.mlp = nn.Sequential(nn.Linear(1, self.settings["width"]), nn.ReLU(), nn.Linear(self.settings["width"], shape.heads))
        self.c, self.threshold = zeros(1), zeros(1)

    def bias(self, sequence):
        p = sequence.positions
        furthest = torch.maximum(p[:, :, None], p[:, None, :])  # of a query and an earlier key: the query
        c, threshold = self.c.double().clamp(min=0.01), self.threshold.double().clamp(min=0.01)
        psi = lambda x: torch.log(c * x + 1)
        share = psi(sequence.offsets.abs()) / psi(torch.maximum(furthest, threshold))
        return self.mlp(share[..., None].to(self.c.dtype)).movedim(-1, 1)


class Forget(Position):
    """Lin et al. 2025: the sum over l = n+1..m of ln sigmoid(w_h . x_l + b_h)."""

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        require_causal(self, "forget")
        self.w, self.b = zeros(shape.heads, shape.width), zeros(shape.heads)

    def bias(self, sequence):
        gates = F.logsigmoid(sequence.input.double() @ self.w.double().T + self.b.double()).transpose(1, 2)  # [B,H,T]
        total = gates.cumsum(-1)
        return total[..., :, None] - total[..., None, :]


def require_causal(position, kind):
    if not position.shape.causal:
        raise ValueError(f"{kind}: expected a causal model")
