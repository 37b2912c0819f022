"""scripts/plot on synthetic results: what it draws, what it leaves out and says so, and what it refuses."""
import copy
import hashlib
import itertools
import os
import subprocess
import unittest
from pathlib import Path

import h5py
import numpy as np

from plotting import REPOSITORY, PlotTest, caption, legend, line, title
from ropewalk import plot
from ropewalk.config import flatten, load_config
from ropewalk.figures.extrapolation import extrapolation_figure
from ropewalk.figures.style import WIDTHS
from ropewalk.figures.training import training_figure
from ropewalk.series import group, labels
from synthetic import LENGTHS, config, write_run, write_sweep


class Extrapolation(PlotTest):
    def figure(self, **options):
        return extrapolation_figure(self.sweep(), **options)

    def test_axes_are_those_of_the_question(self):
        write_sweep(self.folder)
        figure = self.figure()
        axes = figure.axes[0]
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], [str(length) for length in LENGTHS])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("context length, bytes", "perplexity per byte"))
        self.assertEqual(title(figure), "synthetic: perplexity beyond the trained length")
        self.assertEqual([text.get_text() for text in axes.texts], ["trained length 64"])
        self.assertIn("Tokens are bytes.", caption(figure))

    def test_every_trained_length_is_marked(self):
        for length in (64, 128, 1024):
            write_run(self.folder / str(length) / "run.h5", config({"kind": "rope"}, length=length), [4.0] * 5)
        axes = self.figure().axes[0]
        marked = [line.get_xdata()[0] for line in axes.get_lines() if list(line.get_ydata()) == [0, 1]]
        self.assertEqual(marked, [64, 128, 1024])
        self.assertEqual(axes.texts[0].get_text(), "trained length 64, 128, 1024")

    def test_gridlines_stay_below_the_trained_length(self):
        write_sweep(self.folder)
        axes = self.figure().axes[0]
        marks = [line for line in axes.get_lines() if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2]
        self.assertEqual(len(marks), 1)
        axes.figure.draw_without_rendering()
        self.assertLess(axes.xaxis.get_zorder(), marks[0].get_zorder())

    def test_band_is_called_what_it_is(self):
        for seeds, text in ((1, "Lines: 1 seed."), (3, "mean over 3 seeds; band: range over seeds."),
                            (4, "mean over 4 seeds; band: 95 % bootstrap interval.")):  # fmt: skip
            with self.subTest(seeds=seeds):
                write_sweep(self.folder, seeds)
                self.assertIn(text, caption(self.figure()))

    def test_mixed_numbers_of_seeds_are_named(self):
        write_sweep(self.folder)
        write_run(self.folder / "xpos" / "run.h5", config({"kind": "xpos"}), [4.0] * 5)
        self.assertIn("mean over 1 to 2 seeds; band: range over seeds.", caption(self.figure()))

    def test_line_is_the_mean_over_seeds(self):
        for seed, scale in enumerate((1, 3)):
            write_run(self.folder / str(seed) / "run.h5", config({"kind": "rope"}, seed), [scale * length for length in LENGTHS])
        rope = line(self.figure().axes[0], "rope")
        self.assertEqual(list(rope.get_xdata()), LENGTHS)
        self.assertEqual(list(rope.get_ydata()), [2 * length for length in LENGTHS])

    def test_legend_runs_in_the_order_in_which_the_lines_end(self):
        write_sweep(self.folder)
        self.assertEqual(legend(self.figure()), ["sinusoidal", "rope", "none", "t5", "learned", "alibi"])

    def test_lengths_without_a_value_end_the_line_and_are_named(self):
        write_sweep(self.folder)
        figure = self.figure()
        self.assertEqual(list(line(figure.axes[0], "learned").get_xdata()), [64])
        self.assertIn("Without a value at some lengths: learned.", caption(figure))

    def test_seeds_evaluated_at_different_lengths_are_drawn_where_they_meet(self):
        for seed, lengths in enumerate(([64, 128, 256], [64, 256, 512])):
            one = {**config({"kind": "rope"}, seed), "evaluate": {"lengths": LENGTHS}}
            write_run(self.folder / str(seed) / "run.h5", one, [float(length) for length in LENGTHS])
            with h5py.File(self.folder / str(seed) / "run.h5", "a") as file:  # as if it had been asked for fewer
                for name in ("length", "perplexity", "loss"):
                    values = file[f"evaluate/{name}"][()][..., np.isin(LENGTHS, lengths)]
                    del file[f"evaluate/{name}"]
                    file[f"evaluate/{name}"] = values
        figure = self.figure()
        rope = line(figure.axes[0], "rope")
        self.assertEqual((list(rope.get_xdata()), list(rope.get_ydata())), ([64, 256], [64, 256]))
        self.assertIn("Only at lengths that all seeds share: rope.", caption(figure))

    def test_what_diverged_does_not_squash_the_others(self):
        write_sweep(self.folder, seeds=1)
        write_run(self.folder / "xpos" / "run.h5", config({"kind": "xpos"}), [5.0, 50.0, 1e9, 1e30, np.inf])
        figure = self.figure()
        low, high = figure.axes[0].get_ylim()
        self.assertLess(high / low, 1e5)
        self.assertIn("above the scale: xpos.", caption(figure))
        arrows = [line for line in figure.axes[0].get_lines() if line.get_label().startswith("_") and len(line.get_xdata()) == 3]
        self.assertEqual([list(line.get_xdata()) for line in arrows], [[256, 512, 1024]])

    def test_a_wide_span_that_no_run_diverged_for_is_shown_whole(self):
        write_run(self.folder / "xpos" / "run.h5", config({"kind": "xpos"}), [5.0, 50.0, 500.0, 5e3, 5e4])
        figure = self.figure()
        self.assertGreater(figure.axes[0].get_ylim()[1], 5e4)
        self.assertNotIn("above the scale", caption(figure))

    def test_every_style_is_its_own(self):
        write_sweep(self.folder)
        lines = [line(self.figure().axes[0], label) for label in ("none", "sinusoidal", "learned", "rope", "alibi", "t5")]
        self.assertEqual(len({line.get_color() for line in lines}), 6)
        self.assertEqual(len({line.get_marker() for line in lines}), 6)

    def test_a_series_looks_the_same_in_every_figure_of_any_part_of_the_results(self):
        for number, (kind, length) in enumerate(itertools.product(("rope", "alibi"), (32, 64, 128))):
            write_run(self.folder / str(number) / "run.h5", config({"kind": kind}, length=length), [4.0] * 5)
        look = lambda one: (one.get_color(), one.get_marker(), one.get_markerfacecolor(), one.get_linestyle())
        lines = lambda figure: [one for one in figure.axes[0].get_lines() if not one.get_label().startswith("_")]
        whole = {one.get_label(): look(one) for one in lines(self.figure())}
        self.assertEqual((len(set(whole.values())), {marker for _, marker, *_ in whole.values()}), (6, {"D", "v"}))
        self.assertEqual({one.get_label(): look(one) for one in lines(training_figure(self.sweep()))}, whole)
        chosen = self.sweep(conditions=["model.position.kind=rope", "train.length=64"])
        for figure in (extrapolation_figure, training_figure):
            self.assertEqual([look(one) for one in lines(figure(chosen))], [whole["rope, length 64"]])

    def test_runs_without_the_metric_or_the_protocol_are_left_out_and_counted(self):
        write_sweep(self.folder, seeds=1)
        for kind, edit in (("other", lambda file: file["evaluate/protocol"].__setitem__(0, "sliding")),
                           ("less", lambda file: file.__delitem__("evaluate/perplexity"))):  # fmt: skip
            write_run(self.folder / kind / "run.h5", config({"kind": "xpos"}, seed=len(kind)), [4.0] * 5)
            with h5py.File(self.folder / kind / "run.h5", "r+") as file:
                edit(file)
        text = caption(self.figure())
        self.assertIn("2 runs without perplexity under nonoverlapping left out.", text)
        self.assertEqual(self.plot("extrapolation", self.folder, "--protocol", "sliding")[0], 0)
        self.assertEqual(self.plot("extrapolation", self.folder, "--metric", "loss")[0], 0)

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

    def test_a_step_draws_all_that_were_evaluated_then(self):
        write_sweep(self.folder, seeds=1)
        write_run(self.folder / "xpos" / "run.h5", config({"kind": "xpos"}), [4.0] * 5, status="interrupted")
        self.assertNotIn("xpos", legend(self.figure()))
        figure = self.figure(step=2000)
        self.assertIn("xpos", legend(figure))
        self.assertIn("after 2000 steps.", caption(figure))
        code, _, err = self.plot("extrapolation", self.folder, "--step", 7)
        self.assertEqual(code, 2)
        self.assertIn("--step 7: expected a step after which a run was evaluated: 2000;", err)


