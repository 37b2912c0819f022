"""The runs that a page is about, and what is said of them as a whole."""
from collections import Counter
from dataclasses import dataclass


@dataclass
class Sweep:
    name: str
    runs: list
    states: dict  # path of a run.h5: running, stopped, done, failed or diverged
    expected: int  # runs there are to be, with those that have not begun
    problems: list  # a text for each damaged file

    def summary(self, all_series):
        """Short texts: how many runs are what, seeds, when."""
        counts = Counter(self.states.values())
        done = f"{counts.pop('done', 0)} of {self.expected} runs done"
        not_begun = self.expected - len(self.runs) - len(self.problems)
        counts.update({"damaged": len(self.problems), "not begun": max(0, not_begun)})
        others = [f"{count} {state}" for state, count in counts.items() if count]
        return [done, *others, seeds_text(all_series), *self.dates()]

    def dates(self):
        """From the first start to the last end of what there is."""
        times = [run.attributes.get(name) for run in self.runs for name in ("started", "finished")]
        times = sorted(time for time in times if time)
        return [f"run from {times[0]} to {times[-1]}"] if times else []

    def notes(self):
        return sorted({run.attributes["notes"] for run in self.runs if run.attributes.get("notes")})


def seeds_text(all_series):
    seeds = sorted({len(series.runs) for series in all_series})
    count = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    return f"{len(all_series)} series, {count} seed{'' if seeds == [1] else 's'} each"
