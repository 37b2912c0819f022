"""Command line of scripts/report."""
import argparse
import sys
from pathlib import Path

from ..runs import InputError, UsageError, find_experiment, read_runs
from .content import content
from .page import page
from .sweep import Sweep


def parser():
    top = argparse.ArgumentParser(prog="scripts/report", description="A results folder as one HTML page.")
    top.add_argument("directory", type=Path, metavar="DIR", help="an experiment's folder, such as results/quickstart")
    top.add_argument("--output", type=Path, metavar="FILE", help="default: DIR/report.html")
    return top


def read_sweep(experiment):
    runs, problems = read_runs(experiment)
    if not runs:
        raise InputError("no run can be read:\n  " + "\n  ".join(problems))
    states = {run.path: "stopped" if run.status == "interrupted" else run.status for run in runs}
    return Sweep(runs[0].config["name"], runs, states, len(runs) + len(problems), problems)


def report(arguments):
    """Problems with files, after writing the page of the rest."""
    experiment = find_experiment(arguments.directory)
    sweep = read_sweep(experiment)
    output = arguments.output or experiment / "report.html"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page(content(sweep)))
    print(output)
    return sweep.problems


def main(arguments=None):
    """Exit code: 0 done, 2 usage, 3 nothing to show, nowhere to write, or a damaged file (the rest is written)."""
    arguments = parser().parse_args(arguments)
    try:
        problems = report(arguments)
    except UsageError as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    except (InputError, OSError) as error:
        print(f"report: {error}", file=sys.stderr)
        return 3
    for problem in problems:
        print(f"report: {problem}", file=sys.stderr)
    return 3 if problems else 0
