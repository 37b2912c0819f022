"""The Transformer of Ropewalk once more, in PyTorch, written from the published formulas and the file contract alone.

It is plain and dense on purpose: it exists to be right, and the C++ engine is held to it. Letters: B batch, H heads, T positions,
d head width, D model width, V vocabulary. Parameters have the names and shapes of checkpoint.h5.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

EPSILON = 1e-5  # of both norms

ACTIVATIONS = {
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "relu": F.relu,
    "silu": F.silu,
    "swiglu": F.silu,
}


class RMSNorm(nn.Module):
    """Zhang and Sennrich 2019: x / sqrt(mean(x^2) + eps) * weight."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPSILON) * self.weight


def make_norm(kind, width):
    return RMSNorm(width) if kind == "rms" else nn.LayerNorm(width, eps=EPSILON)


class Position(nn.Module):
    """A positional scheme that does nothing (NoPE). The others override what they change."""

    def __init__(self, settings, model, length):
        super().__init__()
        self.settings, self.heads, self.width, self.causal = settings, model["heads"], model["width"], model["kind"] == "decoder"

    def embed(self, x):
        """x [B,T,D] with what the scheme adds to the embedding."""
        return x

    def rotate(self, x):
        """x [B,H,T,d], a query or a key at positions 0..T-1."""
        return x

    def bias(self, length):
        """What is added to scores, broadcast to [B,H,T,T], row = query; or None."""
        return None


class Sinusoidal(Position):
    """Vaswani et al. 2017: PE(m,2i) = sin(m / base^(2i/D)), PE(m,2i+1) = cos(same)."""

    def embed(self, x):
        base, scale = self.settings.get("base", 10000.0), self.settings.get("scale", 1.0)
        length, width = x.shape[1:]
        angles = outer_angles(length, width, base)
        return x + scale * torch.stack((angles.sin(), angles.cos()), -1).reshape(length, width).to(x.dtype)


class Learned(Position):
    """A table of vectors, one a position; `beyond` says what happens past its end."""

    def __init__(self, settings, model, length):
        super().__init__(settings, model, length)
        self.table = nn.Parameter(torch.empty(settings.get("max_length") or length, self.width))

    def embed(self, x):
        return x + self.rows(x.shape[1])

    def rows(self, length):
        rows = len(self.table)
        beyond = self.settings.get("beyond", "error")
        if length <= rows:
            return self.table[:length]
        if beyond == "clamp":
            return self.table[torch.arange(length).clamp(max=rows - 1)]
        if beyond == "interpolate":  # corners aligned, as scipy.ndimage.zoom of order 1 does in the code of Dosovitskiy et al. 2021
            return F.interpolate(self.table.T[None], size=length, mode="linear", align_corners=True)[0].T
        raise ValueError(f"learned: {length} positions asked of a table of {rows}, and beyond is {beyond}")


class Rope(Position):
    """Su et al. 2021: pair j of the rotated part turns by m * base^(-2j/r), r the width of that part."""

    def rotate(self, x):
        width = 2 * round(self.settings.get("fraction", 1.0) * x.shape[-1] / 2)
        angles = outer_angles(x.shape[2], width, self.settings.get("base", 10000.0))
        cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        turned, rest = x[..., :width], x[..., width:]
        if self.settings.get("layout", "interleaved") == "half":
            first, second = turned.chunk(2, dim=-1)
            turned = torch.cat((first * cosine - second * sine, second * cosine + first * sine), -1)
        else:
            first, second = turned[..., 0::2], turned[..., 1::2]
            turned = torch.stack((first * cosine - second * sine, second * cosine + first * sine), -1).flatten(-2)
        return torch.cat((turned, rest), -1)


class Alibi(Position):
    """Press, Smith, Lewis 2022: -slope_h * |m - n|."""

    def __init__(self, settings, model, length):
        super().__init__(settings, model, length)
        biased = settings.get("heads", "all")
        count = self.heads if biased in ("all", 0) else biased
        slopes = torch.tensor(alibi_slopes(count) + [0.0] * (self.heads - count))
        self.register_buffer("carries_bias", (torch.arange(self.heads) < count).float(), persistent=False)
        if settings.get("slopes", "fixed") == "learned":
            self.slopes = nn.Parameter(slopes)
        else:
            self.register_buffer("slopes", slopes, persistent=False)

    def bias(self, length):
        slopes = self.slopes * self.carries_bias  # heads without a bias do not learn one
        return -slopes[:, None, None] * offsets(length).abs()


class T5(Position):
    """Raffel et al. 2020: a learned number per head and bucket of distances, wide buckets far away."""

    def __init__(self, settings, model, length):
        super().__init__(settings, model, length)
        self.buckets, self.max_distance = settings.get("buckets", 32), settings.get("max_distance", 128)
        self.table = nn.Parameter(torch.empty(self.heads, self.buckets))

    def bias(self, length):
        distance = -offsets(length)
        if self.causal:
            return self.table[:, self.bucket(distance.clamp(min=0), self.buckets)]
        half = self.buckets // 2
        return self.table[:, self.bucket(distance.abs(), half) + half * (distance < 0)]

    def bucket(self, distance, buckets):
        exact = buckets // 2
        far = distance.clamp(min=exact).double() / exact
        wide = exact + (far.log() / math.log(self.max_distance / exact) * (buckets - exact)).long()
        return torch.where(distance < exact, distance, wide.clamp(max=buckets - 1))


