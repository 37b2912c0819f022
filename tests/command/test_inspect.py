"""ropewalk inspect: what is in its file, held to formulas and to the program's own trained parameters; and what it refuses.

usage: test_inspect.py ROPEWALK    (the built program)
"""
import pathlib
import re
import sys
import unittest

import h5py
import numpy as np
import xarray

from program_test import ProgramTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

from ropewalk.rotary import base_lower_bounds, first_failing_offset

HEADS, WIDTH, LENGTH = 2, 32, 24


class Inspect(ProgramTest):
    def inspect(self, position, *sets, length=LENGTH, source="toy.yaml"):
        """{dataset: values} of the file, and {attribute: value} of /rotation; checks that all else is as the contract has it."""
        chosen = ["--set", "sweep={}", "--set", f"model.position={position}"] if position else []
        sets = [argument for one in sets for argument in ("--set", one)]
        code, self.output, errors = self.ropewalk("inspect", source, "--length", length, "--output", "out.h5", *chosen, *sets)
        self.assertEqual(code, 0, errors)
        found = {}
        with h5py.File(self.directory / "out.h5") as file:
            self.assertEqual((file.attrs["format"], file.attrs["format_version"]), ("ropewalk-inspect", 1))
            self.assertEqual(file.attrs["length"], length)
            self.assertIn("model:", file.attrs["config"])
            file.visititems(lambda name, item: self.take(found, name, item))
            turning = dict(file["rotation"].attrs) if "rotation" in file else {}
        return found, turning

    def take(self, found, name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]
            self.assertTrue(item.attrs["units"] and item.attrs["long_name"], name)
            labelled = h5py.h5ds.is_scale(item.id) or all(len(dimension) == 1 for dimension in item.dims)
            self.assertTrue(labelled, f"{name} has no scales")
            self.assertIn(item.dtype, (np.float64, np.int64), name)

    def test_sinusoidal(self):
        found, turning = self.inspect("{kind: sinusoidal, base: 50}")
        angle = np.arange(LENGTH)[:, None] * 50.0 ** (-np.arange(0, WIDTH, 2) / WIDTH)
        np.testing.assert_allclose(found["embedding"][:, 0::2], np.sin(angle), atol=1e-13)
        np.testing.assert_allclose(found["embedding"][:, 1::2], np.cos(angle), atol=1e-13)
        np.testing.assert_allclose(found["sum"], found["token_embedding"] + found["embedding"], atol=1e-15)
        self.assertFalse({"bias", "slopes"} & set(found) or turning)

    def test_rope(self):
        found, turning = self.inspect("{kind: rope, base: 50, fraction: 0.5, layout: half}")
        frequency = 50.0 ** (-np.arange(0, 8, 2) / 8)
        angle = np.arange(LENGTH)[:, None] * frequency
        np.testing.assert_allclose(found["rotation/cos"], np.cos(angle), atol=1e-13)
        np.testing.assert_allclose(found["rotation/sin"], np.sin(angle), atol=1e-13)
        np.testing.assert_allclose(found["rotation/frequency"], frequency)
        np.testing.assert_allclose(found["rotation/wavelength"], 2 * np.pi / frequency)
        self.assertEqual((turning["layout"], turning["base"], turning["width"]), ("half", 50, 8))
        self.assertEqual(turning["critical_dimension"], 2 * np.ceil(4 * np.log(32 / (2 * np.pi)) / np.log(50)))
        self.assertTrue(self.suffices(turning["base_lower_bound"], LENGTH))
        self.assertFalse(self.suffices(turning["base_lower_bound"] / 1.0011, LENGTH))
        self.assertTrue(self.suffices(turning["base_lower_bound_trained"], 32))
        self.assertIn(f"{turning['critical_dimension']} of 8", self.output)
        self.assertFalse({"bias", "slopes", "embedding"} & set(found))

    @staticmethod
    def suffices(base, length):
        return np.cos(np.arange(length)[:, None] * base ** (-np.arange(0, 8, 2) / 8)).sum(1).min() >= -1e-9

    def test_figures_find_the_same_bounds(self):
        for heads, length in ((1, 48), (2, 300), (4, 64)):
            _, turning = self.inspect("{kind: rope, base: 300}", f"model.heads={heads}", length=length)
            bounds = base_lower_bounds(WIDTH // heads, [32, length])
            self.assertEqual(turning["base_lower_bound"], bounds[length])
            self.assertEqual(turning["base_lower_bound_trained"], bounds[32])
            self.assertEqual(turning["base_serves"], first_failing_offset(WIDTH // heads, 300.0, length))

    def test_scaling_enters_at_the_asked_length(self):
        found, _ = self.inspect("{kind: rope, scaling: {kind: dynamic_ntk}}", length=64)
        base = 10000 * 2 ** (16 / 14)
        np.testing.assert_allclose(found["rotation/frequency"], base ** (-np.arange(0, 16, 2) / 16))
        angle = np.arange(64)[:, None] * found["rotation/frequency"]
        np.testing.assert_allclose(found["rotation/cos"], np.cos(angle), atol=1e-12)

    def test_alibi(self):
        found, turning = self.inspect("{kind: alibi}")
        np.testing.assert_array_equal(found["slopes"], [2.0**-4, 2.0**-8])
        distance = np.subtract.outer(np.arange(LENGTH), np.arange(LENGTH))
        np.testing.assert_array_equal(found["bias"], -found["slopes"][:, None, None] * np.maximum(distance, 0))
        self.assertFalse({"embedding"} & set(found) or turning)

    def test_a_contextual_bias_is_in_the_scores_alone(self):
        found, _ = self.inspect("{kind: cope}")
        plain, _ = self.inspect("{kind: none}")
        self.assertNotIn("bias", found)
        self.assertGreater(np.abs(found["scores"] - plain["scores"]).max(), 1e-6)

    def test_weights_are_the_softmax_of_what_is_seen(self):
        found, _ = self.inspect("{kind: t5}")
        mask = np.tri(LENGTH, dtype=bool)
        for name in ("scores", "weights", "bias"):
            self.assertEqual(found[name].shape, (HEADS, LENGTH, LENGTH))
            self.assertEqual(np.abs(found[name][:, ~mask]).max(), 0, name)
        scores = np.where(mask, found["scores"], -np.inf)
        weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        np.testing.assert_allclose(found["weights"], weights, atol=1e-14)

    def test_a_run_shows_its_trained_parameters(self):
        self.assertEqual(self.ropewalk("run", "toy.yaml", "--out", "results")[0], 0)
        for run in self.sweep.runs("results"):
            with self.subTest(run.name):
                found, turning = self.inspect(None, source=run)
                with h5py.File(run / "checkpoint.h5") as file:
                    self.check_scores(found, {name: item[()].astype(float) for name, item in file["parameters"].items()}, turning)
                self.assertIn("trained for 20 steps", self.output)
                with h5py.File(run / "run.h5") as file:  # what is known was kept when it was trained
                    for name, value in (("critical_dimension", "critical_dimension"), ("rotary_base", "base")):
                        self.assertEqual(file.attrs.get(name), turning.get(value))
        code, output, _ = self.ropewalk("report", "results")
        self.assertRegex(output, r"(?m)^rope +10000 +4 of 16 +91 +32 +209 +96 +1707$")
        self.assertNotRegex(output, r"(?m)^alibi +10000")

    def check_scores(self, found, parameters, turning):
        """The first layer once more, from the parameters alone."""
        get = lambda name: parameters[f"blocks.0.{name}"]
        x = parameters["embed.weight"][found["tokens"]]
        np.testing.assert_array_equal(found["sum"], x)
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * get("norm1.weight") + get("norm1.bias")
        qkv = x @ get("attention.qkv.weight").T + get("attention.qkv.bias")
        q, k, _ = qkv.reshape(LENGTH, 3, HEADS, WIDTH // HEADS).transpose(1, 2, 0, 3)
        if turning:
            turn = np.exp(1j * np.arange(LENGTH)[:, None] * 1e4 ** (-np.arange(0, 16, 2) / 16))
            q, k = ((x[..., 0::2] + 1j * x[..., 1::2]) * turn for x in (q, k))
        scores = (q @ k.conj().transpose(0, 2, 1)).real / 4 + found.get("bias", 0)
        np.testing.assert_allclose(found["scores"], np.where(np.tri(LENGTH), scores, 0), atol=1e-12)

    def test_xarray_sees_labelled_axes(self):
        self.inspect("{kind: sum, parts: [{kind: rope}, {kind: alibi}]}")
        with xarray.open_dataset(self.directory / "out.h5") as root:
            self.assertEqual(root.bias.dims, ("head", "query", "key"))
            self.assertEqual(float(root.bias.sel(head=0, query=5, key=3)), -2 * 2.0**-4)
            self.assertEqual(root.slopes.dims, ("head",))
        with xarray.open_dataset(self.directory / "out.h5", group="rotation") as rotation:
            self.assertEqual(rotation.cos.dims, ("position", "pair"))

    def test_the_same_bits_again(self):
        files = []
        for _ in range(2):
            self.inspect("{kind: fire}")
            files.append((self.directory / "out.h5").read_bytes())
        self.assertEqual(*files)

    def test_a_sweep_must_leave_one_run_but_for_the_seed(self):
        code, _, errors = self.ropewalk("inspect", "toy.yaml", "--length", 4, "--output", "out.h5")
        self.assertEqual(code, 2)
        self.assertIn("got a sweep of 2 over model.position; choose one with --set", errors)
        code, output, errors = self.ropewalk("inspect", "toy.yaml", "--length", 4, "--output", "out.h5", "--set", "sweep.seeds=3",
                                             "--set", "sweep.grid.model.position=[{kind: alibi}]")  # fmt: skip
        self.assertEqual(code, 0, errors)
        self.assertIn("3 seeds, of which the first is taken", errors)

    def test_refusals(self):
        for code, expected, arguments in (
            (2, "--length 0: expected at least 1 token", ["--length", 0]),
            (2, "GiB", ["--length", 100000]),
            (2, "many", ["--length", "many"]),
            (2, "is beyond the table of 96 rows", ["--length", 97, "--set", "model.position={kind: learned, max_length: 96}"]),
            (2, "is no grid", ["--length", 97, "--set", "model.position={kind: axial_rope}", "--set", "evaluate.lengths=[32]"]),
            (3, "cannot write", ["--length", 4, "--output", "no/where.h5"]),
        ):  # fmt: skip
            arguments += [] if "--output" in arguments else ["--output", "out.h5"]
            with self.subTest(arguments):
                got, _, errors = self.ropewalk("inspect", "toy.yaml", "--set", "sweep={}", *arguments)
                self.assertEqual(got, code, errors)
                self.assertIn(expected, errors)
        self.assertEqual(self.ropewalk("inspect", ".", "--length", 4, "--output", "out.h5")[0], 3)
        self.assertEqual(self.ropewalk("inspect", "toy.yaml", "--length", 4)[0], 2)
        self.assertFalse((self.directory / "out.h5").exists())

    def test_plan_says_what_is_known_of_those_that_turn(self):
        code, output, errors = self.ropewalk("plan", "toy.yaml", "--set", "sweep.seeds=2")
        self.assertEqual(code, 0, errors)
        row = r"(?m)^\S*rope\S* and 1 more +10000 +4 of 16 +91 +32 +209 +96 +1707$"
        self.assertEqual(len(re.findall(row, output)), 1, output)
        self.assertEqual(output.count(" of 16 "), 1, "the seeds share a row")
        code, output, _ = self.ropewalk("plan", "toy.yaml", "--set", "sweep.grid.model.position=[{kind: alibi}]")
        self.assertNotIn("rotation", output)

    def test_nothing_of_value_is_replaced(self):
        self.assertEqual(self.ropewalk("run", "toy.yaml")[0], 0)
        run = next((self.directory / "results").glob("*/*rope*/run.h5"))
        for place in (run, run.with_name("checkpoint.h5"), run.parent.parent / "index.h5", self.directory / "toy.yaml"):
            before = place.read_bytes()
            code, _, errors = self.ropewalk("inspect", "toy.yaml", "--set", "sweep={}", "--length", 4, "--output", place)
            self.assertEqual(code, 2, place)
            self.assertIn("--output: expected a", errors)
            self.assertEqual(place.read_bytes(), before)
        code, _, errors = self.ropewalk("inspect", run.parent, "--set", "model.position.kind=t5", "--length", 4, "--output", "x.h5")
        self.assertEqual(code, 2)
        self.assertIn("the trained parameters do not fit", errors)


if __name__ == "__main__":
    Inspect.program = sys.argv.pop(1)
    unittest.main()
