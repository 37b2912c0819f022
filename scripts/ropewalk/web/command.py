"""Command line of scripts/report."""
import argparse
import sys
from pathlib import Path

from ..output import output_path, replace_file, say
from ..runs import InputError, UsageError
from .content import content
from .page import page
from .sweep import read_sweep

DESCRIPTION = """Shows a results folder as one HTML page that needs no network: metrics by context length, loss by position,
training curves, the base sweep, attention by head, and a table of all runs, with filters by every setting that the sweep varies.
Works on a sweep in progress, and says how much of it is done. Failed and diverged runs are shown; damaged files are named on the
page and on stderr."""
EXIT = "exit code: 0 done; 2 usage; 3 nothing to show, nowhere to write, or a damaged file, after writing the page of the rest"


def parser():
    top = argparse.ArgumentParser(prog="scripts/report", description=DESCRIPTION, epilog=EXIT)
    top.add_argument("directory", type=Path, metavar="DIR",
                     help="an experiment's folder, such as results/quickstart, one of several, or a run's")  # fmt: skip
    top.add_argument("--output", metavar="FILE", help="default: DIR/report.html")
    top.add_argument("--where", action="append", default=[], metavar="CONDITION",
                     help="only runs with such a setting: PATH OP VALUE, OP one of = == != < <= > >=, as "
                     "'model.position.base>1000'; may be given several times: all must hold")  # fmt: skip
    top.add_argument("--only", action="append", default=[], metavar="GLOB",
                     help="only runs whose whole id matches, as '*rope*' does")  # fmt: skip
    top.add_argument("--tag", action="append", default=[], metavar="TAG", help="only runs that have all the tags given")
    top.add_argument("--baseline", metavar="LABEL",
                     help="offer the differences of the other series from this one, seed by seed")  # fmt: skip
    return top


def report(arguments):
    """Texts on damaged files, after writing the page of the rest."""
    sweep = read_sweep(arguments.directory, arguments.where, arguments.only, arguments.tag)
    output = arguments.directory / "report.html" if arguments.output is None else output_path(arguments.output)
    text = page(content(sweep, arguments.baseline))
    replace_file(output, lambda path: path.write_text(text, encoding="utf-8"))
    say(output)
    return sweep.damaged


def main(arguments=None):
    """Exit code: 0 done, 2 usage, 3 nothing to show, nowhere to write, or a damaged file, after writing the page of the rest."""
    arguments = parser().parse_args(arguments)
    try:
        damaged = report(arguments)
    except UsageError as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    except (InputError, OSError) as error:
        print(f"report: {error}", file=sys.stderr)
        return 3
    for problem in damaged:
        print(f"report: {problem}", file=sys.stderr)
    return 3 if damaged else 0
