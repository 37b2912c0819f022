"""Loss by index in the window, averaged over bins of indices: index by index it is noise."""
import numpy as np

BINS_PER_DOUBLING = 4


def bins(length):
    """Edges of bins of indices 0 … length − 1, each 2^(1/4) times as wide as the one before, and at least one index. Half the
    length, a quarter of it and so on are edges, so that few bins mix positions within the trained length with those beyond."""
    downwards = length * 2 ** (-np.arange(BINS_PER_DOUBLING * np.log2(length) + 1) / BINS_PER_DOUBLING)
    return np.unique([0, *np.round(downwards).astype(int)])


def scored_by_bin(run, length):
    """[bins]: scored tokens by bin of indices in the windows of an evaluated length, of one evaluation."""
    row = list(run.lengths).index(length)
    return np.add.reduceat(run.evaluate["position_count"][row, :length], bins(length)[:-1])


def binned(run, length):
    """[bins]: mean loss, nats per scored token, by bin of indices in the windows of an evaluated length."""
    row = list(run.lengths).index(length)
    counts = run.evaluate["position_count"][row, :length].astype(float)
    losses = np.where(counts > 0, run.evaluate["position_loss"][row, :length], 0)
    starts = bins(length)[:-1]
    scored = scored_by_bin(run, length)
    with np.errstate(invalid="ignore"):
        return np.add.reduceat(losses * counts, starts) / scored
