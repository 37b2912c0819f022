"""What the machine can do: multiply-adds at most, and the matrix library at a model's own shapes."""
from collections import defaultdict

from .table import Row

GIGA = 1e9


def peak(programs, _, repetitions):
    """The multiply-adds of one core."""
    found = [programs.peak() for _ in range(repetitions)]
    name = f"multiply-add, {found[0]['instruction_set']}"
    yield Row("peak", "", 1, name, "speed", "GFLOP/s", [one["flops_per_second"] / GIGA for one in found])


def sgemm(programs, sizes, repetitions):
    """Each product of a model's weights as a share of the peak that was measured right before it; its speed goes to the CSV."""
    for size in sizes:
        speeds, shares = defaultdict(list), defaultdict(list)
        for _ in range(repetitions):
            most = programs.peak()["flops_per_second"]
            for subject, speed in products(programs.gemm(size)):
                speeds[subject].append(speed / GIGA)
                shares[subject].append(100 * speed / most)
        for subject in speeds:
            yield Row("sgemm", size, 1, subject, "speed", "GFLOP/s", speeds[subject], printed=False)
            yield Row("sgemm", size, 1, subject, "share of peak", "%", shares[subject])


def products(lines):
    """(subject, FLOPs per second) of every call."""
    for line in lines:
        subject = f"{line['weight']} {line['product'].replace('_', ' ')}"
        yield subject, line["gemm"]
        if "fused" in line:
            yield f"{subject}, fused", line["fused"]
