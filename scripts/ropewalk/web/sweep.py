"""The runs that a page is about, and what is said of them as a whole."""
from collections import Counter
from dataclasses import dataclass, replace

from ..results import STATES, load
from ..runs import InputError, read_run
from ..series import group


@dataclass
class Sweep:
    name: str  # of the experiment, or of several
    runs: list
    states: list  # of each run: running, stopped, done, failed or diverged
    expected: int  # runs there are to be, with those that have not begun
    problems: list  # a text for each damaged file and each copy

    @property
    def done(self):
        return [run for run, state in zip(self.runs, self.states) if state == "done"]

    @property
    def series(self):
        """Of each experiment; its name stands in labels and settings where there are several."""
        experiments = {}
        for run in self.runs:
            experiments.setdefault(str(run.settings.get("name", "")), []).append(run)
        if len(experiments) == 1:
            return group(self.runs)
        return [
            replace(series, label=f"{name}: {series.label}", settings={"name": name, **series.settings})
            for name, its_runs in experiments.items()
            for series in group(its_runs)
        ]

    def summary(self):
        """Short texts: how many runs are what, seeds, when."""
        not_begun = self.expected - len(self.runs)
        counts = [(self.states.count(state), state) for state in STATES] + [(not_begun, "not begun")]
        others = [f"{count} {what}" for count, what in counts if count]
        left_out = [f"{len(self.problems)} file{'s' * (len(self.problems) > 1)} left out"] if self.problems else []
        return [f"{len(self.done)} of {self.expected} runs done", *others, *left_out, seeds_text(self.series), *self._dates()]

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
    """(Sweep, texts on damaged files) of the chosen runs in a folder and below. Raises InputError if there is no run, and UsageError
    for a choice that leaves none."""
    results = load(directory)
    if conditions:
        results = results.where(*conditions)
    if only or tags:
        results = results.select(only, tags)
    runs, states, damaged = [], [], list(results.problems)
    for header in results.headers:
        try:
            runs.append(read_run(header.path))
            states.append(header.state)
        except InputError as error:
            damaged.append(str(error))
    if not runs:
        raise InputError("\n  ".join([f"{directory}: no run can be read; {results.expected} are to be", *damaged]))
    names = sorted({str(run.settings.get("name", "")) for run in runs})
    return Sweep(", ".join(names), runs, states, results.expected, damaged + results.copies), damaged
