"""Writes run.h5 files that look like what `ropewalk run` leaves, with made-up numbers."""
import h5py
import numpy as np
import yaml

LENGTHS = [64, 128, 256, 512, 1024]


def config(position, seed=0, length=64, **task):
    """A resolved config, as far as the analysis reads it."""
    return {
        "name": "synthetic",
        "seed": seed,
        "task": {"kind": "text", "corpus": "data/kjv.txt", "tokens": "bytes", **task},
        "model": {"position": position},
        "train": {"length": length, "optimizer": {"epsilon": 1e-8}},
        "evaluate": {"lengths": LENGTHS},
    }


def write_run(path, config, perplexity=None, status="done", logged=200):
    """perplexity [E] of the one evaluation and protocol; None: not evaluated yet, S = 0."""
    path.parent.mkdir(parents=True, exist_ok=True)
    evaluated = 0 if perplexity is None else 1
    values = np.reshape(perplexity if evaluated else [], (evaluated, 1, len(LENGTHS))).astype(float)
    steps = 10 * np.arange(1, logged + 1)
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "ropewalk-run", "format_version": 1, "status": status, "config": yaml.safe_dump(config)})
        file["train/step"] = steps
        file["train/loss"] = 1.5 + 4 * np.exp(-steps / 300) + 0.05 * np.random.default_rng(config["seed"]).normal(size=logged)
        file["evaluate/step"] = np.full(evaluated, 2000)
        file["evaluate/length"] = LENGTHS
        file.create_dataset("evaluate/protocol", data=["nonoverlapping"], dtype=h5py.string_dtype())
        file["evaluate/perplexity"] = values
        file["evaluate/loss"] = np.log(values)


def write_sweep(folder, seeds=2):
    """A sweep in which alibi holds and the others break, as in the literature; learned has no value beyond its table."""
    growth = {"none": 0.35, "sinusoidal": 1.1, "rope": 0.8, "alibi": -0.03, "t5": 0.12, "learned": np.nan}
    for kind, rate in growth.items():
        for seed in range(seeds):
            doublings = np.arange(len(LENGTHS))
            perplexity = 4.4 * np.exp(np.where(doublings == 0, 0, rate * doublings**1.2)) * (1 + 0.03 * seed * (1 + doublings))
            write_run(folder / f"{kind}-{seed}" / "run.h5", config({"kind": kind}, seed), perplexity)
