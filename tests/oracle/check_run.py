#!/usr/bin/env python3
"""Recomputes the non-overlapping loss of finished text runs in PyTorch, from checkpoint.h5 alone, and compares it to run.h5; so it
does with entropy and mean distance of attention, if run.h5 has them.

    check_run.py RUN_DIR...      exit 0: all agree to 1e-4, relative; 1: one does not; 3: a run cannot be read; 77: no PyTorch
"""
import math
import sys
from pathlib import Path

from peers import REPOSITORY, Table, read_group, require_torch

torch = require_torch()
import h5py
import numpy as np
from masking import MASK, chosen
from model import Transformer, summed_loss, vocabulary
from ropewalk.config import last_stage, load_config
from ropewalk.runs import InputError, read_run

LOOKED_AT = 8192  # tokens whose attention run.h5 has the means of; one window at least
SCORES_AT_ONCE = 2**21  # elements of [B,H,T,T] that the dense attention holds; more leaves the cache and is slower


def held_out(config):
    """The first evaluate.tokens bytes of the held-out end of the corpus, int64."""
    path = Path(config["task"]["corpus"])
    path = path if path.exists() else REPOSITORY / path
    if not path.is_file() or config["task"].get("tokens", "bytes") != "bytes":
        raise InputError(f"{path}: expected one text file, read as bytes; nothing else is checked here")
    text = np.fromfile(path, dtype=np.uint8)
    count = math.floor(config["task"]["validation"] * len(text))
    return torch.from_numpy(text[len(text) - count :][: config["evaluate"]["tokens"]].astype(np.int64))


def exercise(config):
    """(inputs, targets) of the held-out tokens but the last: the token that follows, or those masked; -1: not scored."""
    tokens = held_out(config)
    if config["task"]["kind"] == "text":
        return tokens[:-1], tokens[1:]
    masked = torch.from_numpy(chosen(len(tokens), config["task"]["rate"]))
    return tokens.masked_fill(masked, MASK)[:-1], tokens.masked_fill(~masked, -1)[:-1]


def nonoverlapping_loss(model, inputs, targets, length, heads):
    """(mean nats, scored tokens): windows [0,E), [E,2E)…, the ragged rest dropped."""
    windows, rows = len(inputs) // length, rows_at_once(length, heads)
    inputs, targets = (tokens[: windows * length].view(windows, length) for tokens in (inputs, targets))
    total = sum(summed_loss(model(inputs[i : i + rows]), targets[i : i + rows]).item() for i in range(0, windows, rows))
    scored = (targets >= 0).sum().item()
    return total / scored, scored


def attention_means(model, inputs, length, heads):
    """(entropy in nats, distance in tokens), each [layer,head]: means over the queries of the first non-overlapping windows."""
    windows = min(len(inputs) // length, max(1, LOOKED_AT // length))
    inputs, rows = inputs[: windows * length].view(windows, length), rows_at_once(length, heads)
    indices = torch.arange(length)
    away = (indices[:, None] - indices).abs()
    entropy, distance = 0, 0
    for i in range(0, windows, rows):
        model(inputs[i : i + rows])
        weights = torch.stack([block.attention.weights for block in model.blocks]).double()  # [layer,B,H,T,T]
        entropy = entropy + torch.special.entr(weights).sum((1, 3, 4))
        distance = distance + (weights * away).sum((1, 3, 4))
    return entropy / (windows * length), distance / (windows * length)


def rows_at_once(length, heads):
    return max(1, SCORES_AT_ONCE // (heads * length * length))


def read_model(folder, last_step):
    """(model, config) of checkpoint.h5, which must be of the step that was evaluated last."""
    path = folder / "checkpoint.h5"
    try:
        with h5py.File(path, "r") as file:
            step, config = int(file.attrs["step"]), last_stage(load_config((folder / "config.yaml").read_text()))
            model = Transformer(config, vocabulary(config))
            model.load(read_group(file["parameters"]))
    except (OSError, KeyError, ValueError, NotImplementedError) as error:
        raise InputError(f"{path}: {error}") from error
    if step != last_step:
        raise InputError(f"{path}: expected the checkpoint of step {last_step}, the last evaluated one; got step {step}")
    return model.eval(), config


def check_run(folder, table):
    run = read_run(folder / "run.h5")
    if run.status != "done":
        raise InputError(f"{folder}: expected a finished run, got status {run.status}")
    model, config = read_model(folder, int(run.evaluate["step"][-1]))
    inputs, targets = exercise(config)
    place = list(run.evaluate["protocol"]).index("nonoverlapping")
    losses, counts = (run.evaluate[name][-1, place] for name in ("loss", "scored"))
    for length, logged, scored in zip(run.lengths, losses, counts):
        name = f"{folder.name[-30:]} {length}"
        if model.position.skips(int(length)):
            table.row(f"{name} scored (beyond the table)", scored, 0, float(scored != 0 or not math.isnan(logged)))
            continue
        loss, count = nonoverlapping_loss(model, inputs, targets, int(length), config["model"]["heads"])
        table.row(f"{name} loss", logged, loss)
        table.row(f"{name} scored", scored, count)
    check_attention(run, model, inputs, config["model"]["heads"], table)


def check_attention(run, model, inputs, heads, table):
    for e, length in enumerate(run.attention.get("length", [])):
        if model.position.skips(int(length)):
            continue
        means = dict(zip(("entropy", "mean_distance"), attention_means(model, inputs, int(length), heads)))
        for name, expected in means.items():
            for layer, head in np.ndindex(*expected.shape):
                what = f"{length} {name} of layer {layer}, head {head}"
                table.row(what, run.attention[name][layer, head, e], expected[layer, head].item())


def main(folders):
    if not folders:
        print(__doc__, file=sys.stderr)
        return 2
    table = Table("run, length")
    try:
        for folder in folders:
            check_run(Path(folder), table)
    except InputError as error:
        print(f"check_run: {error}", file=sys.stderr)
        return 3
    return table.verdict()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
