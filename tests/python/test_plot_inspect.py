"""scripts/plot inspect on synthetic files: a figure for each thing in the file, and nothing that is not there."""
import unittest

import h5py
import numpy as np

from plotting import PlotTest, caption, legend, title
from ropewalk.figures.inspection import MOST_HEADS, figures, shown_heads
from ropewalk.figures.style import WIDTHS
from ropewalk.inspection import read_inspection
from synthetic_inspection import HEADS, LENGTH, PAIRS, write_inspection

ALL = ("embedding", "rotation", "bias", "slopes")


class PlotInspect(PlotTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "scheme.h5"

    def plot(self, *arguments, **format):
        return super().plot("inspect", *arguments, **format)

    def figures(self, parts, position={"kind": "alibi"}, columns=2, **options):
        return figures(read_inspection(write_inspection(self.file, position, parts, **options)), columns)

    def test_writes_all_formats_of_each_thing_there_is(self):
        write_inspection(self.file, {"kind": "sum", "parts": [{"kind": "sinusoidal"}, {"kind": "alibi"}]}, ALL)
        code, out, err = self.plot(self.file, "--output", self.folder / "deep" / "all", format=None)
        self.assertEqual((code, err), (0, ""))
        names = ["embedding", "sum", "rotation", "bias", "bias-by-distance", "attention"]
        paths = [self.folder / "deep" / f"all-{name}.{suffix}" for name in names for suffix in ("png", "svg", "pdf")]
        self.assertEqual(out.split(), [str(path) for path in paths])
        starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
        for path in paths:
            self.assertTrue(path.read_bytes().startswith(starts[path.suffix]), path)

    def test_draws_nothing_that_is_not_there(self):
        for parts, names in (((), {"attention"}), (("embedding",), {"embedding", "sum", "attention"}),
                             (("rotation",), {"rotation", "attention"}),
                             (("bias",), {"bias", "bias-by-distance", "attention"})):  # fmt: skip
            with self.subTest(parts):
                self.assertEqual(set(self.figures(parts)), names)

    def test_goes_beside_the_file_by_default(self):
        _, out, _ = self.plot(write_inspection(self.file, {"kind": "none"}))
        self.assertEqual(out.split(), [str(self.folder / "scheme-attention.svg")])

    def test_same_file_same_bytes(self):
        write_inspection(self.file, {"kind": "rope"}, ("rotation",))
        for name in "ab":
            self.plot(self.file, "--output", self.folder / name, format="png,svg,pdf")
        for suffix in ("png", "svg", "pdf"):
            one, other = ((self.folder / f"{name}-rotation.{suffix}").read_bytes() for name in "ab")
            self.assertEqual(one, other)

    def test_titles_name_the_scheme_and_the_training(self):
        for position, name in (({"kind": "rope", "scaling": {"kind": "yarn"}}, "rope, scaling yarn"),
                               ({"kind": "sum", "parts": [{"kind": "learned"}, {"kind": "t5"}]}, "learned + t5")):  # fmt: skip
            figure = self.figures(("embedding",), position, step=50)["embedding"]
            self.assertEqual(title(figure), f"{name}: what is added to the embedding")
            self.assertEqual(caption(figure), f"{LENGTH} tokens, trained length 8, after 50 steps.")

    def test_maps_are_centred_at_zero(self):
        for axes in self.figures(("embedding",))["sum"].axes[:3]:
            low, high = axes.get_images()[0].get_clim()
            self.assertEqual(low, -high)
            self.assertGreater(high, 0)

    def test_sum_shows_the_three_side_by_side(self):
        panels = self.figures(("embedding",))["sum"].axes[:3]
        self.assertEqual([axes.get_title(loc="left") for axes in panels], ["token embedding", "encoding", "their sum"])
        tokens, added, total = (axes.get_images()[0].get_array().data for axes in panels)
        np.testing.assert_allclose(total, tokens + added)

    def test_bias_by_distance_is_the_last_query(self):
        axes = self.figures(("bias", "slopes"))["bias-by-distance"].axes[0]
        self.assertEqual(len(axes.get_lines()), HEADS)
        for head, line in enumerate(axes.get_lines()):
            np.testing.assert_allclose(line.get_ydata(), -(0.5 ** (head + 1)) * line.get_xdata())
            self.assertEqual(line.get_label(), f"head {head}, slope {0.5 ** (head + 1):.3g}")
        self.assertEqual(sorted(axes.get_lines()[0].get_xdata()), list(range(LENGTH)))

    def test_what_a_mask_hides_is_blank_and_an_encoder_hides_nothing(self):
        for kind, hidden in (("decoder", ~np.tri(LENGTH, dtype=bool)), ("encoder", np.zeros((LENGTH, LENGTH), dtype=bool))):
            image = self.figures(("bias",), kind=kind)["bias"].axes[0].get_images()[0].get_array()
            np.testing.assert_array_equal(np.ma.getmaskarray(np.ma.masked_invalid(image)), hidden)

    def test_wavelengths_have_the_lengths_and_the_critical_dimension(self):
        figure = self.figures(("rotation",), {"kind": "rope"})["rotation"]
        axes, labels = figure.axes[2], legend(figure)
        lengths = ["trained length: 8", f"asked length: {LENGTH}"]
        self.assertEqual(labels, ["wavelength of a pair", *lengths, "critical dimension: 2 of 8"])
        self.assertEqual(axes.get_yscale(), "log")
        points, trained, asked, critical = axes.get_lines()
        np.testing.assert_allclose(points.get_ydata(), 2 * np.pi * 10.0 ** np.arange(PAIRS))
        self.assertEqual([set(line.get_ydata()) for line in (trained, asked)], [{8}, {LENGTH}])
        self.assertEqual(set(critical.get_xdata()), {0.5})  # between pair 0, which turns, and pair 1

    def test_a_grid_has_a_critical_dimension_for_rows_and_one_for_columns(self):
        figure = self.figures(("grid",), {"kind": "axial_rope"})["rotation"]
        axes, labels = figure.axes[2], legend(figure)
        self.assertEqual([line.get_xdata()[0] for line in axes.get_lines()[3:]], [0.5, 2.5])
        self.assertIn("trained length: 2, longer side of the grid", labels)
        self.assertEqual(len(labels), 4)

    def test_many_heads_are_thinned(self):
        inspection = read_inspection(write_inspection(self.file, {"kind": "none"}))
        inspection.scores = np.zeros((20, LENGTH, LENGTH))
        for columns, most in MOST_HEADS.items():
            heads = shown_heads(inspection, columns)
            self.assertEqual((len(heads), heads[0], heads[-1]), (most, 0, 19))

    def test_numbers_of_ticks_are_apart_and_marks_in_turns_on_long_sequences(self):
        for columns in WIDTHS:
            drawn = self.figures(("rotation", "bias"), {"kind": "t5"}, columns, length=128)
            for name, axes in ((name, axes) for name, figure in drawn.items() for axes in figure.axes):
                axes.figure.draw_without_rendering()
                labels = [label for label in axes.get_xticklabels() if label.get_text()]
                boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.x0)
                for one, other in zip(boxes, boxes[1:]):
                    self.assertGreater(other.x0 - one.x1, 6, name)
            lines = drawn["bias-by-distance"].axes[0].get_lines()
            marked = [set(range(128)[slice(line.get_markevery()[0], None, line.get_markevery()[1])]) for line in lines]
            self.assertEqual({len(marks) for marks in marked}, {4 * columns})
            self.assertEqual(len(set.union(*marked)), HEADS * 4 * columns)

    def test_texts_have_room(self):
        for columns in WIDTHS:
            for name, figure in self.figures(ALL, columns=columns).items():
                with self.subTest(columns=columns, figure=name):
                    self.assert_roomy(figure)

    def test_refusals(self):
        self.assertEqual(self.plot(self.folder / "nowhere.h5")[0], 3)
        with h5py.File(self.file, "w") as file:
            file.attrs.update({"format": "ropewalk-run", "format_version": 1})
        code, _, err = self.plot(self.file)
        self.assertEqual(code, 3)
        self.assertIn("expected format ropewalk-inspect version 1, got ropewalk-run version 1", err)
        whole = write_inspection(self.folder / "whole.h5", {"kind": "none"}).read_bytes()
        self.file.write_bytes(whole[: len(whole) // 2])
        code, _, err = self.plot(self.file)
        self.assertEqual(code, 3)
        self.assertIn("cannot be read as what inspect writes", err)
        self.assertEqual(self.plot()[0], 2)


if __name__ == "__main__":
    unittest.main()
