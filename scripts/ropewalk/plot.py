"""Command line of scripts/plot."""
import argparse
import sys
from pathlib import Path

from .figures.extrapolation import METRIC, METRICS, PROTOCOL, PROTOCOLS, extrapolation_figure
from .inspection import read_inspection
from .figures.inspection import figures
from .runs import InputError, UsageError, find_experiment, finished, read_runs
from .figures.style import save
from .figures.training import training_figure


def parser():
    top = argparse.ArgumentParser(prog="scripts/plot", description="Draws runs of a results folder, or a scheme, as PNG and SVG.")
    commands = top.add_subparsers(dest="figure", required=True, metavar="FIGURE")
    extrapolation = commands.add_parser("extrapolation", help="a metric against the evaluated length")
    extrapolation.add_argument("--metric", choices=METRICS, default=METRIC, help=f"default {METRIC}")
    extrapolation.add_argument("--protocol", choices=PROTOCOLS, default=PROTOCOL, help=f"default {PROTOCOL}")
    training = commands.add_parser("training", help="training loss against steps")
    for figure, stem in ((extrapolation, "DIR/extrapolation[-METRIC][-PROTOCOL]"), (training, "DIR/training")):
        figure.add_argument("directory", type=Path, metavar="DIR", help="an experiment's folder, such as results/quickstart")
        figure.add_argument("--output", type=Path, metavar="STEM", help=f"writes STEM.png and STEM.svg; default: {stem}")
    inspect = commands.add_parser("inspect", help="what a positional scheme does, from a file of `ropewalk inspect`")
    inspect.add_argument("file", type=Path, metavar="FILE", help="what `ropewalk inspect` wrote")
    inspect.add_argument("--output", type=Path, metavar="PREFIX",
                         help="writes PREFIX-embedding.png and so on; default: FILE less its suffix")  # fmt: skip
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


def draw_results(arguments):
    """Paths of the figure of an experiment."""
    experiment = find_experiment(arguments.directory)
    return save(draw(experiment, arguments), arguments.output or default_stem(experiment, arguments))


def draw_scheme(arguments):
    """Paths of the figures of a scheme."""
    prefix = arguments.output or arguments.file.with_suffix("")
    drawn = figures(read_inspection(arguments.file))
    return [path for name, figure in drawn.items() for path in save(figure, prefix.with_name(f"{prefix.name}-{name}"))]


def main(arguments=None):
    """Exit code: 0 done, 2 usage, 3 nothing to draw or nowhere to write."""
    arguments = parser().parse_args(arguments)
    try:
        for path in draw_scheme(arguments) if arguments.figure == "inspect" else draw_results(arguments):
            print(path)
    except UsageError as error:
        print(f"plot: {error}", file=sys.stderr)
        return 2
    except (InputError, OSError) as error:
        print(f"plot: {error}", file=sys.stderr)
        return 3
    return 0
