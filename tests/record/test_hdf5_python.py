"""Opens what the program writes with h5py, xarray and pandas, as a user would.

usage: test_hdf5_python.py TEST_RECORD    (the test program that writes the sample)
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import pandas
import xarray


def write_sample(program, directory):
    subprocess.run(
        [program, "--gtest_filter=PythonSample.*"],
        env={**os.environ, "ROPEWALK_SAMPLE": str(directory)},
        stdout=subprocess.DEVNULL,
        check=True,
    )


class Sample(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.results = pathlib.Path(cls.temporary.name) / "results"
        cls.results.mkdir()
        write_sample(cls.program, cls.results)

    def test_run_attributes(self):
        with h5py.File(self.results / "full" / "run.h5") as file:
            attributes = dict(file.attrs)
        self.assertEqual(attributes["format"], "ropewalk-run")
        self.assertEqual(attributes["format_version"], 1)
        self.assertEqual(attributes["config"], "name: sample\nnote: Strang β\n")
        self.assertEqual(attributes["status"], "done")
        self.assertEqual(attributes["parameters"], 1234)
        self.assertEqual(attributes["peak_bytes"], 1 << 20)
        self.assertEqual(list(attributes["tags"]), ["sweep of bases", "größer"])
        self.assertEqual(attributes["notes"], "what we\nwanted to know")
        for name in ("run_id", "software", "machine", "started", "finished"):
            self.assertIsInstance(attributes[name], str, name)

    def test_dtypes_shapes_and_scales(self):
        with h5py.File(self.results / "full" / "run.h5") as file:
            self.assertEqual(list(file["train"]), ["step", "stage", "tokens", "loss", "rate", "gradient_norm", "seconds"])
            for name, data in file["train"].items():
                self.assertEqual(data.shape, (3,))
                self.assertEqual(data.dtype, np.int64 if name in ("step", "stage", "tokens") else np.float64)
            loss = file["evaluate/loss"]
            self.assertEqual(loss.shape, (2, 2, 3))
            self.assertEqual([dim[0].name for dim in loss.dims], ["/evaluate/step", "/evaluate/protocol", "/evaluate/length"])
            self.assertEqual(list(file["evaluate/protocol"].asstr()), ["nonoverlapping", "sliding"])
            self.assertEqual(file["evaluate/scored"].dtype, np.int64)
            for group in ("train", "evaluate"):
                for data in file[group].values():
                    self.assertTrue(data.attrs["units"] and data.attrs["long_name"], data.name)

    def test_evaluate_in_xarray(self):
        with xarray.open_dataset(self.results / "full" / "run.h5", group="evaluate") as data:
            self.assertEqual(data.loss.dims, ("step", "protocol", "length"))
            self.assertEqual(float(data.loss.sel(step=30, protocol="sliding", length=4)), 12.0)
            self.assertEqual(float(data.bits_per_byte.sel(step=20, protocol="nonoverlapping", length=2)), 201.0)
            self.assertEqual(list(data.protocol.values), ["nonoverlapping", "sliding"])
            self.assertEqual(data.loss.attrs["units"], "nats per token")
            self.assertEqual(data.position_loss.dims, ("length", "position"))
            self.assertTrue(np.isnan(data.position_loss.sel(length=2, position=2)))
            self.assertEqual(int(data.position_count.sel(length=3, position=2)), 4)

    def test_attention_in_xarray(self):
        with xarray.open_dataset(self.results / "full" / "run.h5", group="attention") as data:
            self.assertEqual(dict(data.sizes), {"layer": 1, "head": 2, "length": 3})
            self.assertEqual(data.entropy.dims, ("layer", "head", "length"))
            self.assertEqual(float(data.entropy.sel(layer=0, head=1, length=3)), 0.375)
            self.assertEqual(float(data.mean_distance.sel(layer=0, head=0, length=3)), 1.5)
            self.assertTrue(np.isnan(data.mean_distance.sel(layer=0, head=0, length=4)))
            self.assertEqual((data.entropy.attrs["units"], data.mean_distance.attrs["units"]), ("nats", "tokens"))
            self.assertTrue(all(data[name].attrs["long_name"] for name in data.variables))

    def test_train_in_xarray(self):
        with xarray.open_dataset(self.results / "full" / "run.h5", group="train") as data:
            self.assertEqual(float(data.loss.sel(step=20)), 2.5)
            np.testing.assert_array_equal(data.seconds, [0.1, 0.2, 0.3])  # numbers, not time deltas

    def test_a_run_that_has_just_begun(self):
        path = self.results / "begun" / "run.h5"
        with h5py.File(path) as file:
            self.assertEqual(file["evaluate/loss"].shape, (0, 2, 3))
            self.assertEqual(file["train/loss"].shape, (0,))
            self.assertNotIn("attention", file)
        with xarray.open_dataset(path, group="evaluate") as data:
            self.assertEqual(dict(data.sizes), {"step": 0, "protocol": 2, "length": 3})

    def test_checkpoint(self):
        with h5py.File(self.results / "full" / "checkpoint.h5") as file:
            self.assertEqual(file.attrs["step"], 20)
            self.assertEqual(file.attrs["config"], "name: sample\n")
            weight = file["parameters/head.weight"]
            self.assertEqual(weight.dtype, np.float32)
            np.testing.assert_array_equal(weight, [[1, 2, 3], [4, 5, 6]])
            self.assertEqual(file["parameters/blocks.0.position.p"].shape, ())
            self.assertIn("head.weight", file["optimizer/first_moment"])

    def test_index_table_and_links_survive_a_move(self):
        moved = self.results.parent / "moved"
        shutil.copytree(self.results, moved)
        with h5py.File(moved / "index.h5") as file:
            runs = file["runs"]
            columns = {name: data.asstr()[:] if data.dtype == object else data[:] for name, data in runs.items()}
            table = pandas.DataFrame(columns).set_index("id")
            self.assertEqual(table.loc["full", "model.position.base"], "500")
            self.assertEqual(table.loc["begun", "model.position.base"], "")
            self.assertEqual(table.loc["begun", "seed"], 1)
            self.assertEqual(table.loc["full", ["tags", "notes"]].tolist(), ["a, b", "why"])
            self.assertEqual(file["files/full"].file.filename, str(moved / "full" / "run.h5"))
            self.assertEqual(file["files/full/evaluate/loss"][1, 1, 2], 12.0)
        with xarray.open_dataset(moved / "index.h5", group="runs") as data:
            self.assertEqual(data["model.position.kind"].sel(id="begun").item(), "alibi")

    def test_a_file_edited_elsewhere_loses_its_seal_and_nothing_else(self):
        path = self.results.parent / "edited.h5"
        shutil.copy(self.results / "full" / "run.h5", path)
        self.assertIn(b"\nropewalk-fnv1a64 ", path.read_bytes())
        with h5py.File(path, "r+") as file:
            file["train/loss"][0] = 7.0
        self.assertNotIn(b"\nropewalk-fnv1a64 ", path.read_bytes())
        with h5py.File(path) as file:
            self.assertEqual(file["train/loss"][0], 7.0)


if __name__ == "__main__":
    Sample.program = sys.argv.pop(1)
    unittest.main()