class Relative(PlotTest):
    def figure(self, **options):
        return extrapolation_figure(self.sweep(), relative=True, **options)

    def write(self, kind, length, values, seed=0):
        write_run(self.folder / f"{kind}-{length}-{seed}" / "run.h5", config({"kind": kind}, seed, length), values)

    def test_each_run_is_related_to_its_own_trained_length(self):
        self.write("rope", 64, [2.0, 4.0, 8.0, 8.0, 8.0], seed=0)
        self.write("rope", 64, [4.0, 4.0, 4.0, 8.0, 12.0], seed=1)
        self.write("rope", 256, [6.0, 3.0, 2.0, 4.0, 6.0])
        figure = self.figure()
        axes = figure.axes[0]
        short, long = line(axes, "rope, length 64"), line(axes, "rope, length 256")
        self.assertEqual((list(short.get_xdata()), list(short.get_ydata())), ([1, 2, 4, 8, 16], [1.0, 1.5, 2.5, 3.0, 3.5]))
        self.assertEqual((list(long.get_xdata()), list(long.get_ydata())), ([0.25, 0.5, 1, 2, 4], [3.0, 1.5, 1.0, 2.0, 3.0]))
        low, high = axes.collections[0].get_paths()[0].get_extents().intervaly  # the band of the ratios, not of the values
        self.assertEqual((low, high), (1.0, 4.0))
        ticks = [label.get_text() for label in axes.get_xticklabels()]
        self.assertEqual(ticks, ["0.25", "0.5", "1", "2", "4", "8", "16"])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("context length / trained length", "relative perplexity"))
        self.assertEqual((axes.get_xscale(), axes.get_yscale(), axes.texts[:]), ("log", "log", []))
        marked = [line.get_xdata()[0] for line in axes.get_lines() if list(line.get_ydata()) == [0, 1]]
        self.assertEqual(marked, [1])
        self.assertEqual(title(figure), "synthetic: relative perplexity beyond the trained length")
        self.assertIn("Relative: each run's perplexity over its own at the trained length (dashed).", caption(figure))
        self.assertNotIn("left out", caption(figure))

    def test_runs_without_a_value_at_their_trained_length_are_left_out_and_said_to_be(self):
        self.write("rope", 64, [4.0] * 5)
        self.write("alibi", 100, [4.0] * 5)
        for kind, value in (("none", np.nan), ("t5", np.inf), ("xpos", 0.0)):
            with np.errstate(divide="ignore"):  # of the logarithm that is its loss
                self.write(kind, 64, [value, 4.0, 4.0, 4.0, 4.0])
        figure = self.figure()
        self.assertEqual(legend(figure), ["rope"])
        self.assertIn("4 runs without a value there left out.", caption(figure))

    def test_no_run_to_relate_is_a_usage_error_that_says_what_to_evaluate(self):
        for length in (100, 90):
            self.write("rope", length, [4.0] * 5)
        code, _, err = self.plot("extrapolation", self.folder, "--relative")
        self.assertEqual(code, 2)
        self.assertIn("--relative: expected runs with a value of perplexity at their trained length, found none", err)
        self.assertIn("evaluate.lengths would need 90, 100", err)

    def test_other_metrics_keep_their_scale(self):
        self.write("rope", 64, [4.0] * 5)
        axes = self.figure(metric="loss").axes[0]
        self.assertEqual((axes.get_yscale(), axes.get_ylabel()), ("linear", "relative loss"))

    def test_one_is_a_tick(self):
        for last in (1.02, 1.3, 2.5, 30.0, 3000.0):
            self.write("rope", 64, [4.0, 4.0, 4.0, 4.0, 4.0 * last])
            self.assertTrue(np.isclose(self.figure().axes[0].get_yticks(), 1).any(), last)

    def test_a_flag_is_in_the_default_name(self):
        self.write("rope", 64, [4.0] * 5)
        _, out, err = self.plot("extrapolation", self.folder, "--relative", "--metric", "loss")
        self.assertEqual((out.split(), err), ([str(self.folder / "extrapolation-loss-relative.svg")], ""))
        help = "".join(self.plot("extrapolation", "--help")[1].split())
        self.assertIn("DIR/extrapolation[-METRIC][-PROTOCOL][-STEP][-relative]", help)

    def test_texts_have_room_whatever_the_multiples(self):
        self.write("rope", 64, [4.0, 5.0, 6.0, 7.0, 8.0])
        for length in (64, 96, 1024):
            one = {**config({"kind": "t5"}, length=length), "evaluate": {"lengths": [1, 64, 96, 1024, 2**20]}}
            write_run(self.folder / f"t5-{length}" / "run.h5", one, [4.0, 5.0, 6.0, 7.0, 8.0])
        for columns in WIDTHS:
            figure = self.figure(columns=columns)
            self.assert_roomy(figure)
            first, *_, last = (label.get_text() for label in figure.axes[0].get_xticklabels())
            self.assertEqual((float(first), int(last) >= 2**13), (0.000976562, True))


