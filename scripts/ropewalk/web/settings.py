"""The settings that a sweep varies, as the page filters by them."""
from ..series import KIND, kind_above, name_in_stage, shortest_unique_tail, without_kind


def is_swept(path, tables):
    """Whether a setting has more than one value among the tables that are of one kind as to what it belongs to. A base that rope
    has and alibi has not is no choice of the sweep; a stage that some runs have is."""
    values = {}
    for table in tables:
        values.setdefault(table.get(kind_above(path)), set()).add(str(table.get(path)))
    return any(len(found) > 1 for found in values.values())


def swept_settings(tables):
    """[{"path", "name", "values"}], the scheme first; values in order, None last for tables that do not have it."""
    paths = sorted({path for table in tables for path in table}, key=lambda path: (path != KIND, path))
    swept = [path for path in paths if is_swept(path, tables)]
    short = {without_kind(path) for path in swept}
    name = lambda path: name_in_stage(without_kind(path)) or shortest_unique_tail(without_kind(path), short)
    return [{"path": path, "name": name(path), "values": values_of(path, tables)} for path in swept]


def values_of(path, tables):
    is_number = lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)
    in_order = lambda value: (value is None, not is_number(value), value if is_number(value) else 0, str(value))
    return sorted(dict.fromkeys(table.get(path) for table in tables), key=in_order)
