"""Evaluation of one long sequence: how time grows with its length, and what the longest takes under each scheme."""
from .table import Limit, Row

LENGTHS = tuple(2**power for power in range(10, 17))  # 1,024 … 65,536
THREADS = 2
SECONDS, MEMORY = Limit(30, at_most=True), Limit(600, at_most=True)  # of the longest; MB
MEGA = 1e6
SLOWER = {"cope": 2**13}  # its scores are worked out slice by slice: stated at a shorter length, without floors


def evaluation(programs, *_):
    """Once each, since the long ones take their time; the program repeats the short ones itself."""
    yield from growth(programs)
    for scheme in programs.schemes():
        yield from longest(programs, scheme)


def growth(programs):
    """Seconds by length, and the factor of each doubling: 2 where the tokens cost most, towards 4 where their pairs do."""
    before = None
    for length in LENGTHS:
        seconds = programs.evaluation("none", length, threads=1)["seconds"]
        yield Row("evaluation", "", 1, f"none, {length:,} tokens", "time", "s", [seconds])
        if before is not None:
            yield Row("evaluation", "", 1, f"none, {length:,}/{length // 2:,}", "time", "1", [seconds / before])
        before = seconds


def longest(programs, scheme):
    length = SLOWER.get(scheme, LENGTHS[-1])
    seconds, memory = (None, None) if scheme in SLOWER else (SECONDS, MEMORY)
    found = programs.evaluation(scheme, length, THREADS)
    subject = f"{scheme}, {length:,} tokens"
    yield Row("evaluation", "", THREADS, subject, "time", "s", [found["seconds"]], seconds)
    yield Row("evaluation", "", THREADS, subject, "peak memory", "MB", [found["peak_bytes"] / MEGA], memory)