class Choice(PlotTest):
    def setUp(self):
        super().setUp()
        for base in (100.0, 500.0, 1e4):
            for seed in range(2):
                run = config({"kind": "rope", "base": base}, seed)
                path = self.folder / f"rope-{base:.0f}-{seed}" / "run.h5"
                write_run(path, run, [4.0] * 5, attributes={"tags": ["first"]} if seed else {})

    def labels(self, **choice):
        return [series.label for series in group(self.sweep(**choice).runs)]

    def test_conditions_and_patterns_and_tags_leave_some_runs(self):
        self.assertEqual(self.labels(conditions=["model.position.base>100"]), ["rope, base 500", "rope, base 10000"])
        self.assertEqual(self.labels(conditions=["model.position.base>100", "model.position.base<10000"]), ["rope"])
        self.assertEqual(self.labels(only=["*-100-*"]), ["rope"])
        self.assertEqual(len(self.sweep(tags=["first"]).runs), 3)

    def test_what_leaves_nothing_is_a_usage_error(self):
        for choice, text in ((["--where", "model.position.base>1e9"], "none of 6 runs meets model.position.base>1e9"),
                             (["--where", "model.position.bse>1"], "did you mean model.position.base?"),
                             (["--where", "model.position.base"], "expected PATH OP VALUE"),
                             (["--only", "*alibi*"], "only *alibi*: expected a pattern"),
                             (["--tag", "second"], "second")):  # fmt: skip
            with self.subTest(choice):
                code, _, err = self.plot("extrapolation", self.folder, *choice)
                self.assertEqual(code, 2, err)
                self.assertIn(text, err)

    def test_an_option_that_does_not_apply_is_refused(self):
        for figure, option in (("training", "--metric=loss"), ("training", "--step=1"), ("position", "--protocol=sliding"),
                               ("extrapolation", "--length=64"), ("attention", "--metric=loss"), ("bases", "--length=64"),
                               ("bases", "--relative"), ("inspect", "--where=a=1")):  # fmt: skip
            with self.subTest(figure=figure, option=option):
                code, _, err = self.plot(figure, self.folder, option)
                self.assertEqual(code, 2)
                self.assertIn(f"unrecognized arguments: {option}", err)


