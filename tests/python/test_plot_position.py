"""scripts/plot position: averages over bins of positions, and what it refuses."""
import unittest

import numpy as np

from plotting import PlotTest, caption, legend, line, title
from ropewalk.figures.position import bins, position_figure
from ropewalk.figures.style import WIDTHS
from synthetic import LENGTHS, config, write_run


def by_position(slope, shift=0.0):
    """The datasets of a loss that is `shift + slope * index` and was scored 3 times at each index of each length."""
    index = np.arange(LENGTHS[-1])
    inside = index < np.array(LENGTHS)[:, None]
    loss = np.where(inside, shift + slope * index, np.nan)
    return {"evaluate/position_loss": loss, "evaluate/position_count": np.where(inside, 3, 0)}


class Position(PlotTest):
    def write(self, name, position, datasets, seed=0):
        write_run(self.folder / name / "run.h5", config(position, seed), [4.0] * 5, datasets=datasets)

    def test_bins_hold_each_index_once_and_widen(self):
        for length in (1, 2, 3, 64, 100, 1024):
            edges = bins(length)
            self.assertEqual((edges[0], edges[-1]), (0, length))
            self.assertTrue((np.diff(edges) > 0).all())
        self.assertEqual(list(bins(16)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16])
        self.assertLessEqual({64, 128, 256, 512}, set(bins(1024)))
        self.assertEqual(len([edge for edge in bins(1024) if 256 <= edge < 512]), 4)

    def test_a_bin_is_the_mean_of_its_positions_and_a_line_that_over_seeds(self):
        for seed, slope in enumerate((0.001, 0.003)):
            self.write(f"rope-{seed}", {"kind": "rope"}, by_position(slope), seed)
        rope = line(position_figure(self.sweep()).axes[0], "rope")
        edges = bins(1024)
        middle = (edges[:-1] + edges[1:] - 1) / 2
        np.testing.assert_allclose(rope.get_ydata(), 0.002 * middle)
        self.assertTrue((edges[:-1] < rope.get_xdata()).all() and (rope.get_xdata() <= edges[1:]).all())

    def test_positions_weigh_by_their_tokens_and_none_without(self):
        datasets = by_position(0.0, 2.0)
        datasets["evaluate/position_loss"][-1, 8:10] = (1.0, 5.0)
        datasets["evaluate/position_count"][-1, 8:10] = (3, 1)
        datasets["evaluate/position_count"][-1, 0] = 0
        self.write("rope", {"kind": "rope"}, datasets)
        values = line(position_figure(self.sweep()).axes[0], "rope").get_ydata()
        self.assertEqual(values[list(bins(1024)).index(8)], 2.0)  # (3 + 5) / 4
        self.assertTrue(np.isnan(values[0]))

    def test_the_fewest_tokens_behind_a_point_are_said(self):
        few, many = by_position(0.001), by_position(0.001)
        few["evaluate/position_count"][-1, [0, 2]] = (0, 2)  # of no token there is no point
        few["evaluate/position_count"][0, 1] = 1  # of another length
        self.write("rope", {"kind": "rope"}, many)
        text = "The least certain point rests on {} a seed."
        self.assertIn(text.format("3 scored bytes"), caption(position_figure(self.sweep())))
        self.write("alibi", {"kind": "alibi"}, few)
        self.assertIn(text.format("2 scored bytes"), caption(position_figure(self.sweep())))
        self.assertIn(text.format("1 scored byte"), caption(position_figure(self.sweep(), length=64)))

    def test_the_longest_length_or_the_one_asked_for(self):
        self.write("rope", {"kind": "rope"}, by_position(0.001))
        figure = position_figure(self.sweep())
        self.assertEqual(title(figure), "synthetic: loss by position in windows of 1024 bytes")
        self.assertEqual(figure.axes[0].texts[0].get_text(), "trained length 64")
        self.assertIn("Averaged over bins of positions, 4 to a doubling", caption(figure))
        shorter = position_figure(self.sweep(), length=128)
        self.assertEqual(title(shorter), "synthetic: loss by position in windows of 128 bytes")
        self.assertLessEqual(max(line(shorter.axes[0], "rope").get_xdata()), 128)
        _, out, _ = self.plot("position", self.folder, "--length", 128)
        self.assertEqual(out.split(), [str(self.folder / "position-128.svg")])

    def test_refusals(self):
        self.write("rope", {"kind": "rope"}, {})
        code, _, err = self.plot("position", self.folder)
        self.assertEqual(code, 2)
        self.assertIn("no run has a loss by position; the protocol nonoverlapping among evaluate.protocols logs it", err)
        self.write("alibi", {"kind": "alibi"}, by_position(0.001))
        code, _, err = self.plot("position", self.folder, "--length", 100)
        self.assertEqual(code, 2)
        self.assertIn("--length 100: expected an evaluated length: 64, 128, 256, 512, 1024", err)
        figure = position_figure(self.sweep())
        self.assertEqual(legend(figure), ["alibi"])
        self.assertIn("1 run without this length left out.", caption(figure))

    def test_losses_that_exploded_are_cut_off_and_said_to_be(self):
        self.write("alibi", {"kind": "alibi"}, by_position(0.0, 2.0))
        self.write("rope", {"kind": "rope"}, by_position(0.1, 2.0))
        figure = position_figure(self.sweep())
        self.assertLess(figure.axes[0].get_ylim()[1], 15)
        self.assertIn("Losses above the scale are cut off.", caption(figure))

    def test_texts_have_room(self):
        for number, kind in enumerate(("alibi", "rope", "none", "t5")):
            self.write(kind, {"kind": kind}, by_position(0.001 * number))
        for columns in WIDTHS:
            self.assert_roomy(position_figure(self.sweep(), columns=columns))


if __name__ == "__main__":
    unittest.main()
