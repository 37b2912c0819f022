"""The peers on their own: published facts about each scheme, and both checks on files the peer itself made, good and spoilt."""
import contextlib
import copy
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from peers import require_torch

try:
    torch = require_torch()
except SystemExit as skipped:
    raise unittest.SkipTest("PyTorch is not installed") from skipped
import check_run
import check_training
import h5py
import numpy as np
import yaml
from model import Alibi, Learned, Rope, Sinusoidal, T5, Transformer, alibi_slopes

LENGTH = 16
POSITIONS = [
    {"kind": "none"},
    {"kind": "sinusoidal", "base": 1000.0, "scale": 0.5},
    {"kind": "learned", "max_length": 64},
    {"kind": "learned", "beyond": "interpolate"},
    {"kind": "learned", "beyond": "clamp"},
    {"kind": "learned", "beyond": "skip"},
    {"kind": "rope", "layout": "interleaved"},
    {"kind": "rope", "layout": "half", "fraction": 0.5, "base": 500.0},
    {"kind": "alibi"},
    {"kind": "alibi", "slopes": "learned"},
    {"kind": "t5", "buckets": 8, "max_distance": 32},
    {"kind": "t5", "per_layer": True},
]
ACTIVATIONS = ("gelu", "gelu_tanh", "relu", "silu", "swiglu")


def make_config(position, corpus="data/kjv.txt", **model):
    model = {"kind": "decoder", "layers": 2, "heads": 3, "width": 24, "hidden": 40, "activation": "gelu", "norm": "layer",
             "tie_embeddings": False, "position": position, **model}  # fmt: skip
    return {
        "name": "peer",
        "task": {"kind": "text", "corpus": str(corpus), "tokens": "bytes", "validation": 0.1},
        "model": model,
        "train": {"length": LENGTH, "clip": 0.5, "optimizer": {"betas": [0.9, 0.98], "epsilon": 1e-8, "decay": 0.1}},
        "evaluate": {"tokens": 300, "lengths": [LENGTH, 4 * LENGTH]},
    }


def make_model(config, seed=0):
    """In f32, as the program trains, with parameters that make every part count."""
    torch.manual_seed(seed)
    model = Transformer(config)
    for name, parameter in model.named_parameters():
        if "slopes" not in name:
            parameter.copy_(torch.randn_like(parameter) * 0.3 + ("norm" in name and "weight" in name))
    return model


def arrays(model):
    return {name: parameter.detach().numpy().copy() for name, parameter in model.named_parameters()}


