"""ropewalk.load on made-up results: tables, labelled arrays, what is read when, what is left out, and what is refused."""
import fcntl
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import h5py
import numpy as np
import pandas
import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
sys.path.insert(0, str(Path(__file__).parent))

import ropewalk
from ropewalk.figures.evaluation import over_seeds
from ropewalk.runs import read_run
from ropewalk.seal import fnv1a
from ropewalk.web.curves import Curves
from synthetic import LENGTHS, config, write, write_run, write_scale, write_sweep


class ResultsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def load(self, *parts):
        return ropewalk.load(self.folder.joinpath(*parts))

    def write(self, name, position=None, seed=0, perplexity=(4, 5, 6, 7, 8), status="done", lengths=LENGTHS, **settings):
        """One run of the experiment "study"."""
        resolved = {**config(position or {"kind": "rope"}, seed, **settings), "name": "study"}
        resolved["evaluate"]["lengths"] = list(lengths)
        file = self.folder / "study" / name / "run.h5"
        write_run(file, resolved, None if perplexity is None else perplexity[: len(lengths)], status)
        return file


class Importing(unittest.TestCase):
    def test_brings_nothing_heavy(self):
        code = "import sys, ropewalk; 'load' in dir(ropewalk); print({'numpy', 'pandas', 'h5py', 'xarray'} & set(sys.modules))"
        done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY / "scripts", capture_output=True, text=True)
        self.assertEqual(done.stdout, "set()\n", done.stderr)

    def test_unknown_names(self):
        with self.assertRaisesRegex(AttributeError, "module 'ropewalk' has no attribute 'laod'"):
            ropewalk.laod


class Runs(ResultsTest):
    def test_a_row_a_run_with_native_types(self):
        self.write("a", {"kind": "rope", "base": 1e4, "per_layer": False}, seed=3)
        self.write("b", {"kind": "alibi"}, status="diverged")
        runs = self.load("study").runs
        self.assertEqual((runs.index.name, list(runs.index)), ("run_id", ["a", "b"]))
        row = runs.loc["a"]
        self.assertEqual((row.status, row.label, row.seed, row["model.position.base"]), ("done", "rope", 3, 1e4))
        self.assertIs(row["model.position.per_layer"], False)
        self.assertEqual(row["evaluate.lengths"], "[64, 128, 256, 512, 1024]")
        self.assertEqual((row.trained_length, row.step, row.parameters), (64, 2000, 1000))
        self.assertEqual((row.tokens, row.seconds, row.tokens_per_second), (200_000, 20.0, 10_000.0))
        self.assertEqual(row.path, str(self.folder / "study" / "a" / "run.h5"))
        self.assertEqual(runs.seed.dtype, int)
        self.assertTrue(np.isnan(runs.loc["b"]["model.position.base"]))

    def test_settings_that_differ(self):
        self.write("a", {"kind": "rope", "base": 1e4})
        self.write("b", {"kind": "rope", "base": 1e4}, seed=1)
        self.assertEqual(self.load().differing, [])
        self.write("c", {"kind": "rope", "base": 1e2})
        self.write("d", {"kind": "alibi"})
        self.assertEqual(self.load().differing, ["model.position.base", "model.position.kind"])

    def test_trained_length_is_that_of_the_last_stage(self):
        resolved = config({"kind": "rope"})
        whole = {"batch": 2, "steps": 9, "optimizer": {"rate": 0.1}, "schedule": {}, "clip": 1.0}
        stage = {"length": 256, "batch": 2, "steps": 9, "rate": 0.1, "schedule": {}, "clip": 1.0, "position": {"kind": "rope"},
                 "positions": {"kind": "contiguous"}}  # fmt: skip
        resolved["model"]["positions"] = {"kind": "contiguous"}
        resolved["train"].update(whole, stages=[stage | {"length": 128}, stage])
        write_run(self.folder / "a" / "run.h5", resolved, [4.0] * 5)
        row = self.load().runs.loc["a"]
        self.assertEqual((row.trained_length, row["train.length"], row["train.stages[1].length"]), (256, 64, 256))
        self.assertEqual(self.load().where("train.stages[0].length = 128").runs.index, ["a"])

    def test_parts_of_a_sum_have_settings_of_their_own(self):
        for name, kind in (("a", "rope"), ("b", "sinusoidal")):
            self.write(name, {"kind": "sum", "parts": [{"kind": kind}, {"kind": "alibi"}]})
        results = self.load()
        self.assertEqual(list(results.runs["model.position.parts[0].kind"]), ["rope", "sinusoidal"])
        self.assertEqual(list(results.runs.label), ["rope + alibi", "sinusoidal + alibi"])

    def test_one_run(self):
        self.write("a")
        self.write("b", seed=1)
        results = self.load("study", "a")
        self.assertEqual(list(results.runs.index), ["a"])
        self.assertEqual(repr(results).splitlines()[0], "study: 1 of 1 runs done")

    def test_several_experiments(self):
        for name in ("one", "two"):
            resolved = {**config({"kind": "rope"}), "name": name}
            write_run(self.folder / name / f"{name}-run" / "run.h5", resolved, [4.0] * 5)
        results = self.load()
        self.assertEqual(list(results.runs.label), ["one: rope", "two: rope"])
        self.assertEqual(results.summary(), "one, two: 2 of 2 runs done")
        self.assertEqual(list(results.where("name = two").runs.label), ["rope"])

    def test_copies_are_left_out(self):
        original = self.write("a")
        copy = self.folder / "x" / "a" / "run.h5"
        copy.parent.mkdir(parents=True)
        copy.write_bytes(original.read_bytes())
        results = self.load()
        self.assertEqual(len(results), 1)
        self.assertEqual(results.copies, [f"{copy}: left out, same settings as {original}"])


