"""Sweeps over the base of a scheme: a panel for each set of series that differ in it alone."""
from ..series import labels

BASE = "model.position.base"


def panels(all_series):
    """[{"title", "width", "rows": [{"base", "group", "critical"}], "bound": [[length, base]], "note"}], rows by ascending base. width:
    elements of a head that turn; None where nothing turns, or in files from before it was kept."""
    alike = {}
    for index, series in enumerate(all_series):
        if BASE in series.settings:
            others = tuple(sorted((path, str(value)) for path, value in series.settings.items() if path != BASE))
            alike.setdefault(others, []).append(index)
    found = [members for members in alike.values() if len(members) > 1]
    tables = [{path: value for path, value in all_series[members[0]].settings.items() if path != BASE} for members in found]
    return [panel(title, members, all_series) for title, members in zip(labels(tables), found)]


def panel(title, members, all_series):
    rows = sorted((row(index, all_series[index]) for index in members), key=lambda row: row["base"])
    facts = all_series[members[0]].runs[0].attributes
    return {"title": title, "width": facts.get("rotary_width"), "rows": rows, "bound": [], "note": ""}


def row(index, series):
    return {"base": series.settings[BASE], "group": index, "critical": series.runs[0].attributes.get("critical_dimension")}
