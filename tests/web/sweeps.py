"""Synthetic sweeps with everything that the page shows: see tests/python/synthetic.py."""
import sys
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from synthetic import LENGTHS, config, write, write_run, write_scale

SCHEMES = ("rope", "alibi", "sinusoidal", "none")


def write_page_run(folder, position, seed, *, rate=2e-3, growth=0.3, logged=200, status="done", attention=False, **attributes):
    """A run that was evaluated and recorded its loss by position; growth: of the loss, in nats a doubling."""
    made = config(position, seed)
    made["train"]["optimizer"]["rate"] = rate
    name = "-".join(map(str, [*position.values(), rate, seed]))
    doublings = np.arange(len(LENGTHS))
    perplexity = 4.4 * np.exp(growth * doublings) * (1 + 0.02 * seed) if status == "done" else None
    path = folder / name / "run.h5"
    write_run(path, made, perplexity, status, logged)
    with h5py.File(path, "a") as file:
        file.attrs.update(attributes)
        if perplexity is not None:
            write_positions(file, growth)
        if attention:
            write_attention(file)
    return path


def write_positions(file, growth):
    index = np.arange(max(LENGTHS))
    loss = 1.5 + 2 / (1 + index) + growth * np.log2(1 + index / LENGTHS[0])
    inside = index < np.array(LENGTHS)[:, None]
    write_scale(file, "evaluate/position", index, "tokens")
    write(file, "evaluate/position_loss", np.where(inside, loss, np.nan), ["length", "position"], "nats per token")
    write(file, "evaluate/position_count", np.where(inside, 64, 0), ["length", "position"], "tokens")


def write_attention(file, layers=2, heads=2):
    for name, count in (("layer", layers), ("head", heads)):
        write_scale(file, f"attention/{name}", np.arange(count), "1")
    write_scale(file, "attention/length", LENGTHS, "tokens")
    far = np.arange(1, layers * heads + 1).reshape(layers, heads, 1) / (2 * layers * heads) * np.array(LENGTHS)
    write(file, "attention/mean_distance", far, ["layer", "head", "length"], "tokens")
    write(file, "attention/entropy", np.log(far), ["layer", "head", "length"], "nats")


def repeat_evaluation(file, steps):
    """The one evaluation of a file after each of several steps."""
    for name in ("perplexity", "loss"):
        values = np.repeat(file[f"evaluate/{name}"][()], len(steps), axis=0)
        del file[f"evaluate/{name}"]
        file[f"evaluate/{name}"] = values
    del file["evaluate/step"]
    file["evaluate/step"] = np.array(steps)


def write_large_sweep(folder, series=100, seeds=5):
    """series · seeds runs: rope with many bases, and others, under two learning rates."""
    for place in range(series // 2):
        kind = "rope" if place < 35 else SCHEMES[1 + place % 3]
        position = {"kind": kind, "base": float(round(10 ** (2 + place / 10)))}
        for rate in (1e-3, 2e-3):
            for seed in range(seeds):
                write_page_run(folder, position, seed, rate=rate, growth=0.01 * place)
