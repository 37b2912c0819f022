"""The check of a dump of positional schemes and samplers, on dumps that the formulas themselves made, good and spoilt."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from cases import DIGITS, HEADS, LENGTH, SEPARATORS, TRAINED, WIDTH, Batch, everywhere, make, torch
import check_positional
import h5py
import numpy as np
import yaml


def quietly(*arguments):
    """(exit code, everything printed) of the check."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = check_positional.main([str(argument) for argument in arguments])
    return code, text.getvalue()


class Dump(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name) / "dump.h5"

    def case(self, settings, causal=True, kind="f64", **options):
        """(arrays, attributes) as the engine would dump them."""
        batch, generator = Batch(**options), torch.Generator().manual_seed(5)
        attributes = {"position": yaml.safe_dump(settings), "causal": int(causal), "heads": HEADS, "width": WIDTH, "type": kind,
                      "trained": TRAINED, "digits": DIGITS, "separators": SEPARATORS}  # fmt: skip
        qkv = torch.cat([part.transpose(1, 2).flatten(-2) for part in (batch.query, batch.key, batch.value)], -1)
        arrays = {"tokens": batch.tokens, "positions": batch.positions, "x": batch.x, "qkv": qkv, "offset": torch.tensor([0, 2]),
                  "probe": torch.randn(batch.x.shape, dtype=torch.float64, generator=generator)}  # fmt: skip
        arrays.update((f"parameters/{name}", value.detach()) for name, value in make(settings, causal).named_parameters())
        arrays = {name: array.numpy() for name, array in arrays.items()}
        return {**arrays, **check_positional.evaluate(arrays, attributes)}, attributes

    def write(self, *cases):
        with h5py.File(self.path, "w") as file:
            for index, (arrays, attributes) in enumerate(cases):
                group = file.create_group(f"cases/{index}")
                group.attrs.update(attributes)
                for name, array in arrays.items():
                    group[name] = array

    def check(self, *cases):
        self.write(*cases)
        return quietly(self.path)

    def test_good(self):
        cases = [self.case(settings, causal) for settings, causal in everywhere()]
        code, text = self.check(*cases)
        self.assertEqual(code, 0, text)
        self.assertIn(f"{len(cases)} of {len(cases)} agree", text)

    def test_one_row_of_bias_for_the_batch(self):
        arrays, attributes = self.case({"kind": "alibi"})
        self.assertEqual(self.check(({**arrays, "bias": arrays["bias"][0]}, attributes))[0], 0)

    def test_text_of_fixed_length(self):
        arrays, attributes = self.case({"kind": "alibi"})
        fixed = {**attributes, "position": np.bytes_(attributes["position"]), "type": np.bytes_("f64")}
        self.assertEqual(self.check((arrays, fixed))[0], 0)

    def test_each_spoilt_quantity_is_found(self):
        for settings in ({"kind": "fire"}, {"kind": "learned", "max_length": 20}, {"kind": "rope"}, {"kind": "alibi"}):
            arrays, attributes = self.case(settings)
            results = [name for name in arrays if name not in check_positional.INPUTS and not name.startswith("parameters/")]
            for name in results:
                with self.subTest(settings=settings, name=name):
                    spoilt = arrays[name].copy()
                    spoilt.flat[np.abs(spoilt).argmax()] *= 1 + 1e-7
                    spoilt.flat[0] += 1e-7
                    code, text = self.check((arrays, attributes), ({**arrays, name: spoilt}, attributes))
                    self.assertEqual(code, 1, text)
                    self.assertRegex(text, f"(?m)^1 .*MISMATCH {name}$")
                    self.assertNotRegex(text, "(?m)^0 .*MISMATCH")
                    self.assertEqual(self.check(({**arrays, name: spoilt}, {**attributes, "type": "f32"}))[0], 0)
                    spoilt.flat[0] = np.nan
                    self.assertEqual(self.check(({**arrays, name: spoilt}, attributes))[0], 1)

    def test_another_scheme_or_setting_is_found(self):
        arrays, attributes = self.case({"kind": "rope", "scaling": {"kind": "ntk", "factor": 3.0}}, length=LENGTH)
        for other in (
            "{kind: none}",
            "{kind: xpos}",
            "{kind: rope, layout: half, scaling: {kind: ntk, factor: 3}}",
            "{kind: rope, scaling: {kind: ntk, factor: 3.001}}",
            "{kind: rope, scaling: {kind: linear, factor: 3}}",
        ):
            with self.subTest(other=other):
                self.assertEqual(self.check((arrays, {**attributes, "position": other}))[0], 1)

    def test_what_the_scheme_does_not_have_is_found(self):
        arrays, attributes = self.case({"kind": "none"})
        code, text = self.check(({**arrays, "embedding": np.zeros_like(arrays["x"])}, attributes))
        self.assertEqual(code, 1)
        self.assertIn("MISMATCH embedding", text)

    def test_bad_dumps(self):
        arrays, attributes = self.case({"kind": "kerple"})
        without = lambda things, name: {key: value for key, value in things.items() if key != name}
        for bad, message in (
            ((without(arrays, "gradient/parameters/p"), attributes), "/cases/0: expected dataset gradient/parameters/p"),
            ((without(arrays, "parameters/a"), attributes), r"parameters: missing a \[2\]"),
            ((without(arrays, "probe"), attributes), "probe"),
            (({**arrays, "gradients/x": arrays["x"]}, attributes), "unknown dataset gradients/x"),
            (({**arrays, "x": arrays["x"][:1]}, attributes), r"gradient/x: expected \[1, 12, 16\], got \[2, 12, 16\]"),
            (({**arrays, "qkv": arrays["qkv"][..., 1:]}, attributes), "/cases/0"),
            (({**arrays, "scores": arrays["scores"][:, :1]}, attributes), r"scores: expected \[2, 2, 12, 12\], got \[2, 1, 12"),
            ((arrays, without(attributes, "trained")), "trained"),
            ((arrays, {**attributes, "position": "{kind: kerpel}"}), "got kerpel"),
            ((arrays, {**attributes, "position": "{kind: kerple"}), "/cases/0"),
            ((arrays, {**attributes, "type": "f16"}), "f16"),
        ):
            with self.subTest(message=message):
                code, text = self.check(bad)
                self.assertEqual(code, 3, text)
                self.assertRegex(text, message)

    def test_no_dump(self):
        self.assertEqual(quietly(self.path)[0], 3)
        self.write()
        code, text = quietly(self.path)
        self.assertEqual(code, 3)
        self.assertIn("expected group cases or samplers", text)
        self.assertEqual(quietly()[0], 2)


