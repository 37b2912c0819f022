"""Published facts about rope, its scalings, xpos and rope in two dimensions."""
import math
import unittest

import numpy as np
from cases import TRAINED, Batch, close, make, torch
from position import Sequence, contiguous, grid_of


class Rotations(unittest.TestCase):
    def test_known_angles(self):
        rope = make({"kind": "rope"}, heads=1, width=2)
        for degrees, pairs, expected in ((30, ((1, 3), (0, 2), (5, 7), (10, 12)), 0.5), (45, ((0, 2),), 0.0)):
            for pair in pairs:
                batch = Batch(length=2, heads=1, width=2, batch=1, positions=[[math.radians(degrees) * place for place in pair]])
                batch.query = batch.key = torch.tensor([1.0, 0.0], dtype=torch.float64).expand(1, 1, 2, 2)
                close(batch.attend(rope)[0][0, 0, 1, 0] * math.sqrt(2), expected)

    def turned(self, positions, **settings):
        batch = Batch(length=len(positions), positions=[positions])
        [(query, key, _)] = make({"kind": "rope", **settings}).pairs(batch.query, batch.key, batch.sequence)
        return batch, query, key

    def test_norms_stay(self):
        for layout in ("interleaved", "half"):
            batch, query, _ = self.turned([0.0, 3.0, 1e6, -7.5], layout=layout)
            close(query.norm(dim=-1), batch.query.norm(dim=-1))

    def test_inverse_is_the_transpose(self):
        batch = Batch(length=8, batch=1, heads=1, width=8, positions=[[12345.6] * 8])
        identity = torch.eye(8, dtype=torch.float64)[None, None]
        [(turned, _, _)] = make({"kind": "rope"}, heads=1, width=8).pairs(identity, identity, batch.sequence)
        close(turned[0, 0] @ turned[0, 0].T, np.eye(8))

    def test_layouts_turn_their_pairs(self):
        query = torch.eye(4, dtype=torch.float64)[None, None, :1].expand(1, 1, 2, 4)  # (1,0,0,0) at positions 0 and 1
        sequence = Sequence(torch.zeros(1, 2, dtype=torch.long), contiguous(2))
        turned = lambda layout: make({"kind": "rope", "layout": layout}, 1, 1, 4).pairs(query, query, sequence)[0][0][0, 0, 1]
        close(turned("interleaved"), [np.cos(1), np.sin(1), 0, 0])
        close(turned("half"), [np.cos(1), 0, np.sin(1), 0])

    def frequencies(self, scaling, length=TRAINED, width=64, trained=TRAINED, base=10000.0):
        rope = lambda kind: make({"kind": "rope", "base": base, "scaling": kind}, heads=1, width=width, trained=trained)
        return rope(scaling).turning.frequencies(length).numpy(), rope({"kind": "none"}).turning.frequencies(length).numpy()

    def test_frequencies(self):
        close(self.frequencies({"kind": "none"}, width=4)[0], [1, 0.01])

    def test_linear(self):
        scaled, plain = self.frequencies({"kind": "linear", "factor": 4.0})
        close(scaled, plain / 4)

    def test_ntk_keeps_the_fastest_and_interpolates_the_slowest(self):
        scaled, plain = self.frequencies({"kind": "ntk", "factor": 4.0})
        close([scaled[0], scaled[-1]], [plain[0], plain[-1] / 4])
        close(self.frequencies({"kind": "ntk", "factor": 4.0}, width=2)[0], [1])

    def test_dynamic_ntk_follows_the_length(self):
        four_times = self.frequencies({"kind": "dynamic_ntk"}, length=4 * TRAINED)[0]
        close(four_times, self.frequencies({"kind": "ntk", "factor": 4.0})[0])
        close(*self.frequencies({"kind": "dynamic_ntk"}, length=TRAINED // 2))

    def test_yarn(self):
        scaled, plain = self.frequencies({"kind": "yarn", "factor": 4.0}, trained=4096)
        turns = 4096 * plain / (2 * np.pi)
        close(scaled[turns > 32], plain[turns > 32])
        close(scaled[turns < 1], plain[turns < 1] / 4)
        between = (turns > 1) & (turns < 32)
        self.assertTrue(min((turns > 32).sum(), (turns < 1).sum(), between.sum()) > 2)
        self.assertTrue((scaled[between] < plain[between]).all() and (scaled[between] > plain[between] / 4).all())

    def test_yarn_sharpens_scores(self):
        yarn = {"kind": "yarn", "factor": 4.0, "alpha": 1e-9, "beta": 2e-9}  # every pair is left as it is
        batch = Batch()
        scores = lambda scaling: batch.attend(make({"kind": "rope", "scaling": scaling}, causal=False))[0]
        close(scores(yarn), scores({"kind": "none"}) * (0.1 * math.log(4) + 1) ** 2)

    def test_llama3(self):
        scaled, plain = self.frequencies({"kind": "llama3"}, width=128, trained=8192, base=500000.0)
        for theta, expected in zip(scaled, plain):
            wavelength = 2 * math.pi / expected
            if wavelength > 8192:
                expected /= 8
            elif wavelength >= 8192 / 4:
                smooth = (8192 / wavelength - 1) / (4 - 1)
                expected = (1 - smooth) * expected / 8 + smooth * expected
            close(theta, expected)

    def test_longrope_keeps_the_first_positions(self):
        rope = make({"kind": "rope", "scaling": {"kind": "longrope", "factors": [2.0, 4.0], "keep": 2}}, heads=1, width=4)
        close(rope.turning.angles(contiguous(4), 4)[0], [[0, 0], [1, 0.01], [2 / 2, 0.02 / 4], [3 / 2, 0.03 / 4]])

    def relative_positions(self, scaling, expected):
        """Scores of (1,0) with itself are cosines of relative positions, and of (0,-1) with (1,0) sines."""
        batch = Batch(length=16, batch=1, heads=1, width=2)
        rope = make({"kind": "rope", "scaling": scaling}, heads=1, width=2)
        for query, function in (((1.0, 0.0), np.cos), ((0.0, -1.0), np.sin)):
            batch.query, batch.key = (torch.tensor(v, dtype=torch.float64).expand(1, 1, 16, 2) for v in (query, (1.0, 0.0)))
            scores = batch.attend(rope)[0][0, 0] * math.sqrt(2)
            for m in range(16):
                for n in range(m + 1):
                    close(scores[m, n], -function(-expected(m, n)) if function is np.sin else function(expected(m, n)))

    def test_self_extend(self):
        far = lambda m, n: (m // 3 + 5 - 5 // 3) - n // 3
        self.relative_positions({"kind": "self_extend", "window": 5, "group": 3}, lambda m, n: m - n if m - n <= 5 else far(m, n))

    def test_rerope(self):
        self.relative_positions({"kind": "rerope", "window": 4}, lambda m, n: min(m - n, 4))

    def test_log_scale(self):
        batch = Batch(length=70, positions=[[*range(70)]])
        plain, scaled = (batch.attend(make({"kind": "rope", "fraction": 0.5, "scaling": {"kind": kind}}, causal=False))[0]
                         for kind in ("none", "log_scale"))  # fmt: skip
        close(scaled[:, :, :9], plain[:, :, :9])
        close(scaled[:, :, 64], 2 * plain[:, :, 64])  # ln 64 / ln 8

    def test_xpos_grows_and_decays(self):
        batch = Batch(length=6)
        xpos = make({"kind": "xpos", "gamma": 0.4, "scale_base": 4.0}, causal=False)
        scores = batch.attend(xpos)[0][0, 0]
        for m in range(6):
            for n in range(6):
                score = 0.0
                for j in range(4):
                    q, k = (complex(*x[0, 0, i, 2 * j : 2 * j + 2].tolist()) for x, i in ((batch.query, m), (batch.key, n)))
                    turned = (q * k.conjugate() * np.exp(1j * (m - n) * 10000 ** (-j / 4))).real
                    score += turned * ((j / 4 + 0.4) / 1.4) ** ((m - n) / 4)
                close(scores[m, n], score / math.sqrt(8))

    def test_axial_rope_turns_by_row_and_column(self):
        axial = make({"kind": "axial_rope", "base": 100.0, "grid": [2, 3]}, width=16)
        angles = axial.angles(Batch(length=24).sequence)[0]  # a grid of 4 by 6
        for p in range(24):
            row, column = divmod(p, 6)
            close(angles[p], [row, row / 10, column, column / 10])

    def test_grids_keep_their_shape(self):
        self.assertEqual(grid_of([4, 6], 24), (4, 6))
        self.assertEqual(grid_of([4, 6], 54), (6, 9))
        self.assertEqual(grid_of([3, 3], 1), (1, 1))
        with self.assertRaisesRegex(ValueError, r"grid \[4, 6\]: no grid of 48 cells"):
            grid_of([4, 6], 48)


if __name__ == "__main__":
    unittest.main()