class Arrays(ResultsTest):
    def test_settings_are_coordinates(self):
        self.write("a", {"kind": "rope", "base": 1e4}, perplexity=[1.0, 2.0, 3.0, 4.0, 5.0])
        self.write("b", {"kind": "alibi"}, perplexity=[6.0, 7.0, 8.0, 9.0, 10.0])
        evaluate = self.load().evaluate
        self.assertEqual(evaluate.perplexity.dims, ("run", "step", "protocol", "length"))
        self.assertEqual(evaluate.perplexity.sel(run="b", step=2000, protocol="nonoverlapping", length=256).item(), 8.0)
        self.assertEqual(list(evaluate["model.position.kind"].values), ["rope", "alibi"])
        self.assertEqual(list(evaluate.label.values), ["rope", "alibi"])
        high = evaluate.where(evaluate["model.position.base"] > 1000, drop=True)
        self.assertEqual(list(high.run.values), ["a"])
        np.testing.assert_allclose(evaluate.loss, np.log(evaluate.perplexity))
        by_base = ropewalk.interval(evaluate.perplexity, by="model.position.base")
        self.assertEqual(list(by_base["model.position.base"].values), [1e4])  # alibi has none
        self.assertEqual(evaluate.loss.attrs["units"], "nats per token")
        self.assertEqual(evaluate.length.attrs["units"], "tokens")

    def test_runs_with_different_steps_lengths_protocols_and_metrics(self):
        self.write("a", lengths=[64, 128])
        other = self.write("b", seed=1, lengths=[256, 32], perplexity=[3.0, 9.0])
        with h5py.File(other, "r+") as file:
            file["evaluate/step"][...] = [1000]
            file["evaluate/protocol"][...] = ["sliding"]
            write(file, "evaluate/bits_per_byte", [[[0.25, 0.5]]], ["step", "protocol", "length"], "bits per byte")
        evaluate = self.load().evaluate
        self.assertEqual(dict(evaluate.sizes), {"run": 2, "step": 2, "protocol": 2, "length": 4})
        self.assertEqual(list(evaluate.length), [32, 64, 128, 256])
        one = evaluate.sel(run="b", step=1000, protocol="sliding")
        np.testing.assert_array_equal(one.perplexity, [9.0, np.nan, np.nan, 3.0])
        np.testing.assert_array_equal(one.bits_per_byte.sel(length=[256, 64, 32]), [0.25, np.nan, 0.5])
        self.assertEqual(evaluate.perplexity.count(), 4)
        np.testing.assert_array_equal(self.load().evaluation().step, [2000, 1000])
        self.assertEqual(self.load().evaluation().perplexity.sel(run="b", protocol="sliding", length=256), 3.0)

    def test_any_way_of_indexing_gives_what_indexing_the_values_gives(self):
        for seed in range(3):
            self.write(f"{seed}", seed=seed, perplexity=1 + 10.0 * seed + np.arange(5), lengths=LENGTHS[seed:])
        whole = self.load().evaluate.perplexity.values
        keys = [(1,), (slice(None), 0, 0, 2), (slice(2, None, -1),), ([2, 0], 0, slice(None), [4, 1, 1]), (0, slice(0, 0)),
                (-1, 0, 0, slice(1, None, 2))]  # fmt: skip
        for key in keys:
            with self.subTest(key=key):
                picked = self.load().evaluate.perplexity[key].values
                expected = whole[key] if key != keys[3] else whole[[2, 0]][:, 0][:, :, [4, 1, 1]]
                np.testing.assert_array_equal(picked, expected)

    def test_training(self):
        self.write("a")
        train = self.load().train
        self.assertEqual(train.loss.dims, ("run", "step"))
        np.testing.assert_array_equal(train.tokens.sel(run="a", step=[10, 20]), [1000, 2000])
        np.testing.assert_array_equal(train.stage.sel(run="a"), np.ones(200))  # files from before there were stages

    def test_position_loss(self):
        file = self.write("a", lengths=[2, 4])
        with h5py.File(file, "r+") as opened:
            write_scale(opened, "evaluate/position", np.arange(4), "tokens")
            values = [[2.0, 1.0, np.nan, np.nan], [2.0, 1.0, 0.5, 0.25]]
            write(opened, "evaluate/position_loss", values, ["length", "position"], "nats")
        self.write("b", seed=1, lengths=[2])
        results = self.load()
        loss = results.position.position_loss
        self.assertEqual(loss.dims, ("run", "length", "position"))
        np.testing.assert_array_equal(loss.sel(run="a", length=4), [2.0, 1.0, 0.5, 0.25])
        self.assertTrue(np.isnan(loss.sel(run="b")).all())
        self.assertNotIn("position_loss", results.evaluate)

    def test_attention(self):
        file = self.write("a")
        self.assertEqual(list(self.load().attention.data_vars), [])
        values = np.arange(2 * 3 * 2.0).reshape(2, 3, 2)
        with h5py.File(file, "r+") as opened:
            for axis, size in (("layer", 2), ("head", 3), ("length", 2)):
                write_scale(opened, f"attention/{axis}", 64 * np.arange(size) if axis == "length" else np.arange(size), "1")
            write(opened, "attention/entropy", values, ["layer", "head", "length"], "nats")
        entropy = self.load().attention.entropy
        self.assertEqual(entropy.dims, ("run", "layer", "head", "length"))
        self.assertEqual(entropy.sel(layer=1, head=2, length=64).item(), values[1, 2, 1])


