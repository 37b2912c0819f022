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


def write_run(path, config, perplexity=None, status="done", logged=200, attributes={}, datasets={}):
    """perplexity [E] of the one evaluation and protocol; None: not evaluated yet, S = 0. attributes and datasets: more of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    evaluated = 0 if perplexity is None else 1
    lengths = config["evaluate"]["lengths"]
    values = np.reshape(perplexity if evaluated else [], (evaluated, 1, len(lengths))).astype(float)
    steps = 10 * np.arange(1, logged + 1)
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "ropewalk-run", "format_version": 1, "status": status, "config": yaml.safe_dump(config),
                           "run_id": path.parent.name, "software": "synthetic", "machine": "none", "parameters": 1000,
                           "started": "2026-01-01T00:00:00Z", "finished": "2026-01-01T00:01:00Z",
                           "peak_bytes": 1 << 20})  # fmt: skip
        write_scale(file, "train/step", steps, "steps")
        write(file, "train/tokens", 100 * steps, ["step"], "tokens")
        write(file, "train/seconds", 0.01 * steps, ["step"], "s")
        noise = 0.05 * np.random.default_rng(config["seed"]).normal(size=logged)
        write(file, "train/loss", 1.5 + 4 * np.exp(-steps / 300) + noise, ["step"], "nats per token")
        write_scale(file, "evaluate/step", np.full(evaluated, 2000), "steps")
        write_scale(file, "evaluate/protocol", np.array(["nonoverlapping"], dtype=h5py.string_dtype()), "1")
        write_scale(file, "evaluate/length", lengths, "tokens")
        write(file, "evaluate/perplexity", values, ["step", "protocol", "length"], "1")
        write(file, "evaluate/loss", np.log(values), ["step", "protocol", "length"], "nats per token")
        file.attrs.update(attributes)
        for name, data in datasets.items():
            file[name] = data


def write_scale(file, name, labels, units):
    file[name] = labels
    file[name].make_scale(name.rpartition("/")[2])
    file[name].attrs["units"] = units


def write(file, name, values, axes, units):
    """A dataset over scales of its group."""
    file[name] = values
    file[name].attrs["units"] = units
    for place, axis in enumerate(axes):
        file[name].dims[place].attach_scale(file[f"{name.rpartition('/')[0]}/{axis}"])


def write_sweep(folder, seeds=2):
    """A sweep in which alibi holds and the others break, as in the literature; learned has no value beyond its table."""
    growth = {"none": 0.35, "sinusoidal": 1.1, "rope": 0.8, "alibi": -0.03, "t5": 0.12, "learned": np.nan}
    for kind, rate in growth.items():
        for seed in range(seeds):
            doublings = np.arange(len(LENGTHS))
            perplexity = 4.4 * np.exp(np.where(doublings == 0, 0, rate * doublings**1.2)) * (1 + 0.03 * seed * (1 + doublings))
            write_run(folder / f"{kind}-{seed}" / "run.h5", config({"kind": kind}, seed), perplexity)
