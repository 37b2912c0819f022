"""The schemes whose scores depend on queries and keys, and sums of schemes, against plain loops over pairs."""
import math
import unittest

from cases import BATCH, HEADS, LENGTH, WIDTH, Batch, close, everywhere, make, torch


class Interactions(unittest.TestCase):
    """Scores once more by loops over heads and pairs, straight from the formulas."""

    def compare(self, settings, score, causal=False, positions=None):
        """score(position, q, k, h, m, n) for head h, where q and k give the rows of queries and keys of that head."""
        position, batch = make(settings, causal), Batch(length=7, positions=positions)
        scores = batch.attend(position)[0]
        for b in range(BATCH):
            for h in range(HEADS):
                for m in range(7):
                    for n in range(m + 1 if causal else 7):
                        close(scores[b, h, m, n], score(position, batch.query[b, h], batch.key[b, h], h, m, n), 1e-11)
        return position, batch

    def test_shaw(self):
        row = lambda m, n: min(max(n - m, -2), 2) + 2
        score = lambda shaw, q, k, h, m, n: q[m] @ (k[n] + shaw.aK[row(m, n)]) / math.sqrt(8)
        shaw, batch = self.compare({"kind": "shaw", "clip": 2}, score)
        _, weights, output = batch.attend(shaw)
        for m in range(7):
            expected = sum(weights[1, 0, m, n] * (batch.value[1, 0, n] + shaw.aV[row(m, n)]) for n in range(7))
            close(output[1, 0, m], expected)

    def test_shaw_without_values(self):
        self.assertEqual([name for name, _ in make({"kind": "shaw", "values": False}).named_parameters()], ["aK"])

    def test_offsets_of_real_positions_are_of_rounded_ones(self):
        positions = [[-1.5, -0.4, 0.5, 1.49, 2.5, 3.0, 7.7]]
        rounded = [-1, 0, 1, 1, 3, 3, 8]
        row = lambda m, n: min(max(rounded[n] - rounded[m], -4), 4) + 4
        score = lambda shaw, q, k, h, m, n: q[m] @ (k[n] + shaw.aK[row(m, n)]) / math.sqrt(8)
        self.compare({"kind": "shaw", "clip": 4}, score, positions=positions)

    def test_transformer_xl(self):
        def score(xl, q, k, h, m, n):
            r = torch.zeros(WIDTH, dtype=torch.float64)
            for i in range(WIDTH // 2):
                r[2 * i], r[2 * i + 1] = math.sin((m - n) * 100 ** (-2 * i / WIDTH)), math.cos((m - n) * 100 ** (-2 * i / WIDTH))
            R = (xl.W_R @ r)[8 * h : 8 * h + 8]
            return (q[m] @ k[n] + q[m] @ R + xl.u[h] @ k[n] + xl.v[h] @ R) / math.sqrt(8)

        self.compare({"kind": "transformer_xl", "base": 100.0}, score)

    def test_deberta(self):
        def row(i, j):
            return 0 if i - j <= -3 else 5 if i - j >= 3 else i - j + 3

        def score(deberta, q, k, h, m, n):
            relative_key = (deberta.W_k @ deberta.table[row(m, n)])[8 * h : 8 * h + 8]
            relative_query = (deberta.W_q @ deberta.table[row(n, m)])[8 * h : 8 * h + 8]
            return (q[m] @ k[n] + q[m] @ relative_key + k[n] @ relative_query) / math.sqrt(3 * 8)

        self.compare({"kind": "deberta", "clip": 3}, score)

    def test_cope(self):
        for gates, scale in (("dot", 1.0), ("scaled", math.sqrt(8))):

            def score(cope, q, k, h, m, n):
                place = sum(1 / (1 + math.exp(-float(q[m] @ k[l]) / scale)) for l in range(n, m + 1))
                place = min(place, 3.0)
                below, above = math.floor(place), math.ceil(place)
                embedding = (1 - place + below) * cope.table[below] + (place - below) * cope.table[above]
                return q[m] @ k[n] / math.sqrt(8) + q[m] @ embedding

            self.compare({"kind": "cope", "max_position": 4, "gates": gates}, score, causal=True)

    def test_cope_with_open_gates_counts_tokens(self):
        cope, batch = make({"kind": "cope", "max_position": 20}), Batch()
        batch.query, batch.key = (torch.full_like(batch.query, 10.0) for _ in range(2))
        added = cope.interaction(batch.query, batch.key, batch.sequence)
        for n in range(LENGTH):
            close(added[0, 0, 11, n], batch.query[0, 0, 11] @ cope.table[11 - n + 1], 1e-10)

    def test_scores_of_a_sum(self):
        def score(parts, q, k, h, m, n):
            deberta, alibi = parts.parts
            alone = Batch(length=7)
            alone.query[0, h], alone.key[0, h] = q, k
            slope = (1 / 16, 1 / 256)[h]
            return alone.attend(deberta)[0][0, h, m, n] - slope * abs(m - n)

        self.compare({"kind": "sum", "parts": [{"kind": "deberta", "clip": 3}, {"kind": "alibi"}]}, score)

    def test_a_sum_of_nothing_and_one_is_that_one(self):
        for settings, causal in everywhere():
            with self.subTest(settings=settings, causal=causal):
                alone, nothing = make(settings, causal), {"kind": "none"}
                for place, parts in enumerate(([settings, nothing], [nothing, settings])):
                    together = make({"kind": "sum", "parts": parts}, causal)
                    close(Batch().outputs(together), Batch().outputs(alone))
                    self.assertEqual([f"parts.{place}.{name}" for name, _ in alone.named_parameters()],
                                     [name for name, _ in together.named_parameters()])  # fmt: skip

    def test_embeddings_and_biases_of_a_sum_add_up(self):
        parts = [{"kind": "sinusoidal"}, {"kind": "learned", "max_length": 20}, {"kind": "t5"}, {"kind": "alibi"}]
        together, batch = make({"kind": "sum", "parts": parts}), Batch()
        close(together.embed(batch.sequence), sum(part.embed(batch.sequence) for part in together.parts[:2]))
        close(together.bias(batch.sequence), sum(part.bias(batch.sequence) for part in together.parts[2:]))


if __name__ == "__main__":
    unittest.main()