def quietly(function, *arguments):
    """(result, everything printed)."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        result = function(*arguments)
    return result, text.getvalue()


class Facts(unittest.TestCase):
    """SCHEMES.md, section 4."""

    model = {"heads": 2, "width": 4, "kind": "decoder"}

    def test_alibi_slopes(self):
        exponents = lambda heads: [round(-np.log2(slope), 6) for slope in alibi_slopes(heads)]
        self.assertEqual(exponents(8), [1, 2, 3, 4, 5, 6, 7, 8])
        self.assertEqual(exponents(12), [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5])
        self.assertEqual(exponents(6), [2, 4, 6, 8, 1, 3])
        self.assertEqual(exponents(1), [8])

    def test_alibi_bias(self):
        bias = Alibi({}, self.model, 8).bias(3)
        self.assertEqual(bias[0].tolist(), [[0, -1 / 16, -2 / 16], [-1 / 16, 0, -1 / 16], [-2 / 16, -1 / 16, 0]])

    def test_sinusoid(self):
        table = Sinusoidal({}, self.model, 8).embed(torch.zeros(1, 3, 4, dtype=torch.float64))[0]
        expected = [[0.8415, 0.5403, 0.01, 0.99995], [0.9093, -0.4161, 0.02, 0.9998]]
        np.testing.assert_allclose(table[1:].numpy(), expected, atol=5e-5)

    def test_rope_turns_by_relative_position(self):
        for layout in ("interleaved", "half"):
            with self.subTest(layout=layout):
                rope = Rope({"layout": layout, "base": 100.0}, self.model, 8)
                query, key = torch.randn(2, 1, 1, 1, 8, dtype=torch.float64).expand(2, 1, 1, 12, 8)
                scores = (rope.rotate(query) @ rope.rotate(key).transpose(-1, -2))[0, 0]
                for distance in range(-11, 12):
                    diagonal = torch.diagonal(scores, distance)
                    np.testing.assert_allclose(diagonal.numpy(), diagonal[0].item(), atol=1e-12)
                np.testing.assert_allclose(rope.rotate(query).norm(dim=-1).numpy(), query.norm(dim=-1).numpy(), rtol=1e-12)

    def test_rope_turns_the_pairs_of_its_layout(self):
        query = torch.eye(4, dtype=torch.float64)[None, None, :1].expand(1, 1, 2, 4)  # (1,0,0,0) at positions 0 and 1
        turned = lambda layout: Rope({"layout": layout}, self.model, 8).rotate(query)[0, 0, 1]
        np.testing.assert_allclose(turned("interleaved").numpy(), [np.cos(1), np.sin(1), 0, 0])
        np.testing.assert_allclose(turned("half").numpy(), [np.cos(1), 0, np.sin(1), 0])

    def test_t5_buckets(self):
        t5 = T5({}, self.model, 8)
        buckets = t5.bucket(torch.tensor([0, 15, 16, 127, 128, 100000]), 32).tolist()
        self.assertEqual(buckets, [0, 15, 16, 31, 31, 31])

    def test_t5_of_an_encoder_tells_left_from_right(self):
        t5 = T5({}, {**self.model, "kind": "encoder"}, 8)
        t5.table.copy_(torch.arange(64.0).view(2, 32))
        self.assertEqual(t5.bias(3)[0].tolist(), [[0, 17, 18], [1, 0, 17], [2, 1, 0]])

    def test_learned_interpolation_spreads_the_table_evenly(self):
        learned = Learned({"beyond": "interpolate"}, self.model, 4)
        learned.table.copy_(torch.arange(4.0)[:, None].square())
        np.testing.assert_allclose(learned.rows(7)[:, 0].numpy(), [0, 0.5, 1, 2.5, 4, 6.5, 9])

    def test_decoder_never_looks_ahead_and_encoder_does(self):
        for kind, same in (("decoder", True), ("encoder", False)):
            model = make_model(make_config({"kind": "alibi"}, kind=kind))
            tokens = torch.arange(LENGTH)[None]
            changed = tokens.clone()
            changed[0, -1] = 99
            self.assertEqual(torch.allclose(model(tokens)[0, :-1], model(changed)[0, :-1], atol=1e-6), same)


class CheckRun(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.corpus = self.folder / "corpus.txt"
        self.corpus.write_bytes(np.random.default_rng(0).integers(97, 123, 5000, dtype=np.uint8).tobytes())

    def write(self, config, model, step=20):
        """A finished run as the program would leave it; losses by a window at a time, in f32."""
        tokens = torch.from_numpy(np.fromfile(self.corpus, dtype=np.uint8)[4500:4800].astype(np.int64))
        losses, counts = [], []
        for length in config["evaluate"]["lengths"]:
            skipped = config["model"]["position"].get("beyond") == "skip" and length > LENGTH
            starts = [] if skipped else range(0, len(tokens) - length, length)
            scores = [model(tokens[None, s : s + length]).log_softmax(-1)[0] for s in starts]
            nats = [-score[range(length), tokens[s + 1 : s + length + 1]].sum() for s, score in zip(starts, scores)]
            counts.append(len(nats) * length)
            losses.append(float(sum(nats)) / counts[-1] if nats else np.nan)
        (self.folder / "config.yaml").write_text(yaml.safe_dump(config))
        with h5py.File(self.folder / "checkpoint.h5", "w") as file:
            file.attrs["step"] = step
            for name, value in arrays(model).items():
                file[f"parameters/{name}"] = value
        with h5py.File(self.folder / "run.h5", "w") as file:
            file.attrs.update({"format": "ropewalk-run", "format_version": 1, "status": "done", "config": yaml.safe_dump(config)})
            file["evaluate/step"], file["evaluate/length"] = [10, 20], config["evaluate"]["lengths"]
            file.create_dataset("evaluate/protocol", data=["sliding", "nonoverlapping"], dtype=h5py.string_dtype())
            file["evaluate/loss"] = [[[9, 9], [9, 9]], [[9, 9], losses]]
            file["evaluate/scored"] = [[[9, 9], [9, 9]], [[9, 9], counts]]

    def check(self):
        return quietly(check_run.main, [str(self.folder)])

    def assert_agrees(self, **changes):
        config = make_config(corpus=self.corpus, **changes)
        self.write(config, make_model(config))
        code, text = self.check()
        self.assertEqual(code, 0, text)

    def test_every_scheme(self):
        for position in POSITIONS:
            if position.get("beyond") or position["kind"] != "learned" or "max_length" in position:
                with self.subTest(position=position):
                    self.assert_agrees(position=position)

    def test_every_kind_of_model(self):
        others = [{"norm": "rms"}, {"tie_embeddings": True}, {"kind": "encoder"}]
        for changes in [{"activation": name} for name in ACTIVATIONS] + others:
            with self.subTest(**changes):
                self.assert_agrees(position={"kind": "t5"}, **changes)

    def test_each_part_of_the_model_makes_a_difference(self):
        written = make_config({"kind": "rope"}, corpus=self.corpus)
        self.write(written, make_model(written))
        changes = [{"activation": "relu"}, {"activation": "silu"}, {"kind": "encoder"}]
        changes += [{"position": {"kind": kind}} for kind in ("none", "sinusoidal", "alibi")]
        changes += [{"position": {"kind": "rope", **other}} for other in ({"layout": "half"}, {"base": 500.0}, {"fraction": 0.5})]
        for change in changes:
            with self.subTest(**change):
                config = copy.deepcopy(written)
                config["model"].update(change)
                (self.folder / "config.yaml").write_text(yaml.safe_dump(config))
                code, text = self.check()
                self.assertEqual(code, 1, text)
                self.assertIn("MISMATCH", text)

    def test_wrong_names_are_listed(self):
        written = make_config({"kind": "rope"}, corpus=self.corpus)
        self.write({**written, "model": {**written["model"], "norm": "rms"}}, make_model(written))
        code, text = self.check()
        self.assertEqual(code, 3)
        self.assertIn("unexpected blocks.0.norm1.bias", text)

    def test_checkpoint_of_another_step(self):
        config = make_config({"kind": "none"}, corpus=self.corpus)
        self.write(config, make_model(config), step=10)
        code, text = self.check()
        self.assertEqual(code, 3)
        self.assertIn("expected the checkpoint of step 20, the last evaluated one; got step 10", text)


class CheckTraining(unittest.TestCase):
    def train(self, config, steps=10):
        """What the program would dump, by PyTorch's own AdamW and clipping in f32, in two halves of a batch."""
        model = make_model(config)
        initial = arrays(model)
        inputs = torch.randint(0, 256, (steps, 4, LENGTH), generator=torch.Generator().manual_seed(1))
        targets = torch.roll(inputs, -1, dims=2)
        targets[:, 0, -1] = -1
        rates = np.linspace(1e-4, 1e-3, steps)
        optimizer = check_training.make_optimizer(model, config["train"]["optimizer"])
        losses, norms = [], []
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = rates[step]
            losses.append(check_training.backward(model, inputs[step], targets[step]))
            norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), config["train"]["clip"]).item())
            optimizer.step()
        dump = {"inputs": inputs.numpy(), "targets": targets.numpy(), "loss": losses, "rate": rates, "gradient_norm": norms}
        return dump, initial, arrays(model)

    def check(self, config, dump, initial, final):
        """Through files, as ctest does it."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "config.yaml").write_text(yaml.safe_dump(config))
            with h5py.File(Path(folder) / "steps.h5", "w") as file:
                for name, value in dump.items():
                    file[name] = value
                for group, parameters in (("initial", initial), ("final", final)):
                    for name, value in parameters.items():
                        file[f"{group}/{name}"] = value
            return quietly(check_training.main, [f"{folder}/config.yaml", f"{folder}/steps.h5"])

    def test_every_scheme(self):
        for position in POSITIONS:
            with self.subTest(position=position):
                config = make_config(position)
                code, text = self.check(config, *self.train(config))
                self.assertEqual(code, 0, text)

    def test_a_wrong_optimizer_is_found(self):
        config = make_config({"kind": "t5"})
        dump = self.train(config)
        for name, value in (("decay", 0.0), ("betas", [0.9, 0.999]), ("betas", [0.8, 0.98]), ("epsilon", 1e-3)):
            with self.subTest(name=name, value=value):
                other = copy.deepcopy(config)
                other["train"]["optimizer"][name] = value
                self.assertEqual(self.check(other, *dump)[0], 1)

    def test_missing_clipping_is_found(self):
        config = make_config({"kind": "t5"})
        dump = self.train(config)
        self.assertGreater(min(dump[0]["gradient_norm"]), config["train"]["clip"])
        self.assertEqual(self.check({**config, "train": {**config["train"], "clip": 0.0}}, *dump)[0], 1)

    def test_decay_of_a_norm_is_found(self):
        config = make_config({"kind": "t5"})
        dump, initial, final = self.train(config)
        for name in ("norm.weight", "position.table", "blocks.0.mlp.up.bias"):
            with self.subTest(name=name):
                spoilt = {**final, name: final[name] * (1 - 0.1 * dump["rate"].sum())}
                code, text = self.check(config, dump, initial, spoilt)
                self.assertEqual(code, 1)
                self.assertRegex(text, f"{name}.*MISMATCH")

    def test_a_parameter_that_is_never_trained_is_found(self):
        config = make_config({"kind": "learned"})
        dump, initial, final = self.train(config)
        code, text = self.check(config, dump, initial, {**final, "position.table": initial["position.table"]})
        self.assertEqual(code, 1)
        self.assertIn("never trained: position.table", text)

    def test_missing_dataset(self):
        config = make_config({"kind": "none"})
        dump, initial, final = self.train(config, steps=1)
        del dump["rate"]
        code, text = self.check(config, dump, initial, final)
        self.assertEqual(code, 3)
        self.assertIn("rate", text)


if __name__ == "__main__":
    unittest.main()
