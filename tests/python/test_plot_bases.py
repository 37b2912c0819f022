"""scripts/plot bases: cells, what theory says of them, and what it refuses."""
import itertools
import unittest

import numpy as np

from plotting import PlotTest, caption, legend, line, title
from ropewalk.figures.bases import bases_figure
from ropewalk.figures.style import WIDTHS
from ropewalk.rotary import base_lower_bounds
from ropewalk.runs import UsageError
from synthetic import LENGTHS, config, write_run

BASES = (100.0, 500.0, 1e4, 1e6)
SERVED = {100.0: 47, 500.0: 103, 1e4: 479, 1e6: 1024}


def facts(base, width=32):
    """What the program says of a base; the critical dimension is made up."""
    return {"rotary_base": base, "rotary_width": width, "rotary_trained_length": 64, "rotary_longest_length": LENGTHS[-1],
            "critical_dimension": int(30 - 2 * np.log10(base)), "base_serves": SERVED[base]}  # fmt: skip


class Bases(PlotTest):
    def write(self, bases=BASES, lengths=(64,), seeds=2, described=True):
        for base, length, seed in itertools.product(bases, lengths, range(seeds)):
            values = [2 + seed + abs(np.log10(evaluated / length)) + np.log10(base) for evaluated in LENGTHS]
            run = config({"kind": "rope", "base": base}, seed, length)
            path = self.folder / f"{base:.0f}-{length}-{seed}" / "run.h5"
            write_run(path, run, values, attributes=facts(base) if described else {})

    def cells(self, axes):
        """[bases, lengths], smallest base first."""
        mesh = axes.collections[0]
        return np.ma.filled(mesh.get_array(), np.nan).reshape(mesh.get_coordinates().shape[0] - 1, -1)

    def test_cells_are_means_over_seeds(self):
        self.write()
        figure = bases_figure(self.sweep())
        axes = figure.axes[0]
        expected = [[2.5 + abs(np.log10(length / 64)) + np.log10(base) for length in LENGTHS] for base in BASES]
        np.testing.assert_allclose(self.cells(axes), expected)
        self.assertEqual(title(figure), "synthetic: perplexity by base and context length")
        self.assertIn("Cells: mean over 2 seeds.", caption(figure))
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["100", "500", "10000", "1000000"])
        texts = [text.get_text() for text in axes.texts]
        self.assertEqual(texts[0], "4.50")
        self.assertEqual(len(texts), len(BASES) * len(LENGTHS))

    def test_theory_is_drawn_in(self):
        self.write()
        figure = bases_figure(self.sweep())
        trained, bound, served = figure.axes[0].get_lines()
        self.assertEqual(list(trained.get_xdata()), [64, 64])
        bounds = base_lower_bounds(32, LENGTHS)
        self.assertEqual((list(bound.get_xdata()), list(bound.get_ydata())), (LENGTHS, [bounds[length] for length in LENGTHS]))
        self.assertEqual((list(served.get_xdata()), list(served.get_ydata())), ([47, 103, 479], [100, 500, 1e4]))
        labels = ["trained length", "smallest base that serves a length (Men et al. 2024)", "length that a base serves"]
        self.assertEqual(legend(figure), labels)
        right = next(axes for axes in figure.axes if axes.get_ylabel() == "critical dimension of 32")
        self.assertEqual([label.get_text() for label in right.get_yticklabels()], ["26", "24", "22", "18"])
        self.assertEqual(right.get_ylim(), figure.axes[0].get_ylim())

    def test_what_serves_less_than_is_shown_is_marked_at_the_edge(self):
        served = {10.0: 5, 100.0: 16, 500.0: 50, 1e4: 1024}  # the left edge is at 45 tokens
        for base, tokens in served.items():
            attributes = {**facts(1e4), "rotary_base": base, "base_serves": tokens}
            run = config({"kind": "rope", "base": base})
            write_run(self.folder / str(base) / "run.h5", run, [4.0] * 5, attributes=attributes)
        figure = bases_figure(self.sweep())
        axes = figure.axes[0]
        edge, diamond = line(axes, "a base that serves less than is shown"), line(axes, "length that a base serves")
        self.assertEqual(list(edge.get_ydata()), [10, 100])
        np.testing.assert_allclose(edge.get_xdata(), axes.get_xlim()[0])
        self.assertEqual((list(diamond.get_xdata()), list(diamond.get_ydata())), ([50], [500]))
        self.assertIn("◀ at the left edge: a base that serves less than is shown, 5 to 16 tokens.", caption(figure))
        self.assertIn("A base without a mark serves all lengths shown.", caption(figure))
        self.assertNotIn("without a mark", caption(bases_figure(self.sweep(conditions=["model.position.base<1000"]))))

    def test_one_panel_may_have_marks_that_the_others_lack(self):
        for length, tokens in ((64, 16), (128, 100)):
            for base in BASES[:2]:
                path = self.folder / f"{base}-{length}" / "run.h5"
                attributes = {**facts(base), "base_serves": tokens}
                write_run(path, config({"kind": "rope", "base": base}, length=length), [4.0] * 5, attributes=attributes)
        figure = bases_figure(self.sweep())
        self.assertEqual(legend(figure)[2:], ["a base that serves less than is shown", "length that a base serves"])
        self.assertIn("shown, 16 tokens.", caption(figure))
        for base in BASES[:2]:
            write_run(self.folder / f"old-{base}" / "run.h5", config({"kind": "rope", "base": base}, length=256), [4.0] * 5)
        figure = bases_figure(self.sweep())
        self.assertIn("Panels without marks: their files do not say", caption(figure))
        self.assert_roomy(figure)

    def test_lines_pass_behind_the_numbers(self):
        self.write()
        axes = bases_figure(self.sweep()).axes[0]
        for text in axes.texts:
            self.assertEqual(text.get_bbox_patch().get_alpha() or 1, 1)
            self.assertTrue(all(line.get_zorder() < text.get_zorder() for line in axes.get_lines()))

    def test_older_files_have_cells_without_theory(self):
        self.write(described=False)
        figure = bases_figure(self.sweep())
        self.assertEqual(legend(figure), ["trained length"])
        self.assertIn("These files do not say what each base serves.", caption(figure))

    def test_trained_lengths_have_a_panel_each_on_one_scale(self):
        self.write(lengths=(64, 128))
        for columns in WIDTHS:
            figure = bases_figure(self.sweep(), columns=columns)
            panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
            self.assertEqual([axes.get_title(loc="left") for axes in panels], ["rope, length 64", "rope, length 128"])
            self.assertEqual([axes.get_lines()[0].get_xdata()[0] for axes in panels], [64, 128])
            self.assertEqual(len({axes.collections[0].get_clim() for axes in panels}), 1)
            self.assert_roomy(figure)

    def test_a_missing_value_is_a_blank_cell(self):
        self.write(seeds=1)
        run = config({"kind": "rope", "base": 500.0})
        write_run(self.folder / "500-64-0" / "run.h5", run, [4, np.nan, 4, 4, 4], attributes=facts(500.0))
        self.assertEqual(list(np.argwhere(np.isnan(self.cells(bases_figure(self.sweep()).axes[0]))).ravel()), [1, 1])

    def test_what_diverged_does_not_take_all_colours(self):
        self.write(seeds=1)
        run = config({"kind": "rope", "base": 100.0})
        write_run(self.folder / "100-64-0" / "run.h5", run, [4, 5, 6, 1e20, 1e30], attributes=facts(100.0))
        figure = bases_figure(self.sweep())
        low, high = figure.axes[0].collections[0].get_clim()
        self.assertLess(high / low, 2e4)
        self.assertIn("The lightest cells are above the scale.", caption(figure))

    def test_other_schemes_are_left_out_and_said_to_be(self):
        self.write(seeds=1)
        write_run(self.folder / "alibi" / "run.h5", config({"kind": "alibi"}), [4.0] * 5)
        figure = bases_figure(self.sweep())
        self.assertIn("Left out: 1 run with no other that differs in the base alone.", caption(figure))
        self.assertEqual(self.cells(figure.axes[0]).shape, (4, 5))

    def test_what_differs_in_more_than_its_base_is_no_sweep_of_bases(self):
        for base, length in zip(BASES, (64, 128, 256)):
            write_run(self.folder / f"{base}" / "run.h5", config({"kind": "rope", "base": base}, length=length), [4.0] * 5)
        with self.assertRaisesRegex(UsageError, "expected runs that differ in model.position.base alone, found none"):
            bases_figure(self.sweep())

    def test_many_bases_and_long_names_have_room(self):
        for place, base in enumerate(np.geomspace(10, 1e7, 60).round()):
            for beyond in ("an option with quite a long value", "another one that is no shorter"):
                run = config({"kind": "rope", "base": float(base), "note_on_this_scheme": beyond})
                write_run(self.folder / f"{place}-{beyond}" / "run.h5", run, [4.0] * 5, attributes={**facts(100.0), "rotary_base": base})
        figure = bases_figure(self.sweep())
        self.assertEqual(len(figure.axes[0].get_yticks()), 15)
        self.assert_roomy(figure)

    def test_a_base_of_a_hybrid_is_found(self):
        for base in BASES:
            position = {"kind": "sum", "parts": [{"kind": "rope", "base": base}, {"kind": "alibi"}]}
            write_run(self.folder / f"{base}" / "run.h5", config(position), [4.0] * 5)
        self.assertEqual(self.cells(bases_figure(self.sweep()).axes[0]).shape, (4, 5))

    def test_one_base_is_a_usage_error(self):
        self.write(bases=BASES[:1])
        code, _, err = self.plot("bases", self.folder)
        self.assertEqual(code, 2)
        self.assertIn("expected runs with several bases, found model.position.base 100; sweep model.position.base", err)

    def test_thirty_bases_have_room_and_no_numbers(self):
        for number in range(30):
            run = config({"kind": "rope", "base": 100.0 * 1.3**number})
            write_run(self.folder / str(number) / "run.h5", run, [4.0 + number] * 5)
        for columns in WIDTHS:
            figure = bases_figure(self.sweep(), columns=columns)
            self.assertFalse(figure.axes[0].texts)
            self.assert_roomy(figure)


if __name__ == "__main__":
    unittest.main()
