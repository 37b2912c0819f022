"""What a positional scheme costs in training: its speed beside that of the same model without one."""
from .benchmark_table import Limit, Row, ratios

NONE = "none"
FLOORS = {"alibi": 0.97, "t5": 0.97, "learned": 0.97, "sinusoidal": 0.97, "rope": 0.95}


def schemes(programs, sizes, repetitions):
    """Every scheme there is; one that was added since has no floor."""
    names = programs.schemes()
    for size in sizes:
        turns = [programs.training_by_scheme(size, names) for _ in range(repetitions)]
        speeds = {name: [turn[name]["tokens_per_second"] for turn in turns] for name in names}
        yield Row("schemes", size, 1, NONE, "speed", "tokens/s", speeds[NONE])
        for name in names:
            if name == NONE:
                continue
            floor = Limit(FLOORS[name]) if name in FLOORS else None
            yield Row("schemes", size, 1, f"{name}/{NONE}", "speed", "1", ratios(speeds[name], speeds[NONE]), floor)
