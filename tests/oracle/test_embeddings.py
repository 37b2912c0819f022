"""Published facts about the schemes that add to the embedding."""
import math
import unittest

import numpy as np
from cases import DIGITS, SEPARATORS, TRAINED, WIDTH, Batch, close, make, torch
from position import Sequence, contiguous, sinusoid


class Embeddings(unittest.TestCase):
    def embed(self, settings, tokens=None, width=4, shift=0, **options):
        position = make(settings, width=width, **options)
        if "table" in dict(position.named_parameters()):
            rows = torch.arange(position.table[..., 0].numel(), dtype=torch.float64)
            position.table.copy_(rows.view(*position.table.shape[:-1], 1).square())
        tokens = torch.zeros(1, 7, dtype=torch.long) if tokens is None else torch.tensor([tokens])
        sequence = Sequence(tokens, contiguous(tokens.shape[1]), None, DIGITS, SEPARATORS, torch.tensor([shift]))
        return position.embed(sequence)[0, :, 0].tolist()

    def test_sinusoid_of_four(self):
        expected = [[0, 1, 0, 1], [0.8415, 0.5403, 0.01, 0.99995], [0.9093, -0.4161, 0.02, 0.9998]]
        close(sinusoid(torch.arange(3), 4, 10000.0), expected, 5e-5)

    def test_sinusoid_moves_by_rotations(self):
        table = sinusoid(torch.arange(100), WIDTH, 10000.0)
        self.assertLessEqual(table.abs().max(), 1)
        for k in (1, 7, 40):
            move = torch.zeros(WIDTH, WIDTH, dtype=torch.float64)
            for i in range(WIDTH // 2):
                angle = k * 10000 ** (-2 * i / WIDTH)
                cosine, sine = math.cos(angle), math.sin(angle)
                move[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[cosine, sine], [-sine, cosine]], dtype=torch.float64)
            close(table[k:], table[: 100 - k] @ move.T, 1e-11)
        products = table @ table.T
        for distance in range(100):
            close(torch.diagonal(products, distance), products[0, distance].expand(100 - distance), 1e-11)

    def test_learned(self):
        squares = [0, 1, 4, 9, 16, 25, 36]
        self.assertEqual(self.embed({"kind": "learned"}), squares)
        self.assertEqual(self.embed({"kind": "learned", "max_length": 4, "beyond": "clamp"}), [0, 1, 4, 9, 9, 9, 9])
        self.assertEqual(self.embed({"kind": "learned", "max_length": 4, "beyond": "interpolate"}), [0, 0.5, 1, 2.5, 4, 6.5, 9])
        self.assertEqual(self.embed({"kind": "learned", "max_length": 9, "beyond": "interpolate"}), squares)
        for beyond in ("error", "skip"):
            with self.assertRaisesRegex(ValueError, f"position 6.0 asked of a table of 4, and beyond is {beyond}"):
                self.embed({"kind": "learned", "max_length": 4, "beyond": beyond})

    def test_learned_between_and_before_rows(self):
        learned = make({"kind": "learned"}, width=2)
        sequence = Sequence(torch.zeros(1, 3, dtype=torch.long), torch.tensor([[-2.0, 0.25, 6.5]], dtype=torch.float64))
        rows = learned.table
        close(learned.embed(sequence)[0], torch.stack((rows[0], 0.75 * rows[0] + 0.25 * rows[1], 0.5 * rows[6] + 0.5 * rows[7])))

    def test_which_lengths_are_skipped(self):
        skips = lambda beyond, length: make({"kind": "sum", "parts": [{"kind": "learned", "beyond": beyond}]}).skips(length)
        self.assertEqual([skips("skip", TRAINED), skips("skip", TRAINED + 1), skips("clamp", TRAINED + 1)], [False, True, False])

    def test_learned_2d_is_resampled_as_images_are(self):
        """Keys' cubic with a = -0.75 or linear hats, about the centres of cells, edges repeated."""
        hat = lambda t: max(0.0, 1 - abs(t))

        def cubic(t, a=-0.75):
            t = abs(t)
            if t <= 1:
                return (a + 2) * t**3 - (a + 3) * t**2 + 1
            return a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a if t < 2 else 0.0

        def matrix(size, cells, kernel):
            weights = np.zeros((size, cells))
            for i in range(size):
                centre = (i + 0.5) * cells / size - 0.5
                centre = max(centre, 0.0) if kernel is hat else centre
                for j in range(math.floor(centre) - 1, math.floor(centre) + 3):
                    weights[i, min(max(j, 0), cells - 1)] += kernel(centre - j)
            return weights

        for resample, kernel in (("bilinear", hat), ("bicubic", cubic)):
            for length, size in ((24, (4, 6)), (150, (10, 15)), (6, (2, 3))):
                with self.subTest(resample=resample, length=length):
                    position = make({"kind": "learned_2d", "grid": [4, 6], "resample": resample})
                    rows, columns = matrix(size[0], 4, kernel), matrix(size[1], 6, kernel)
                    expected = np.einsum("ir,jc,rcd->ijd", rows, columns, position.table.numpy()).reshape(length, WIDTH)
                    close(position.embed(Batch(length=length).sequence)[0], expected)

    def test_abacus_counts_digits(self):
        tokens = [0, 1, 2, 3, 7, 1, 0, 2, 2, 2, 2, 2]
        expected = [0, 0, 1, 4, 0, 0, 0, 0, 1, 4, 9, 16]
        self.assertEqual(self.embed({"kind": "abacus", "max_offset": 5}, tokens), expected)
        expected = [0, 9, 16, 25, 0, 9, 0, 9, 16, 25, 36, 49]
        self.assertEqual(self.embed({"kind": "abacus", "max_offset": 5}, tokens, shift=3), expected)
        clamped = self.embed({"kind": "abacus", "max_offset": 2}, tokens, shift=2, trained=3)  # 5 rows
        self.assertEqual(clamped, [0, 4, 9, 16, 0, 4, 0, 4, 9, 16, 16, 16])

    def test_segment_ends_with_its_separator(self):
        self.assertEqual(self.embed({"kind": "segment", "segments": 3}, [5, 9, 5, 9, 9, 5, 9, 1]), [0, 0, 1, 1, 4, 0, 0, 1])


if __name__ == "__main__":
    unittest.main()
