"""Command line of scripts/plot."""
import argparse
import sys
from pathlib import Path

from .figures.attention import attention_figure
from .figures.bases import bases_figure
from .figures.extrapolation import METRIC, PROTOCOL, extrapolation_figure
from .figures.inspection import figures
from .figures.position import position_figure
from .figures.style import COLUMNS, FORMATS, WIDTHS, parse_formats, save
from .figures.sweep import read_sweep
from .figures.training import training_figure
from .inspection import read_inspection
from .metrics import METRICS, PROTOCOLS
from .output import output_path, say
from .runs import InputError, UsageError

FIGURES = {  # of an experiment: name: (what draws a sweep, the options it takes, help)
    "extrapolation": (extrapolation_figure, ("metric", "protocol", "step", "relative"), "a metric against the evaluated length"),
    "position": (position_figure, ("length",), "loss by position in the windows of one evaluated length"),
    "bases": (bases_figure, ("metric", "protocol", "step"), "a sweep of bases as a heat map, and the base that each length needs"),
    "attention": (attention_figure, (), "entropy and mean distance of attention by layer and head"),
    "training": (training_figure, (), "training loss against steps"),
}
OPTIONS = {
    "metric": {"choices": METRICS, "default": METRIC, "help": f"default {METRIC}"},
    "protocol": {"choices": PROTOCOLS, "default": PROTOCOL, "help": f"default {PROTOCOL}"},
    "step": {"type": int, "metavar": "N",
             "help": "after N optimizer steps, of all runs evaluated then; default: the last evaluation of those that are done"},
    "relative": {"action": "store_true", "default": False,
                 "help": "lengths as multiples of the trained one, the metric over its value there, run by run"},
    "length": {"type": int, "metavar": "N", "help": "evaluated length, tokens; default: the longest"},
}  # fmt: skip


def parser():
    top = argparse.ArgumentParser(prog="scripts/plot", description="Draws the runs of an experiment, or a scheme, for papers.")
    commands = top.add_subparsers(dest="figure", required=True, metavar="FIGURE")
    for name, (_, options, help) in FIGURES.items():
        figure = commands.add_parser(name, help=help, description=help)
        figure.add_argument("directory", type=Path, metavar="DIR", help="an experiment's folder, such as results/quickstart")
        for option in options:
            figure.add_argument(f"--{option}", **OPTIONS[option])
        add_choice_of_runs(figure)
        add_output(figure, "STEM", f"DIR/{name}{''.join(f'[-{option_name(option)}]' for option in options)}")
    inspect = commands.add_parser("inspect", help="what a positional scheme does, from a file of `ropewalk inspect`")
    inspect.add_argument("file", type=Path, metavar="FILE", help="what `ropewalk inspect` wrote")
    add_output(inspect, "PREFIX", "FILE less its suffix; writes PREFIX-embedding.png and so on")
    return top


def option_name(option):
    """In the name of a file: that of the value, or of a flag."""
    return option if "action" in OPTIONS[option] else option.upper()


def add_choice_of_runs(figure):
    figure.add_argument("--where", action="append", default=[], metavar="CONDITION",
                        help="runs that meet it, such as 'model.position.base>1000'; repeatable: all must be met")  # fmt: skip
    figure.add_argument("--only", action="append", default=[], metavar="GLOB",
                        help="runs whose whole id it fits, as '*rope*' does; repeatable: one must fit")  # fmt: skip
    figure.add_argument("--tag", action="append", default=[], metavar="TAG", help="runs that have it; repeatable: all are needed")


def add_output(figure, name, default):
    figure.add_argument("--output", metavar=name, help=f"default: {default}")
    figure.add_argument("--format", default=",".join(FORMATS), metavar="LIST", help=f"of {', '.join(FORMATS)}; default: all")
    widths = " or ".join(f"{columns} ({width} in)" for columns, width in WIDTHS.items())
    figure.add_argument("--columns", type=int, choices=WIDTHS, default=COLUMNS, help=f"of a page: {widths}; default {COLUMNS}")


def default_stem(folder, arguments):
    """In the experiment's folder, another name for each choice of options."""
    _, options, _ = FIGURES[arguments.figure]
    values = {option: getattr(arguments, option) for option in options}
    chosen = {option: value for option, value in values.items() if value != OPTIONS[option].get("default")}
    return folder / "-".join([arguments.figure, *(option if value is True else str(value) for option, value in chosen.items())])


def stem_of(arguments, default):
    """Where the figures go. Raises UsageError for what names no file."""
    return default if arguments.output is None else output_path(arguments.output)


def draw_results(arguments):
    """(paths of the figure of an experiment, whether a file could not be read)."""
    draw, options, _ = FIGURES[arguments.figure]
    formats = parse_formats(arguments.format)
    sweep = read_sweep(arguments.directory, arguments.only, arguments.tag, arguments.where)
    for trouble in sweep.troubles():
        print(f"plot: {trouble}", file=sys.stderr)
    figure = draw(sweep, columns=arguments.columns, **{option: getattr(arguments, option) for option in options})
    return save(figure, stem_of(arguments, default_stem(sweep.folder, arguments)), formats), bool(sweep.damaged)


def draw_scheme(arguments):
    """(paths of the figures of a scheme, False: the file was read)."""
    prefix = stem_of(arguments, arguments.file.with_suffix(""))
    formats = parse_formats(arguments.format)
    drawn = figures(read_inspection(arguments.file), arguments.columns)
    paths = [save(figure, prefix.with_name(f"{prefix.name}-{name}"), formats) for name, figure in drawn.items()]
    return [path for its_paths in paths for path in its_paths], False


def main(arguments=None):
    """Exit code: 0 done, 2 usage, 3 nothing to draw, nowhere to write, or a damaged file beside what was drawn."""
    arguments = parser().parse_args(arguments)
    try:
        paths, is_damaged = draw_scheme(arguments) if arguments.figure == "inspect" else draw_results(arguments)
        say(*paths)
    except UsageError as error:
        print(f"plot: {error}", file=sys.stderr)
        return 2
    except (InputError, OSError) as error:
        print(f"plot: {error}", file=sys.stderr)
        return 3
    return 3 if is_damaged else 0
