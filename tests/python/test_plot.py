"""scripts/plot on synthetic results: what it draws, what it leaves out and says so, and what it refuses."""
import contextlib
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
from ropewalk.config import load_config
from ropewalk.extrapolation import extrapolation_figure
from ropewalk.runs import read_runs
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
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("context length, tokens", "perplexity, per byte"))
        self.assertEqual(axes.get_title(loc="left"), "synthetic")
        self.assertIn("trained length: 64", [text.get_text() for text in axes.texts])

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

    def test_variants_of_a_scheme_are_named_by_what_differs(self):
        for base in (10000.0, 500.0):
            position = {"kind": "rope", "base": base, "layout": "half"}
            write_run(self.folder / str(base) / "run.h5", config(position), [4.0] * 5)
        write_run(self.folder / "alibi" / "run.h5", config({"kind": "alibi"}), [4.0] * 5)
        labels = [line.get_label() for line in self.figure().get_lines()[:3]]
        self.assertEqual(labels, ["alibi", "rope, base 500", "rope, base 10000"])

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
        code, _, err = self.plot("extrapolation", self.folder, "--metric", "exact_match")
        self.assertEqual(code, 2)
        self.assertIn("no metric 'exact_match'; logged: loss, perplexity", err)


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
        for arguments in ([], ["pie", self.folder], ["extrapolation"], ["extrapolation", self.folder, "--metric", "beauty"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.plot(*arguments)[0], 2)


class Training(PlotTest):
    def test_draws_unfinished_runs_too(self):
        write_run(self.folder / "half" / "run.h5", config({"kind": "rope"}), None, status="running", logged=3)
        code, out, err = self.plot("training", self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.split(), [str(self.folder / f"training.{suffix}") for suffix in ("png", "svg")])

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
