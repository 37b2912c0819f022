"""The Transformer of Ropewalk once more, in PyTorch, written from the published formulas and the file contract alone.

It is plain and dense on purpose: it exists to be right, and the C++ engine is held to it. Letters: B batch, H heads, T positions,
d head width, D model width, V vocabulary. Parameters have the names and shapes of checkpoint.h5.
"""
import dataclasses

import torch
import torch.nn.functional as F
from peers import load_parameters
from position import Position, Sequence, Shape, contiguous
from positional import attend, make_position
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


class Attention(nn.Module):
    """weights: [B,H,T,T], of the last call."""

    def __init__(self, model):
        super().__init__()
        self.heads = model["heads"]
        self.qkv = nn.Linear(model["width"], 3 * model["width"])
        self.out = nn.Linear(model["width"], model["width"])

    def forward(self, x, position, sequence):
        batch, length, width = x.shape
        split = lambda part: part.view(batch, length, self.heads, -1).transpose(1, 2)  # [B,T,D] -> [B,H,T,d]
        query, key, value = (split(part) for part in self.qkv(x).chunk(3, dim=-1))
        _, self.weights, heads = attend(position, query, key, value, dataclasses.replace(sequence, input=x))
        return self.out(heads.transpose(1, 2).reshape(batch, length, width))


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

    def __init__(self, model, position):
        super().__init__()
        self.norm1 = make_norm(model["norm"], model["width"])
        self.attention = Attention(model)
        self.norm2 = make_norm(model["norm"], model["width"])
        self.mlp = MLP(model)
        self.position = position

    def forward(self, x, shared_position, sequence):
        x = x + self.attention(self.norm1(x), self.position or shared_position, sequence)
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    """tokens [B,T] -> logits [B,T,V]. `config` is a resolved config, a nested dictionary; digits and separators are token ids."""

    def __init__(self, config, vocabulary=256, digits=(), separators=()):
        super().__init__()
        model = config["model"]
        if model.get("positions", {}).get("kind", "contiguous") != "contiguous":
            raise NotImplementedError(f"positions.kind: this peer knows contiguous alone; got {model['positions']['kind']}")
        self.marks = {"digits": tuple(digits), "separators": tuple(separators)}
        self.embed = nn.Embedding(vocabulary, model["width"])
        shape = Shape(model["heads"], model["width"], causal=model["kind"] == "decoder", trained=config["train"]["length"])
        make = lambda: make_position(model["position"], shape)
        per_layer = model["position"].get("per_layer", False)
        self.position = Position({}, shape) if per_layer else make()
        self.blocks = nn.ModuleList(Block(model, make() if per_layer else None) for _ in range(model["layers"]))
        self.norm = make_norm(model["norm"], model["width"])
        self.head = nn.Linear(model["width"], vocabulary, bias=False)
        if model.get("tie_embeddings", False):
            self.head.weight = self.embed.weight

    def forward(self, tokens):
        sequence = Sequence(tokens, contiguous(tokens.shape[1]), **self.marks)
        x = self.embed(tokens)
        added = self.position.embed(sequence)
        if added is not None:
            x = x + added.to(x.dtype)
        for block in self.blocks:
            x = block(x, self.position, sequence)
        return self.head(self.norm(x))

    def load(self, parameters):
        load_parameters(self, parameters)


def vocabulary(config):
    """Bytes, and after them the mask where tokens are masked."""
    return 257 if config["task"]["kind"] == "masked_text" else 256


def summed_loss(logits, targets):
    """Nats over all scored tokens; a negative target is not scored."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten().long().clamp(min=-1), ignore_index=-1, reduction="sum")
