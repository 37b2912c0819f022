"""What tests of scripts/plot share: a folder, the command, and whether a figure's texts have room."""
import contextlib
import io
import itertools
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
sys.path.insert(0, str(Path(__file__).parent))

from ropewalk import plot
from ropewalk.figures.style import plt
from ropewalk.figures.sweep import read_sweep


class PlotTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.addCleanup(plt.close, "all")
        self.folder = Path(temporary.name)

    def plot(self, *arguments, format="svg"):
        """(exit code, standard output, standard error)."""
        formats = [] if format is None else ["--format", format]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = plot.main([*map(str, arguments), *formats])
            except SystemExit as exit:
                code = exit.code
        return code, out.getvalue(), err.getvalue()

    def sweep(self, **choice):
        return read_sweep(self.folder, **choice)

    def assert_roomy(self, figure):
        """No text runs into another, over the edge or, if it is outside the axes, into them."""
        figure.draw_without_rendering()
        page = figure.bbox
        texts = {text: text.get_window_extent() for text in shown_texts(figure)}
        for text, box in texts.items():
            inside = page.x0 - 1 <= box.x0 and box.x1 <= page.x1 + 1 and page.y0 - 1 <= box.y0 and box.y1 <= page.y1 + 1
            self.assertTrue(inside, f"{text.get_text()!r} is cut off: {box} of {page}")
        for (one, its_box), (other, other_box) in itertools.combinations(texts.items(), 2):
            self.assertFalse(overlap(its_box, other_box), f"{one.get_text()!r} runs into {other.get_text()!r}")
        for legend in figure.legends:
            for axes in figure.axes:
                self.assertFalse(overlap(legend.get_window_extent(), axes.bbox), "the legend covers axes")


def overlap(one, other):
    """By more than a pixel: a text's box has room around its letters."""
    return min(one.x1, other.x1) - max(one.x0, other.x0) > 1 and min(one.y1, other.y1) - max(one.y0, other.y0) > 1


def shown_texts(figure):
    found = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axes in (axes for axes in figure.axes if axes.get_visible()):
        found += [axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label]
        found += [text for text in axes.texts if not text.get_path_effects()]  # those with an outline may lie on lines
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            found += [label for tick in ticks for label in (tick.label1, tick.label2)]
    return [text for text in found if text.get_text().strip() and text.get_visible()]


def caption(figure):
    return figure.texts[-1].get_text().replace("\n", " ")


def title(figure):
    return figure.texts[0].get_text().replace("\n", " ")


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def line(axes, label):
    return next(line for line in axes.get_lines() if line.get_label() == label)