class WholeRuns(ResultsTest):
    """read_run, which figures and the page use."""

    def test_lengths_are_in_order_however_they_were_asked_for(self):
        lengths, attention = (64, 512, 128), np.arange(24.0).reshape(2, 4, 3)
        file = self.write("a", lengths=lengths, perplexity=(1, 3, 2))
        with h5py.File(file, "r+") as run:
            run["evaluate/position"] = np.arange(512)
            run["evaluate/position_loss"] = np.outer((10, 30, 20), np.ones(512))
            run["attention/layer"], run["attention/head"], run["attention/length"] = range(2), range(4), lengths
            run["attention/entropy"] = attention
        read = read_run(file)
        self.assertEqual(read.lengths.tolist(), [64, 128, 512])
        self.assertEqual(read.evaluate["perplexity"].tolist(), [[[1, 2, 3]]])
        self.assertEqual(read.evaluate["position_loss"][:, 0].tolist(), [10, 20, 30])
        np.testing.assert_array_equal(read.attention["entropy"], attention[:, :, [0, 2, 1]])

    def test_an_evaluation_is_related_to_the_length_of_its_stage(self):
        staged, old = (read_run(REPOSITORY / "tests" / "record" / "version_1" / name / "run.h5") for name in ("rope", "alibi"))
        self.assertEqual([staged.trained_length_at(step) for step in (15, 20, 30, 99, None)], [8, 8, 16, 16, 16])
        self.assertEqual([old.trained_length_at(step) for step in (1500, None)], [64, 64])
        for step, multiples in ((15, [1, 2, 4]), (30, [0.5, 1, 2])):
            line = over_seeds([staged], "perplexity", "nonoverlapping", step, relative=True)
            self.assertEqual((list(line.lengths), line.mean[multiples.index(1)]), (multiples, 1))
        curves = Curves([staged], [{"name": "perplexity"}], [{"name": "nonoverlapping"}], [None, 15, 30])
        means = np.array([cell[0] for cell in curves.relative()[0][0]])
        np.testing.assert_array_equal(means[:, :2] == 1, [[False, True], [True, False], [False, True]])

    def test_an_array_of_another_shape_is_damage(self):
        for name, values in (("evaluate/loss", [1.0, 2.0]), ("evaluate/perplexity", np.ones((1, 1, 4))), ("train/loss", [1.0])):
            with self.subTest(name):
                file = self.write(name.replace("/", "-"))
                with h5py.File(file, "r+") as run:
                    del run[name]
                    run[name] = values
                with self.assertRaisesRegex(ropewalk.InputError, f"run.h5: cannot be read as a run \\({name}: expected step"):
                    read_run(file)


class OldFiles(ResultsTest):
    def test_version_1_with_stages_and_attention(self):
        results = ropewalk.load(REPOSITORY / "tests" / "record" / "version_1" / "rope")
        self.assertEqual(results.train.stage.values.tolist(), [[1, 1, 1, 1, 2, 2]])
        self.assertEqual(float(results.evaluate.loss.sel(step=30, protocol="sliding", length=32)), 5.168764611706138)
        self.assertEqual(float(results.attention.entropy.sel(layer=1, head=1, length=32)), 2.548591896940917)
        self.assertEqual(results.runs.trained_length.tolist(), [16])
        for step, trained in ((15, 8), (20, 8), (30, 16)):  # an evaluation belongs to its stage
            table = ropewalk.extrapolation(results, step=step)
            ratios = table[table.quantity == "ratio"].set_index("length")["mean"]
            self.assertEqual(ratios[trained], 1)
            self.assertNotEqual(ratios[24 - trained], 1)

    def test_version_1_is_read_for_ever(self):
        results = ropewalk.load(REPOSITORY / "tests" / "record" / "version_1" / "alibi")
        row = results.runs.iloc[0]
        self.assertEqual((results.problems, row.status, row.label, row.trained_length), ([], "done", "alibi", 64))
        last = results.evaluation().perplexity.sel(protocol="nonoverlapping").isel(run=0)
        self.assertEqual(dict(last.sizes), {"length": 5})
        self.assertTrue((last > 1).all())
        np.testing.assert_array_equal(results.train.stage, np.ones((1, results.train.sizes["step"])))
        self.assertTrue(np.isfinite(results.position.position_loss.sel(length=64, position=slice(0, 63))).all())
        self.assertEqual(list(results.attention.data_vars), [])


