"""How far one run goes beyond its trained length L. Letters: E evaluated lengths, tokens, ascending."""
import numpy as np

EFFECTIVE_LOSS = 1.02  # times the loss at L
GAINED_PERPLEXITY = 1.01  # times the perplexity at L


def ratio(lengths, values, trained):
    """[…, E]: values […, E] over the value at L; NaN without one."""
    at = values[..., lengths == trained]
    return values / (at if at.shape[-1] else np.nan)


def effective_length(lengths, loss, trained):
    """(tokens, whether it is a lower bound): the largest evaluated length from L on whose loss [E], nats, is at most 1.02 times
    that at L; a bound if it is the longest evaluated. (NaN, False) without a loss at L."""
    served = lengths[(lengths >= trained) & (loss <= EFFECTIVE_LOSS * _at(lengths, loss, trained))]
    return (float(served[-1]), bool(served[-1] == lengths[-1])) if len(served) else (np.nan, False)


def tokens_gained(lengths, loss, trained):
    """(tokens, whether it is a lower bound): how far past L perplexity stays within 1.01 times that at L, walking up the lengths.
    Between two of them log-perplexity, the loss [E] in nats, is taken as linear in log length. A bound if the walk ends, at the
    longest length or before a missing loss, without passing. (NaN, False) without a loss at L."""
    most = np.log(GAINED_PERPLEXITY) + _at(lengths, loss, trained)
    if np.isnan(most):
        return np.nan, False
    walk = lengths >= trained
    lengths, loss = lengths[walk].astype(float), loss[walk]
    for place in range(1, len(lengths)):
        if np.isnan(loss[place]):
            return lengths[place - 1] - trained, True
        if loss[place] > most:
            share = (most - loss[place - 1]) / (loss[place] - loss[place - 1])
            return lengths[place - 1] * (lengths[place] / lengths[place - 1]) ** share - trained, False
    return lengths[-1] - trained, True


def area(lengths, values, trained):
    """The area under values [E] against log2 length from L to the longest, by trapezoids, a doubling: a mean of the values. NaN
    without a value at L, or if any from there on is missing, or if L is the longest."""
    beyond = lengths >= trained
    if np.isnan(_at(lengths, values, trained)) or np.count_nonzero(beyond) < 2:
        return np.nan
    doublings, values = np.log2(lengths[beyond]), values[beyond]
    return float(np.sum(np.diff(doublings) * (values[1:] + values[:-1]) / 2) / (doublings[-1] - doublings[0]))


def _at(lengths, values, trained):
    """The value at L; NaN if it is missing or infinite: nothing can be compared with that."""
    found = values[lengths == trained]
    return found[0] if len(found) and np.isfinite(found[0]) else np.nan
