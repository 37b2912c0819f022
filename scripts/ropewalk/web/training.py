"""Training curves with a bounded number of points."""
import numpy as np

from .numbers import plain

QUANTITIES = {
    "loss": "training loss, nats per scored {token}",
    "gradient_norm": "norm of the gradient before clipping",
    "rate": "learning rate",
}
MOST_POINTS = 300  # of a run
ALL_POINTS = 30_000  # of a page, as far as `FEWEST_POINTS` allow
FEWEST_POINTS = 50


def points_for(runs):
    """How many points a run may have."""
    return int(np.clip(ALL_POINTS // max(1, len(runs)), FEWEST_POINTS, MOST_POINTS))


def quantities_of(runs, token):
    found = {name for run in runs for name in QUANTITIES if np.size(run.train.get(name, ())) > 0}
    return [{"name": name, "title": title.format(token=token)} for name, title in QUANTITIES.items() if name in found]


def curve(run, points):
    """{"step": [B], "loss": [mean] or [mean, least, greatest], each [B], …} over B ≤ points pieces of neighbouring steps; a
    point stands at the last step of its piece. {} if nothing is recorded."""
    steps = run.train["step"]
    if len(steps) == 0:
        return {}
    starts = np.unique(np.linspace(0, len(steps), min(points, len(steps)) + 1).astype(int))
    ends = starts[1:]
    found = {"step": [int(step) for step in steps[ends - 1]]}
    for name in QUANTITIES:
        if name in run.train:
            found[name] = pieces(run.train[name], starts[:-1], ends - starts[:-1])
    return found


def pieces(values, starts, sizes):
    """[mean], and least and greatest where a piece has more than one value; values that are none are left out of the latter."""
    with np.errstate(invalid="ignore"):
        mean = np.add.reduceat(values, starts) / sizes
    if sizes.max() == 1:
        return [plain(mean)]
    return [plain(mean), plain(np.fmin.reduceat(values, starts)), plain(np.fmax.reduceat(values, starts))]