class Laziness(ResultsTest):
    def setUp(self):
        super().setUp()
        for seed in range(4):
            self.write(f"{seed}", seed=seed)

    def opened(self, action):
        """Names of the runs whose files an action opens."""
        paths = []
        original = h5py.File

        def counted(path, *arguments, **options):
            paths.append(Path(path).parent.name)
            return original(path, *arguments, **options)

        with mock.patch.object(h5py, "File", counted):
            action()
        return paths

    def test_loading_opens_each_file_once(self):
        self.assertEqual(self.opened(lambda: self.load("study")), ["0", "1", "2", "3"])

    def test_values_come_from_the_files_they_are_asked_of(self):
        results = self.load()
        self.assertEqual(self.opened(lambda: repr(results.evaluate)), [])
        self.assertEqual(self.opened(lambda: results.evaluate.perplexity.sel(run="2", length=1024)), [])
        self.assertEqual(self.opened(lambda: results.evaluate.perplexity.sel(run="2", length=1024).values), ["2"])
        self.assertEqual(self.opened(lambda: results.evaluation().loss.sel(run=["1", "3"]).values), ["1", "3"])
        self.assertEqual(self.opened(lambda: results.where("seed = 1").train.loss.values), ["1"])
        self.assertEqual(self.opened(lambda: results.runs), [])

    def test_what_was_read_whole_is_kept(self):
        results = self.load()
        self.assertEqual(len(self.opened(lambda: results.evaluate.perplexity.values)), 4)
        self.assertEqual(self.opened(lambda: results.evaluate.perplexity.values), [])

    def test_no_file_stays_open(self):
        results = self.load()
        results.evaluate.load()
        self.assertEqual(h5py.h5f.get_obj_count(h5py.h5f.OBJ_ALL, h5py.h5f.OBJ_FILE), 0)

    def test_a_run_that_has_gone_on_still_gives_the_steps_it_was_asked_for(self):
        results = self.load()
        self.write("1", seed=1, lengths=[32, *LENGTHS], perplexity=[3.0, 40.0, 50.0, 60.0, 70.0, 80.0])
        np.testing.assert_array_equal(results.evaluate.perplexity.sel(run="1").values.ravel(), [40.0, 50.0, 60.0, 70.0, 80.0])

    def test_a_file_that_is_gone_is_named(self):
        results = self.load()
        (self.folder / "study" / "1" / "run.h5").unlink()
        with self.assertRaisesRegex(ropewalk.InputError, "study/1/run.h5: there is no such file"):
            results.evaluate.perplexity.values


