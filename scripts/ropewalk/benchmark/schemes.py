"""What a positional scheme costs in training: its speed beside that of the same model without one."""
from .table import Limit, Row, ratios

NONE = "none"

# What was asked for before it was measured. CoPE's cost is stated, a sum's is that of its parts.
FREE = ("sinusoidal", "learned", "abacus", "segment", "learned_2d", "alibi", "t5", "kerple", "sandwich")
LOOKED_UP = ("shaw", "transformer_xl", "deberta")
FLOORS = {
    **dict.fromkeys(FREE, 0.97),
    "rope": 0.95,
    "xpos": 0.93,
    "axial_rope": 0.93,
    **dict.fromkeys(LOOKED_UP, 0.6),
    "fire": 0.7,
    "forget": 0.85,
}


def schemes(programs, sizes, repetitions):
    """Every scheme there is; one without a floor is stated."""
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
