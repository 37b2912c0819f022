"""scripts/plot on synthetic results: what it draws, what it leaves out and says so, and what it refuses."""
import contextlib
import copy
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
sys.path.insert(0, str(Path(__file__).parent))

from ropewalk import plot
from ropewalk.config import flatten, load_config
from ropewalk.figures.extrapolation import extrapolation_figure
from ropewalk.runs import read_runs
from ropewalk.series import group, labels
from ropewalk.figures.training import training_figure
from synthetic import LENGTHS, config, write_run, write_sweep


class PlotTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def plot(self, *arguments):
        """(exit code, standard output, standard error)."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = plot.main([str(argument) for argument in arguments])
            except SystemExit as exit:
                code = exit.code
        return code, out.getvalue(), err.getvalue()

    def figure(self):
        runs, _ = read_runs(self.folder)
        figure = extrapolation_figure(runs)
        self.addCleanup(plot.save, figure, self.folder / "drawn")
        return figure.axes[0]


class Extrapolation(PlotTest):
    def test_writes_png_and_svg(self):
        write_sweep(self.folder)
        code, out, err = self.plot("extrapolation", self.folder, "--output", self.folder / "deep" / "figure.png")
        self.assertEqual((code, err), (0, ""))
        png, svg = (self.folder / "deep" / f"figure.{suffix}" for suffix in ("png", "svg"))
        self.assertEqual(out.split(), [str(png), str(svg)])
        self.assertTrue(png.read_bytes().startswith(b"\x89PNG"))
        self.assertIn("<svg", svg.read_text())

    def test_same_results_same_svg(self):
        write_sweep(self.folder)
        files = [self.folder / f"{name}.svg" for name in "ab"]
        for file in files:
            self.plot("extrapolation", self.folder, "--output", file)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def test_axes_are_those_of_the_question(self):
        write_sweep(self.folder)
        axes = self.figure()
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], [str(length) for length in LENGTHS])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("context length, bytes", "perplexity per byte"))
        self.assertEqual(axes.get_title(loc="left"), "synthetic: perplexity beyond the trained length")
        self.assertIn("trained length: 64", [text.get_text() for text in axes.texts])
        self.assertIn("Tokens are bytes.", axes.texts[-1].get_text())

    def test_names_of_trained_lengths_never_overlap(self):
        for length in (64, 128, 1024):
            write_run(self.folder / str(length) / "run.h5", config({"kind": "rope"}, length=length), [4.0] * 5)
        axes = self.figure()
        axes.figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in axes.texts if text.get_text().startswith("trained length: ")]
        self.assertEqual(len(boxes), 3)
        for index, box in enumerate(boxes):
            self.assertFalse(any(box.overlaps(other) for other in boxes[:index]))
            self.assertTrue(axes.bbox.x0 <= box.x0 and box.x1 <= axes.bbox.x1)

    def test_gridlines_stay_below_the_trained_length(self):
        write_sweep(self.folder)
        axes = self.figure()
        marks = [line for line in axes.get_lines() if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2]
        self.assertEqual(len(marks), 1)
        axes.figure.draw_without_rendering()
        self.assertLess(axes.xaxis.get_zorder(), marks[0].get_zorder())

    def test_band_is_called_what_it_is(self):
        for seeds, text in ((1, "Lines: 1 seed."), (3, "mean over 3 seeds; band: range over seeds."),
                            (4, "mean over 4 seeds; band: 95 % bootstrap interval.")):  # fmt: skip
            with self.subTest(seeds=seeds):
                write_sweep(self.folder, seeds)
                self.assertIn(text, self.figure().texts[-1].get_text())

    def test_mixed_numbers_of_seeds_are_named(self):
        write_sweep(self.folder)
        write_run(self.folder / "xpos" / "run.h5", config({"kind": "xpos"}), [4.0] * 5)
        self.assertIn("mean over 1 to 2 seeds; band: range over seeds.", self.figure().texts[-1].get_text())

    def test_line_is_the_mean_over_seeds(self):
        for seed, scale in enumerate((1, 3)):
            write_run(self.folder / str(seed) / "run.h5", config({"kind": "rope"}, seed), [scale * length for length in LENGTHS])
        line = next(line for line in self.figure().get_lines() if line.get_label() == "rope")
        self.assertEqual(list(line.get_xdata()), LENGTHS)
        self.assertEqual(list(line.get_ydata()), [2 * length for length in LENGTHS])

    def test_legend_runs_in_the_order_in_which_the_lines_end(self):
        write_sweep(self.folder)
        labels = [text.get_text() for text in self.figure().get_legend().get_texts()]
        self.assertEqual(labels, ["sinusoidal", "rope", "none", "t5", "learned", "alibi"])

    def test_lengths_without_a_value_end_the_line_and_are_named(self):
        write_sweep(self.folder)
        axes = self.figure()
        learned = next(line for line in axes.get_lines() if line.get_label() == "learned")
        self.assertEqual(list(learned.get_xdata()), [64])
        self.assertIn("Without a value at some lengths: learned.", axes.texts[-1].get_text())

    def test_every_style_is_its_own(self):
        write_sweep(self.folder)
        styles = {(line.get_color(), line.get_marker()) for line in self.figure().get_lines()[:6]}
        self.assertEqual(len(styles), 6)
        self.assertEqual(len({marker for _, marker in styles}), 6)

    def test_unlogged_protocol_is_a_usage_error_that_lists_the_logged(self):
        write_sweep(self.folder)
        code, _, err = self.plot("extrapolation", self.folder, "--protocol", "sliding")
        self.assertEqual(code, 2)
        self.assertIn("no protocol 'sliding'; logged: nonoverlapping", err)

    def test_unlogged_metric_is_a_usage_error_that_lists_the_logged(self):
        write_sweep(self.folder)
        code, _, err = self.plot("extrapolation", self.folder, "--metric", "bits_per_byte")
        self.assertEqual(code, 2)
        self.assertIn("no metric 'bits_per_byte'; logged: loss, perplexity", err)


class Labels(PlotTest):
    def labels(self, *configs):
        for index, one in enumerate(configs):
            write_run(self.folder / str(index) / "run.h5", one, [4.0] * 5)
        return [series.label for series in group(read_runs(self.folder)[0])]

    def test_variants_of_a_scheme_are_named_by_what_differs(self):
        ropes = [config({"kind": "rope", "base": base, "layout": "half"}) for base in (10000.0, 500.0)]
        others = [config({"kind": "alibi"}), config({"kind": "sinusoidal", "base": 7.0})]
        self.assertEqual(self.labels(*ropes, *others), ["alibi", "rope, base 500", "rope, base 10000", "sinusoidal"])

    def test_what_differs_across_schemes_is_named(self):
        configs = [config({"kind": kind}, length=length) for kind, length in (("alibi", 64), ("rope", 128))]
        self.assertEqual(self.labels(*configs), ["alibi, length 64", "rope, length 128"])

    def test_a_hybrid_is_named_by_its_parts(self):
        hybrid = lambda *parts: config({"kind": "sum", "parts": list(parts)})
        ropes = [hybrid({"kind": "rope", "base": base}, {"kind": "alibi"}) for base in (500.0, 1e4)]
        expected = ["rope + alibi, base 500", "rope + alibi, base 10000", "sinusoidal + alibi"]
        self.assertEqual(self.labels(*ropes, hybrid({"kind": "sinusoidal", "base": 1e4}, {"kind": "alibi"})), expected)

    def test_what_learned_does_beyond_its_table_is_always_named(self):
        self.assertEqual(self.labels(config({"kind": "learned", "beyond": "clamp"})), ["learned, beyond clamp"])

    def test_other_kinds_are_named_by_what_they_are_of(self):
        schedules = ({"kind": "constant"}, {"kind": "cosine", "floor": 0.0}, {"kind": "cosine", "floor": 0.5})
        configs = [config({"kind": "rope"}) for _ in schedules]
        for one, schedule in zip(configs, schedules):
            one["train"]["schedule"] = schedule
        expected = {"rope, schedule constant", "rope, schedule cosine, floor 0", "rope, schedule cosine, floor 0.5"}
        self.assertEqual(set(self.labels(*configs)), expected)

    def test_names_grow_until_they_are_unique(self):
        configs = [config({"kind": "rope", "base": base}, base=base) for base in (1, 2)]
        self.assertEqual(self.labels(*configs), ["rope, position.base 1, task.base 1", "rope, position.base 2, task.base 2"])

    def test_a_later_stage_is_named_by_its_number(self):
        rope = {"kind": "rope", "base": 10000.0}
        base = {"train": {"length": 64, "batch": 2, "steps": 9, "optimizer": {"kind": "adamw", "rate": 0.1}, "schedule": {},
                          "clip": 1.0, "stages": []}, "model": {"position": rope, "positions": {"kind": "contiguous"}}}
        stage = {"length": 64, "batch": 2, "steps": 9, "rate": 0.1, "schedule": {}, "clip": 1.0, "position": rope,
                 "positions": {"kind": "contiguous"}}
        longer = copy.deepcopy(base)
        longer["train"]["stages"] = [stage | {"length": 256}, stage | {"length": 256, "position": rope | {"base": 500.0}}]
        tables = [flatten(base), flatten(longer)]
        self.assertNotIn("train.stages", tables[0])
        self.assertEqual(labels(tables), ["rope", "rope, stage 2 length 256, stage 3 base 500"])

    def test_values_are_written_as_in_yaml(self):
        configs = [config({"kind": "t5", "per_layer": whether}) for whether in (False, True)]
        self.assertEqual(self.labels(*configs), ["t5, per_layer false", "t5, per_layer true"])


class WhatIsLeftOut(PlotTest):
    def test_half_finished_and_damaged_runs_are_left_out_and_named(self):
        write_sweep(self.folder)
        write_run(self.folder / "half" / "run.h5", config({"kind": "xpos"}), None, status="running")
        whole = (self.folder / "rope-0" / "run.h5").read_bytes()
        (self.folder / "damaged").mkdir()
        (self.folder / "damaged" / "run.h5").write_bytes(whole[: len(whole) // 2])
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 0)
        self.assertIn("half/run.h5: left out, its status is running", err)
        self.assertIn("damaged/run.h5: cannot be read as a run", err)
        self.assertEqual(len(err.splitlines()), 2)

    def test_missing_folder(self):
        code, _, err = self.plot("extrapolation", self.folder / "nowhere")
        self.assertEqual(code, 3)
        self.assertIn("nowhere: expected a folder that `ropewalk run` made", err)

    def test_folder_without_runs(self):
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("found none; `ropewalk run CONFIG` makes them", err)

    def test_no_finished_run(self):
        write_run(self.folder / "half" / "run.h5", config({"kind": "rope"}), None, status="interrupted")
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("no finished runs", err)
        self.assertIn("its status is interrupted", err)

    def test_another_hdf5_file(self):
        import h5py

        (self.folder / "x").mkdir()
        h5py.File(self.folder / "x" / "run.h5", "w").close()
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("expected format ropewalk-run version 1, got none version 0", err)

    def test_bad_usage(self):
        for arguments in ([], ["pie", self.folder], ["extrapolation"], ["extrapolation", self.folder, "--metric", "exact_match"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.plot(*arguments)[0], 2)


class WhereFiguresGo(PlotTest):
    def test_metric_and_protocol_are_in_the_default_name(self):
        write_sweep(self.folder)
        names = lambda *options: [Path(line).name for line in self.plot("extrapolation", self.folder, *options)[1].split()]
        self.assertEqual(names(), ["extrapolation.png", "extrapolation.svg"])
        self.assertEqual(names("--metric", "loss"), ["extrapolation-loss.png", "extrapolation-loss.svg"])
        options = plot.parser().parse_args(["extrapolation", "here", "--metric", "loss", "--protocol", "sliding"])
        self.assertEqual(plot.default_stem(Path("here"), options), Path("here/extrapolation-loss-sliding"))

    def test_a_folder_above_the_only_experiment(self):
        write_sweep(self.folder / "study")
        code, out, err = self.plot("extrapolation", self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.split()[0], str(self.folder / "study" / "extrapolation.png"))

    def test_a_folder_above_several_experiments_lists_them(self):
        for name in ("one", "two"):
            write_run(self.folder / name / "run" / "run.h5", config({"kind": "rope"}), [4.0] * 5)
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("expected one experiment, found 2; name one of them:", err)
        self.assertEqual(err.split()[-2:], [str(self.folder / "one"), str(self.folder / "two")])


class Training(PlotTest):
    def test_draws_unfinished_runs_too(self):
        write_run(self.folder / "half" / "run.h5", config({"kind": "rope"}), None, status="running", logged=3)
        code, out, err = self.plot("training", self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.split(), [str(self.folder / f"training.{suffix}") for suffix in ("png", "svg")])

    def test_ticks_are_whole_steps(self):
        write_run(self.folder / "short" / "run.h5", config({"kind": "rope"}), [4.0] * 5, logged=3)
        figure = training_figure(read_runs(self.folder)[0])
        self.addCleanup(plot.save, figure, self.folder / "drawn")
        ticks = figure.axes[0].get_xticks()
        self.assertTrue(all(tick == round(tick) for tick in ticks), ticks)
        self.assertEqual(figure.axes[0].get_title(loc="left"), "synthetic: training loss")

    def test_nothing_logged_yet(self):
        write_run(self.folder / "new" / "run.h5", config({"kind": "rope"}), None, status="running", logged=0)
        code, _, err = self.plot("training", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("no run has logged a training step yet", err)


class Reading(PlotTest):
    def test_numbers_without_a_dot_are_numbers(self):
        config = load_config("{a: 1e-08, b: 2.0e-3, c: 1E6, d: 3, e: e5}")
        self.assertEqual(config, {"a": 1e-8, "b": 2e-3, "c": 1e6, "d": 3, "e": "e5"})

    def test_program_starts_from_anywhere(self):
        done = subprocess.run([REPOSITORY / "scripts" / "plot", "--help"], cwd="/", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("extrapolation", done.stdout)


if __name__ == "__main__":
    unittest.main()