class InProgress(ResultsTest):
    def index(self, **settings):
        """An index.h5 of the runs a, b, c, d."""
        rows = list("abcd")
        with h5py.File(self.folder / "study" / "index.h5", "w") as file:
            file.attrs.update({"format": "ropewalk-index", "format_version": 1})
            columns = {"id": rows, "tags": ["", "", "", "first, rope"], **settings}
            for name, values in columns.items():
                file.create_dataset(f"runs/{name}", data=values, dtype=h5py.string_dtype())
            file["runs/seed"] = range(4)

    def test_counts_what_has_not_begun(self):
        self.write("a", {"kind": "rope", "base": 100.0})
        self.write("b", {"kind": "rope", "base": 1e4}, perplexity=None, status="failed")
        self.index(**{"model.position.base": ["100.0", "10000.0", "10000.0", ""]})
        results = self.load()
        self.assertEqual((len(results), results.expected), (2, 4))
        self.assertEqual(results.summary(), "study: 1 of 4 runs done, 1 failed, 2 waiting")
        self.assertEqual(results.where("model.position.base > 1000").expected, 2)
        self.assertEqual(results.where("seed>2").summary(), "study: 0 of 1 runs done, 1 waiting")
        self.assertEqual(results.select(tags=["rope", "first"]).expected, 1)
        self.assertEqual(results.select(only=["a", "c"]).expected, 2)
        self.assertEqual(self.load("study", "a").expected, 1)

    def test_what_has_not_begun_has_the_settings_that_all_share(self):
        self.write("a", {"kind": "rope", "base": 100.0})
        self.index(**{"model.position.kind": ["rope", "rope", "alibi", "alibi"], "model.position.base": ["100.0", "1e4", "", ""]})
        results = self.load()
        begun, rows = results.headers[0], results.waiting
        self.assertEqual(rows[0].settings, begun.settings | {"seed": 1, "model.position.base": 1e4})
        self.assertNotIn("model.position.base", rows[1].settings)
        self.assertEqual(results.where("train.length = 64").expected, 4)
        self.assertEqual(results.where("model.position.base > 1").expected, 2)

    def test_a_series_keeps_its_style_while_a_sweep_goes_on_and_in_any_part_of_it(self):
        positions = [{"kind": "rope", "base": 100.0}, {"kind": "rope", "base": 1e4}, {"kind": "alibi"}, {"kind": "none"}]
        self.write("a", positions[0], seed=0)
        self.index(**{"model.position.kind": ["rope", "rope", "alibi", "none"], "model.position.base": ["100.0", "1e4", "", ""]})
        early = self.load()
        for seed, (run_id, position) in enumerate(zip("abcd", positions)):
            self.write(run_id, position, seed=seed)
        results = self.load()
        self.assertEqual(early.styles, results.styles)
        self.assertEqual(len(set(map(str, results.styles.values()))), 4)
        for part in (results.where("model.position.kind=rope"), results.done, results.where("seed<2").select("a").done):
            self.assertIs(part.styles, results.styles)

    def test_series_of_two_experiments_differ_in_style(self):
        for name in ("study", "other"):
            for base in (100.0, 1e4):
                made = {**config({"kind": "rope", "base": base}), "name": name}
                write_run(self.folder / name / f"{name}-{base}" / "run.h5", made, [4.0] * 5)
        styles = ropewalk.load(self.folder).styles
        self.assertEqual(len(set(map(str, styles.values()))), 4)

    def test_a_damaged_file_is_a_run_that_has_begun(self):
        self.write("a").write_bytes(b"nonsense")
        self.index()
        self.assertEqual(self.load().summary(), "study: 0 of 4 runs done, 1 damaged file, 3 waiting")

    def test_nothing_has_begun(self):
        (self.folder / "study").mkdir()
        self.index()
        results = self.load()
        self.assertEqual(results.summary(), "study: 0 of 4 runs done, 4 waiting")
        self.assertEqual(list(results.runs.columns)[:3], ["status", "label", "seed"])
        self.assertEqual(dict(results.evaluate.sizes), {"run": 0, "step": 0, "protocol": 0, "length": 0})
        self.assertEqual(results.evaluation().sizes["run"], 0)
        with self.assertRaisesRegex(ropewalk.UsageError, "no run is done yet: study: 0 of 4 runs done"):
            ropewalk.extrapolation(results)

    def test_an_index_that_is_damaged_or_unknown_is_named_and_the_runs_are_read(self):
        self.write("a")
        for damage in (lambda file: file.attrs.modify("format_version", 2), lambda file: file.__delitem__("runs")):
            self.index()
            with h5py.File(self.folder / "study" / "index.h5", "r+") as file:
                damage(file)
            self.assert_names_the_index()
        (self.folder / "study" / "index.h5").write_bytes(b"nonsense")
        self.assert_names_the_index()

    def assert_names_the_index(self):
        results = self.load()
        self.assertEqual((results.expected, len(results)), (1, 1))
        (problem,) = results.problems
        self.assertRegex(problem, r"study/index\.h5: cannot be read as an index \(.*\); `ropewalk run CONFIG` writes it again")

    def test_what_is_no_file_is_damaged_and_counted_once(self):
        self.write("a")
        self.index()
        link, folder, pipe = (self.folder / "study" / name / "run.h5" for name in "bcd")
        for path in (link, folder, pipe):
            path.parent.mkdir()
        link.symlink_to("nowhere")
        folder.mkdir()
        os.mkfifo(pipe)
        results = self.load()
        self.assertEqual((results.expected, len(results), len(results.damaged), results.waiting), (4, 1, 3, []))

    def test_a_run_whose_process_is_gone_is_stopped(self):
        self.write("a", perplexity=None, status="running")
        self.write("b", perplexity=None, status="interrupted", seed=1)
        self.assertEqual(list(self.load().runs.status), ["stopped", "stopped"])

    def test_the_byte_of_a_run_is_made_by_fnv1a(self):
        hashes = {b"": 0xCBF29CE484222325, b"a": 0xAF63DC4C8601EC8C, b"foobar": 0x85944171F73967E8}  # of its authors
        self.assertEqual({text: fnv1a(text) for text in hashes}, hashes)
        for size in (7, 8, 9, 63, 64, 1000):
            contents = np.random.default_rng(size).bytes(size)
            hash = 0xCBF29CE484222325
            for byte in contents:
                hash = (hash ^ byte) * 0x100000001B3 % 2**64
            self.assertEqual(fnv1a(contents), hash)

    def test_a_run_that_is_locked_is_running(self):
        self.write("a", perplexity=None, status="interrupted")
        self.write("b", perplexity=None, status="running", seed=1)
        self.write("c", seed=2)
        with open(self.folder / "study" / ".locks", "w") as locks:
            for run_id in "ac":
                byte = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, fnv1a(run_id.encode()) % 2**62, 1, 0)
                fcntl.fcntl(locks, fcntl.F_OFD_SETLK, byte)
            results = self.load()
        self.assertEqual(list(results.runs.status), ["running", "stopped", "done"])
        self.assertEqual(list(results.done.runs.index), ["c"])

    def test_where_locks_cannot_be_asked_the_file_says_it(self):
        self.write("a", perplexity=None, status="running")
        self.write("b", perplexity=None, status="interrupted", seed=1)
        (self.folder / "study" / ".locks").write_text("")
        with mock.patch.object(fcntl, "fcntl", side_effect=OSError("no locks")):
            self.assertEqual(list(self.load().runs.status), ["running", "stopped"])

    def test_a_run_before_its_first_evaluation(self):
        self.write("a", perplexity=None, status="running")
        results = self.load()
        self.assertEqual(results.evaluate.sizes["step"], 0)
        self.assertTrue(np.isnan(results.evaluation().perplexity).all())
        self.assertEqual(results.runs.loc["a"].step, 2000)
        self.write("b", seed=1)
        np.testing.assert_array_equal(self.load().evaluation().perplexity.count(("protocol", "length")), [0, 5])


