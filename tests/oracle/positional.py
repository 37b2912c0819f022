"""Every positional scheme by name, their sum, and the attention they act in. See position.py for letters and hooks."""
import math

import torch
from biases import Alibi, Fire, Forget, Kerple, Sandwich, T5
from embeddings import Abacus, Learned, Learned2D, Segment, Sinusoidal
from interactions import CoPE, DeBERTa, Shaw, TransformerXL
from position import Position
from rotations import AxialRope, Rope, Xpos
from torch import nn


def total(terms):
    """Their sum, without those that are None; None if all are."""
    terms = [term for term in terms if term is not None]
    return sum(terms[1:], start=terms[0]) if terms else None


class Sum(Position):
    """A list of schemes that all apply."""

    defaults = {"parts": None}

    def __init__(self, settings, shape):
        super().__init__(settings, shape)
        self.parts = nn.ModuleList(make_position(part, shape) for part in self.settings["parts"])

    def embed(self, sequence):
        return total(part.embed(sequence) for part in self.parts)

    def pairs(self, query, key, sequence):
        pairs = [(query, key, True)]
        for part in self.parts:
            pairs = [(q, k, where & also) for query, key, where in pairs for q, k, also in part.pairs(query, key, sequence)]
        return pairs

    def interaction(self, query, key, sequence):
        return total(part.interaction(query, key, sequence) for part in self.parts)

    def bias(self, sequence):
        return total(part.bias(sequence) for part in self.parts)

    def values(self, weights, sequence):
        return total(part.values(weights, sequence) for part in self.parts)

    def rotation(self, sequence):
        turning = [rotation for part in self.parts if (rotation := part.rotation(sequence)) is not None]
        return turning[0] if len(turning) == 1 else None

    def skips(self, length):
        return any(part.skips(length) for part in self.parts)


SCHEMES = {
    "none": Position,
    "sinusoidal": Sinusoidal,
    "learned": Learned,
    "shaw": Shaw,
    "transformer_xl": TransformerXL,
    "t5": T5,
    "rope": Rope,
    "xpos": Xpos,
    "alibi": Alibi,
    "kerple": Kerple,
    "sandwich": Sandwich,
    "fire": Fire,
    "cope": CoPE,
    "forget": Forget,
    "deberta": DeBERTa,
    "abacus": Abacus,
    "segment": Segment,
    "axial_rope": AxialRope,
    "learned_2d": Learned2D,
    "sum": Sum,
}


def make_position(settings, shape):
    """The scheme that a resolved model.position asks for. Raises ValueError."""
    if settings["kind"] not in SCHEMES:
        raise ValueError(f"position.kind: expected one of {', '.join(SCHEMES)}; got {settings['kind']}")
    return SCHEMES[settings["kind"]](settings, shape)


def hidden(shape, length):
    """[T,T], true where a query may not see a key: later in the sequence, whatever the positions."""
    everything = torch.ones(length, length, dtype=torch.bool)
    return everything.triu(1) if shape.causal else ~everything


def attend(position, query, key, value, sequence):
    """(scores, weights [B,H,T,T], output [B,H,T,d]) of [B,H,T,d]; scores before the softmax, -inf where hidden."""
    products = [(q @ k.transpose(-1, -2), where) for q, k, where in position.pairs(query, key, sequence)]
    content = total(p if where is True else p * where[:, None] for p, where in products) / math.sqrt(query.shape[-1])
    added = total((position.interaction(query, key, sequence), position.bias(sequence)))
    scores = content if added is None else content + added.to(content.dtype)
    scores = scores.masked_fill(hidden(position.shape, sequence.length), -math.inf)
    weights = scores.softmax(-1)
    return scores, weights, total((weights @ value, position.values(weights, sequence)))
