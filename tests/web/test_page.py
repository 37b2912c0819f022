"""The page of scripts/report in Chromium: what it draws, and that its menus, filters, list of series and table do what they say.

usage: test_page.py ROPEWALK    (the built program, which trains a small sweep first)
Exit code 77: Chromium, its driver or selenium is not installed."""
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS.parent / "scripts"), str(TESTS / "command"), str(TESTS / "python"), str(TESTS / "web")]

import browser
from ropewalk.colors import DASHES, MARKERS, to_oklab
from ropewalk.web import command
from ropewalk.web.positions import spans
from synthetic import config, write_run
from sweeps import repeat_evaluation, write_large_sweep, write_page_run
from toy_sweep import Sweep

SWEEP = """
name: toy
notes: 'why? <script>document.title = "broken"</script>'
task: {{kind: text, corpus: '{corpus}', validation: 0.2}}
model: {{layers: 1, heads: 2, width: 16}}
train: {{length: 16, batch: 4, steps: {steps}, schedule: {{kind: cosine, warmup: 5}}}}
evaluate: {{lengths: [16, 32, 64], protocols: [nonoverlapping, sliding], stride: 16, tokens: 1024, every: 20}}
record: {{every: 1, attention: true}}
sweep:
  seeds: 2
  list:
    - model.position: {{kind: rope}}
      grid: {{model.position.base: [100, 10000]}}
    - model.position: {{kind: alibi}}
    - model.position: {{kind: none}}
      train.optimizer.rate: 1.0e+9
"""
STEPS = 50
LABELS = ["alibi, rate 0.002", "none, rate 1000000000", "rope, base 100, rate 0.002", "rope, base 10000, rate 0.002"]
DONE = [LABELS[0], *LABELS[2:]]
LARGE_LIMIT = 3000  # ms from navigation until everything is drawn, for 500 runs


class PageTest(unittest.TestCase):
    program = driver = None

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def make(self, folder, expected=0, options=()):
        """The file of a folder's page; expected: the exit code."""
        file = self.folder / "page.html"
        self.assertEqual(command.main([str(folder), "--output", str(file), *options]), expected)
        return file

    def open(self, folder, expected=0, options=()):
        file = self.make(folder, expected, options)
        page = browser.Page(self.driver, file)
        self.addCleanup(self.expect_no_complaint, page, file)
        return page

    def expect_no_complaint(self, page, file):
        self.assertEqual(page.errors(), [])
        self.assertEqual(set(page.requests()), {file.resolve().as_uri()})

    def lines(self, page, section="extrapolation"):
        """Names of the lines drawn, bands apart."""
        return [trace["name"] for trace in page.traces(section) if not trace["name"].endswith(", interval")]

    def labels(self, page):
        return [row[0] for row in page.rows()]


