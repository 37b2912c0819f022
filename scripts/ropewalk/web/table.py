"""The table of runs: columns, and a row for each run whatever its status."""
import numpy as np

from ..generalization import effective_length, tokens_gained
from .curves import value_of
from .numbers import plain

PERPLEXITY_DIGITS = 9  # significant: a column with a large one still shows them all with the same decimals
FACTS = ("run_id", "parameters", "started", "finished", "start", "tags", "notes", "data", "machine", "software", "source",
         "build", "system", "host")  # fmt: skip


def columns(settings, protocol):
    """[{"title", "kind", "about"}]; kind: how a cell is written, see FORMATS in page/table.js."""
    swept = [(setting["name"], "text", setting["path"]) for setting in settings]
    described = [
        ("run", "text", "the series, named by what differs"),
        ("seed", "whole", "seed"),
        ("status", "text", "running, stopped, done, failed or diverged"),
        ("step", "whole", "optimizer steps done"),
        ("perplexity at trained length", "number", f"last evaluation, {protocol}"),
        ("perplexity at longest", "number", f"last evaluation, {protocol}, longest evaluated length"),
        ("effective length", "bound", "longest evaluated length whose loss is at most 1.02 times that at the trained, tokens"),
        ("gained", "bound", "tokens past the trained length before perplexity is 1.01 times its own there"),
        *swept,
        ("tokens/s", "whole", "tokens trained on by training time, evaluation excluded"),
        ("training, s", "tenths", "seconds of training, evaluation excluded"),
        ("memory, MB", "tenths", "most memory in use at once"),
    ]
    return [dict(zip(("title", "kind", "about"), column)) for column in described]


def cells(run, label, status, values, protocol):
    """One for each of `columns`; values: of the settings that differ. A lower bound is a list of one number."""
    trained, longest = perplexities(run, protocol)
    speed, seconds = speed_of(run)
    memory = run.attributes["peak_bytes"] / 1e6 or None
    found = [trained, longest, *reach(run, protocol)]
    return [label, run.config.get("seed"), status, step_of(run), *found, *values, speed, seconds, plain(memory)]


def evaluated_at(run):
    """The step of the last evaluation; None before one."""
    return int(run.evaluate["step"][-1]) if len(run.evaluate["step"]) else None


def step_of(run):
    """Optimizer steps known to be done."""
    return max((int(steps[-1]) for steps in (run.train["step"], run.evaluate["step"]) if len(steps)), default=0)


def speed_of(run):
    """(tokens per second, seconds) of training; None before a step is recorded."""
    seconds = run.train.get("seconds", ())
    if len(seconds) == 0:
        return None, None
    speed = round(run.train["tokens"][-1] / seconds[-1]) if seconds[-1] > 0 and "tokens" in run.train else None
    return speed, plain(seconds[-1])


def perplexities(run, protocol):
    """(at the trained length, at the longest evaluated); None without a value."""
    values = value_of(run, "perplexity", protocol, None)
    lengths = list(run.lengths)
    at = lambda length: plain(values[lengths.index(length)], PERPLEXITY_DIGITS) if length in lengths else None
    return at(run.trained_length), at(max(lengths, default=None))


def reach(run, protocol):
    """[effective length, tokens gained]; None without a loss at the trained length."""
    loss = value_of(run, "loss", protocol, None)
    found = (measure(run.lengths, loss, run.trained_length) for measure in (effective_length, tokens_gained))
    return [[round(tokens)] if is_bound else None if np.isnan(tokens) else round(tokens) for tokens, is_bound in found]


def facts(run):
    """[[name, text]] for what a row opens."""
    known = ((name, run.attributes.get(name)) for name in FACTS)
    text = lambda value: ", ".join(map(str, value)) if isinstance(value, (list, np.ndarray)) else str(value)
    return [[name.replace("_", " "), text(value)] for name, value in known if value is not None and len(text(value)) > 0]


def config_text(run):
    """As the file has it."""
    return run.attributes["config"]