class Samplers(unittest.TestCase):
    DRAWS, LENGTH = 20000, 6

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name) / "dump.h5"
        self.random = np.random.default_rng(0)

    def check(self, settings, positions, training=1):
        with h5py.File(self.path, "w") as file:
            group = file.create_group("samplers/drawn")
            group.attrs.update({"positions": settings, "trained": TRAINED, "training": training})
            group["positions"] = np.asarray(positions, dtype=np.float64)
        return quietly(self.path)

    def assert_verdict(self, code, *arguments, **options):
        actual, text = self.check(*arguments, **options)
        self.assertEqual(actual, code, text)

    @property
    def plain(self):
        return np.tile(np.arange(self.LENGTH), (self.DRAWS, 1))

    def offsets(self, low, high):
        return self.plain + self.random.integers(low, high, (self.DRAWS, 1), endpoint=True)

    def drawn(self, most):
        return np.sort(self.random.random((self.DRAWS, most)).argsort(-1)[:, : self.LENGTH], -1)

    def cape(self, shift=3.0, jitter=0.4, scale=1.5):
        uniform = lambda most, columns: self.random.uniform(-most, most, (self.DRAWS, columns))
        return np.exp(uniform(np.log(scale), 1)) * (self.plain + uniform(shift, 1) + uniform(jitter, self.LENGTH))

    def test_good(self):
        for settings, positions in (
            ("{kind: contiguous}", self.plain),
            ("{kind: offset, max: 50}", self.offsets(0, 50)),
            ("{kind: offset, max: 1}", self.offsets(0, 1)),
            ("{kind: randomized, range: 40}", self.drawn(40)),
            ("{kind: randomized, range: 6}", self.plain),
            ("{kind: cape, shift: 3, jitter: 0.4, scale: 1.5}", self.cape()),
            ("{kind: cape, shift: 3}", self.cape(jitter=0, scale=1)),
            ("{kind: cape}", self.plain),
        ):
            with self.subTest(settings=settings):
                self.assert_verdict(0, settings, positions)

    def test_evaluation(self):
        for settings in ("{kind: offset, max: 50}", "{kind: randomized, range: 40}", "{kind: cape, shift: 3}"):
            with self.subTest(settings=settings):
                self.assert_verdict(0, settings, self.plain[:1], training=0)
                self.assert_verdict(1, settings, self.offsets(0, 50), training=0)
        self.assert_verdict(0, "{kind: randomized, range: 40, evaluation: drawn}", self.drawn(40), training=0)
        self.assert_verdict(1, "{kind: randomized, range: 40, evaluation: drawn}", self.plain, training=0)

    def test_spoilt_offset(self):
        settings = "{kind: offset, max: 50}"
        repeated = self.offsets(0, 50)
        repeated[1::2] = repeated[::2]
        squared = self.plain + np.floor(51 * self.random.random((self.DRAWS, 1)) ** 1.2)
        distances = self.random.choice([-15, -14, 14, 15], (self.DRAWS, 1), p=[62 / 174, 25 / 174, 25 / 174, 62 / 174])
        uneven = self.offsets(0, 50) + [0, 0, 0, 1, 1, 1]
        wrong = (self.plain, self.offsets(0, 49), self.offsets(0, 51), self.offsets(1, 50), self.offsets(0, 50) + 0.5)
        for positions in (*wrong, repeated, squared, uneven, self.plain + 25 + distances):
            self.assert_verdict(1, settings, positions)

    def test_spoilt_randomized(self):
        settings = "{kind: randomized, range: 40}"
        replaced = np.sort(self.random.integers(0, 40, (self.DRAWS, self.LENGTH)), -1)
        shared = np.repeat(self.drawn(40)[: self.DRAWS // 2], 2, axis=0)
        evenly = np.sort((self.random.integers(0, 40, (self.DRAWS, 1)) + np.arange(0, 40, 40 / 6).astype(int)) % 40, -1)
        backwards = self.drawn(40)
        backwards[7] = backwards[7, ::-1]
        never_19 = self.drawn(40)
        never_19[(never_19 == 19) & ~(never_19 == 20).any(-1, keepdims=True)] = 20
        for positions in (self.drawn(39), self.drawn(41), self.drawn(40) + 1, backwards, replaced, shared, evenly, never_19):
            self.assert_verdict(1, settings, positions)

    def test_spoilt_cape(self):
        settings = "{kind: cape, shift: 3, jitter: 0.4, scale: 1.5}"
        uniform = lambda low, high, columns=1: self.random.uniform(low, high, (self.DRAWS, columns))
        jitter, factor = uniform(-0.4, 0.4, self.LENGTH), np.exp(uniform(-np.log(1.5), np.log(1.5)))
        twice = lambda column: np.repeat(column[::2], 2, axis=0)
        far, leap = self.cape(), self.cape()
        far[7] += 10
        leap[np.argmin(leap[:, -1] - leap[:, 0]), 3] += 3  # where a factor is small: of all tokens, few go that far
        for what, positions in (
            ("a sequence too far", far),
            ("a step too long", leap),
            ("factor of the neighbour", twice(factor) * (self.plain + uniform(-3, 3) + jitter)),
            ("shift of the neighbour", factor * (self.plain + twice(uniform(-3, 3)) + jitter)),
            ("shift", self.cape(shift=2.9)),
            ("jitter", self.cape(jitter=0.38)),
            ("scale", self.cape(scale=1.45)),
            ("factor not of its logarithm", uniform(1 / 1.5, 1.5) * (self.plain + uniform(-3, 3) + jitter)),
            ("shift only to the right", factor * (self.plain + uniform(0, 3) + jitter)),
            ("shift of each token", factor * (self.plain + uniform(-3, 3, self.LENGTH) + jitter)),
            ("shift not scaled", factor * (self.plain + jitter) + uniform(-3, 3)),
            ("jitter of the sequence", factor * (self.plain + uniform(-3, 3) + uniform(-0.4, 0.4))),
            ("shifts of two kinds", factor * (self.plain + self.random.choice([-1, 1], (self.DRAWS, 1)) * 3**0.5 + jitter)),
            ("jitter of two kinds", factor * (self.plain + uniform(-3, 3) + np.sign(jitter) * 0.4 / 3**0.5)),
            ("triangular jitter", factor * (self.plain + uniform(-3, 3) + (jitter + self.random.permuted(jitter)) / np.sqrt(2))),
        ):
            with self.subTest(what=what):
                self.assert_verdict(1, settings, positions)

    def test_too_few_draws_and_unknown_samplers(self):
        for settings, positions, message in (
            ("{kind: offset, max: 9}", self.plain[:10], r"expected 1000 draws .*; got \[10, 6\]"),
            ("{kind: shape}", self.plain, "got shape"),
            ("{kind: offset}", self.plain, "missing max"),
        ):
            code, text = self.check(settings, positions)
            self.assertEqual(code, 3)
            self.assertRegex(text, message)


if __name__ == "__main__":
    unittest.main()