class RealSweep(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        sweep = Sweep(Path(cls.program).resolve(), cls.folder, STEPS, SWEEP)
        sweep.start("results").wait()  # 1: two runs diverge
        cls.results = cls.folder / "results" / "toy"

    def files(self, part):
        return [h5py.File(folder / "run.h5") for folder in sorted(self.results.iterdir()) if part in folder.name]

    def mean(self, part, metric, protocol=0, step=-1):
        return np.mean([file[f"evaluate/{metric}"][step, protocol] for file in self.files(part)], axis=0)

    def expect_nothing(self, page, *sections):
        for section in sections:
            self.assertEqual(page.traces(section), [])
            self.assertIn("list of series leave no", page.text(f"#{section} .note"))
            layout = page.layout(section)
            self.assertEqual((layout["isVisible"], layout["marks"]), (False, ["nothing is shown"]))

    def expect_line(self, page, name, values):
        line = next(trace for trace in page.traces("extrapolation") if trace["name"] == name)
        np.testing.assert_allclose(line["y"], values, rtol=1e-4)

    def test_summary(self):
        page = self.open(self.results)
        self.assertEqual(page.texts("#summary li")[:3], ["6 of 8 runs done", "2 diverged", "4 series, 2 seeds each"])
        self.assertEqual(page.text("h1"), "toy")

    def test_text_of_files_is_no_html(self):
        page = self.open(self.results)
        self.assertIn('notes: why? <script>document.title = "broken"</script>', page.text("#summary"))
        self.assertEqual(self.driver.title, "toy")

    def test_a_line_and_a_band_for_each_series(self):
        page = self.open(self.results)
        traces = page.traces("extrapolation")
        self.assertEqual(self.lines(page), DONE)
        self.assertEqual(len(traces), 2 * len(DONE))
        line = next(trace for trace in traces if trace["name"] == DONE[0])
        self.assertEqual(line["x"], [16, 32, 64])
        self.assertRegex(line["text"][0], r"^alibi, rate 0.002<br>length 16: [\d.]+ \[[\d.]+, [\d.]+\], 2 seeds$")
        band = next(trace for trace in traces if trace["name"] == f"{DONE[0]}, interval")
        seeds = [file["evaluate/perplexity"][-1, 0] for file in self.files("alibi")]
        np.testing.assert_allclose(band["y"], [*np.max(seeds, axis=0), *np.min(seeds, axis=0)[::-1]], rtol=1e-4)

    def test_the_trained_length_is_marked(self):
        page = self.open(self.results)
        self.assertEqual(page.layout("extrapolation")["marks"], ["trained length 16"])

    def test_metric_protocol_and_step(self):
        page = self.open(self.results)
        self.expect_line(page, DONE[0], self.mean("alibi", "perplexity"))
        page.choose("extrapolation", "metric", "token accuracy")
        self.expect_line(page, DONE[0], self.mean("alibi", "token_accuracy"))
        self.assertEqual(page.layout("extrapolation")["ytitle"], "accuracy, share of bytes")
        page.choose("extrapolation", "metric", "bits per byte")
        page.choose("extrapolation", "protocol", "sliding window")
        self.expect_line(page, DONE[0], self.mean("alibi", "bits_per_byte", protocol=1))
        page.choose("extrapolation", "evaluation at step", "20")
        self.expect_line(page, DONE[0], self.mean("alibi", "bits_per_byte", protocol=1, step=0))

    def test_what_stays_at_the_last_evaluation_says_so_when_another_is_chosen(self):
        page = self.open(self.results)
        notices = lambda: [page.text(f"#{section} .last") for section in ("position", "bases", "runs")]
        self.assertEqual(notices(), [""] * 3)
        page.choose("extrapolation", "evaluation at step", "20")
        self.assertEqual(notices(), ["Here is the last evaluation, not that at step 20, which is chosen above."] * 3)
        page.choose("extrapolation", "evaluation at step", "last")
        self.assertEqual(notices(), [""] * 3)

    def test_relative_to_the_trained_length(self):
        page = self.open(self.results)
        page.choose("extrapolation", "values", "relative to the trained length")
        values = [file["evaluate/perplexity"][-1, 0] for file in self.files("alibi")]
        self.expect_line(page, DONE[0], np.mean([each / each[0] for each in values], axis=0))
        self.assertEqual(page.layout("extrapolation")["ytitle"], "perplexity, times that at the trained length")

    def test_difference_from_a_baseline(self):
        page = self.open(self.results, options=("--baseline", DONE[1]))
        page.choose("extrapolation", "metric", "token accuracy")
        page.choose("extrapolation", "values", f"difference from {DONE[1]}")
        self.assertEqual(self.lines(page), [DONE[0], DONE[2]])
        read = lambda part: [file["evaluate/token_accuracy"][-1, 0] for file in self.files(part)]
        self.expect_line(page, DONE[0], np.mean(np.subtract(read("alibi"), read("base-100-")), axis=0))
        self.assertEqual(page.layout("extrapolation")["ytitle"], f"token accuracy, difference from {DONE[1]}")
        self.assertEqual(page.layout("extrapolation")["y"], "linear")
        self.assertEqual(page.text("#extrapolation .note"), "2 series drawn.")

    def test_no_baseline_no_difference(self):
        page = self.open(self.results)
        self.assertEqual(page.run("return VALUES.map(([name]) => name)"), ["curves", "relative"])

    def test_log_and_linear(self):
        page = self.open(self.results)
        types = lambda: (page.layout("extrapolation")["x"], page.layout("extrapolation")["y"])
        self.assertEqual(types(), ("log", "log"))
        page.choose("extrapolation", "length axis", "linear")
        self.assertEqual(types(), ("linear", "log"))
        page.choose("extrapolation", "metric axis", "linear")
        self.assertEqual(types(), ("linear", "linear"))

    def test_list_of_series(self):
        page = self.open(self.results)
        self.assertEqual(page.texts(".series .quiet"), ["2 seeds", "0 of 2 seeds done", "2 seeds", "2 seeds"])
        page.press('.series[data-series="2"]')
        self.assertEqual(self.lines(page), [DONE[0], DONE[2]])
        self.assertEqual(self.lines(page, "position"), [DONE[0], DONE[2]])
        self.assertNotIn(DONE[1], self.lines(page, "training"))
        self.assertEqual(len(page.rows()), 8)  # the table keeps what the charts leave out
        page.press(".actions button", "hide all")
        self.expect_nothing(page, "extrapolation", "position", "training", "bases", "attention")
        page.press(".actions button", "show all")
        self.assertEqual(self.lines(page), DONE)

    def test_every_marker_and_dash_has_a_swatch(self):
        page = self.open(self.results)
        self.assertEqual(page.run("return arguments[0].filter((marker) => !(marker in GLYPHS))", MARKERS), [])
        self.assertEqual(page.run("return arguments[0].filter((dash) => !(dash in DASHES))", DASHES), [])

    def test_series_by_keyboard(self):
        from selenium.webdriver.common.keys import Keys

        page = self.open(self.results)
        page.run("document.querySelector('.series').focus()")
        self.driver.switch_to.active_element.send_keys(Keys.SPACE)
        page.wait()
        self.assertEqual(self.lines(page), DONE[1:])
        self.driver.switch_to.active_element.send_keys(Keys.SPACE)  # the focus is where it was
        page.wait()
        self.assertEqual(self.lines(page), DONE)

    def test_filters_take_lines_cells_and_rows(self):
        page = self.open(self.results)
        page.tick("model.position.base", "100")
        self.assertEqual(self.lines(page), [DONE[0], DONE[2]])
        self.assertEqual(self.lines(page, "training").count(DONE[1]), 0)
        self.assertEqual(np.shape(next(trace for trace in page.traces("bases") if trace["type"] == "heatmap")["z"]), (1, 3))
        self.assertEqual(self.labels(page), [LABELS[0]] * 2 + [LABELS[1]] * 2 + [LABELS[3]] * 2)
        page.tick("model.position.kind", "alibi")
        self.assertEqual(self.lines(page), [DONE[2]])
        self.assertEqual(page.texts(".series .name"), [f"{LABELS[1]} 0 of 2 seeds done", f"{LABELS[3]} 2 seeds"])
        page.press(".actions button", "reset filters")
        self.assertEqual(self.lines(page), DONE)
        self.assertEqual(len(page.rows()), 8)

    def test_filter_by_status(self):
        page = self.open(self.results)
        page.tick("status", "done (6)")
        self.assertEqual(page.traces("extrapolation"), [])
        self.assertEqual(self.labels(page), [LABELS[1]] * 2)
        self.assertIn(LABELS[1], self.lines(page, "training"))
        page.tick("status", "diverged (2)")
        self.assertEqual(page.rows(), [])

    def test_loss_by_position_is_binned(self):
        page = self.open(self.results)
        page.choose("position", "window, bytes", "32")
        line = next(trace for trace in page.traces("position") if trace["name"] == DONE[0])
        means = []
        for file in self.files("alibi"):
            loss, count = file["evaluate/position_loss"][1], file["evaluate/position_count"][1]
            means.append([np.average(loss[first - 1 : last], weights=count[first - 1 : last]) for first, last in spans(32)])
        np.testing.assert_allclose(line["y"], np.mean(means, axis=0), rtol=1e-4)
        np.testing.assert_allclose(line["x"], [np.sqrt(first * last) for first, last in spans(32)])
        self.assertRegex(page.text("#position .note"), r"^\d+ bins of up to \d+ positions?\.")

    def test_training_curves_and_the_end_of_what_diverged(self):
        page = self.open(self.results)
        self.assertEqual(self.lines(page, "training"), [LABELS[0], LABELS[1], f"{LABELS[1]}, ended early", *LABELS[2:]])
        line = next(trace for trace in page.traces("training") if trace["name"] == LABELS[0])
        expected = [value for file in self.files("alibi") for value in (*file["train/loss"][()], None)]  # a gap after each run
        self.assertEqual([value is None for value in line["y"]], [value is None for value in expected])
        np.testing.assert_allclose([value for value in line["y"] if value], [value for value in expected if value], rtol=1e-4)
        end = next(trace for trace in page.traces("training") if trace["name"].endswith("ended early"))
        self.assertIn("diverged", end["text"][0])
        page.choose("training", "quantity", "learning rate")
        line = next(trace for trace in page.traces("training") if trace["name"] == LABELS[0])
        np.testing.assert_allclose(line["y"][:STEPS], self.files("alibi")[0]["train/rate"][()], rtol=1e-4, atol=1e-9)

    def test_base_sweep(self):
        page = self.open(self.results)
        traces = {trace["name"] or trace["type"]: trace for trace in page.traces("bases")}
        expected = [np.log10(self.mean(part, "perplexity")) for part in ("base-100-", "rope-seed")]
        np.testing.assert_allclose(traces["heatmap"]["z"], expected, rtol=1e-4)
        bound = traces["smallest base that serves"]
        facts = self.files("rope-seed")[0].attrs
        self.assertEqual((2 ** bound["x"][0], 2 ** bound["x"][-1]), (16, 64))
        np.testing.assert_allclose(10 ** bound["y"][0], facts["base_lower_bound_trained"], rtol=2e-3, atol=0.5)
        np.testing.assert_allclose(10 ** bound["y"][-1], facts["base_lower_bound_longest"], rtol=2e-3)
        ticks = page.run("return document.querySelector('#bases .chart').layout.yaxis.ticktext")
        critical = [self.files(part)[0].attrs["critical_dimension"] for part in ("base-100-", "rope-seed")]
        self.assertEqual(ticks, [f"100, {critical[0]} of 8", f"10000, {critical[1]} of 8"])

    def test_attention(self):
        page = self.open(self.results)
        page.choose("attention", "series", LABELS[2])
        for quantity, title in (("mean_distance", "mean distance, bytes"), ("entropy", "entropy, nats")):
            page.choose("attention", "quantity", title)
            values = [file[f"attention/{quantity}"][()] for file in self.files("base-100-")]
            expected = np.mean(values, axis=0)  # [layer, head, E]
            for head in range(2):
                line = next(trace for trace in page.traces("attention") if trace["name"] == f"layer 0, head {head}")
                self.assertEqual(line["x"], [16, 32, 64])
                np.testing.assert_allclose(line["y"], expected[0, head], rtol=1e-4)

    def test_rows_are_sorted(self):
        page = self.open(self.results)
        heads = page.texts("#runs th button")
        place = heads.index("perplexity at longest")
        value = lambda row: float(row[place])
        page.press("#runs th button", "perplexity at longest")
        rows = page.rows()
        self.assertEqual([row[place] for row in rows[6:]], ["-", "-"])  # what has none is last either way
        self.assertEqual(rows[:6], sorted(rows[:6], key=value))
        page.press("#runs th button", "perplexity at longest")
        again = page.rows()
        self.assertEqual([row[place] for row in again[6:]], ["-", "-"])
        self.assertEqual([value(row) for row in again[:6]], [value(row) for row in rows[5::-1]])
        self.assertEqual(page.run("return document.querySelectorAll('#runs th')[arguments[0]].ariaSort", place), "descending")

    def test_a_text_filters_rows(self):
        page = self.open(self.results)
        page.run("""const box = document.querySelector("#runs input"); box.value = "diverged";
                 box.dispatchEvent(new Event("input"))""")
        self.assertEqual(self.labels(page), [LABELS[1]] * 2)

    def test_a_row_opens_its_config_and_message(self):
        page = self.open(self.results)
        page.press("tr.diverged .open")
        details = page.text("tr.details")
        file = self.files("none")[0]
        self.assertIn(file.attrs["message"], details)
        self.assertEqual(page.text("tr.details pre").strip(), file.attrs["config"].strip())
        self.assertIn(f"run id: {file.attrs['run_id']}", details)
        page.press("tr.diverged .open")
        self.assertIsNone(page.text("tr.details"))

    def test_damaged_failed_and_missing_runs(self):
        copy = self.folder / "copy"
        shutil.copytree(self.results, copy)
        self.addCleanup(shutil.rmtree, copy)
        first, second, third = sorted(copy.glob("*rope*"))[:3]
        (first / "run.h5").write_bytes((first / "run.h5").read_bytes()[:-100])
        with h5py.File(second / "run.h5", "a") as file:
            file.attrs.update({"status": "failed", "message": "no such <b>file</b>"})
        shutil.rmtree(third)
        page = self.open(copy, 3)
        counts = ["3 of 8 runs done", "1 failed", "2 diverged", "1 waiting", "1 damaged"]
        self.assertEqual(page.texts("#summary li")[:5], counts)
        self.assertIn(first.name, page.text("#problems"))
        page.press("tr.failed .open")
        self.assertIn("no such <b>file</b>", page.text("tr.details"))


    def test_paper_is_narrower(self):
        page = self.open(self.results)
        width = lambda: page.run("return document.querySelector('#extrapolation .main-svg').getBoundingClientRect().width")
        before = width()
        page.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(width(), 700)
        page.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(width(), before)
        self.assertGreater(before, 750)


class Synthetic(PageTest):
    def setUp(self):
        self.results = Path(tempfile.mkdtemp(dir=self.folder))

    def narrow_window(self):
        size = self.driver.get_window_size()
        self.addCleanup(self.driver.set_window_size, size["width"], size["height"])
        self.driver.set_window_size(800, 900)

    def write(self, position, perplexity, seed=0, length=64):
        made = config(position, seed, length)
        write_run(self.results / f"{position['kind']}-{length}-{seed}" / "run.h5", made, perplexity)

    def test_names_of_trained_lengths_stand_above_the_chart_and_do_not_meet(self):
        for length in (64, 72, 80, 1024):
            self.write({"kind": "rope"}, [4, 5, 6, 7, 8], length=length)
        self.narrow_window()
        page = self.open(self.results)
        names = page.boxes("extrapolation", ".annotation-text")
        ((_, top, _, _),) = page.boxes("extrapolation", ".nsewdrag")  # the plot area
        ((_, _, chart_right, _),) = page.boxes("extrapolation", ".svg-container")
        buttons_bottom = max(box[3] for box in page.boxes("extrapolation", ".modebar-btn"))
        self.assertEqual(len(names), 4)
        for name in names:
            self.assertLessEqual(name[3], top)
            self.assertGreaterEqual(name[1], buttons_bottom)
            self.assertLessEqual(name[2], chart_right)
        for a, b in zip(names, names[1:]):
            self.assertTrue(a[3] <= b[1] + 1 or b[3] <= a[1] + 1 or a[2] <= b[0])

    def test_lengths_in_multiples_of_the_trained(self):
        self.write({"kind": "rope"}, [4, 5, 6, 7, 8])
        self.write({"kind": "rope"}, [4, 5, 6, 7, 8], length=128)
        page = self.open(self.results)
        page.choose("extrapolation", "lengths", "multiples of the trained length")
        self.assertEqual([trace["x"] for trace in page.traces("extrapolation")], [[1, 2, 4, 8, 16], [0.5, 1, 2, 4, 8]])
        self.assertEqual(page.traces("extrapolation")[1]["text"][0], "rope, length 128<br>length 64: 4, 1 seed")
        layout = page.layout("extrapolation")
        self.assertEqual(layout["xtitle"], "context length, multiples of the trained length")
        self.assertEqual(layout["marks"], ["trained length"])

    def test_a_run_not_evaluated_at_its_trained_length_has_no_relative_value(self):
        self.write({"kind": "rope"}, [4, 5, 6, 7, 8])
        self.write({"kind": "alibi"}, [4, 5, 6, 7, 8], length=100)
        page = self.open(self.results)
        page.choose("extrapolation", "values", "relative to the trained length")
        self.assertEqual(self.lines(page), ["rope, length 64"])
        self.assertIn("1 series drawn, 1 without such a value.", page.text("#extrapolation .note"))

    def test_what_a_difference_tells(self):
        for seed in range(2):
            self.write({"kind": "alibi"}, [4 + seed, 5, 6, 7, 8], seed)
            self.write({"kind": "rope"}, [3 + seed, 5 + seed, 5 + 2 * seed, 7, 10 + seed], seed)
        page = self.open(self.results, options=("--baseline", "alibi"))
        page.choose("extrapolation", "values", "difference from alibi")
        line = next(trace for trace in page.traces("extrapolation") if trace["name"] == "rope")
        self.assertEqual(line["y"], [-1, 0.5, 0, 0, 2.5])
        self.assertEqual([text.partition(": ")[2] for text in line["text"]],
                         ["-1 [-1, -1], 2 pairs, lower than alibi", "0.5 [0, 1], 2 pairs, undecided",
                          "0 [-1, 1], 2 pairs, undecided", "0 [0, 0], 2 pairs, undecided",
                          "2.5 [2, 3], 2 pairs, higher than alibi"])  # fmt: skip

    def test_a_menu_of_steps_that_is_thinned_says_so(self):
        path = write_page_run(self.results, {"kind": "rope"}, 0)
        with h5py.File(path, "a") as file:
            repeat_evaluation(file, range(100, 4100, 100))
        page = self.open(self.results)
        self.assertIn("The menu of steps has 12 of 40 evaluations.", page.text("#extrapolation .note"))
        self.assertEqual(len(page.texts("#extrapolation label:nth-of-type(3) option")), 13)

    def test_one_run(self):
        write_page_run(self.results, {"kind": "rope"}, 0)
        page = self.open(self.results)
        self.assertEqual([trace["name"] for trace in page.traces("extrapolation")], ["rope"])  # no band
        self.assertRegex(page.traces("extrapolation")[0]["text"][0], r": [\d.]+, 1 seed$")
        self.assertEqual(page.texts("#filters fieldset legend"), ["status"])
        self.assertIn("record.attention: true", page.text("#attention .absent"))
        self.assertIsNone(page.text("#attention .chart"))

    def test_no_done_run(self):
        write_run(self.results / "a" / "run.h5", config({"kind": "rope"}), None, status="interrupted")
        page = self.open(self.results)
        self.assertEqual(page.texts("#summary li")[:2], ["0 of 1 runs done", "1 stopped"])
        self.assertIn("No run is done yet", page.text("#extrapolation"))
        self.assertEqual(self.lines(page, "training"), ["rope"])

    def test_runs_with_other_lengths_and_a_diverged_value(self):
        write_run(self.results / "a" / "run.h5", config({"kind": "rope"}), [4, 5, 6, 7, 1e30])
        other = config({"kind": "alibi"}, length=32)
        other["evaluate"]["lengths"] = [32, 48]
        write_run(self.results / "b" / "run.h5", other, [3, 4])
        page = self.open(self.results)
        lines = {trace["name"]: trace["x"] for trace in page.traces("extrapolation")}
        self.assertEqual(lines["alibi, length 32"], [32, 48])
        self.assertEqual(page.layout("extrapolation")["marks"], ["trained length 32", "trained length 64"])
        self.assertIn("Values up to 1.0e+30 are above the chart", page.text("#extrapolation .note"))
        self.assertLess(page.run("return document.querySelector('#extrapolation .chart').layout.yaxis.range[1]"), 4)

    def write_bases(self):
        """Of heads of 16 elements that turn; base: length that it serves."""
        for base, serves in {10: 20, 1000: 50, 10000: 90, 100000: 300, 1000000: 1024}.items():
            facts = {"rotary_width": 16, "critical_dimension": 6, "base_serves": serves, "rotary_longest_length": 1024}
            write_page_run(self.results, {"kind": "rope", "base": float(base)}, 0, **facts)

    def test_what_each_base_serves(self):
        self.write_bases()
        page = self.open(self.results)
        mark = next(trace for trace in page.traces("bases") if trace["name"] == "length that a base serves")
        np.testing.assert_allclose(mark["y"], [1, 3, 4, 5])  # the last serves all
        np.testing.assert_allclose(mark["x"], [5.55, np.log2(50), np.log2(90), np.log2(300)])  # 20: inside of the edge
        self.assertEqual(mark["text"][0], "base 10 serves 20 bytes")
        low, high = page.run("return document.querySelector('#bases .chart').layout.xaxis.range")
        self.assertEqual((low, high), (5.5, 10.5))

    def test_the_line_of_the_bound_crosses_no_number(self):
        self.write_bases()
        page = self.open(self.results)
        numbers = next(trace for trace in page.traces("bases") if trace["name"] == "values")
        line = next(trace for trace in page.traces("bases") if trace["name"] == "smallest base that serves")
        self.assertEqual(set(numbers["textposition"]), {"bottom center", "top center"})
        height = {round(x, 6): y for x, y in zip(line["x"], line["y"])}
        for x, y, position in zip(numbers["x"], numbers["y"], numbers["textposition"]):
            ends = [y - 0.25, y] if position == "bottom center" else [y, y + 0.25]  # of a number, as rows are 1 high or more
            self.assertFalse(ends[0] < height[x] < ends[1], (x, y, height[x]))

    def test_heads_have_shades_of_their_layers_hue_and_bands_if_asked_for(self):
        for seed in range(2):
            write_page_run(self.results, {"kind": "alibi"}, seed, attention=True)
        page = self.open(self.results)
        traces = page.traces("attention")
        self.assertEqual(len(traces), 5)
        hues = np.array([np.arctan2(*to_oklab(trace["color"])[1:]) for trace in traces[:4]])
        self.assertEqual(len({trace["color"] for trace in traces}), 5)
        np.testing.assert_allclose(hues[[0, 2]], hues[[1, 3]], atol=0.1)
        self.assertGreater(abs(hues[0] - hues[2]), 0.5)
        page.choose("attention", "bands", "over seeds")
        self.assertEqual(sum(trace["name"].endswith(", interval") for trace in page.traces("attention")), 4)

    def test_numbers_of_a_column_have_the_same_decimals(self):
        for seed, perplexity in enumerate([10.2, 10.59, 9.7512, 1234.567, 2e9]):
            self.write({"kind": "rope"}, [perplexity, 5, 6, 7, 100], seed)
        page = self.open(self.results)
        place = page.texts("#runs th button").index("perplexity at trained length")
        cells = [row[place : place + 2] for row in page.rows()]
        self.assertEqual([cell[0] for cell in cells], ["10.200", "10.590", "9.751", "1\u202f234.567", "2.0e+9"])
        self.assertEqual({cell[1] for cell in cells}, {"100.0"})

    def test_what_matters_is_seen_on_a_narrow_screen(self):
        for seed in range(2):
            self.write({"kind": "rope"}, [4, 5, 6, 7, 8], seed)
            self.write({"kind": "sinusoidal"}, [4, 5, 6, 7, 8], seed, length=128)
        self.narrow_window()
        page = self.open(self.results)
        right = page.run("""const heads = [...document.querySelectorAll("#runs th")];
                         const last = heads.find((head) => head.innerText === "gained");
                         return last.getBoundingClientRect().right - document.querySelector("#runs .wide").clientWidth""")
        self.assertLess(right, 0)

    def test_numbers_of_runs_that_are_not_done_are_marked(self):
        self.write({"kind": "rope"}, [4, 5, 6, 7, 8])
        made = config({"kind": "rope"}, 1)
        write_run(self.results / "half" / "run.h5", made, [9, 9, 9, 9, 9], status="interrupted")
        write_run(self.results / "new" / "run.h5", config({"kind": "rope"}, 2), None, status="interrupted")
        page = self.open(self.results)
        first = page.texts("#runs th button").index("perplexity at trained length")
        done, half, new = (row[first : first + 4] for row in sorted(page.rows(), key=lambda row: row[1]))  # by seed
        self.assertEqual(done, ["4.000", "8.000", "64", "2"])
        self.assertEqual(half, ["* 9.000", "* 9.000", "* ≥ 1\u202f024", "* ≥ 960"])
        self.assertEqual(new, ["-"] * 4)
        titles = page.run("return [...document.querySelectorAll('#runs td[title]')].map(({title}) => title)")
        self.assertEqual(titles, ["evaluated at step 2000"] * 4)

    def test_attention_by_head(self):
        for seed in range(2):
            write_page_run(self.results, {"kind": "alibi"}, seed, attention=True)
        write_page_run(self.results, {"kind": "rope"}, 0)
        page = self.open(self.results)
        names = self.lines(page, "attention")
        self.assertEqual(names, ["layer 0, head 0", "layer 0, head 1", "layer 1, head 0", "layer 1, head 1", "uniform"])
        line = next(trace for trace in page.traces("attention") if trace["name"] == "layer 1, head 1")
        self.assertEqual(line["y"], [32, 64, 128, 256, 512])
        uniform = next(trace for trace in page.traces("attention") if trace["name"] == "uniform")
        self.assertEqual(uniform["y"], [np.mean(np.arange(length) / 2) for length in uniform["x"]])
        self.assertEqual(page.texts("#attention option")[:1], ["alibi"])
        page.choose("attention", "quantity", "entropy, nats")
        line = next(trace for trace in page.traces("attention") if trace["name"] == "uniform")
        np.testing.assert_allclose(line["y"], [np.mean(np.log(np.arange(1, length + 1))) for length in line["x"]])

    def test_attention_of_the_series_that_are_left(self):
        for kind in ("alibi", "none", "rope"):
            write_page_run(self.results, {"kind": kind}, 0, attention=kind != "none")
        page = self.open(self.results)
        page.choose("attention", "series", "rope")
        self.assertIn("rope: 1 seed", page.text("#attention .note"))
        page.tick("model.position.kind", "rope")
        self.assertIn("alibi: 1 seed", page.text("#attention .note"))
        page.tick("model.position.kind", "alibi")
        self.assertIn("leave no series", page.text("#attention .note"))
        self.assertEqual(page.traces("attention"), [])

    def test_many_values_have_a_range_and_many_texts_a_list(self):
        for place in range(14):
            made = config({"kind": "rope", "base": 100.0 + place})
            made["task"]["corpus"] = f"text-{place}"
            write_run(self.results / str(place) / "run.h5", made, [4, 5, 6, 7, 8])
        write_run(self.results / "alibi" / "run.h5", config({"kind": "alibi"}), [4, 5, 6, 7, 8])
        page = self.open(self.results)
        page.run("""const box = document.querySelector('[data-filter="model.position.base"] input'); box.value = "105";
                 box.dispatchEvent(new Event("change"))""")
        page.wait()
        self.assertEqual(len(self.lines(page)), 10)
        page.tick("model.position.base", "runs without it")
        self.assertEqual(len(self.lines(page)), 9)
        page.run("""const list = document.querySelector('[data-filter="task.corpus"] select');
                 for (const option of list.options) option.selected = ["text-1", "text-7", "text-13"].includes(option.text);
                 list.dispatchEvent(new Event("change"))""")
        page.wait()
        self.assertEqual(len(self.lines(page)), 2)
        self.assertEqual(len(page.rows()), 2)

    def test_500_runs(self):
        write_large_sweep(self.results)
        file = self.make(self.results)
        drawn = []
        while not drawn or (drawn[-1] >= LARGE_LIMIT and len(drawn) < 5):  # other tests may be at this machine
            page = browser.Page(self.driver, file)
            drawn.append(page.run("return performance.getEntriesByName('drawn')[0].startTime"))
        began = page.run("""const began = performance.now(); document.querySelector(".series").click();
                         return performance.now() - began""")
        page.wait()
        size = file.stat().st_size
        times = f"drawn after {', '.join(f'{each:.0f}' for each in drawn)} ms, a click answered after {began:.0f} ms"
        print(f"500 runs: {times}, {size / 1e6:.1f} MB", file=sys.stderr)
        self.assertEqual(len(page.rows()), 500)
        self.assertEqual(len(self.lines(page)), 99)  # and one switched off
        self.assertLess(drawn[-1], LARGE_LIMIT)
        self.assertLess(began, 300)
        self.expect_no_complaint(page, file)


def main(program):
    PageTest.program = program
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        PageTest.driver = browser.start(profile)
        try:
            unittest.main()
        finally:
            PageTest.driver.quit()


if __name__ == "__main__":
    if browser.missing():
        print(f"skipped: {browser.missing()}")
        sys.exit(77)
    main(sys.argv.pop(1))
