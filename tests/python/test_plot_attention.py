"""scripts/plot attention: by layer and head, alone and beside other schemes."""
import unittest

import numpy as np

from plotting import PlotTest, caption, legend, line, title
from ropewalk.figures.attention import attention_figure
from ropewalk.figures.style import WIDTHS
from synthetic import LENGTHS, config, write_run


class Attention(PlotTest):
    def write(self, kind, seed=0, layers=2, heads=4, measured=True):
        entropy = 1.0 + seed + np.arange(layers)[:, None, None] + 0.1 * np.arange(heads)[:, None] + np.zeros(len(LENGTHS))
        datasets = {"attention/entropy": entropy, "attention/mean_distance": 2 * entropy, "attention/layer": np.arange(layers),
                    "attention/head": np.arange(heads), "attention/length": LENGTHS}  # fmt: skip
        path = self.folder / f"{kind}-{seed}" / "run.h5"
        write_run(path, config({"kind": kind}, seed), [4.0] * 5, datasets=datasets if measured else {})

    def test_one_series_has_a_line_a_head_averaged_over_seeds(self):
        for seed in range(2):
            self.write("rope", seed)
        figure = attention_figure(self.sweep())
        entropy = figure.axes[:2]
        self.assertEqual([axes.get_title(loc="left") for axes in entropy], ["layer 0", "layer 1"])
        self.assertEqual([axes.get_ylabel() for axes in figure.axes[:4]], ["entropy, nats", "", "mean distance, bytes", ""])
        for layer, axes in enumerate(entropy):
            for head in range(4):
                np.testing.assert_allclose(line(axes, f"head {head}").get_ydata(), 1.5 + layer + 0.1 * head)
        self.assertEqual(legend(figure), ["head 0", "head 1", "head 2", "head 3", "uniform attention"])
        self.assertEqual(title(figure), "synthetic: attention by context length, rope")
        self.assertIn("Mean over 2 seeds.", caption(figure))

    def test_several_series_have_their_means_and_thin_heads(self):
        for kind in ("rope", "alibi"):
            self.write(kind)
        figure = attention_figure(self.sweep())
        self.assertEqual(legend(figure), ["alibi", "rope", "uniform attention"])
        np.testing.assert_allclose(line(figure.axes[1], "rope").get_ydata(), 2.15)
        self.assertEqual(len([one for one in figure.axes[1].get_lines() if one.get_linewidth() < 0.7]), 8)

    def test_uniform_attention_is_what_a_mean_over_queries_is(self):
        self.write("rope")
        figure = attention_figure(self.sweep())
        weights = np.tri(256) / np.arange(1, 257)[:, None]
        distance = (weights * np.subtract.outer(np.arange(256), np.arange(256))).sum(axis=1).mean()
        entropy = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(axis=1).mean()
        at_256 = [line(axes, "uniform attention").get_ydata()[2] for axes in (figure.axes[0], figure.axes[2])]
        np.testing.assert_allclose(at_256, [entropy, distance])

    def test_layers_share_their_scales(self):
        self.write("rope", layers=5)
        figure = attention_figure(self.sweep())
        for quantity in ("entropy", "mean"):
            row = [axes for axes in figure.axes if axes.get_ylabel().startswith(quantity)]
            self.assertEqual(len({axes.get_ylim() for axes in row}), 1)

    def test_runs_that_did_not_measure_it_are_counted(self):
        self.write("rope")
        self.write("alibi", measured=False)
        self.assertIn("1 run without attention left out.", caption(attention_figure(self.sweep())))

    def test_a_sweep_that_did_not_measure_it_is_refused_with_what_to_set(self):
        self.write("alibi", measured=False)
        code, _, err = self.plot("attention", self.folder)
        self.assertEqual(code, 2)
        self.assertIn("no run has measured it; `ropewalk evaluate RUN --set record.attention=true` prints it of a trained", err)
        self.assertIn("set record.attention: true and run the config again", err)

    def test_texts_have_room(self):
        for layers, kinds in ((1, ("rope",)), (2, ("alibi", "rope")), (5, ("alibi", "rope"))):
            for kind in kinds:
                self.write(kind, layers=layers)
            for columns in WIDTHS:
                with self.subTest(layers=layers, columns=columns):
                    self.assert_roomy(attention_figure(self.sweep(), columns=columns))


if __name__ == "__main__":
    unittest.main()
