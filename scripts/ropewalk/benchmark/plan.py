"""What `ropewalk plan` predicts against what `ropewalk run` then takes, for sweeps of several kinds."""
from typing import NamedTuple

from .table import Limit, Row
from .sizes import SIZES

OFF_BY = Limit(1.25, at_most=True)
MEGA = 1e6
LONG = "evaluate: {lengths: [64, 1024, 16384], tokens: 20000}"
STAGES = "stages: [{length: 128, steps: 100}, {length: 256, steps: 50}]"
EVERY = "evaluate: {lengths: [64, 256, 1024], protocols: [nonoverlapping, sliding], stride: 64, tokens: 16384, every: 50}"
SHORT = "evaluate: {lengths: [64, 256, 1024], tokens: 16384}"


class Case(NamedTuple):
    name: str
    size: str
    schemes: tuple
    steps: int
    evaluate: str = SHORT
    more: str = ""  # of the training
    jobs: int = 1


CASES = (
    *(Case(scheme, "S", (scheme,), 200) for scheme in ("none", "alibi", "rope", "t5")),
    Case("cope", "S", ("cope",), 20),
    Case("alibi", "M", ("alibi",), 40),
    Case("rope, long evaluation", "S", ("rope",), 50, LONG),
    Case("t5, evaluated often", "S", ("t5",), 200, EVERY),
    Case("alibi and rope, 3 stages", "S", ("alibi", "rope"), 100, more=STAGES),
    Case("5 runs of 3 schemes", "S", ("none", "alibi", "rope", "rope, base: 100", "rope, base: 1000"), 200, jobs=2),
)


def config_of(case):
    size = SIZES[case.size]
    schemes = ", ".join(f"{{kind: {scheme}}}" for scheme in case.schemes)
    return (f"model: {{width: {size.width}, layers: {size.layers}, heads: {size.heads}}}\n"
            f"train: {{length: {size.length}, batch: {size.batch}, steps: {case.steps}, schedule: {{warmup: 0}}"
            f"{', ' if case.more else ''}{case.more}}}\n{case.evaluate}\nsweep: {{grid: {{model.position: [{schemes}]}}}}\n")  # fmt: skip


def off_by(one, other):
    """The factor between two numbers, whichever is the larger."""
    return max(one / other, other / one)


QUANTITIES = (  # each of what was predicted and what was taken
    ("predicted time", "s", None, lambda predicted, taken: predicted.seconds),
    ("time", "s", None, lambda predicted, taken: taken.seconds),
    ("time off by a factor", "1", OFF_BY, lambda predicted, taken: off_by(predicted.seconds, taken.seconds)),
    ("peak memory", "MB", None, lambda predicted, taken: taken.bytes / MEGA),
    ("memory off by a factor", "1", OFF_BY, lambda predicted, taken: off_by(predicted.bytes, taken.bytes)),
)


def plan(programs, _, repetitions):
    for case in CASES:
        turns = [programs.planned_sweep(config_of(case), case.jobs) for _ in range(repetitions)]
        for quantity, unit, limit, value in QUANTITIES:
            values = [value(predicted, taken) for predicted, taken in turns]
            yield Row("plan", case.size, case.jobs, case.name, quantity, unit, values, limit)
