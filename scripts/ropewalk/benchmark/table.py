"""Rows of figures that scripts/benchmark prints and writes, and the limits they are held to."""
import csv
from dataclasses import dataclass
from statistics import median

COLUMNS = ("section", "size", "threads", "subject", "quantity", "unit", "min", "median", "max", "floor", "verdict", "repetitions")
SIGNIFICANT_DIGITS = 4
WIDTHS = "{:<5}{:>7}  {:<29}{:<22}{:>8}{:>12}{:>12}{:>12}{:>9}  {}"


@dataclass(frozen=True)
class Limit:
    """What a median is held to."""

    value: float
    at_most: bool = False  # a ceiling instead of a floor

    def is_reached(self, found):
        return found <= self.value if self.at_most else found >= self.value

    def __str__(self):
        return f"{'<=' if self.at_most else '>='}{self.value:g}"


@dataclass(frozen=True)
class Row:
    """Measurements of one quantity, one for each repetition."""

    section: str
    size: str
    threads: int
    subject: str
    quantity: str
    unit: str  # "1" for a ratio, of which the printed table leaves the unit out
    values: list
    floor: Limit = None  # None: held to nothing
    printed: bool = True  # False: in the CSV alone

    @property
    def summary(self):
        return min(self.values), median(self.values), max(self.values)

    @property
    def verdict(self):
        if self.floor is None:
            return ""
        return "reached" if self.floor.is_reached(self.summary[1]) else "not reached"


def ratios(above, below):
    """Of neighbours in time: what disturbed one disturbed the other."""
    return [a / b for a, b in zip(above, below, strict=True)]


def show(number):
    """1,234,567 or 1.234 or 0.001234."""
    return f"{number:,.0f}" if abs(number) >= 10**SIGNIFICANT_DIGITS else f"{number:.{SIGNIFICANT_DIGITS}g}"


def heading():
    return WIDTHS.format("size", "threads", "subject", "quantity", "unit", "min", "median", "max", "floor", "verdict")


def line(row):
    unit = "" if row.unit == "1" else row.unit
    low, middle, high = map(show, row.summary)
    floor = str(row.floor or "")
    return WIDTHS.format(row.size, row.threads, row.subject, row.quantity, unit, low, middle, high, floor, row.verdict).rstrip()


class CsvFile:
    """Rows as they come: what was measured before a failure is kept. The first one replaces what an earlier run left."""

    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", newline="")  # cannot be written? Then now, before anything is measured
        self._writer = csv.writer(self._file)
        self._is_new = False

    def add(self, row):
        if not self._is_new:
            self._file.truncate(0)
            self._write(COLUMNS)
            self._is_new = True
        low, middle, high = (f"{number:.6g}" for number in row.summary)
        self._write([row.section, row.size, row.threads, row.subject, row.quantity, row.unit, low, middle, high, row.floor or "",
                     row.verdict, len(row.values)])  # fmt: skip

    def _write(self, cells):
        self._writer.writerow(cells)
        self._file.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
