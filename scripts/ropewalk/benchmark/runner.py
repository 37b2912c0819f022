"""What a sweep costs beside its training, and how long it takes to look at it."""
from .table import Limit, Row

RUNS = 1000
OVERHEAD = Limit(30, at_most=True)  # ms a run, evaluation and files included
GLANCE, INDEX = Limit(1, at_most=True), Limit(2, at_most=True)  # s, of all runs


def runner(programs, _, repetitions):
    seconds = programs.tiny_sweep(RUNS, repetitions)
    overhead = [1000 * (run - training) / RUNS for run, training in zip(seconds["run"], seconds["training"], strict=True)]
    yield Row("runner", "", 1, f"run, {RUNS:,} tiny runs", "beyond training, a run", "ms", overhead, OVERHEAD)
    yield Row("runner", "", 1, f"check, {RUNS:,} runs", "time", "s", seconds["check"])
    yield Row("runner", "", 1, f"run, {RUNS:,} done, no index", "time", "s", seconds["index"], INDEX)
    yield Row("runner", "", 1, f"status, {RUNS:,} runs", "time", "s", seconds["status"], GLANCE)
    yield Row("runner", "", 1, f"report, {RUNS:,} runs", "time", "s", seconds["report"], GLANCE)
