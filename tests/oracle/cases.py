"""What the tests of the positional schemes share: settings to try, schemes with parameters in them, and batches to put through.

Import it before anything else of the oracle: where PyTorch is not installed, that skips the tests of the file.
"""
import unittest

import numpy as np
from peers import require_torch

try:
    torch = require_torch()
except SystemExit as skipped:
    raise unittest.SkipTest("PyTorch is not installed") from skipped
from position import Sequence, Shape, contiguous
from positional import attend, make_position

TRAINED, LENGTH, BATCH, HEADS, WIDTH = 8, 12, 2, 2, 16
DIGITS, SEPARATORS = (1, 2, 3), (9,)

SCALED = [
    {"kind": "none"},
    {"kind": "linear", "factor": 3.0},
    {"kind": "ntk", "factor": 3.0},
    {"kind": "dynamic_ntk"},
    {"kind": "yarn", "factor": 3.0, "alpha": 0.1, "beta": 1.0},
    {"kind": "llama3", "factor": 4.0, "low": 0.5, "high": 2.0},
    {"kind": "longrope", "factors": [1.0, 1.5, 2.0, 4.0], "keep": 3},
    {"kind": "self_extend", "window": 5, "group": 3},
    {"kind": "rerope", "window": 4},
    {"kind": "log_scale"},
]
CASES = [
    {"kind": "none"},
    {"kind": "sinusoidal", "base": 100.0, "scale": 0.5},
    {"kind": "learned", "max_length": LENGTH},
    {"kind": "learned", "beyond": "clamp"},
    {"kind": "learned", "beyond": "interpolate"},
    {"kind": "shaw", "clip": 3},
    {"kind": "shaw", "clip": 20, "values": False},
    {"kind": "transformer_xl", "base": 100.0},
    {"kind": "t5", "buckets": 8, "max_distance": 16},
    {"kind": "rope", "layout": "half", "fraction": 0.5, "base": 500.0},
    *({"kind": "rope", "base": 50.0, "scaling": scaling} for scaling in SCALED),
    {"kind": "xpos", "base": 100.0, "gamma": 0.3, "scale_base": 20.0},
    {"kind": "alibi"},
    {"kind": "alibi", "heads": 1, "right": 0.5},
    {"kind": "alibi", "slopes": "learned", "right": 2.0},
    {"kind": "kerple"},
    {"kind": "kerple", "form": "power"},
    {"kind": "sandwich", "width": 10, "base": 100.0},
    {"kind": "fire", "width": 6},
    {"kind": "cope", "max_position": 4},
    {"kind": "cope", "max_position": 40, "gates": "scaled"},
    {"kind": "forget"},
    {"kind": "deberta", "clip": 3},
    {"kind": "abacus", "max_offset": 3},
    {"kind": "segment", "segments": 2},
    {"kind": "axial_rope", "base": 30.0, "grid": [2, 6]},
    {"kind": "axial_rope", "grid": [1, 3]},
    {"kind": "learned_2d", "grid": [3, 4]},
    {"kind": "learned_2d", "grid": [6, 2]},
    {"kind": "sum", "parts": [{"kind": "sinusoidal"}, {"kind": "learned", "beyond": "clamp"}, {"kind": "alibi"}, {"kind": "t5"}]},
    {"kind": "sum", "parts": [{"kind": "deberta", "clip": 2}, {"kind": "rope", "scaling": SCALED[7]}, {"kind": "shaw", "clip": 2},
                              {"kind": "sum", "parts": [{"kind": "cope", "max_position": 3}, {"kind": "forget"}]}]},
]  # fmt: skip
ONLY_CAUSAL = ("cope", "forget", "self_extend", "rerope")


def needs_mask(settings):
    names = (settings["kind"], settings.get("scaling", {}).get("kind"))
    return any(name in ONLY_CAUSAL for name in names) or any(needs_mask(part) for part in settings.get("parts", ()))


def everywhere(cases=CASES):
    """(settings, is causal): every case under a mask, and without one where that is allowed."""
    return [(settings, causal) for settings in cases for causal in (True, False) if causal or not needs_mask(settings)]


def fill(position, seed=0):
    """Random parameters, in double, of which those that are clamped keep away from their bounds."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in position.double().named_parameters():
        numbers = torch.randn(parameter.shape, dtype=torch.float64, generator=generator)
        is_positive = name.split(".")[-1] in ("p", "a", "c", "threshold")
        parameter.copy_(0.3 + 0.4 * numbers.abs().clamp(max=3) if is_positive else numbers)
        if name.endswith("threshold"):
            parameter.mul_(5)
    return position


def make(settings, causal=True, heads=HEADS, width=WIDTH, trained=TRAINED, seed=0):
    return fill(make_position(settings, Shape(heads, width, causal, trained)), seed)


class Batch:
    """A sequence, and queries, keys, values and an input to go with it."""

    def __init__(self, length=LENGTH, batch=BATCH, heads=HEADS, width=WIDTH, positions=None, seed=1):
        generator = torch.Generator().manual_seed(seed)
        normal = lambda *sizes: torch.randn(*sizes, dtype=torch.float64, generator=generator)
        self.tokens = torch.randint(0, 12, (batch, length), generator=generator)
        self.tokens[0, length // 2], self.tokens[1:] = SEPARATORS[0], DIGITS[0]  # two parts; one long number
        self.x = normal(batch, length, width)
        self.query, self.key, self.value = (normal(batch, heads, length, width // heads) for _ in range(3))
        self.positions = contiguous(length) if positions is None else torch.as_tensor(positions, dtype=torch.float64)

    @property
    def sequence(self):
        return Sequence(self.tokens, self.positions, self.x, DIGITS, SEPARATORS)

    def attend(self, position):
        return attend(position, self.query, self.key, self.value, self.sequence)

    def outputs(self, position):
        """Everything that a scheme can change, in one vector a token: [B,T,2D]."""
        added = position.embed(self.sequence)
        added = torch.zeros_like(self.x) if added is None else added.expand_as(self.x)
        return torch.cat((added, self.attend(position)[2].transpose(1, 2).flatten(-2)), -1)


def close(actual, expected, tolerance=1e-12):
    np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol=tolerance, atol=tolerance)