class Labels(PlotTest):
    def labels(self, *configs):
        for index, one in enumerate(configs):
            write_run(self.folder / str(index) / "run.h5", one, [4.0] * 5)
        return [series.label for series in group(self.sweep().runs)]

    def test_variants_of_a_scheme_are_named_by_what_differs(self):
        ropes = [config({"kind": "rope", "base": base, "layout": "half"}) for base in (10000.0, 500.0)]
        others = [config({"kind": "alibi"}), config({"kind": "sinusoidal", "base": 7.0})]
        self.assertEqual(self.labels(*ropes, *others), ["alibi", "rope, base 500", "rope, base 10000", "sinusoidal"])

    def test_what_differs_across_schemes_is_named(self):
        configs = [config({"kind": kind}, length=length) for kind, length in (("alibi", 64), ("rope", 128))]
        self.assertEqual(self.labels(*configs), ["alibi, length 64", "rope, length 128"])

    def test_how_runs_are_looked_at_is_named_only_if_nothing_else_tells_them_apart(self):
        def rope(length, batch):
            one = config({"kind": "rope"}, length=length)
            one["train"]["batch"] = batch
            one["evaluate"]["stride"] = length
            return one

        self.assertEqual(self.labels(rope(64, 8), rope(128, 4)), ["rope, length 64", "rope, length 128"])
        self.assertEqual(self.labels(rope(64, 8), rope(64, 4)), ["rope, batch 4", "rope, batch 8"])

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
    def damage(self):
        whole = (self.folder / "rope-0" / "run.h5").read_bytes()
        (self.folder / "damaged").mkdir()
        (self.folder / "damaged" / "run.h5").write_bytes(whole[: len(whole) // 2])

    def test_half_finished_and_damaged_runs_are_named_and_counted(self):
        write_sweep(self.folder)
        write_run(self.folder / "half" / "run.h5", config({"kind": "xpos"}), None, status="running")
        message = {"message": "loss is nan"}
        write_run(self.folder / "bad" / "run.h5", config({"kind": "fire"}), None, "diverged", attributes=message)
        self.damage()
        code, out, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertTrue(Path(out.strip()).exists())
        self.assertIn("half/run.h5: stopped", err)
        self.assertIn("bad/run.h5: diverged: loss is nan", err)
        self.assertIn("damaged/run.h5: cannot be read as a run", err)
        self.assertEqual(len(err.splitlines()), 3)
        text = caption(extrapolation_figure(self.sweep()))
        for part in ("12 of 15 runs done", "1 diverged", "1 stopped", "1 damaged file"):
            self.assertIn(part, text)

    def test_a_whole_sweep_says_nothing_of_states(self):
        write_sweep(self.folder)
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("runs done", caption(extrapolation_figure(self.sweep())))

    def test_values_that_are_damaged_below_a_whole_header(self):
        write_sweep(self.folder, seeds=1)
        with h5py.File(self.folder / "none-0" / "run.h5", "a") as file:
            del file["evaluate/perplexity"]
            file.create_dataset("evaluate/perplexity", (1, 1, 5), chunks=(1, 1, 5), fletcher32=True)
            file["evaluate/perplexity"][...] = 4.0
            place = file["evaluate/perplexity"].id.get_chunk_info(0).byte_offset
        with open(self.folder / "none-0" / "run.h5", "r+b") as file:
            file.seek(place)
            file.write(b"\x55" * 8)
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("none-0/run.h5: cannot be read as a run", err)

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
        self.assertIn("half/run.h5: stopped", err)

    def test_another_hdf5_file(self):
        (self.folder / "x").mkdir()
        h5py.File(self.folder / "x" / "run.h5", "w").close()
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("expected format ropewalk-run version 1, got none version 0", err)

    def test_bad_usage(self):
        for arguments in ([], ["pie", self.folder], ["extrapolation"], ["extrapolation", self.folder, "--metric", "exact_match"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.plot(*arguments)[0], 2)


class WhatIsWritten(PlotTest):
    def test_three_formats(self):
        write_sweep(self.folder)
        code, out, err = self.plot("extrapolation", self.folder, "--output", self.folder / "deep" / "figure.png", format=None)
        self.assertEqual((code, err), (0, ""))
        paths = [self.folder / "deep" / f"figure.{suffix}" for suffix in ("png", "svg", "pdf")]
        self.assertEqual(out.split(), list(map(str, paths)))
        for path, start in zip(paths, (b"\x89PNG", b"<?xml", b"%PDF")):
            self.assertTrue(path.read_bytes().startswith(start), path)

    def test_only_the_formats_that_are_asked_for(self):
        write_sweep(self.folder)
        _, out, _ = self.plot("extrapolation", self.folder, format="pdf")
        self.assertEqual(out.split(), [str(self.folder / "extrapolation.pdf")])
        code, _, err = self.plot("extrapolation", self.folder, format="png,jpeg")
        self.assertEqual(code, 2)
        self.assertIn("--format: expected some of png,svg,pdf, got 'jpeg'", err)
        self.assertFalse((self.folder / "extrapolation.png").exists())

    def test_the_same_runs_are_the_same_bytes_in_any_process(self):
        write_sweep(self.folder)
        digests = set()
        for start in ("1", "2"):
            command = [REPOSITORY / "scripts" / "plot", "extrapolation", self.folder, "--output", self.folder / start]
            subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": start})
            files = [self.folder / f"{start}.{suffix}" for suffix in ("png", "svg", "pdf")]
            digests.add(tuple(hashlib.sha256(file.read_bytes()).hexdigest() for file in files))
        self.assertEqual(len(digests), 1)

    def test_text_stays_text(self):
        write_sweep(self.folder)
        self.plot("extrapolation", self.folder, format="svg,pdf")
        svg = (self.folder / "extrapolation.svg").read_text()
        for text in ("sinusoidal", "perplexity per byte", "1024"):
            self.assertIn(f">{text}</text>", svg)
        pdf = (self.folder / "extrapolation.pdf").read_bytes()
        self.assertIn(b"/FontFile2", pdf)  # TrueType, not drawn shapes
        self.assertNotIn(b"/Type3", pdf)
        self.assertNotIn(b"CreationDate", pdf)

    def test_one_column_or_two(self):
        write_sweep(self.folder)
        for columns, width in WIDTHS.items():
            self.assertEqual(extrapolation_figure(self.sweep(), columns=columns).get_figwidth(), width)
            self.plot("extrapolation", self.folder, "--columns", columns, format="png")
            header = (self.folder / "extrapolation.png").read_bytes()[16:20]
            self.assertEqual(int.from_bytes(header, "big"), int(300 * width))
        self.assertEqual(self.plot("extrapolation", self.folder, "--columns", 3)[0], 2)

    def test_metric_protocol_and_step_are_in_the_default_name(self):
        write_sweep(self.folder)
        name = lambda *options: Path(self.plot("extrapolation", self.folder, *options)[1].strip()).name
        self.assertEqual(name(), "extrapolation.svg")
        self.assertEqual(name("--metric", "loss"), "extrapolation-loss.svg")
        options = plot.parser().parse_args(["extrapolation", "here", "--metric", "loss", "--protocol", "sliding", "--step", "10"])
        self.assertEqual(plot.default_stem(Path("here"), options), Path("here/extrapolation-loss-sliding-10"))

    def test_a_folder_above_the_only_experiment(self):
        write_sweep(self.folder / "study")
        code, out, err = self.plot("extrapolation", self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.split(), [str(self.folder / "study" / "extrapolation.svg")])

    def test_a_folder_above_several_experiments_lists_them(self):
        for name in ("one", "two"):
            write_run(self.folder / name / "run" / "run.h5", config({"kind": "rope"}), [4.0] * 5)
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 3)
        self.assertIn("expected one experiment, found 2; name one of them:", err)
        self.assertEqual(err.split()[-2:], [str(self.folder / "one"), str(self.folder / "two")])


class Room(PlotTest):
    def test_texts_have_room(self):
        write_sweep(self.folder)
        for columns in WIDTHS:
            for figure in (extrapolation_figure, training_figure):
                with self.subTest(columns=columns, figure=figure.__name__):
                    self.assert_roomy(figure(self.sweep(), columns=columns))

    def test_forty_series_with_long_names_have_room(self):
        for number in range(40):
            position = {"kind": "rope", "base": 100.0 * (number + 1), "some_quite_long_setting": "value" * (number % 4)}
            one = {**config(position), "name": "an experiment with a name of many words that says $all$ there is to say " * 2}
            write_run(self.folder / str(number) / "run.h5", one, [4.0 + number, 5.0, 6.0, 7.0, 8.0 + number])
        for columns in WIDTHS:
            with self.subTest(columns=columns):
                figure = extrapolation_figure(self.sweep(), columns=columns)
                self.assertEqual(len(legend(figure)), 40)
                self.assert_roomy(figure)

    def test_many_lengths_and_a_single_one_have_room(self):
        for lengths in ([64], [2**power for power in range(20)], list(range(32, 1025, 16))):
            one = {**config({"kind": "rope"}), "evaluate": {"lengths": lengths}}
            write_run(self.folder / "run" / "run.h5", one, [4.0] * len(lengths))
            for columns in WIDTHS:
                with self.subTest(columns=columns, lengths=len(lengths)):
                    self.assert_roomy(extrapolation_figure(self.sweep(), columns=columns))

    def test_no_value_at_all_is_a_usage_error(self):
        write_run(self.folder / "run" / "run.h5", config({"kind": "rope"}), [np.nan] * 5)
        code, _, err = self.plot("extrapolation", self.folder)
        self.assertEqual(code, 2)
        self.assertIn("no run has a value of perplexity at any length", err)


class Training(PlotTest):
    def test_draws_unfinished_runs_too(self):
        write_run(self.folder / "half" / "run.h5", config({"kind": "rope"}), None, status="running", logged=3)
        code, out, err = self.plot("training", self.folder)
        self.assertEqual((code, err), (0, f"plot: {self.folder}/half/run.h5: stopped\n"))
        self.assertEqual(out.split(), [str(self.folder / "training.svg")])

    def test_a_single_step_is_a_mark_and_no_number_at_all_no_crash(self):
        write_run(self.folder / "one" / "run.h5", config({"kind": "rope"}), [4.0] * 5, logged=1)
        write_run(self.folder / "nothing" / "run.h5", config({"kind": "alibi"}), None, status="diverged", logged=2)
        with h5py.File(self.folder / "nothing" / "run.h5", "r+") as file:
            file["train/loss"][...] = np.nan
        figure = training_figure(self.sweep())
        self.assertIsNone(line(figure.axes[0], "rope").get_markevery())
        self.assertEqual(len(line(figure.axes[0], "rope").get_xdata()), 1)
        figure.draw_without_rendering()

    def test_ends_of_runs_that_went_wrong_are_marked(self):
        write_run(self.folder / "good" / "run.h5", config({"kind": "rope"}), [4.0] * 5)
        write_run(self.folder / "bad" / "run.h5", config({"kind": "alibi"}), None, status="diverged", logged=30)
        figure = training_figure(self.sweep())
        self.assertIn("the run diverged there.", caption(figure))
        marks = [line for line in figure.axes[0].get_lines() if line.get_linestyle() == "None"]
        self.assertEqual([list(line.get_xdata()) for line in marks], [[300]])

    def test_losses_beyond_measure_leave_the_others_to_be_seen(self):
        write_run(self.folder / "good" / "run.h5", config({"kind": "rope"}), [4.0] * 5)
        write_run(self.folder / "bad" / "run.h5", config({"kind": "alibi"}), None, status="diverged", logged=30)
        with h5py.File(self.folder / "bad" / "run.h5", "a") as file:
            file["train/loss"][5:] = 1e30
        code, _, err = self.plot("training", self.folder, format="png")
        self.assertEqual(code, 0, err)
        figure = training_figure(self.sweep())
        self.assertLess(figure.axes[0].get_ylim()[1], 15)
        self.assertIn("Losses above the scale are cut off.", caption(figure))
        mark = next(line for line in figure.axes[0].get_lines() if line.get_linestyle() == "None")
        self.assertEqual(list(mark.get_ydata()), [figure.axes[0].get_ylim()[1]])

    def test_what_was_averaged_is_said(self):
        texts = {(20,): "A line a seed; every logged step as it is.", (200,): "running mean over 4 logged steps, 2% of a run's.",
                 (20, 200): "running mean over 1 to 4 logged steps, 2% of a run's."}  # fmt: skip
        for counts, text in texts.items():
            for seed in range(2):
                path = self.folder / str(seed) / "run.h5"
                write_run(path, config({"kind": "rope"}, seed), [4.0] * 5, logged=counts[seed % len(counts)])
            self.assertIn(text, caption(training_figure(self.sweep())))

    def test_ticks_are_whole_steps(self):
        write_run(self.folder / "short" / "run.h5", config({"kind": "rope"}), [4.0] * 5, logged=3)
        figure = training_figure(self.sweep())
        ticks = figure.axes[0].get_xticks()
        self.assertTrue(all(tick == round(tick) for tick in ticks), ticks)
        self.assertEqual(title(figure), "synthetic: training loss")

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
