"""The models that training speed is measured on; build/benchmark_training has the same."""
from typing import NamedTuple

VOCABULARY = 256


class Size(NamedTuple):
    width: int
    layers: int
    heads: int
    length: int
    batch: int


SIZES = {"S": Size(64, 2, 4, 64, 32), "M": Size(128, 4, 4, 128, 16), "L": Size(256, 6, 8, 256, 8)}
