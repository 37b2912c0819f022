"""Sweeps over the base of a scheme: a panel for each set of series that differ in it alone."""
import numpy as np

from ..rotary import BASE, base_lower_bounds
from ..series import labels

POINTS_PER_DOUBLING = 4  # of the bound, which is searched for at each of them


def panels(all_series, tables):
    """[{"title", "width", "rows": [{"base", "group", "critical", "serves"}], "bound": [[length, base]]}], rows by ascending base;
    tables: flat settings of the series. width: elements of a head that turn; None where nothing turns, or in files from before it
    was kept. serves: the longest length, tokens, that the base serves, of those that its runs are about."""
    paths = sorted({path for table in tables for path in table if BASE.fullmatch(path)})
    found = [(path, members) for path in paths for members in alike_but_for(path, tables) if len(members) > 1]
    titles = labels([without(path, tables[members[0]]) for path, members in found])
    return [panel(title, path, members, all_series) for title, (path, members) in zip(titles, found)]


def alike_but_for(path, tables):
    """[[index of a table, …], …] of tables that have the setting and differ in it alone."""
    alike = {}
    for index, table in enumerate(tables):
        if path in table:
            others = tuple(sorted((other, str(value)) for other, value in without(path, table).items()))
            alike.setdefault(others, []).append(index)
    return alike.values()


def without(path, table):
    return {other: value for other, value in table.items() if other != path}


def panel(title, path, members, all_series):
    rows = sorted((row(index, path, all_series[index]) for index in members), key=lambda row: row["base"])
    run = all_series[members[0]].runs[0]
    width = run.attributes.get("rotary_width")
    line = bound(width, run.lengths) if width and len(run.lengths) else []
    return {"title": title, "width": width, "rows": rows, "bound": line}


def row(index, path, series):
    facts = series.runs[0].attributes
    return {
        "base": series.settings[path],
        "group": index,
        "critical": facts.get("critical_dimension"),
        "serves": facts.get("base_serves"),
    }


def bound(width, lengths):
    """[[length, smallest base that serves it]] from the shortest of the lengths to the longest, as far as there is one."""
    first, last = int(min(lengths)), int(max(lengths))
    points = 1 + max(0, round(POINTS_PER_DOUBLING * np.log2(last / first)))
    found = base_lower_bounds(width, [int(length) for length in np.geomspace(first, last, points).round()])
    return [[length, round(base)] for length, base in found.items() if base is not None]