SCHEMES = {"none": Position, "sinusoidal": Sinusoidal, "learned": Learned, "rope": Rope, "alibi": Alibi, "t5": T5}


def outer_angles(length, width, base):
    """[length, width/2] in double: m * base^(-2j/width)."""
    frequencies = torch.tensor(base, dtype=torch.float64) ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.outer(torch.arange(length, dtype=torch.float64), frequencies)


def offsets(length):
    """[T,T]: key minus query."""
    positions = torch.arange(length)
    return positions[None, :] - positions[:, None]


def alibi_slopes(heads):
    """2^(-8h/H) for a power of two; otherwise those of the largest power below, then every second one of the next."""
    power = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    return slopes if power == heads else slopes + alibi_slopes(2 * power)[0::2][: heads - power]


class Attention(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.heads, self.causal = model["heads"], model["kind"] == "decoder"
        self.qkv = nn.Linear(model["width"], 3 * model["width"])
        self.out = nn.Linear(model["width"], model["width"])

    def forward(self, x, position):
        batch, length, width = x.shape
        split = lambda part: part.view(batch, length, self.heads, -1).transpose(1, 2)  # [B,T,D] -> [B,H,T,d]
        query, key, value = (split(part) for part in self.qkv(x).chunk(3, dim=-1))
        query, key = position.rotate(query), position.rotate(key)
        scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
        bias = position.bias(length)
        if bias is not None:
            scores = scores + bias.to(scores.dtype)
        if self.causal:
            scores = scores.masked_fill(offsets(length) > 0, -math.inf)
        return self.out((scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width))


class MLP(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.activation = ACTIVATIONS[model["activation"]]
        self.up = nn.Linear(model["width"], model["hidden"])
        self.down = nn.Linear(model["hidden"], model["width"])
        self.gate = nn.Linear(model["width"], model["hidden"]) if model["activation"] == "swiglu" else None

    def forward(self, x):
        hidden = self.activation(self.up(x)) if self.gate is None else self.activation(self.gate(x)) * self.up(x)
        return self.down(hidden)


class Block(nn.Module):
    """Pre-norm: x + attention(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, model, length):
        super().__init__()
        self.norm1 = make_norm(model["norm"], model["width"])
        self.attention = Attention(model)
        self.norm2 = make_norm(model["norm"], model["width"])
        self.mlp = MLP(model)
        self.position = make_position(model, length) if model["position"].get("per_layer") else None

    def forward(self, x, shared_position):
        x = x + self.attention(self.norm1(x), self.position or shared_position)
        return x + self.mlp(self.norm2(x))


def make_position(model, length):
    kind = model["position"]["kind"]
    if kind not in SCHEMES:
        raise NotImplementedError(f"position.kind: expected one of {', '.join(SCHEMES)}, which this peer knows; got {kind}")
    return SCHEMES[kind](model["position"], model, length)


class Transformer(nn.Module):
    """tokens [B,T] -> logits [B,T,V]. `config` is a resolved config, a nested dictionary."""

    def __init__(self, config, vocabulary=256):
        super().__init__()
        model, length = config["model"], config["train"]["length"]
        if model.get("positions", {}).get("kind", "contiguous") != "contiguous":
            raise NotImplementedError(f"positions.kind: this peer knows contiguous alone; got {model['positions']['kind']}")
        self.embed = nn.Embedding(vocabulary, model["width"])
        per_layer = model["position"].get("per_layer", False)
        self.position = Position({}, model, length) if per_layer else make_position(model, length)
        self.blocks = nn.ModuleList(Block(model, length) for _ in range(model["layers"]))
        self.norm = make_norm(model["norm"], model["width"])
        self.head = nn.Linear(model["width"], vocabulary, bias=False)
        if model.get("tie_embeddings", False):
            self.head.weight = self.embed.weight

    def forward(self, tokens):
        x = self.position.embed(self.embed(tokens))
        for block in self.blocks:
            x = block(x, self.position)
        return self.head(self.norm(x))

    def load(self, parameters):
        """Takes {name: array}. Raises ValueError that lists every name or shape that is not as expected."""
        own = dict(self.named_parameters())
        faults = [f"missing {name} {list(own[name].shape)}" for name in own.keys() - parameters.keys()]
        faults += [f"unexpected {name}" for name in parameters.keys() - own.keys()]
        faults += [
            f"{name}: expected {list(own[name].shape)}, got {list(parameters[name].shape)}"
            for name in own.keys() & parameters.keys()
            if tuple(own[name].shape) != tuple(parameters[name].shape)
        ]
        if faults:
            raise ValueError("parameters: " + "; ".join(sorted(faults)))
        with torch.no_grad():
            for name, parameter in own.items():
                parameter.copy_(torch.as_tensor(parameters[name]))


def summed_loss(logits, targets):
    """Nats over all scored tokens; a negative target is not scored."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten().long().clamp(min=-1), ignore_index=-1, reduction="sum")
