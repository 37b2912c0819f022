#!/usr/bin/env python3
"""Computes every case of a dump of the engine's positional schemes again, and holds the draws of its samplers to their rules.

    check_positional.py DUMP.h5    exit 0: all agree; 1: one does not; 3: the dump cannot be read; 77: no PyTorch

/cases/<name>
  attributes  position (YAML of the resolved model.position), causal, heads, width, trained (tokens), type (f32 or f64)
  inputs      tokens [B,T], positions [S,T] (S: 1 or B), x [B,T,D] (input of the embedding and of the attention layer),
              qkv [B,T,3D] (not rotated), probe [B,T,D], parameters/<symbol>; optional: offset [B] (of abacus), digits and
              separators (ids of the tokens that the task marks)
  results     embedding [B,T,D] (where the scheme adds to it), scores, weights [B,H,T,T] (0 where masked), output [B,T,D], and
              gradient/qkv, gradient/x, gradient/parameters/<symbol> of sum(output * probe) + sum(embed(x) * probe)
  optional    rotation/cos, rotation/sin [S,T,pairs] as they multiply queries, rotation/frequency [pairs],
              bias [H,T,T] or [B,H,T,T] (0 where masked)
/samplers/<name>
  attributes  positions (YAML of the resolved model.positions), training
  dataset     positions [N,T], a draw a row

Errors are relative to the largest magnitude of the quantity, or absolute where that is below 1; 1e-10 is allowed in f64 and 1e-5
in f32. Two exceptions in f32, whose formulas f64 holds as tightly as all others: the gradient of a parameter sums up to 10^6 terms
that nearly cancel, and is allowed 5e-5; that of CoPE jumps where a position passes a whole number, which may be on either side of
it in f32, and is not compared beyond 100 tokens.
"""
import sys

from peers import load_parameters, read_group, require_torch

torch = require_torch()
import h5py
import numpy as np
import yaml
from position import Sequence, Shape
from positional import attend, hidden, make_position
from ropewalk.config import load_config
from ropewalk.runs import InputError
from samplers import check_sampler

TOLERANCES = {"f64": 1e-10, "f32": 1e-5}
STANDARD_ERRORS = 5
INPUTS = ("tokens", "positions", "x", "qkv", "probe", "offset", "digits", "separators")
OPTIONAL = ("rotation/cos", "rotation/sin", "rotation/frequency", "bias")
PARAMETERS = "gradient/parameters/"
COLUMNS = ("embedding", "scores", "weights", "output", "rotation/cos", "rotation/sin", "rotation/frequency", "bias",
           "gradient/qkv", "gradient/x", PARAMETERS)  # fmt: skip
HEADINGS = ("embedding", "scores", "weights", "output", "cos", "sin", "frequency", "bias", "d qkv", "d x", "d param.")


def evaluate(arrays, attributes):
    """{quantity: array}: everything that a case may hold, from its inputs. Optional ones are absent where the scheme has none."""
    as_double = lambda name: torch.as_tensor(arrays[name], dtype=torch.float64)
    whole = lambda values: torch.as_tensor(np.asarray(values), dtype=torch.long)
    shape = Shape(*(int(attributes[name]) for name in ("heads", "width", "causal", "trained")))
    position = make_position(load_config(attributes["position"]), shape).double()
    learned = {name.removeprefix("parameters/"): array for name, array in arrays.items() if name.startswith("parameters/")}
    load_parameters(position, learned)
    parameters = dict(position.named_parameters())
    x, qkv, probe = as_double("x").requires_grad_(), as_double("qkv").requires_grad_(), as_double("probe")
    marks = {name: tuple(whole(arrays.get(name, [])).tolist()) for name in ("digits", "separators")}
    sequence = Sequence(whole(arrays["tokens"]), as_double("positions"), x, shift=whole(arrays.get("offset", [0])), **marks)
    with torch.enable_grad():
        added = position.embed(sequence)
        heads = (part.unflatten(-1, (shape.heads, -1)).transpose(1, 2) for part in qkv.chunk(3, dim=-1))
        scores, weights, output = attend(position, *heads, sequence)
        output = output.transpose(1, 2).flatten(-2)
        total = (output * probe).sum() + ((x if added is None else x + added) * probe).sum()
        wanted = [qkv, x, *parameters.values()]
        gradients = torch.autograd.grad(total, wanted, allow_unused=True)
    gradients = [torch.zeros_like(of) if gradient is None else gradient for of, gradient in zip(wanted, gradients)]
    names = ["gradient/qkv", "gradient/x", *(PARAMETERS + name for name in parameters)]
    masked = hidden(shape, sequence.length)
    results = {"scores": scores.masked_fill(masked, 0), "weights": weights, "output": output, **dict(zip(names, gradients))}
    if added is not None:
        results["embedding"] = added.expand_as(x)
    if (rotation := position.rotation(sequence)) is not None:
        results.update(zip(OPTIONAL, rotation))
    if (bias := position.bias(sequence)) is not None:
        results["bias"] = bias.expand_as(scores).masked_fill(masked, 0)
    return {name: result.detach().numpy() for name, result in results.items()}


