"""How the series of a sweep do beyond the length they were trained on."""
import numpy as np
import pandas

from . import generalization
from .runs import UsageError
from .statistics import intervals

METRIC = "perplexity"  # unless another is asked for
PROTOCOL = "nonoverlapping"
BOUND = "≥"


def extrapolation(results, metric=METRIC, protocol=PROTOCOL, step=None):
    """A tidy pandas table, a row an estimate, of the last evaluation of the runs that are done, or, if a step is given, of the
    evaluation at that step of all runs that have it.

    Columns: label, of the series; quantity; length, evaluated, tokens, NaN for a quantity of the whole run; mean, low and high
    over seeds, as `ropewalk.interval` gives them; seeds, how many have a value; bound, "≥" if the mean is a lower bound.
    Quantities:

    metric (by its name, such as perplexity), by length
    ratio             the metric over its value at the trained length L, by length
    effective_length  the largest evaluated length >= L with a loss of at most 1.02 times that at L, tokens
    tokens_gained     tokens past L before perplexity passes 1.01 times that at L, tokens
    area              the metric's mean a doubling of the length, from L to the longest evaluated

    All are worked out for each run, then over the seeds that have them. Raises UsageError if no run is done, or none has the
    metric, the protocol or the step."""
    groups = list(measures(results, metric, protocol, step).groupby(["label", "quantity", "length"], sort=False, dropna=False))
    estimates = intervals([group.value.to_numpy() for _, group in groups])
    rows = [(*key, *estimate, BOUND if group.bound.any() else "") for (key, group), estimate in zip(groups, estimates)]
    return pandas.DataFrame(rows, columns=["label", "quantity", "length", "mean", "low", "high", "seeds", "bound"])


def measures(results, metric=METRIC, protocol=PROTOCOL, step=None):
    """A tidy pandas table of the same quantities for each run: label, seed, quantity, length, value, bound (whether the value is
    a lower bound). Quantities that a run has not are left out."""
    if step is None and not len(results.done):
        raise UsageError(f"no run is done yet: {results.summary()}; an earlier step can be asked for")
    results = results.done if step is None else results
    data = chosen(results.evaluation(step), metric, protocol)
    values, loss = data[metric].values, data.loss.values
    order = list(results.labels)
    rows = []
    for place in sorted(range(len(results)), key=lambda place: order.index(results.headers[place].run_id)):
        header = results.headers[place]
        lengths = np.sort(header.axis("evaluate", "length"))
        own = np.searchsorted(data.length.values, lengths)
        tell = (results.labels[header.run_id], header.settings.get("seed", np.nan))
        trained = trained_length(header, data.stage.values[place])
        of_run = run_measures(metric, lengths, values[place, own], loss[place, own], trained)
        rows += [(*tell, *row) for row in of_run]
    return pandas.DataFrame(rows, columns=["label", "seed", "quantity", "length", "value", "bound"])


def trained_length(header, stage):
    """What a run was trained on in that stage, from 1; in the last one if it was not evaluated, which is NaN. Tokens."""
    return header.trained_length if np.isnan(stage) else header.trained_lengths[int(stage) - 1]


def chosen(data, metric, protocol):
    """The evaluation under one protocol. Raises UsageError if these runs lack it or the metric."""
    known = [name for name in data.data_vars if "length" in data[name].dims]
    if metric not in known:
        raise UsageError(f"metric: expected one of {', '.join(known)}, which these runs have, got '{metric}'")
    if protocol not in data.protocol:
        raise UsageError(f"protocol: expected one of {', '.join(data.protocol.values)}, which these runs have, got '{protocol}'")
    return data.sel(protocol=protocol)


def run_measures(metric, lengths, values, loss, trained):
    """Rows (quantity, length, value, bound) of one run."""
    relative = generalization.ratio(lengths, values, trained)
    whole = {
        "effective_length": generalization.effective_length(lengths, loss, trained),
        "tokens_gained": generalization.tokens_gained(lengths, loss, trained),
        "area": (generalization.area(lengths, values, trained), False),
    }
    rows = [
        *((metric, length, value, False) for length, value in zip(lengths, values)),
        *(("ratio", length, value, False) for length, value in zip(lengths, relative)),
        *((quantity, np.nan, *value) for quantity, value in whole.items()),
    ]
    return [row for row in rows if not np.isnan(row[2])]
