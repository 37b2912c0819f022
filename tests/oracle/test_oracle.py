"""The peer model on its own, and both checks on files it made itself, good and spoilt."""
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
from model import Transformer

LENGTH = 16
POSITIONS = [
    {"kind": "none"},
    {"kind": "sinusoidal", "base": 1000.0, "scale": 0.5},
    {"kind": "learned", "max_length": 64},
    {"kind": "learned", "beyond": "interpolate"},
    {"kind": "learned", "beyond": "clamp"},
    {"kind": "learned", "beyond": "skip"},
    {"kind": "shaw", "clip": 5},
    {"kind": "transformer_xl", "base": 100.0},
    {"kind": "t5", "buckets": 8, "max_distance": 32},
    {"kind": "t5", "per_layer": True},
    {"kind": "rope", "layout": "interleaved"},
    {"kind": "rope", "layout": "half", "fraction": 0.5, "base": 500.0},
    {"kind": "rope", "scaling": {"kind": "dynamic_ntk"}},
    {"kind": "rope", "scaling": {"kind": "self_extend", "window": 9, "group": 4}},
    {"kind": "xpos", "scale_base": 50.0},
    {"kind": "alibi"},
    {"kind": "alibi", "slopes": "learned"},
    {"kind": "kerple"},
    {"kind": "kerple", "form": "power", "per_layer": True},
    {"kind": "sandwich"},
    {"kind": "fire", "width": 8},
    {"kind": "cope", "max_position": 12},
    {"kind": "forget"},
    {"kind": "deberta", "clip": 6},
    {"kind": "axial_rope", "grid": [2, 8]},
    {"kind": "learned_2d", "grid": [4, 4]},
    {"kind": "sum", "parts": [{"kind": "sinusoidal"}, {"kind": "shaw"}, {"kind": "forget"}]},
]
POSITIVE = (".p", ".a", ".c", ".threshold")  # parameters of positions that are clamped near 0
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
        if name.endswith(POSITIVE):
            parameter.uniform_(0.2, 1.5).mul_(LENGTH / 2 if "threshold" in name else 1)
        elif "slopes" not in name:
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


class TheModel(unittest.TestCase):
    def test_decoder_never_looks_ahead_and_encoder_does(self):
        for kind, same in (("decoder", True), ("encoder", False)):
            model = make_model(make_config({"kind": "alibi"}, kind=kind))
            tokens = torch.arange(LENGTH)[None]
            changed = tokens.clone()
            changed[0, -1] = 99
            self.assertEqual(torch.allclose(model(tokens)[0, :-1], model(changed)[0, :-1], atol=1e-6), same)

    def test_reads_the_tokens_that_a_task_marks(self):
        for kind in ("abacus", "segment"):
            with self.subTest(kind=kind):
                config = make_config({"kind": kind})
                plain, marked = make_model(config), Transformer(config, digits=[1, 2], separators=[1])
                marked.load(arrays(plain))
                inputs = torch.tensor([[5, 1, 2, 7, 9]])
                same = (plain(inputs) == marked(inputs)).all(-1)[0].tolist()
                self.assertEqual(same, [True, kind == "segment", False, False, False])


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
            file.attrs.update({"format": "ropewalk-run", "format_version": 1, "status": "done", "config": yaml.safe_dump(config),
                               "run_id": self.folder.name, "software": "", "machine": "", "parameters": 0, "started": "",
                               "finished": "", "peak_bytes": 0})  # fmt: skip
            file["train/step"] = [10, 20]
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

    def test_a_number_that_no_softmax_sees_is_left_out(self):
        config = make_config({"kind": "fire", "width": 8})
        code, text = self.check(config, *self.train(config))
        self.assertEqual(code, 0, text)
        self.assertIn("change of position.mlp.2.bias (but 3) ", text)
        self.assertIn("change of position.mlp.2.weight ", text)

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
