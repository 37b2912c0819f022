#!/usr/bin/env python3
"""Trains the PyTorch peer from the same parameters on the same batches as the program did, and compares every step.

    check_training.py CONFIG STEPS.h5    exit 0: losses and gradient norms agree to 1e-4, relative, and so do parameters; 1: not;
                                         3: a file cannot be read; 77: no PyTorch

CONFIG is a resolved config. STEPS.h5 holds /initial/<name> and /final/<name>, the parameters before and after; /inputs and
/targets [steps,batch,T]; and /loss, /rate, /gradient_norm [steps], the norm before clipping.
"""
import sys
from pathlib import Path

from peers import Table, read_group, require_torch

torch = require_torch()
import h5py
import numpy as np
import yaml
from model import Transformer, summed_loss, vocabulary
from ropewalk.config import load_config

# A gradient this far below the largest of its tensor is rounding noise in f32, which Adam blows up to whole steps: the bias of
# the keys, for one, has no effect on a softmax, so its gradient is zero but for rounding.
NOISE = 1e-6

# And a whole tensor is, where its gradient is this far below the norm of all: a number added to all scores of a row, such as the
# last bias of fire's network, has no effect on a softmax either.
VANISHING = 1e-8

# How far the parameters may end apart: a share of the way they have gone, for that is what training decides, and the rounding of
# f32, which is a share of themselves. Ten steps go about a hundredth of a parameter, so this is stricter than 1e-4 of it.
SHARE_OF_CHANGE = 1e-3
SHARE_OF_PARAMETER = 1e-6


def is_decayed(name):
    """Weights of matrices and the token embedding are; norms, biases and the parameters of positions are not."""
    return not (name.endswith(".bias") or "norm" in name or "position." in name)


def make_optimizer(model, settings):
    """AdamW of Loshchilov and Hutter 2019, as the config asks for it."""
    groups = {True: [], False: []}
    for name, parameter in model.named_parameters():
        groups[is_decayed(name)].append(parameter)
    decay = settings.get("decay", 0.0)
    return torch.optim.AdamW([{"params": groups[True], "weight_decay": decay}, {"params": groups[False], "weight_decay": 0.0}],
                             betas=tuple(settings["betas"]), eps=settings["epsilon"])  # fmt: skip


def backward(model, inputs, targets):
    """Mean loss over the scored tokens, with its gradient left in the parameters."""
    model.zero_grad()
    with torch.enable_grad():
        loss = summed_loss(model(inputs), targets) / (targets >= 0).sum()
        loss.backward()
    return loss.item()


def clip(parameters, limit):
    """The global norm before clipping; gradients are scaled so that it is at most `limit`, if there is a limit."""
    norm = torch.sqrt(sum(parameter.grad.square().sum() for parameter in parameters)).item()
    if limit and norm > limit:
        for parameter in parameters:
            parameter.grad *= limit / norm
    return norm


class Trained:
    """The PyTorch peer after the steps of a file: losses, gradient norms, and which entries had a gradient worth comparing."""

    def __init__(self, config, steps, initial):
        self.model = Transformer(config, vocabulary(config)).double()
        self.model.load(initial)
        self.parameters = dict(self.model.named_parameters())
        self.losses, self.norms = [], []
        self.comparable = {name: torch.ones_like(parameter, dtype=torch.bool) for name, parameter in self.parameters.items()}
        optimizer = make_optimizer(self.model, config["train"]["optimizer"])
        for inputs, targets, rate in zip(steps["inputs"], steps["targets"], steps["rate"]):
            for group in optimizer.param_groups:
                group["lr"] = float(rate)
            self.step(optimizer, torch.as_tensor(inputs).long(), torch.as_tensor(targets).long(), config["train"].get("clip"))

    def step(self, optimizer, inputs, targets, limit):
        self.losses.append(backward(self.model, inputs, targets))
        norm = clip(list(self.parameters.values()), limit)
        self.norms.append(norm)
        clipped = min(norm, limit or norm)
        for name, parameter in self.parameters.items():
            size = parameter.grad.abs()
            is_noise = size.max() < VANISHING * clipped
            self.comparable[name] &= (size == 0) | (size > NOISE * size.max()) & ~is_noise
        optimizer.step()


def compare_parameters(table, trained, initial, final):
    """How far each parameter has gone, ours and theirs, and how far apart they end, over the entries that can be compared."""
    for name, parameter in trained.parameters.items():
        kept = trained.comparable[name]
        start, ours = (torch.as_tensor(arrays[name]).double()[kept] for arrays in (initial, final))
        change = (parameter[kept] - start).norm().item()
        apart = (ours - parameter[kept]).norm().item()
        allowed = SHARE_OF_CHANGE * change + SHARE_OF_PARAMETER * start.norm().item()
        left_out = kept.numel() - int(kept.sum())
        what = f"change of {name}{f' (but {left_out})' if left_out else ''}"
        table.row(what, (ours - start).norm().item(), change, apart / max(change, 1e-12), good=apart <= allowed)
    untouched = [name for name in initial if np.array_equal(initial[name], final[name])]
    if untouched:
        table.failed += 1
        print(f"never trained: {', '.join(untouched)}")


def compare(config, steps, initial, final):
    trained = Trained(config, steps, initial)
    table = Table("step or parameter")
    for index, (loss, norm) in enumerate(zip(trained.losses, trained.norms)):
        table.row(f"step {index + 1} loss", steps["loss"][index], loss)
        table.row(f"step {index + 1} gradient norm", steps["gradient_norm"][index], norm)
    compare_parameters(table, trained, initial, final)
    return table.verdict()


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        config = load_config(Path(arguments[0]).read_text())
        with h5py.File(arguments[1], "r") as file:
            steps = {name: file[name][()] for name in ("inputs", "targets", "loss", "rate", "gradient_norm")}
            initial, final = read_group(file["initial"]), read_group(file["final"])
        return compare(config, steps, initial, final)
    except (OSError, KeyError, ValueError, NotImplementedError, yaml.YAMLError) as error:
        print(f"check_training: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
