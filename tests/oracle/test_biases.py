"""Published facts about the schemes that add to the scores, and their formulas for single pairs."""
import math
import unittest

import numpy as np
from cases import HEADS, LENGTH, Batch, close, make, torch
from biases import alibi_slopes
from position import sinusoid


class Biases(unittest.TestCase):
    def bias(self, position, length=5, batch=None):
        return position.bias((batch or Batch(length=length)).sequence)

    def test_alibi_slopes(self):
        exponents = lambda heads: [round(-math.log2(slope), 6) for slope in alibi_slopes(heads)]
        self.assertEqual(exponents(8), [1, 2, 3, 4, 5, 6, 7, 8])
        self.assertEqual(exponents(12), [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5])
        self.assertEqual(exponents(6), [2, 4, 6, 8, 1, 3])
        self.assertEqual(exponents(1), [8])

    def test_alibi(self):
        fixed = self.bias(make({"kind": "alibi"}, causal=False), 3)[0]
        self.assertEqual((fixed[0] * 16).tolist(), [[0, -1, -2], [-1, 0, -1], [-2, -1, 0]])
        self.assertEqual((fixed[1] * 256).tolist(), [[0, -1, -2], [-1, 0, -1], [-2, -1, 0]])
        lopsided = self.bias(make({"kind": "alibi", "right": 3.0, "heads": 1}, causal=False), 3)[0]
        self.assertEqual((lopsided[0] * 256).tolist(), [[0, -3, -6], [-1, 0, -3], [-2, -1, 0]])
        self.assertEqual(lopsided[1].abs().max(), 0)

    def test_alibi_learns_both_sides(self):
        names = lambda causal, right: [name for name, _ in make({"kind": "alibi", "slopes": "learned", "right": right},
                                                                causal).named_parameters()]  # fmt: skip
        self.assertEqual(names(True, 2.0), ["slopes"])
        self.assertEqual(names(False, 1.0), ["slopes"])
        self.assertEqual(names(False, 2.0), ["slopes", "slopes_right"])

    def test_alibi_may_be_written_with_the_key_alone(self):
        batch = Batch()
        scores, weights, _ = batch.attend(make({"kind": "alibi"}))
        plain = batch.attend(make({"kind": "none"}))[0]
        keys = torch.tensor([1 / 16, 1 / 256])[:, None, None] * torch.arange(LENGTH)
        close((plain + keys).softmax(-1), weights)

    def buckets(self, offsets, causal=True, **settings):
        return make({"kind": "t5", **settings}, causal).bucket(torch.tensor(offsets)).tolist()

    def test_t5_buckets(self):
        self.assertEqual(self.buckets([-5, 0, 15, 16, 127, 128, 100000]), [0, 0, 15, 16, 31, 31, 31])
        few = self.buckets([0, 3, 4, 7, 8, 15, 16, 31, 32, 64], buckets=8, max_distance=64)
        self.assertEqual(few, [0, 3, 4, 4, 5, 5, 6, 6, 7, 7])
        distances = range(16, 128)
        logarithms = [16 + math.floor(math.log(d / 16) / math.log(128 / 16) * 16) for d in distances]
        self.assertEqual(self.buckets(list(distances)), logarithms)

    def test_t5_of_an_encoder_tells_left_from_right(self):
        t5 = make({"kind": "t5"}, causal=False)
        t5.table.copy_(torch.arange(64.0).view(2, 32))
        self.assertEqual(self.bias(t5, 3)[0, 0].tolist(), [[0, 17, 18], [1, 0, 17], [2, 1, 0]])

    def test_kerple(self):
        kerple = make({"kind": "kerple"}, causal=False)
        kerple.p.copy_(torch.tensor([1.0, -3.0]))
        kerple.a.copy_(torch.tensor([2.0, 0.001]))
        close(self.bias(kerple)[0, :, 1, 3], [-math.log(1 + 2 * 2), -0.01 * math.log(1 + 0.01 * 2)])
        power = make({"kind": "kerple", "form": "power"}, causal=False)
        power.p.copy_(torch.tensor([0.5, 7.0]))
        power.a.copy_(torch.tensor([2.0, -1.0]))
        close(self.bias(power)[0, :, 1, 4], [-2 * math.sqrt(3), -0.01 * 9])

    def test_sandwich(self):
        bias = self.bias(make({"kind": "sandwich", "width": 4}, heads=4))
        close(bias[0, :, 3, 3], np.zeros(4))
        for h in range(1, 5):
            close(bias[0, h - 1, 4, 1], (math.cos(3) + math.cos(0.03) - 2) * 4 / (8 * h))

    def test_sandwich_is_a_product_of_sinusoids(self):
        table = sinusoid(torch.arange(5), 6, 10000.0)
        close(self.bias(make({"kind": "sandwich", "width": 6}, heads=8))[0, 0], table @ table.T - 3)

    def test_fire(self):
        fire = make({"kind": "fire", "width": 3}, causal=False)
        c, threshold = fire.c.item(), fire.threshold.item()
        self.assertTrue(0 < threshold < 11)
        bias = self.bias(fire, LENGTH)[0]
        inner, outer = fire.mlp[0], fire.mlp[2]
        for m, n in ((0, 0), (1, 0), (11, 2), (2, 11), (11, 11)):
            share = math.log(c * abs(m - n) + 1) / math.log(c * max(m, n, threshold) + 1)
            hidden = [max(0.0, w * share + b) for w, b in zip(inner.weight[:, 0].tolist(), inner.bias.tolist())]
            expected = [sum(w * x for w, x in zip(row, hidden)) + b for row, b in zip(outer.weight.tolist(), outer.bias.tolist())]
            close(bias[:, m, n], expected)

    def test_fire_clamps_and_knows_no_negative_ends(self):
        fire, clamped = make({"kind": "fire"}), make({"kind": "fire"})
        fire.c.fill_(-1.0), fire.threshold.fill_(-2.0)
        clamped.c.fill_(0.01), clamped.threshold.fill_(0.01)
        batch = Batch(length=4, positions=[[-3.0, -2.0, 0.0, 1.0]])
        close(self.bias(fire, batch=batch), self.bias(clamped, batch=batch))
        self.assertTrue(self.bias(fire, batch=batch).isfinite().all())

    def test_forget(self):
        forget, batch = make({"kind": "forget"}), Batch()
        bias = self.bias(forget, batch=batch)
        for h in range(HEADS):
            gates = [math.log(1 / (1 + math.exp(-float(forget.w[h] @ x + forget.b[h])))) for x in batch.x[1]]
            for m in range(LENGTH):
                for n in range(m + 1):
                    close(bias[1, h, m, n], sum(gates[n + 1 : m + 1]))


if __name__ == "__main__":
    unittest.main()