class Conditions(ResultsTest):
    def setUp(self):
        super().setUp()
        for base in (100.0, 10_000, 1e6):
            self.write(f"rope-{base:g}", {"kind": "rope", "base": base, "per_layer": base > 1e5})
        self.write("alibi", {"kind": "alibi"}, length=128)
        self.results = self.load()

    def ids(self, *conditions):
        return list(self.results.where(*conditions).runs.index)

    def test_numbers_and_text(self):
        for condition, expected in (
            ("model.position.base>1000", ["rope-10000", "rope-1e+06"]),
            ("model.position.base = 1e4", ["rope-10000"]),
            ("model.position.base==10000", ["rope-10000"]),
            (" model.position.base  <=  10000.0 ", ["rope-100", "rope-10000"]),
            ("model.position.base>=1000000", ["rope-1e+06"]),
            ("model.position.base < 101", ["rope-100"]),
            ("model.position.base != 100", ["rope-10000", "rope-1e+06"]),  # alibi has none
            ("model.position.kind = alibi", ["alibi"]),
            ("model.position.kind!=rope", ["alibi"]),
            ("model.position.per_layer = true", ["rope-1e+06"]),
            ("evaluate.lengths = [64, 128, 256, 512, 1024]", ["alibi", "rope-100", "rope-10000", "rope-1e+06"]),
        ):
            with self.subTest(condition=condition):
                self.assertEqual(self.ids(condition), expected)

    def test_all_must_hold(self):
        self.assertEqual(self.ids("model.position.base > 100", "model.position.base < 1e6"), ["rope-10000"])
        self.assertEqual(len(self.results.where()), 4)

    def test_labels_are_those_of_the_runs_that_are_left(self):
        self.assertEqual(list(self.results.where("model.position.base=100").runs.label), ["rope"])

    def test_refused(self):
        for condition, text in (
            ("model.position.base", "condition 'model.position.base': expected PATH OP VALUE with one of = == != < <= >"),
            ("> 5", "expected PATH OP VALUE"),
            ("model.position.base >", "expected PATH OP VALUE"),
            ("model.position.kind > rope", "expected a number after >, got 'rope'"),
            ("position.base > 5", "expected the whole path of a setting of these runs, got 'position.base'; did you mean model."),
            ("model.position = rope", "got 'model.position'; did you mean model.position.kind?"),
            ("train.length = 6_4", "none of 4 runs meets train.length = 6_4"),
            ("train.lenght = 64", "got 'train.lenght'; did you mean train.length?"),
            ("model.position.kind > 5", "none of 4 runs meets model.position.kind > 5"),
            ("model.position.base > 1e9", "none of 4 runs meets model.position.base > 1e9"),
        ):
            with self.subTest(condition=condition), self.assertRaisesRegex(ropewalk.UsageError, "^condition"):
                try:
                    self.results.where(condition)
                except ropewalk.UsageError as error:
                    self.assertIn(text, str(error))
                    raise

    def test_select(self):
        self.assertEqual(list(self.results.select(only="rope-1*").runs.index), ["rope-100", "rope-10000", "rope-1e+06"])
        self.assertEqual(list(self.results.select(only=["alibi", "*+06"]).runs.index), ["alibi", "rope-1e+06"])
        with self.assertRaisesRegex(ropewalk.UsageError, "only alibo: .* of one of 4 runs, .*; nearest: alibi"):
            self.results.select(only=["rope*", "alibo"])
        with self.assertRaisesRegex(ropewalk.UsageError, "tags: none of 4 runs has first"):
            self.results.select(tags="first")

    def test_tags(self):
        file = self.write("tagged", {"kind": "t5"})
        with h5py.File(file, "r+") as opened:
            opened.attrs["tags"] = np.array(["first", "größer"], dtype=object)
        results = self.load().select(tags=["größer", "first"])
        self.assertEqual(list(results.runs.index), ["tagged"])
        self.assertEqual(results.runs.loc["tagged"].tags, ["first", "größer"])


