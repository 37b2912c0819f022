"""How the speed of training holds: with a second job beside the first, over many steps, with more sequences in a step."""
from .table import Limit, Row, ratios

SIDE_BY_SIDE = Limit(1.9)
BATCHES = (8, 16, 32, 64, 128)
MICRO = 1e-6


def jobs(programs, sizes, repetitions):
    """Two models in one process, a thread each, as `ropewalk run --jobs 2` trains them, against one alone."""
    for size in sizes:
        alone, beside = [], []
        for _ in range(repetitions):
            alone.append(programs.training(size)["tokens_per_second"])
            beside.append(programs.training(size, threads=2, jobs=2)["tokens_per_second"])
        yield Row("jobs", size, 1, "one job", "speed", "tokens/s", alone)
        yield Row("jobs", size, 2, "two jobs", "speed", "tokens/s", beside)
        yield Row("jobs", size, 2, "two jobs/one job", "speed", "1", ratios(beside, alone), SIDE_BY_SIDE)


def scaling(programs, sizes, repetitions):
    for size in sizes:
        yield from over_steps(programs, size, repetitions)
        yield from over_sequences(programs, size, repetitions)


def over_steps(programs, size, repetitions):
    """Time for a token in the last tenth of the steps against that in the first: 1 if nothing piles up."""
    runs = [programs.training(size) for _ in range(repetitions)]
    values = ratios([run["first_tenth"] for run in runs], [run["last_tenth"] for run in runs])  # speeds: the inverse of times
    yield Row("scaling", size, 1, "last/first tenth of steps", "time per token", "1", values)


def over_sequences(programs, size, repetitions):
    """Time for a token by the number of sequences in a step."""
    turns = [programs.training_by_batch(size, BATCHES) for _ in range(repetitions)]
    for batch in BATCHES:
        values = [1 / turn[batch]["tokens_per_second"] / MICRO for turn in turns]
        yield Row("scaling", size, 1, f"{batch} sequences", "time per token", "us", values)
