"""Command line of scripts/plot."""
import argparse
import sys
from pathlib import Path

from .extrapolation import METRIC, METRICS, PROTOCOL, PROTOCOLS, extrapolation_figure
from .runs import InputError, UsageError, find_experiment, finished, read_runs
from .style import save
from .training import training_figure


def parser():
    top = argparse.ArgumentParser(prog="scripts/plot", description="Draws the runs of a results folder, as PNG and SVG.")
    figures = top.add_subparsers(dest="figure", required=True, metavar="FIGURE")
    extrapolation = figures.add_parser("extrapolation", help="a metric against the evaluated length")
    extrapolation.add_argument("--metric", choices=METRICS, default=METRIC, help=f"default {METRIC}")
    extrapolation.add_argument("--protocol", choices=PROTOCOLS, default=PROTOCOL, help=f"default {PROTOCOL}")
    training = figures.add_parser("training", help="training loss against steps")
    for figure, stem in ((extrapolation, "DIR/extrapolation[-METRIC][-PROTOCOL]"), (training, "DIR/training")):
        figure.add_argument("directory", type=Path, metavar="DIR", help="an experiment's folder, such as results/quickstart")
        figure.add_argument("--output", type=Path, metavar="STEM", help=f"writes STEM.png and STEM.svg; default: {stem}")
    return top


def default_stem(experiment, arguments):
    """In the experiment's folder, another name for each metric and protocol."""
    asked = [] if arguments.figure == "training" else [(arguments.metric, METRIC), (arguments.protocol, PROTOCOL)]
    return experiment / "-".join([arguments.figure, *(choice for choice, default in asked if choice != default)])


def draw(experiment, arguments):
    """The figure asked for, with a line on stderr for each run that is not in it."""
    runs, problems = read_runs(experiment)
    if arguments.figure == "training":
        figure = training_figure(runs)
    else:
        runs, problems = finished(runs, problems)
        figure = extrapolation_figure(runs, arguments.metric, arguments.protocol, left_out=len(problems))
    for problem in problems:
        print(f"plot: {problem}", file=sys.stderr)
    return figure


def main(arguments=None):
    """Exit code: 0 done, 2 usage, 3 nothing to draw or nowhere to write."""
    arguments = parser().parse_args(arguments)
    try:
        experiment = find_experiment(arguments.directory)
        for path in save(draw(experiment, arguments), arguments.output or default_stem(experiment, arguments)):
            print(path)
    except UsageError as error:
        print(f"plot: {error}", file=sys.stderr)
        return 2
    except (InputError, OSError) as error:
        print(f"plot: {error}", file=sys.stderr)
        return 3
    return 0
