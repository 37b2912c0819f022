"""Writes files that look like what `ropewalk inspect` leaves, with the parts that are asked for."""
import h5py
import numpy as np
import yaml

HEADS, LENGTH, WIDTH, PAIRS = 3, 12, 6, 4


def write_inspection(path, position, parts=(), kind="decoder", step=0, length=LENGTH):
    """parts: of "embedding", "rotation", "grid" (a rotation by rows and columns), "bias" and "slopes"."""
    config = {"name": "synthetic", "model": {"kind": kind, "position": position}, "train": {"length": 8}}
    hidden = np.tri(length) if kind == "decoder" else np.ones((length, length))
    random = np.random.default_rng(1)
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "ropewalk-inspect", "format_version": 1, "config": yaml.safe_dump(config),
                           "length": length, "trained_length": 8, "step": step})  # fmt: skip
        file["token_embedding"] = random.normal(size=(length, WIDTH)) / 50
        added = np.sin(np.arange(length)[:, None] * np.ones(WIDTH)) if "embedding" in parts else 0
        if "embedding" in parts:
            file["embedding"] = added
        file["sum"] = file["token_embedding"][()] + added
        if "rotation" in parts or "grid" in parts:
            write_rotation(file, length, grid="grid" in parts)
        distance = np.subtract.outer(np.arange(length), np.arange(length))
        slopes = 0.5 ** np.arange(1, HEADS + 1)
        if "slopes" in parts:
            file["slopes"] = slopes
        if "bias" in parts:
            file["bias"] = -slopes[:, None, None] * np.abs(distance) * hidden
        scores = random.normal(size=(HEADS, length, length)) * hidden
        weights = np.exp(scores) * hidden
        file["scores"] = scores
        file["weights"] = weights / weights.sum(-1, keepdims=True)
    return path


def write_rotation(file, length, grid):
    frequency = np.tile(10.0 ** -np.arange(PAIRS // 2), 2) if grid else 10.0 ** -np.arange(PAIRS)
    angle = np.arange(length)[:, None] * frequency
    file["rotation/cos"], file["rotation/sin"] = np.cos(angle), np.sin(angle)
    file["rotation/frequency"], file["rotation/wavelength"] = frequency, 2 * np.pi / frequency
    lengths = {"trained_length": 2, "length": 3} if grid else {"trained_length": 8, "length": length}
    width = PAIRS if grid else 2 * PAIRS
    file["rotation"].attrs.update({"layout": "half", "base": 100.0, "width": width, "critical_dimension": 2, **lengths})
