"""Arithmetic of sweeps and trainings far larger than this machine, from constants that are measured on it here and now."""
from .table import Row
from .sizes import SIZES

MEASURED_RUNS = 1000  # of the sweep that is measured
RUNS, NODES = 10_000, 100
RANKS, DEPTH = 64, 6  # messages one after another from a leaf of a binary tree of 64 to its root
ASSUMED_SECONDS, ASSUMED_BYTES_PER_SECOND = 20e-6, 1.25e9  # a message over 10 Gbit/s Ethernet: not measured
STATES = 3  # parameters and two moments in a checkpoint
FLOAT = 4  # bytes
GIGA, MILLI, HOUR = 1e9, 1e3, 3600


def scale(programs, *_):
    lines = programs.ranks()
    yield from sweep_rows(programs.tiny_sweep(MEASURED_RUNS, 1), parameters_of(lines))
    yield from rank_rows(lines)


def parameters_of(lines):
    return {line["size"]: line["parameters"] for line in lines if "size" in line}


def sweep_rows(measured, parameters):
    """Of what is measured for each run, as much more as there are more runs."""
    times = RUNS / MEASURED_RUNS
    subject = f"{RUNS:,} runs"

    def row(quantity, unit, value, threads=1, subject=subject):
        return Row("scale", "", threads, subject, quantity, unit, [value])

    yield row("files", "1", times * measured["files"])
    yield row("bytes without models", "GB", times * measured["bytes"] / GIGA)
    for size, count in parameters.items():
        yield Row("scale", size, 1, subject, "bytes of checkpoints", "GB", [RUNS * STATES * FLOAT * count / GIGA])
    new, done = (times * measured[name][0] for name in ("check", "index"))
    yield row("launch, without Slurm", "s", times * measured["launch"][0])
    yield row("start, nothing done", "s", new)
    yield row("start and index, all done", "s", done)
    yield row("status", "s", times * measured["status"][0])
    yield row("report", "s", times * measured["report"][0])
    overhead = (measured["run"][0] - measured["training"][0]) / MEASURED_RUNS
    yield row("beside training, a node", "s", overhead * RUNS / NODES, subject=f"{subject}, {NODES} nodes")
    for elements in (NODES, RUNS):
        yield row("starts, all, half done", "h", elements * (new + done) / 2 / HOUR, subject=f"{subject}, {elements:,} elements")


def message_seconds(lines, size):
    """From one rank to another of this machine, between the two measured sizes around it, or as fast as the largest."""
    messages = sorted((line["bytes"], line["send_seconds"]) for line in lines if "send_seconds" in line)
    above = next((message for message in messages if message[0] >= size), messages[-1])
    return above[1] * size / above[0]


def rank_rows(lines):
    """A step in which each of 64 ranks has one sequence: parameters go down a tree, gradients come up."""
    for line in (line for line in lines if "size" in line):
        size = line["size"]
        row_bytes = FLOAT * line["parameters"]
        compute = line["step_seconds"] / SIZES[size].batch
        memory = 2 * DEPTH * message_seconds(lines, row_bytes)
        network = 2 * DEPTH * (ASSUMED_SECONDS + row_bytes / ASSUMED_BYTES_PER_SECOND)
        subject = f"{RANKS} ranks, a sequence each"
        yield Row("scale", size, 1, subject, "computing", "ms", [MILLI * compute])
        yield Row("scale", size, 1, subject, "messages, as here", "ms", [MILLI * memory])
        yield Row("scale", size, 1, subject, "messages, 10 Gbit/s", "ms", [MILLI * network])
        yield Row("scale", size, 1, f"{RANKS} ranks, 10 Gbit/s", "sequences for half", "1", [network / compute])
