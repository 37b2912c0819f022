"""What evaluations measure, as figures and pages name it."""
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    label: str  # of the axis
    scale: str  # of the axis: log or linear
    nat: float = 0  # what a nat of loss is on it; 0: bounded, so that nothing is off the scale
    format: str = "{:.2f}"  # of a value


METRICS = {
    "perplexity": Metric("perplexity per {token}", "log", 1),
    "loss": Metric("loss, nats per {token}", "linear", 1),
    "bits_per_byte": Metric("bits per byte", "linear", 1 / math.log(2)),
    "token_accuracy": Metric("accuracy, share of {token}s", "linear"),
}
PROTOCOLS = {
    "nonoverlapping": "non-overlapping windows",
    "sliding": "sliding window",
    "fixed_target": "the same targets at every length",
}
