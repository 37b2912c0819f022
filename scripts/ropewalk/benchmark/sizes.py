"""The models that speed is measured on; tests/programs/benchmark_sizes.hpp has the same."""
from typing import NamedTuple

VOCABULARY = 256


class Size(NamedTuple):
    width: int
    layers: int
    heads: int
    length: int
    batch: int


SIZES = {"S": Size(64, 2, 4, 64, 32), "M": Size(128, 4, 4, 128, 16), "L": Size(256, 6, 8, 256, 8)}


def training_flops(size, parameters):
    """FLOPs of training on one token: 6 for each parameter (Kaplan et al. 2020, §2.1), and those of attention: in each layer the
    products of a query with keys and of its weights with values, 2·D each for the T/2 tokens it sees on average, and twice that
    on the way back."""
    return 6 * parameters + 3 * size.layers * 2 * (2 * size.width * size.length / 2)
