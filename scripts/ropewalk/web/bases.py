"""Sweeps over the base of a scheme: a panel for each set of series that differ in it alone."""
import numpy as np

from ..rotary import base_lower_bounds
from ..series import labels

BASE = "model.position.base"
POINTS_PER_DOUBLING = 4  # of the bound, which is searched for at each of them


def panels(all_series, tables):
    """[{"title", "width", "rows": [{"base", "group", "critical"}], "bound": [[length, base]]}], rows by ascending base; tables:
    flat settings of the series. width: elements of a head that turn; None where nothing turns, or in files from before it was
    kept."""
    alike = {}
    for index, table in enumerate(tables):
        if BASE in table:
            others = tuple(sorted((path, str(value)) for path, value in table.items() if path != BASE))
            alike.setdefault(others, []).append(index)
    found = [members for members in alike.values() if len(members) > 1]
    titles = labels([{path: value for path, value in tables[members[0]].items() if path != BASE} for members in found])
    return [panel(title, members, all_series) for title, members in zip(titles, found)]


def panel(title, members, all_series):
    rows = sorted((row(index, all_series[index]) for index in members), key=lambda row: row["base"])
    run = all_series[members[0]].runs[0]
    width = run.attributes.get("rotary_width")
    line = bound(width, run.lengths) if width and len(run.lengths) else []
    return {"title": title, "width": width, "rows": rows, "bound": line}


def row(index, series):
    return {"base": series.settings[BASE], "group": index, "critical": series.runs[0].attributes.get("critical_dimension")}


def bound(width, lengths):
    """[[length, smallest base that serves it]] from the shortest of the lengths to the longest, as far as there is one."""
    first, last = int(min(lengths)), int(max(lengths))
    points = 1 + max(0, round(POINTS_PER_DOUBLING * np.log2(last / first)))
    found = base_lower_bounds(width, [int(length) for length in np.geomspace(first, last, points).round()])
    return [[length, round(base)] for length, base in found.items() if base is not None]