class WhatIsLeftOut(ResultsTest):
    def test_damaged_files_are_named_and_skipped(self):
        whole = self.write("whole").read_bytes()
        cut = self.folder / "study" / "cut" / "run.h5"
        cut.parent.mkdir()
        cut.write_bytes(whole[: len(whole) // 2])
        results = self.load()
        self.assertEqual(list(results.runs.index), ["whole"])
        self.assertEqual(len(results.problems), 1)
        self.assertTrue(results.problems[0].startswith(f"{cut}: cannot be read as a run ("))
        self.assertIn("1 of 2 runs done, 1 damaged file", repr(results))
        self.assertIn(str(cut), repr(results))

    def test_a_flipped_bit_is_damage(self):
        whole = (REPOSITORY / "tests" / "record" / "version_1" / "alibi" / "run.h5").read_bytes()
        for name, place in (("first", 0), ("middle", len(whole) // 2), ("last", len(whole) - 36)):  # the seal has 35 bytes
            contents = bytearray(whole)
            contents[place] ^= 4
            (self.folder / name).mkdir()
            (self.folder / name / "run.h5").write_bytes(contents)
        results = self.load()
        self.assertEqual((len(results), len(results.problems)), (0, 3))
        self.assertTrue(all("damaged: its bytes are not those that were written" in problem for problem in results.problems))

    def test_a_run_that_lacks_what_every_version_writes_is_damaged(self):
        for name in ("run_id", "status", "config", "parameters", "peak_bytes"):
            with h5py.File(self.write(f"no-{name}"), "r+") as file:
                del file.attrs[name]
        for name in ("train/step", "evaluate/length"):
            with h5py.File(self.write(f"no-{name.replace('/', '-')}"), "r+") as file:
                del file[name]
        with h5py.File(self.write("text"), "r+") as file:
            file.attrs["config"] = "just text"
        results = self.load()
        self.assertEqual((len(results), len(results.problems)), (0, 8))
        self.assertEqual(results.summary(), "0 of 8 runs done, 8 damaged files")
        for text in ("it has no run_id", "it has no train/step", "its config holds no settings"):
            self.assertTrue(any(text in problem for problem in results.problems), text)
        with self.assertRaisesRegex(ropewalk.InputError, "it has no config"):

            read_run(self.folder / "study" / "no-config" / "run.h5")

    def test_another_version_is_refused(self):
        with h5py.File(self.write("future"), "r+") as file:
            file.attrs["format_version"] = 2
        (problem,) = self.load().problems
        expected = "expected format ropewalk-run version 1, got ropewalk-run version 2; use the version of ropewalk that wrote it"
        self.assertIn(expected, problem)

    def test_another_hdf5_file(self):
        (self.folder / "x").mkdir()
        h5py.File(self.folder / "x" / "run.h5", "w").close()
        (problem,) = self.load().problems
        self.assertIn("expected format ropewalk-run version 1, got none version 0", problem)

    def test_empty_and_missing_folders(self):
        with self.assertRaisesRegex(ropewalk.InputError, "expected a run.h5 in it or below, found none; `ropewalk run "):
            self.load()
        with self.assertRaisesRegex(ropewalk.InputError, "nowhere: expected a folder that `ropewalk run` made"):
            self.load("nowhere")

    def test_in_a_notebook(self):
        self.write("a")
        self.assertIn("study: 1 of 1 runs done", self.load()._repr_html_())
        self.assertIn("<table", self.load()._repr_html_())


class Tables(ResultsTest):
    def test_extrapolation(self):
        for seed, scale in enumerate((1.0, 3.0)):
            self.write(f"rope-{seed}", seed=seed, perplexity=scale * np.array([2.0, 2.0, 4.0, 8.0, 16.0]))
        self.write("alibi", {"kind": "alibi"}, perplexity=[4.0] * 5)
        table = ropewalk.extrapolation(self.load())
        pick = lambda **values: table[np.all([table[name] == value for name, value in values.items()], axis=0)].iloc[0]
        self.assertEqual(list(dict.fromkeys(table.label)), ["alibi", "rope"])
        rope = pick(label="rope", quantity="perplexity", length=256)
        self.assertEqual((rope["mean"], rope.low, rope.high, rope.seeds, rope.bound), (8.0, 4.0, 12.0, 2, ""))
        self.assertEqual(pick(label="rope", quantity="ratio", length=1024)["mean"], 8.0)
        whole = lambda label, quantity: pick(label=label, quantity=quantity)
        self.assertEqual((whole("alibi", "effective_length")["mean"], whole("alibi", "effective_length").bound), (1024, "≥"))
        self.assertEqual((whole("alibi", "tokens_gained")["mean"], whole("alibi", "tokens_gained").bound), (960, "≥"))
        self.assertEqual((whole("alibi", "area")["mean"], whole("alibi", "area").seeds), (4.0, 1))
        self.assertTrue(np.isnan(whole("alibi", "area").low))
        self.assertEqual((whole("rope", "effective_length")["mean"], whole("rope", "effective_length").bound), (128, ""))
        self.assertAlmostEqual(whole("rope", "tokens_gained")["mean"], 128 * 2 ** (np.log(1.01) / np.log(2)) - 64)
        self.assertAlmostEqual(whole("rope", "area").low, (2 + 3 + 6 + 12) / 4)

    def test_only_done_runs_count(self):
        self.write("a")
        self.write("b", seed=1, status="diverged")
        self.write("c", seed=2, status="running")
        self.assertEqual(set(ropewalk.extrapolation(self.load()).seeds), {1})
        self.write("d", seed=3, perplexity=None, status="running")
        self.assertEqual(set(ropewalk.extrapolation(self.load(), step=2000).seeds), {3})  # all that were evaluated then

    def test_another_metric_and_step(self):
        self.write("a")
        table = ropewalk.extrapolation(self.load(), metric="loss", step=2000)
        np.testing.assert_allclose(table[table.quantity == "loss"]["mean"], np.log([4, 5, 6, 7, 8]))
        for arguments, text in (
            ({"metric": "exact_match"}, "metric: expected one of .*loss.*, got 'exact_match'"),
            ({"metric": "stage"}, "metric: expected one of"),
            ({"protocol": "sliding"}, "protocol: expected one of nonoverlapping, .*, got 'sliding'"),
            ({"step": 7}, "step: expected one of 2000, .*, got 7"),
        ):
            with self.subTest(**arguments), self.assertRaisesRegex(ropewalk.UsageError, text):
                ropewalk.extrapolation(self.load(), **arguments)

    def test_a_run_not_evaluated_at_its_trained_length(self):
        self.write("a", length=100)
        self.assertEqual(set(ropewalk.extrapolation(self.load()).quantity), {"perplexity"})

    def test_lengths_of_other_runs_do_not_matter(self):
        self.write("a", {"kind": "alibi"}, perplexity=[4.0, 4.0, 4.0, 4.0, 4.0])
        self.write("b", {"kind": "rope"}, perplexity=[4.0, 4.0], lengths=[64, 256])
        table = ropewalk.extrapolation(self.load()).set_index(["label", "quantity"]).sort_index()
        rope = next(label for label in table.index.get_level_values(0) if label.startswith("rope"))
        self.assertEqual(table.loc[(rope, "tokens_gained"), "mean"].item(), 192)
        self.assertEqual(table.loc[(rope, "area"), "mean"].item(), 4.0)
        self.assertEqual(table.loc[(rope, "perplexity"), "length"].tolist(), [64, 256])

    def test_paired(self):
        for seed in range(3):
            self.write(f"alibi-{seed}", {"kind": "alibi"}, seed=seed, perplexity=10 * seed + np.full(5, 4.0))
            self.write(f"rope-{seed}", {"kind": "rope"}, seed=seed, perplexity=10 * seed + np.array([3.5, 4, 4, 6, 8 + seed]))
        self.write("rope-9", {"kind": "rope"}, seed=9, perplexity=[1000.0] * 5)
        table = ropewalk.paired(self.load(), "alibi")
        self.assertEqual(set(table.label), {"rope"})
        self.assertEqual(set(table.pairs), {3})
        by_length = table[table.quantity == "perplexity"].set_index("length")
        self.assertEqual(list(by_length["mean"]), [-0.5, 0.0, 0.0, 2.0, 5.0])
        self.assertEqual(list(by_length.sign), ["lower", "undecided", "undecided", "higher", "higher"])
        self.assertEqual((by_length.low[1024], by_length.high[1024]), (4.0, 6.0))
        gained = table[table.quantity == "tokens_gained"].iloc[0]
        self.assertEqual((gained.sign, gained.bound), ("lower", "≤"))
        reverse = ropewalk.paired(self.load(), "rope")
        gained = reverse[reverse.quantity == "tokens_gained"].iloc[0]
        self.assertEqual((gained.sign, gained.bound), ("higher", "≥"))
        with self.assertRaisesRegex(ropewalk.UsageError, "baseline: expected one of alibi; rope"):
            ropewalk.paired(self.load(), "t5")

    def test_labelled_values_and_tables_agree(self):
        write_sweep(self.folder, seeds=4)
        results = self.load()
        table = ropewalk.extrapolation(results).set_index(["label", "quantity", "length"]).sort_index()
        found = ropewalk.interval(results.evaluate.perplexity.sel(step=2000, protocol="nonoverlapping"))
        rope = found.sel(label="rope", length=512)
        expected = table.loc[("rope", "perplexity", 512)]
        for name in ("mean", "low", "high", "seeds"):
            self.assertAlmostEqual(rope[name].item(), expected[name], 12)


if __name__ == "__main__":
    unittest.main()
