"""Training loss against steps, a thin line a run, coloured by series: for seeing whether training went as it should."""
import numpy as np

from matplotlib.ticker import MaxNLocator

from ..runs import InputError
from ..series import group
from .style import line_style, plt

SMOOTHED_SHARE = 0.02  # of the logged points
MARKED_SHARE = 0.125  # of the figure's diagonal, between the markers of a line


def smooth(values):
    """Running mean of values [N] over a fiftieth of them; a window that sticks out at an end shrinks."""
    window = np.ones(max(1, round(SMOOTHED_SHARE * len(values))))
    return np.convolve(values, window, mode="same") / np.convolve(np.ones(len(values)), window, mode="same")


def training_figure(runs):
    """The figure of all runs that logged a training step, whatever their status."""
    runs = [run for run in runs if len(run.train.get("loss", ())) > 0]
    if not runs:
        raise InputError("no run has logged a training step yet; record.every sets how often one is logged")
    all_series = group(runs)
    single_scheme = len({series.scheme for series in all_series}) == 1
    figure, axes = plt.subplots(figsize=(7.2, 4.4))
    for series in all_series:
        style = {**line_style(series, single_scheme), "linewidth": 0.8, "alpha": 0.7, "markersize": 5, "markevery": MARKED_SHARE}
        for index, run in enumerate(series.runs):
            label = series.label if index == 0 else None
            axes.plot(run.train["step"], smooth(run.train["loss"]), label=label, **style)
    axes.set_xlabel("step")
    axes.set_ylabel("training loss, nats per scored token")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(f"{runs[0].config['name']}: training loss", loc="left")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    caption = f"A line a seed; running mean over {SMOOTHED_SHARE:.0%} of the logged steps."
    axes.annotate(caption, (0, -0.16), xycoords="axes fraction", va="top", fontsize=8, color="0.3")
    return figure
