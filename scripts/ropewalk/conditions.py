"""Conditions on settings: "model.position.base > 1000"."""
import difflib
import operator
import re

from .config import text
from .runs import UsageError

OPERATORS = {"=": operator.eq, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
             ">=": operator.ge}  # fmt: skip
NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")  # as the program reads them: float() takes 1_0 as well
FORM = re.compile(r"\s*([^\s=!<>]+)\s*(==|!=|<=|>=|=|<|>)\s*(\S.*?)\s*")


class Condition:
    """PATH OP VALUE. Numbers compare as numbers, text only with = and !=; a run without the setting does not meet it."""

    def __init__(self, written):
        """Raises UsageError if it is no condition."""
        self.written = written
        found = FORM.fullmatch(written)
        if not found:
            raise UsageError(f"condition '{written}': expected PATH OP VALUE with one of {' '.join(OPERATORS)}, such as "
                             "'model.position.base>1000' or 'train.schedule.kind=cosine'")  # fmt: skip
        self.path, self.operator, self.value = found.groups()
        self.number = number(self.value)
        if self.number is None and self.operator not in ("=", "==", "!="):
            raise UsageError(f"condition '{written}': expected a number after {self.operator}, got '{self.value}'; text compares "
                             "with = and !=")  # fmt: skip

    def holds(self, settings):
        """Whether {path: value} meets it; a value may be a number or its text."""
        if self.path not in settings:
            return False
        value = settings[self.path]
        compare = OPERATORS[self.operator]
        if self.number is not None and number(value) is not None:
            return compare(number(value), self.number)
        return self.operator in ("=", "==", "!=") and compare(text(value), self.value)


def number(value):
    """The number that a setting is, or its text; None if it is none."""
    if isinstance(value, str):
        return float(value) if NUMBER.fullmatch(value) else None
    return None if isinstance(value, (bool, type(None))) else value


def expect_known(conditions, tables):
    """Raises UsageError, with the nearest names, if no table of settings has the path of a condition."""
    known = {path for table in tables for path in table}
    for condition in conditions:
        if condition.path not in known:
            raise UsageError(f"condition '{condition.written}': expected the whole path of a setting of these runs, got "
                             f"'{condition.path}'; did you mean {' or '.join(nearest(condition.path, known))}?")  # fmt: skip


def nearest(path, known):
    """The kind of the section that has this path, the paths that end with it, or else the most similar."""
    if f"{path}.kind" in known:
        return [f"{path}.kind"]
    ending = [other for other in sorted(known) if other.endswith("." + path)]
    return ending or difflib.get_close_matches(path, known, n=1, cutoff=0)
