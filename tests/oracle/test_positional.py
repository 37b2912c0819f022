"""What has to hold for every positional scheme."""
import unittest

from cases import BATCH, CASES, LENGTH, SCALED, TRAINED, Batch, close, everywhere, make, needs_mask, torch
from position import contiguous
from positional import SCHEMES
from rotations import SCALINGS


class EveryScheme(unittest.TestCase):
    def test_is_here(self):
        self.assertEqual({settings["kind"] for settings in CASES}, set(SCHEMES))
        self.assertEqual({scaling["kind"] for scaling in SCALED}, set(SCALINGS))

    def test_none_is_blind_to_order_without_a_mask_only(self):
        order = torch.randperm(LENGTH, generator=torch.Generator().manual_seed(3))
        for causal in (False, True):
            batch, shuffled = Batch(), Batch()
            for name in ("query", "key", "value"):
                setattr(shuffled, name, getattr(batch, name)[:, :, order])
            before, after = (b.attend(make({"kind": "none"}, causal))[2] for b in (batch, shuffled))
            self.assertEqual(torch.allclose(before[:, :, order], after, atol=1e-12), not causal)

    def test_is_causal(self):
        for settings in CASES:
            with self.subTest(settings=settings):
                position, batch, changed = make(settings), Batch(), Batch()
                for name in ("x", "query", "key", "value"):
                    getattr(changed, name)[..., -1, :] += 1
                changed.tokens[:, -1] = torch.where(changed.tokens[:, -1] == 1, 0, 1)
                before, after = batch.outputs(position), changed.outputs(position)
                close(before[:, :-1], after[:, :-1])
                self.assertFalse(torch.allclose(before[:, -1], after[:, -1]))

    ABSOLUTE = ("sinusoidal", "learned", "fire", "abacus", "segment", "axial_rope", "learned_2d", "sum")
    NOT_SHIFTED = ("longrope", "self_extend", "log_scale")

    def test_relative_ones_do_not_see_a_shift(self):
        for settings, causal in everywhere():
            is_absolute = settings["kind"] in self.ABSOLUTE or settings.get("scaling", {}).get("kind") in self.NOT_SHIFTED
            with self.subTest(settings=settings, causal=causal):
                if settings["kind"] in ("abacus", "segment", "learned_2d"):
                    continue  # places in the text or in an image, not positions
                longer = {"max_length": 40} if settings["kind"] == "learned" else {}
                position, batch = make({**settings, **longer}, causal), Batch()
                before = batch.outputs(position)
                batch.positions = batch.positions + 10
                same = torch.allclose(before, batch.outputs(position), atol=1e-10)
                self.assertEqual(same, not is_absolute)

    def test_positions_count_not_indices(self):
        for settings, causal in everywhere():
            if settings["kind"] in ("none", "cope", "forget", "abacus", "segment", "learned_2d"):
                continue
            with self.subTest(settings=settings, causal=causal):
                position, batch, other = make(settings, causal), Batch(), Batch(positions=2 * contiguous(LENGTH))
                if settings["kind"] == "learned" and settings.get("beyond") != "clamp":
                    continue  # beyond its table, or stretched over it
                self.assertFalse(torch.allclose(batch.outputs(position), other.outputs(position)))

    def test_takes_positions_of_each_sequence(self):
        """A batch with its own positions a row is the rows one by one."""
        positions = torch.tensor([[*range(LENGTH)], sorted([*range(0, 22, 2), 21])], dtype=torch.float64)
        for settings, causal in everywhere():
            if settings["kind"] == "learned_2d" or settings == {"kind": "learned", "max_length": LENGTH}:
                continue  # no rows for positions that far
            with self.subTest(settings=settings, causal=causal):
                position, batch = make(settings, causal), Batch(positions=positions)
                for row in range(BATCH):
                    alone = Batch(positions=positions[row : row + 1])
                    close(batch.outputs(position)[row], alone.outputs(position)[row])

    def test_is_finite_far_beyond(self):
        for settings, causal in everywhere():
            if settings["kind"] == "learned" and "max_length" in settings:
                continue
            with self.subTest(settings=settings, causal=causal):
                length = 192 if "grid" in settings else 16 * TRAINED  # 12 times 4 squared
                length = 147 if settings.get("grid") == [1, 3] else length
                position, batch = make(settings, causal), Batch(length=length)
                self.assertTrue(batch.outputs(position).isfinite().all())

    CHANGES = {
        "sinusoidal": [{"base": 50.0}, {"scale": 2.0}],
        "learned": [{"beyond": "clamp"}],
        "shaw": [{"clip": 2}, {"values": False}],
        "transformer_xl": [{"base": 50.0}],
        "t5": [{"buckets": 6}, {"max_distance": 9}],
        "rope": [{"base": 60.0}, {"layout": "half"}, {"fraction": 0.25}, *({"scaling": scaling} for scaling in SCALED[1:])],
        "xpos": [{"base": 50.0}, {"gamma": 0.9}, {"scale_base": 5.0}, {"layout": "half"}, {"scaling": {"kind": "linear", "factor": 2.0}}],
        "alibi": [{"slopes": "learned"}, {"heads": 1}, {"right": 2.0}],
        "kerple": [{"form": "power"}],
        "sandwich": [{"width": 4}, {"base": 50.0}],
        "fire": [{"width": 5}],
        "cope": [{"max_position": 3}, {"gates": "scaled"}],
        "deberta": [{"clip": 2}],
        "abacus": [{"max_offset": 2}],
        "segment": [{"segments": 1}],
        "axial_rope": [{"base": 50.0}, {"grid": [3, 4]}, {"scaling": {"kind": "yarn", "factor": 2.0}}],
        "learned_2d": [{"grid": [3, 1]}, {"resample": "bicubic"}],
        "sum": [{"parts": [{"kind": "alibi"}]}],
    }  # fmt: skip
    BASES = {
        "learned": {"beyond": "interpolate"},
        "cope": {"max_position": 9},
        "deberta": {"clip": 9},
        "abacus": {"max_offset": 9},
        "axial_rope": {"grid": [1, 3]},
        "learned_2d": {"grid": [1, 3]},
        "sum": {"parts": [{"kind": "t5"}]},
    }

    def test_every_setting_changes_something(self):
        for kind, scheme in SCHEMES.items():
            changes = self.CHANGES.get(kind, [])
            settings = {"kind": kind, **self.BASES.get(kind, {})}
            causal = kind == "cope"
            changed = {name for change in changes for name in change} | {"max_length"}
            self.assertEqual(changed | set(scheme.defaults), changed)
            for change in changes:
                with self.subTest(kind=kind, change=change):
                    masked = causal or needs_mask({**settings, **change})
                    outputs = lambda s: Batch(length=12).outputs(make(s, masked, trained=TRAINED))
                    self.assertFalse(torch.allclose(outputs(settings), outputs({**settings, **change})))

    def test_every_setting_of_a_scaling_changes_something(self):
        for scaling in SCALED:
            for name, value in scaling.items():
                if name == "kind":
                    continue
                with self.subTest(kind=scaling["kind"], name=name):
                    other = value[::-1] if isinstance(value, list) else value + 2 if isinstance(value, int) else value * 1.5
                    outputs = [Batch().outputs(make({"kind": "rope", "base": 50.0, "scaling": {**scaling, name: v}}))
                               for v in (value, other)]  # fmt: skip
                    self.assertFalse(torch.allclose(*outputs))

    def test_unknown_and_missing_settings_are_refused(self):
        for settings, message in (
            ({"kind": "alibi", "slope": 1}, "alibi: unknown slope; its settings: slopes, heads, right"),
            ({"kind": "deberta"}, "deberta: missing clip"),
            ({"kind": "rope", "scaling": {"kind": "yarn"}}, "yarn: missing factor"),
            ({"kind": "rope", "scaling": {"kind": "yam"}}, "scaling: expected one of none, linear.*; got yam"),
            ({"kind": "rotary"}, "position.kind: expected one of none, .*; got rotary"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                make(settings)
        for kind in ("cope", "forget"):
            with self.assertRaisesRegex(ValueError, "expected a causal model"):
                make({"kind": kind, **({"max_position": 4} if kind == "cope" else {})}, causal=False)


if __name__ == "__main__":
    unittest.main()
