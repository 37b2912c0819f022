"""scripts/report without a browser: what results become on their way into the page, and what is refused."""
import contextlib
import io
import json
import math
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
sys.path.insert(0, str(REPOSITORY / "tests/web"))
sys.path.insert(0, str(Path(__file__).parent))

from ropewalk import interval, load, paired
from ropewalk.runs import read_run
from ropewalk.web import command
from ropewalk.web.bases import alike_but_for, bound
from ropewalk.web.curves import MOST_STEPS, steps_of
from ropewalk.web.numbers import plain
from ropewalk.web.page import data_text, script_text
from ropewalk.web.positions import positions, spans
from ropewalk.web.settings import swept_settings
from ropewalk.web.training import MOST_POINTS, curve, points_for
from synthetic import LENGTHS, config, write_run, write_sweep
from sweeps import write_page_run


class WebTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def report(self, *arguments):
        """(exit code, standard output, standard error)."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = command.main([str(argument) for argument in arguments])
            except SystemExit as exit:
                code = exit.code
        return code, out.getvalue(), err.getvalue()

    def content(self, *arguments):
        """The object in the page of the folder, which is written without a complaint."""
        page = self.folder / "page.html"
        self.assertEqual(self.report(self.folder, "--output", page, *arguments), (0, f"{page}\n", ""))
        return self.read(page)

    def read(self, page):
        return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1])


class Command(WebTest):
    def test_writes_into_the_folder_unless_told_otherwise(self):
        write_sweep(self.folder / "study")
        code, out, err = self.report(self.folder / "study")
        self.assertEqual((code, out, err), (0, f"{self.folder / 'study' / 'report.html'}\n", ""))
        self.assertTrue((self.folder / "study" / "report.html").read_text().startswith("<!DOCTYPE html>"))
        deep = self.folder / "a" / "b" / "page.html"
        self.assertEqual(self.report(self.folder / "study", "--output", deep)[0], 0)
        self.assertEqual(deep.read_bytes(), (self.folder / "study" / "report.html").read_bytes())

    def test_nothing_to_show(self):
        code, _, err = self.report(self.folder / "nowhere")
        self.assertEqual(code, 3)
        self.assertIn("nowhere: expected a folder that `ropewalk run` made", err)
        code, _, err = self.report(self.folder)
        self.assertEqual(code, 3)
        self.assertIn("`ropewalk run CONFIG` makes them", err)

    def test_nowhere_to_write(self):
        write_sweep(self.folder)
        code, _, err = self.report(self.folder, "--output", self.folder / "rope-0" / "run.h5" / "page.html")
        self.assertEqual(code, 3)
        self.assertIn("run.h5", err)

    def test_damaged_and_foreign_files_are_named_and_the_rest_is_shown(self):
        write_sweep(self.folder)
        whole = (self.folder / "rope-0" / "run.h5").read_bytes()
        (self.folder / "rope-0" / "run.h5").write_bytes(whole[: len(whole) // 2])
        with h5py.File(self.folder / "rope-1" / "run.h5", "a") as file:
            file.attrs["format_version"] = 9
        code, out, err = self.report(self.folder)
        self.assertEqual((code, out), (3, f"{self.folder / 'report.html'}\n"))
        self.assertRegex(err, r"report: .*rope-0/run.h5: cannot be read as a run")
        self.assertRegex(err, r"report: .*rope-1/run.h5: expected format ropewalk-run version 1, got ropewalk-run version 9")
        self.assertEqual(self.read(self.folder / "report.html")["summary"][:2], ["10 of 12 runs done", "2 damaged"])

    def test_only_damaged_files(self):
        (self.folder / "x").mkdir()
        (self.folder / "x" / "run.h5").write_bytes(b"no HDF5")
        code, _, err = self.report(self.folder)
        self.assertEqual(code, 3)
        self.assertIn("no run can be read", err)
        self.assertFalse((self.folder / "report.html").exists())

    def test_runs_are_chosen_as_in_report(self):
        write_sweep(self.folder)
        runs = lambda *options: {run["id"] for run in self.content(*options)["runs"]}
        self.assertEqual(runs("--where", "model.position.kind=rope"), {"rope-0", "rope-1"})
        self.assertEqual(runs("--where", "model.position.kind=rope", "--where", "seed>0"), {"rope-1"})
        self.assertEqual(runs("--only", "rope-0", "--only", "t5*"), {"rope-0", "t5-0", "t5-1"})

    def test_a_choice_that_leaves_nothing_is_a_usage_error(self):
        write_sweep(self.folder)
        expected = {
            ("--where", "model.position.kid=rope"): "did you mean model.position.kind",
            ("--where", "rope"): "expected PATH OP VALUE",
            ("--where", "seed>7"): "none of 12 runs",
            ("--only", "x"): "expected a pattern",
            ("--tag", "x"): "x",
            ("--baseline", "xpos"): "baseline: expected one of alibi; learned; none; rope; sinusoidal; t5, which",
        }
        for choice, text in expected.items():
            code, out, err = self.report(self.folder, *choice)
            self.assertEqual((code, out), (2, ""), choice)
            self.assertIn(text, err)

    def test_program_starts_from_anywhere_and_tells_everything(self):
        done = subprocess.run([REPOSITORY / "scripts" / "report", "--help"], cwd="/", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for option in ("--output", "--where", "--only", "--tag", "--baseline", "exit code"):
            self.assertIn(option, done.stdout)


class Content(WebTest):
    def test_same_results_same_page(self):
        write_sweep(self.folder)
        pages = [self.folder / f"{name}.html" for name in "ab"]
        for page in pages:
            self.report(self.folder, "--output", page)
        self.assertEqual(pages[0].read_bytes(), pages[1].read_bytes())

    def test_means_and_intervals_are_those_of_the_module(self):
        for seed in range(4):
            write_run(self.folder / str(seed) / "run.h5", config({"kind": "rope"}, seed), [4 + seed, 5, 6, 7, 8])
        (group,) = self.content()["groups"]
        mean, low, high, seeds = group["curves"][0][0][0]
        self.assertEqual((mean, seeds), ([5.5, 5, 6, 7, 8], [4] * 5))
        self.assertEqual((low[1], high[1]), (5, 5))
        self.assertTrue(4 < low[0] < 5.5 < high[0] < 7)

    def test_a_part_of_the_runs_looks_as_it_does_among_all(self):
        for base in (100.0, 1e4):
            write_run(self.folder / f"rope-{base}" / "run.h5", config({"kind": "rope", "base": base}), [4.0] * 5)
        write_run(self.folder / "alibi" / "run.h5", config({"kind": "alibi"}), [4.0] * 5)
        looks = lambda *choice: [[group[key] for key in ("color", "symbol", "dash")] for group in self.content(*choice)["groups"]]
        whole = looks()
        self.assertEqual([symbol for _, symbol, _ in whole], ["triangle-down", "diamond", "diamond-open"])
        self.assertEqual(looks("--where", "model.position.base>1000"), whole[2:])

    def test_one_seed_has_no_interval(self):
        write_run(self.folder / "run" / "run.h5", config({"kind": "rope"}), [4, 5, 6, 7, 8])
        mean, low, high, seeds = self.content()["groups"][0]["curves"][0][0][0]
        self.assertEqual((mean, low, high, seeds), ([4, 5, 6, 7, 8], [None] * 5, [None] * 5, [1] * 5))

    def test_a_ratio_is_of_each_run_then_of_the_seeds(self):
        for seed in range(4):
            values = [9, 1 + seed, 2 + 2 * seed, 7, 8 + 8 * seed]
            write_run(self.folder / str(seed) / "run.h5", config({"kind": "rope"}, seed, 128), values)
        (group,) = self.content()["groups"]
        mean, low, high, seeds = group["relative"][0][0][0]
        self.assertEqual((mean[1:3], mean[4], low[1:3], high[1:3], seeds), ([1, 2], 8, [1, 2], [1, 2], [4] * 5))
        expected = interval(np.array([9 / (1 + seed) for seed in range(4)]))
        self.assertEqual([mean[0], low[0], high[0]], plain(expected[:3]))

    def test_no_ratio_without_a_value_at_the_trained_length(self):
        write_run(self.folder / "run" / "run.h5", config({"kind": "rope"}, length=100), [4, 5, 6, 7, 8])
        self.assertIsNone(self.content()["groups"][0]["relative"][0][0][0])

    def test_differences_are_those_of_the_module(self):
        write_sweep(self.folder, seeds=5)
        write_run(self.folder / "rope-9" / "run.h5", config({"kind": "rope"}, 9), [90, 91, 92, 93, 94])  # no pair
        (self.folder / "rope-0" / "run.h5").unlink()
        table = paired(load(self.folder), baseline="alibi")
        content = self.content("--baseline", "alibi")
        groups = {group["label"]: group["difference"] for group in content["groups"]}
        self.assertEqual((content["baseline"], groups["alibi"]), ("alibi", []))
        place = [metric["name"] for metric in content["metrics"]].index("perplexity")
        for label in groups.keys() - {"alibi"}:
            rows = table[(table.label == label) & (table.quantity == "perplexity")].sort_values("length")
            values = [[part[index] for index, pairs in enumerate(groups[label][place][0][0][3]) if pairs]
                      for part in groups[label][place][0][0]]  # fmt: skip
            self.assertEqual(values, [plain(rows[name].to_numpy()) for name in ("mean", "low", "high", "pairs")])
            self.assertEqual(set(values[3]), {4 if label == "rope" else 5})

    def test_differences_at_the_lengths_that_both_have(self):
        write_run(self.folder / "a" / "run.h5", config({"kind": "rope"}), [4, 5, 6, 7, 8])
        other = config({"kind": "alibi"})
        other["evaluate"]["lengths"] = [128, 200, 1024]
        write_run(self.folder / "b" / "run.h5", other, [1, 2, 3])
        groups = self.content("--baseline", "alibi")["groups"]
        (difference,) = (group["difference"][0][0][0] for group in groups if group["difference"])
        self.assertEqual(difference, [[None, 4, None, None, 5], [None] * 5, [None] * 5, [0, 1, 0, 0, 1]])

    def test_seeds_that_the_baseline_has_not(self):
        write_run(self.folder / "a" / "run.h5", config({"kind": "rope"}, 0), [4, 5, 6, 7, 8])
        write_run(self.folder / "b" / "run.h5", config({"kind": "alibi"}, 1), [4, 5, 6, 7, 8])
        groups = self.content("--baseline", "alibi")["groups"]
        self.assertEqual([group["difference"] for group in groups], [[], [[[None]], [[None]]]])

    def test_values_that_are_none_or_infinite_have_no_place_in_json(self):
        self.assertEqual(plain(np.array([math.nan, math.inf, 1 / 3, 2.0])), [None, None, 0.33333, 2.0])
        write_run(self.folder / "run" / "run.h5", config({"kind": "learned"}), [4, math.nan, math.inf, 7, 8])
        self.assertEqual(self.content()["groups"][0]["curves"][0][0][0][0], [4, None, None, 7, 8])

    def test_no_text_ends_the_script(self):
        content = {"notes": "</script><script>alert(1)</script><!--"}
        self.assertNotIn("<", data_text(content))
        self.assertEqual(json.loads(data_text(content)), content)
        self.assertEqual(script_text('"</script>"'), '"<\\/script>"')

    def test_how_far_a_run_goes(self):
        write_run(self.folder / "run" / "run.h5", config({"kind": "rope"}), [4, 4.01, 8, 16, 32])
        write_run(self.folder / "flat" / "run.h5", config({"kind": "alibi"}), [4, 4, 4, 4, 4])
        content = self.content()
        place = [column["title"] for column in content["columns"]].index("effective length")
        cells = {run["id"]: run["cells"][place : place + 2] for run in content["runs"]}
        self.assertEqual(cells["flat"], [[1024], [960]])  # lower bounds
        self.assertEqual(cells["run"][0], 128)
        self.assertTrue(64 < cells["run"][1] < 128)

    def test_counts_of_a_sweep_in_progress(self):
        write_sweep(self.folder, seeds=1)
        write_run(self.folder / "half" / "run.h5", config({"kind": "xpos"}), None, status="interrupted")
        write_run(self.folder / "bad" / "run.h5", config({"kind": "shaw"}), None, status="failed")
        content = self.content()
        self.assertEqual(content["summary"][:4], ["6 of 8 runs done", "1 stopped", "1 failed", "8 series, 1 seed each"])
        self.assertEqual(content["statuses"], ["done", "stopped", "failed"])

    def test_no_run_is_done(self):
        write_run(self.folder / "half" / "run.h5", config({"kind": "rope"}), None, status="interrupted", logged=0)
        self.assertEqual(set(self.content()["absent"]), {"extrapolation", "position", "training", "bases", "attention"})

    def test_several_experiments_are_told_apart(self):
        for name in ("one", "two"):
            write_run(self.folder / name / f"run-{name}" / "run.h5", config({"kind": "rope"}) | {"name": name}, [4, 5, 6, 7, 8])
        content = self.content()
        self.assertEqual([group["label"] for group in content["groups"]], ["one: rope", "two: rope"])
        self.assertEqual([setting["path"] for setting in content["settings"]], ["name"])


class Settings(unittest.TestCase):
    def paths(self, *tables):
        return [setting["path"] for setting in swept_settings(list(tables))]

    def test_what_only_one_scheme_has_is_no_choice_of_the_sweep(self):
        rope = {"model.position.kind": "rope", "model.position.base": 100}
        alibi = {"model.position.kind": "alibi", "model.position.heads": 4}
        self.assertEqual(self.paths(rope, alibi), ["model.position.kind"])
        found = self.paths(rope, rope | {"model.position.base": 7}, alibi)
        self.assertEqual(found, ["model.position.kind", "model.position.base"])

    def test_a_stage_that_some_have_is_one(self):
        (stage,) = swept_settings([{"train.length": 64}, {"train.length": 64, "train.stages[0].length": 256}])
        self.assertEqual(stage, {"path": "train.stages[0].length", "name": "stage 2 length", "values": [256, None]})

    def test_values_are_in_order(self):
        tables = [{"a": value} for value in (10000.0, 500, True, "x", 20)]
        self.assertEqual(swept_settings([*tables, {}])[0]["values"], [20, 500, 10000.0, True, "x", None])


class Thinning(WebTest):
    def test_bins_hold_every_position_once(self):
        for length in (1, 2, 39, 64, 1000, 65536):
            covered = [position for first, last in spans(length) for position in range(first, last + 1)]
            self.assertEqual(covered, list(range(1, length + 1)))
            self.assertLess(len(spans(length)), 70)

    def test_a_bin_is_the_mean_over_its_scored_tokens_then_over_seeds(self):
        runs = [read_run(write_page_run(self.folder, {"kind": "rope"}, seed, growth=0.3 + seed)) for seed in range(2)]
        means = []
        for run in runs:
            run.evaluate["position_count"][4] = np.arange(1024)  # the first position is never scored
            loss, count = run.evaluate["position_loss"][4], run.evaluate["position_count"][4]
            means.append([np.average(loss[first - 1 : last], weights=count[first - 1 : last]) for first, last in spans(1024)[1:]])
        mean, low, high, seeds = positions(runs)[1024]
        self.assertEqual((mean[0], seeds[0], seeds[1]), (None, 0, 2))
        np.testing.assert_allclose([mean[1:], low[1:], high[1:]], [np.mean(means, axis=0), *means], rtol=1e-4)

    def test_a_training_curve_keeps_mean_least_and_greatest(self):
        run = read_run(write_page_run(self.folder, {"kind": "rope"}, 0, logged=1000))
        thin = curve(run, 250)
        mean, least, greatest = thin["loss"]
        self.assertEqual(len(thin["step"]), 250)
        self.assertEqual(thin["step"][-1], 10_000)
        self.assertAlmostEqual(np.mean(mean), run.train["loss"].mean(), places=4)
        self.assertAlmostEqual(min(least), run.train["loss"].min(), places=4)
        self.assertAlmostEqual(max(greatest), run.train["loss"].max(), places=4)

    def test_a_short_training_curve_is_kept_whole(self):
        run = read_run(write_page_run(self.folder, {"kind": "rope"}, 0, logged=7))
        self.assertEqual(curve(run, 250)["loss"], [plain(run.train["loss"])])

    def test_many_runs_have_fewer_points(self):
        self.assertEqual((points_for([0]), points_for([0] * 500), points_for([0] * 10_000)), (MOST_POINTS, 60, 50))

    def test_many_evaluations_are_thinned(self):
        run = read_run(write_page_run(self.folder, {"kind": "rope"}, 0))
        run.evaluate["step"] = np.arange(100)
        steps = steps_of([run])
        self.assertEqual((steps[0], steps[1], steps[-1], len(steps)), (None, 0, 99, 1 + MOST_STEPS))


class Bases(unittest.TestCase):
    def test_what_differs_in_a_base_alone_is_alike(self):
        path = "model.position.parts[0].base"
        tables = [{path: 100, "a": 1}, {path: 500, "a": 1}, {path: 100, "a": 2}, {"a": 1}]
        self.assertEqual([*alike_but_for(path, tables)], [[0, 1], [2]])

    def test_the_bound_rises_with_the_length(self):
        line = bound(32, [64, 256, 1024])
        self.assertEqual((line[0][0], line[-1][0]), (64, 1024))
        self.assertTrue(all(before[1] <= after[1] for before, after in zip(line, line[1:])))
        self.assertTrue(5.5e4 < line[-1][1] < 6.1e4)  # Men et al. 2024 for heads of 32: about 5.8e4

    def test_two_elements_have_none(self):
        self.assertEqual(bound(2, [64, 128]), [])


if __name__ == "__main__":
    unittest.main()