def largest_error(name, actual, expected):
    if name == "bias" and actual.shape == expected.shape[1:]:  # one for the whole batch
        actual = np.broadcast_to(actual, expected.shape)
    if actual.shape != expected.shape:
        raise InputError(f"{name}: expected {list(expected.shape)}, got {list(actual.shape)}")
    error = np.abs(actual - expected).max(initial=0) / max(1.0, np.abs(expected).max(initial=0))
    return error if np.isfinite(error) else np.inf


def compare(arrays, attributes):
    """{quantity: largest error} of a case. Infinite where the engine has something that the scheme does not have."""
    expected = evaluate(arrays, attributes)
    results = [name for name in arrays if name not in INPUTS and not name.startswith("parameters/")]
    if missing := [name for name in expected if name not in arrays and name not in OPTIONAL]:
        raise InputError(f"expected dataset {' and '.join(missing)}")
    if unknown := [name for name in results if name not in COLUMNS and not name.startswith(PARAMETERS)]:
        raise InputError(f"unknown dataset {' and '.join(unknown)}")
    return {name: largest_error(name, arrays[name], expected[name]) if name in expected else np.inf for name in results}


def attributes_of(group):
    """{name: value}, with text as str whether its length is fixed in the file or not."""
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in group.attrs.items()}


def tolerance(quantity, attributes, length):
    """What is allowed of a quantity: see above."""
    if attributes["type"] == "f32" and quantity.startswith("gradient/"):
        if "cope" in attributes["position"] and length > 100:
            return np.inf
        return 5e-5 if quantity.startswith(PARAMETERS) else TOLERANCES["f32"]
    return TOLERANCES[attributes["type"]]


def check_case(name, group):
    """Prints a line. Whether everything agrees."""
    attributes = attributes_of(group)
    arrays = read_group(group)
    errors = compare(arrays, attributes)
    length = arrays["tokens"].shape[1]
    cells = []
    for column in COLUMNS:
        of_column = [error for quantity, error in errors.items() if column in (quantity, quantity[: len(PARAMETERS)])]
        cells.append(f"{max(of_column):10.1e}" if of_column else f"{'-':>10}")
    wrong = [quantity for quantity, error in errors.items() if error > tolerance(quantity, attributes, length)]
    print(f"{name:<40}{attributes['type']:>4}{''.join(cells)}{'  MISMATCH ' + ', '.join(wrong) if wrong else ''}")
    return not wrong


def check_draws(name, group):
    """Prints a line. Whether the draws obey the sampler's rules."""
    attributes = attributes_of(group)
    checks = check_sampler(load_config(attributes["positions"]), bool(attributes["training"]), group["positions"][()])
    wrong = [what for what, missed in checks if not missed <= STANDARD_ERRORS]
    worst = max(missed for _, missed in checks)
    print(f"{name:<40}{len(checks):>8}{worst:>16.2f}{'  MISMATCH ' + ', '.join(wrong) if wrong else ''}")
    return not wrong


def check_each(groups, check):
    """How many are wrong."""
    wrong = 0
    for name, group in groups.items():
        try:
            wrong += not check(name, group)
        except (InputError, LookupError, RuntimeError, TypeError, ValueError, yaml.YAMLError) as error:
            raise InputError(f"{group.name}: {error}") from error
    return wrong


def check_dump(path):
    """(how many cases and samplers agree, how many there are). Raises InputError."""
    with h5py.File(path, "r") as file:
        cases, samplers = file.get("cases", {}), file.get("samplers", {})
        if not cases and not samplers:
            raise InputError("expected group cases or samplers in it, and something in that")
        wrong, count = 0, len(cases) + len(samplers)
        if cases:
            print(f"{'largest error of case':<40}{'type':>4}{''.join(f'{heading:>10}' for heading in HEADINGS)}")
            wrong += check_each(cases, check_case)
        if samplers:
            print(f"{'sampler':<40}{'checks':>8}{'standard errors':>16}")
            wrong += check_each(samplers, check_draws)
    return count - wrong, count


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        agree, count = check_dump(arguments[0])
    except (OSError, InputError) as error:
        print(f"check_positional: {arguments[0]}: {error}", file=sys.stderr)
        return 3
    print(f"{agree} of {count} agree")
    return 0 if agree == count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
