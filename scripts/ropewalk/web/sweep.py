"""The runs that a page is about, and what is said of them as a whole."""
from collections import Counter
from dataclasses import dataclass, replace

from ..results import load
from ..runs import InputError
from ..series import group

STATES = ("done", "running", "stopped", "failed", "diverged")  # of runs with a file, in the order in which they are named


@dataclass
class Sweep:
    runs: list
    states: list  # of each run: running, stopped, done, failed or diverged
    not_begun: int  # runs of the index without a file
    damaged: list  # a text for each damaged file
    copies: list  # a text for each file that has the settings of another
    styles: dict  # {run_id: style of its series}, as `Results.styles` has it

    @property
    def experiments(self):
        """{name: runs}"""
        found = {}
        for run in self.runs:
            found.setdefault(str(run.settings.get("name", "")), []).append(run)
        return found

    @property
    def done(self):
        return [run for run, state in zip(self.runs, self.states) if state == "done"]

    @property
    def series(self):
        """Of each experiment, whose name stands in the labels where there are several."""
        if len(self.experiments) == 1:
            return group(self.runs)
        name = lambda experiment, series: replace(series, label=f"{experiment}: {series.label}")
        return [name(experiment, series) for experiment, runs in self.experiments.items() for series in group(runs)]

    def settings_of(self, series):
        """Flat, with the name of the experiment where there are several."""
        name = {"name": series.runs[0].settings.get("name", "")} if len(self.experiments) > 1 else {}
        return name | series.settings

    def summary(self):
        """Short texts: how many runs are what, seeds, when."""
        expected = len(self.runs) + self.not_begun + len(self.damaged)
        counts = [(self.states.count(state), state) for state in STATES if state != "done"]
        counts += [(self.not_begun, "waiting"), (len(self.damaged), "damaged"), (len(self.copies), "copied")]
        others = [f"{count} {what}" for count, what in counts if count]
        return [f"{len(self.done)} of {expected} runs done", *others, seeds_text(self.series), *self._dates()]

    def notes(self):
        return sorted({run.attributes["notes"] for run in self.runs if run.attributes.get("notes")})

    def _dates(self):
        """From the first start to the last end of what there is."""
        times = sorted(filter(None, (run.attributes[name] for run in self.runs for name in ("started", "finished"))))
        return [f"run from {times[0]} to {times[-1]}"] if times else []


def seeds_text(all_series):
    seeds = Counter(len(series.runs) for series in all_series)
    count = f"{min(seeds)}" if len(seeds) == 1 else f"{min(seeds)} to {max(seeds)}"
    return f"{len(all_series)} series, {count} seed{'s' * (max(seeds) > 1)} each"


def read_sweep(directory, conditions=(), only=(), tags=()):
    """The Sweep of the chosen runs in a folder and below. Raises InputError if there is no run, and UsageError for a choice that
    leaves none."""
    results = load(directory)
    if conditions:
        results = results.where(*conditions)
    if only or tags:
        results = results.select(only, tags)
    read, damaged = results.read()
    if not read:
        raise InputError("\n  ".join([f"{directory}: no run can be read yet; {results.expected} are to be", *damaged]))
    states = [header.state for header, _ in read]
    return Sweep([run for _, run in read], states, len(results.waiting), damaged, results.copies, results.styles)
