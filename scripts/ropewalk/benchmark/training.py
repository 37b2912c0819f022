"""Training against PyTorch and against the machine: speed, share of the peak, memory."""
from statistics import median
from typing import NamedTuple

from .table import Limit, Row, ratios
from .sizes import SIZES, VOCABULARY, training_flops

THREADS = (1, 2)
MEGA = 1e6


class Floors(NamedTuple):
    """What was asked for before it was measured."""

    one_thread: float  # times PyTorch's speed, each on one thread
    both_cores: float  # times PyTorch's best, on two threads
    share: float  # of the peak, %


FLOORS = {"S": Floors(1.9, 3.2, 45), "M": Floors(1.8, 2.2, 58), "L": Floors(1.55, 2.1, 65)}
MEMORY = Limit(0.25, at_most=True)  # of PyTorch's


class Turn(NamedTuple):
    """One repetition, its measurements right after one another; dictionaries by threads."""

    peak: dict  # FLOPs per second of one core, before ours
    ours: dict
    theirs: dict


def take_turn(programs, size):
    turn = Turn({}, {}, {})
    for threads in THREADS:
        turn.peak[threads] = programs.peak()["flops_per_second"]
        turn.ours[threads] = programs.training(size, threads)
        turn.theirs[threads] = programs.torch_training(size, threads)
    return turn


def training(programs, sizes, repetitions):
    """Every row of a size after the last of its repetitions."""
    for size in sizes:
        turns = [take_turn(programs, size) for _ in range(repetitions)]
        yield from speed_rows(size, turns)
        yield from share_rows(size, turns)
        yield from memory_rows(size, turns)


def speeds(turns, side, threads):
    return [getattr(turn, side)[threads]["tokens_per_second"] for turn in turns]


def speed_rows(size, turns):
    for side, subject in (("ours", "ropewalk"), ("theirs", "PyTorch")):
        for threads in THREADS:
            yield Row("training", size, threads, subject, "speed", "tokens/s", speeds(turns, side, threads))
    one, both = THREADS
    best = max(THREADS, key=lambda threads: median(speeds(turns, "theirs", threads)))
    floors = FLOORS[size]
    yield Row("training", size, one, "ropewalk/PyTorch", "speed", "1",
              ratios(speeds(turns, "ours", one), speeds(turns, "theirs", one)), Limit(floors.one_thread))  # fmt: skip
    yield Row("training", size, both, f"ropewalk/PyTorch's best ({best})", "speed", "1",
              ratios(speeds(turns, "ours", both), speeds(turns, "theirs", best)), Limit(floors.both_cores))  # fmt: skip


def share_rows(size, turns):
    """The floor counts all parameters, as is usual; those of the embedding, which are looked up and not
    multiplied, are left out of the row below it."""
    parameters = turns[0].ours[1]["parameters"]
    multiplied = parameters - VOCABULARY * SIZES[size].width
    for threads in THREADS:
        for name, count, floor in (("share of peak", parameters, Limit(FLOORS[size].share)),
                                   ("share less embedding", multiplied, None)):  # fmt: skip
            flops = training_flops(SIZES[size], count)
            values = [100 * turn.ours[threads]["tokens_per_second"] * flops / (threads * turn.peak[threads]) for turn in turns]
            yield Row("training", size, threads, "ropewalk", name, "%", values, floor)


def memory_rows(size, turns):
    for threads in THREADS:
        ours, theirs = ([side[threads]["peak_bytes"] / MEGA for side in sides]
                        for sides in ([turn.ours for turn in turns], [turn.theirs for turn in turns]))  # fmt: skip
        yield Row("training", size, threads, "ropewalk", "peak memory", "MB", ours)
        yield Row("training", size, threads, "PyTorch", "peak memory", "MB", theirs)
        yield Row("training", size, threads, "ropewalk/PyTorch", "peak memory", "1", ratios(ours, theirs), MEMORY)
