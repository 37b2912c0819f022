"""scripts/benchmark with programs that only print, and its sections on made-up figures; the speeds themselves are no test."""
import contextlib
import csv
import io
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

from ropewalk.benchmark import command, evaluation, machine, plan, programs, runner, scale, scaling, schemes, training
from ropewalk.benchmark.programs import ProgramError, Programs
from ropewalk.benchmark.table import COLUMNS, CsvFile, Limit, Row, line, ratios, show
from ropewalk.benchmark.planned_sweep import Outcome
from ropewalk.benchmark.sizes import SIZES, training_flops


def python(code):
    return [sys.executable, "-c", code]


class FakePrograms:
    """Speeds by what is asked for; the peak, ours and PyTorch's change by the next factor with each repetition."""

    def __init__(self, factors=(1,)):
        self.factors = factors
        self.calls = []

    def _factor(self, *call):
        self.calls.append(call)
        return self.factors[(self.calls.count(call) - 1) % len(self.factors)]

    def missing(self):
        return []

    def peak(self):
        return {"instruction_set": "abacus", "flops_per_second": 1e9 * self._factor("peak")}

    def gemm(self, size):
        return [{"weight": "qkv", "product": "forward", "gemm": 5e8, "fused": 8e8},
                {"weight": "qkv", "product": "data_gradient", "gemm": 2.5e8}]  # fmt: skip

    def training(self, size, threads=1, jobs=1):
        speed = 1000 * threads * self._factor("ours", threads)
        return {"tokens_per_second": speed, "first_tenth": 1000, "last_tenth": 800, "parameters": 100_000, "peak_bytes": 20e6}

    def torch_training(self, size, threads):
        return {"tokens_per_second": (500 if threads == 1 else 400) * self._factor("theirs", threads), "peak_bytes": 100e6}

    def training_by_scheme(self, size, schemes):
        return {scheme: {"tokens_per_second": {"none": 100, "rope": 96, "alibi": 96}.get(scheme, 50)} for scheme in schemes}

    def training_by_batch(self, size, batches):
        return {batch: {"tokens_per_second": 1e6 / batch} for batch in batches}

    def evaluation(self, scheme, length, threads):
        return {"seconds": length**2 / 1e8, "peak_bytes": 700e6 if scheme == "rope" else 500e6}

    def tiny_sweep(self, runs, repetitions):
        some = [0.5] * repetitions
        return {"run": [0.04 * runs], "training": [0.02 * runs], "check": some, "launch": some, "index": some, "status": some, "report": [2.0],
                "files": 5 * runs, "bytes": 40e3 * runs}  # fmt: skip

    def planned_sweep(self, config, jobs):
        return Outcome(10, 1e6), Outcome(12 if "cope" in config else 7, 2e6 if "cope" in config else 1.1e6)

    def ranks(self):
        return [{"bytes": 8, "send_seconds": 1e-6}, {"bytes": 1e6, "send_seconds": 1e-3},
                {"size": "S", "step_seconds": 0.32, "parameters": 125_000}]  # fmt: skip

    def schemes(self):
        return ["none", "rope", "alibi", "spiral"]

    def torch(self):
        return {"version": 2.0, "blas": "/usr/lib/openblas-openmp/libblas.so.3"}


def by_label(rows):
    """{(subject, quantity, threads): row}."""
    return {(row.subject, row.quantity, row.threads): row for row in rows}


LISTING = """\
none: no positions; order comes from the causal mask alone
    Haviv et al. 2022
rope: queries and keys: turned
    base: number, default 10000.0
"""


class RunningPrograms(unittest.TestCase):
    def test_lines_of_pairs_are_read_as_numbers_and_text(self):
        lines = programs.measure(python("print('a=1.5 b=text\\na=2 b=1e3')"), ["a", "b"])
        self.assertEqual(lines, [{"a": 1.5, "b": "text"}, {"a": 2.0, "b": 1000.0}])

    def test_threads_are_passed_on(self):
        code = "import os; print('threads=' + os.environ['OMP_NUM_THREADS'])"
        self.assertEqual(programs.measure(python(code), ["threads"], threads=2), [{"threads": 2}])

    def test_a_program_that_fails_is_quoted(self):
        with self.assertRaisesRegex(ProgramError, r"(?s)out of luck.*: exit code 1\nout of luck"):
            programs.measure(python("import sys; sys.exit('out of luck')"), ["a"])

    def test_output_of_another_form_is_quoted(self):
        for text in ("", "b=1", "hello", "a=1\\nb=2"):
            with self.subTest(text=text), self.assertRaisesRegex(ProgramError, r"expected lines of a=…, got:"):
                programs.measure(python(f"print('{text}')"), ["a"])

    def test_schemes_are_the_names_that_the_program_lists(self):
        with mock.patch.object(programs, "output", lambda _: LISTING):
            self.assertEqual(Programs("build", 1).schemes(), ["none", "rope"])

    def test_missing_programs_are_named(self):
        with tempfile.TemporaryDirectory() as directory:
            (Path(directory) / "ropewalk").touch()
            self.assertEqual(Programs(directory, 1).missing(), [name for name in programs.BUILT if name != "ropewalk"])


class Table(unittest.TestCase):
    def row(self, values, floor=None):
        return Row("jobs", "M", 2, "two jobs", "speed", "tokens/s", values, floor)

    def test_the_median_decides(self):
        self.assertEqual(self.row([1, 2, 9], Limit(2)).verdict, "reached")
        self.assertEqual(self.row([1, 1.9, 9], Limit(2)).verdict, "not reached")
        self.assertEqual(self.row([1, 2, 9], Limit(2, at_most=True)).verdict, "reached")
        self.assertEqual(self.row([1, 2.1, 9], Limit(2, at_most=True)).verdict, "not reached")
        self.assertEqual(self.row([1]).verdict, "")

    def test_a_line_has_lowest_median_and_highest(self):
        text = line(self.row([30_000, 10_000, 11_000], Limit(1.5e4)))
        self.assertRegex(text, r"^M +2  two jobs +speed +tokens/s +10,000 +11,000 +30,000 +>=15000  not reached$")

    def test_numbers(self):
        self.assertEqual([show(number) for number in (1234567.8, 117.26, 1.41234, 0.00123456)],
                         ["1,234,568", "117.3", "1.412", "0.001235"])  # fmt: skip

    def test_ratios_are_of_neighbours(self):
        self.assertEqual(ratios([100, 300], [50, 100]), [2, 3])
        with self.assertRaises(ValueError):
            ratios([1, 2], [1])

    def test_rows_are_in_the_csv_as_they_come(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "deep" / "figures.csv"
            with CsvFile(path) as file:
                file.add(self.row([3, 1, 2.5], Limit(0.25, at_most=True)))
                rows = list(csv.reader(path.open()))
        self.assertEqual(rows, [list(COLUMNS), ["jobs", "M", "2", "two jobs", "speed", "tokens/s", "1", "2.5", "3", "<=0.25", "not reached", "3"]])


class Sections(unittest.TestCase):
    def test_products_are_shares_of_the_peak_beside_them(self):
        rows = by_label(machine.sgemm(FakePrograms(factors=(1, 2)), ["S"], 2))
        self.assertEqual(rows["qkv forward", "share of peak", 1].values, [50, 25])
        self.assertEqual(rows["qkv forward, fused", "share of peak", 1].values, [80, 40])
        self.assertEqual(rows["qkv data gradient", "speed", 1].values, [0.25, 0.25])
        self.assertNotIn(("qkv data gradient, fused", "speed", 1), rows)

    def test_training_is_compared_within_a_repetition(self):
        rows = by_label(training.training(FakePrograms(factors=(1, 2, 4)), ["S"], 3))
        self.assertEqual(rows["ropewalk", "speed", 2].values, [2000, 4000, 8000])
        self.assertEqual(rows["ropewalk/PyTorch", "speed", 1].values, [2, 2, 2])

    def test_two_threads_are_held_to_the_better_of_pytorch(self):
        row = by_label(training.training(FakePrograms(), ["M"], 1))["ropewalk/PyTorch's best (1)", "speed", 2]
        self.assertEqual(row.values, [2000 / 500])
        self.assertEqual((row.floor, row.verdict), (Limit(2.2), "reached"))

    def test_share_of_peak_is_of_as_many_cores(self):
        rows = by_label(training.training(FakePrograms(), ["S"], 1))
        flops = 6 * 100_000 + 6 * 64 * 64 * 2  # of a token
        self.assertAlmostEqual(rows["ropewalk", "share of peak", 1].values[0], 100 * 1000 * flops / 1e9)
        self.assertAlmostEqual(rows["ropewalk", "share of peak", 2].values[0], 100 * 2000 * flops / 2e9)
        without = 100 * 1000 * (flops - 6 * 256 * 64) / 1e9
        self.assertAlmostEqual(rows["ropewalk", "share less embedding", 1].values[0], without)

    def test_memory_is_held_to_a_quarter(self):
        row = by_label(training.training(FakePrograms(), ["S"], 1))["ropewalk/PyTorch", "peak memory", 1]
        self.assertEqual((row.values, row.verdict), ([0.2], "reached"))

    def test_every_scheme_is_held_against_none(self):
        rows = list(schemes.schemes(FakePrograms(), ["M"], 2))
        self.assertEqual([(row.subject, row.values[0], row.verdict) for row in rows[1:]],
                         [("rope/none", 0.96, "reached"), ("alibi/none", 0.96, "not reached"), ("spiral/none", 0.5, "")])  # fmt: skip

    def test_two_jobs_are_held_against_one(self):
        rows = by_label(scaling.jobs(FakePrograms(), ["M"], 2))
        self.assertEqual(rows["two jobs/one job", "speed", 2].values, [2, 2])
        self.assertEqual(rows["two jobs/one job", "speed", 2].verdict, "reached")

    def test_time_grows_as_speed_falls(self):
        rows = by_label(scaling.scaling(FakePrograms(), ["S"], 1))
        self.assertEqual(rows["last/first tenth of steps", "time per token", 1].values, [1000 / 800])
        self.assertAlmostEqual(rows["64 sequences", "time per token", 1].values[0], 64)

    def test_what_a_sweep_costs_is_held_to_its_limits(self):
        rows = by_label(runner.runner(FakePrograms(), (), 3))
        overhead = rows["run, 1,000 tiny runs", "beyond training, a run", 1]
        self.assertAlmostEqual(overhead.values[0], 20)
        self.assertEqual(overhead.verdict, "reached")
        self.assertEqual(rows["status, 1,000 runs", "time", 1].verdict, "reached")
        self.assertEqual(rows["report, 1,000 runs", "time", 1].verdict, "not reached")

    def test_plans_are_held_to_a_quarter(self):
        rows = by_label(plan.plan(FakePrograms(), (), 2))
        self.assertAlmostEqual(rows["none", "time off by a factor", 1].values[0], 10 / 7)
        self.assertEqual(rows["none", "time off by a factor", 1].verdict, "not reached")
        self.assertEqual(rows["cope", "time off by a factor", 1].verdict, "reached")
        self.assertEqual(rows["cope", "memory off by a factor", 1].verdict, "not reached")
        self.assertEqual(rows["none", "memory off by a factor", 1].verdict, "reached")

    def test_a_sweep_is_planned_and_run(self):
        program = REPOSITORY / "build" / "ropewalk"
        if not program.exists():
            self.skipTest("not built")
        case = plan.Case("stages", "S", ("none", "alibi"), 2, "evaluate: {lengths: [8], tokens: 100}", "stages: [{steps: 1}]")
        predicted, taken = Programs(program.parent, 1).planned_sweep(plan.config_of(case), 1)
        self.assertGreater(min(*predicted, *taken), 0)

    def test_scale_is_arithmetic_of_what_was_measured(self):
        rows = by_label(scale.scale(FakePrograms()))
        value = lambda *label: rows[label].values[0]  # noqa: E731
        self.assertAlmostEqual(value("10,000 runs", "files", 1), 50_000)
        self.assertAlmostEqual(value("10,000 runs", "bytes of checkpoints", 1), 15)
        self.assertAlmostEqual(value("10,000 runs", "status", 1), 5)
        self.assertAlmostEqual(value("10,000 runs, 100 nodes", "beside training, a node", 1), 2)
        self.assertAlmostEqual(value("10,000 runs, 100 elements", "starts, all, half done", 1), 500 / 3600)
        self.assertAlmostEqual(value("64 ranks, a sequence each", "computing", 1), 10)
        self.assertAlmostEqual(value("64 ranks, a sequence each", "messages, as here", 1), 12 * 0.5)
        self.assertAlmostEqual(value("64 ranks, a sequence each", "messages, 10 Gbit/s", 1), 12 * (0.02 + 0.4))

    def test_a_tiny_sweep_is_timed(self):
        program = REPOSITORY / "build" / "ropewalk"
        if not program.exists():
            self.skipTest("not built")
        seconds = Programs(program.parent, 1).tiny_sweep(10, 2)
        self.assertEqual(seconds.pop("files"), 4 * 10 + 2, "index.h5 and the locks")
        self.assertGreater(seconds.pop("bytes"), 10_000)
        self.assertEqual({name: len(times) for name, times in seconds.items()},
                         {"check": 2, "launch": 1, "run": 1, "status": 2, "report": 2, "index": 2, "training": 1})  # fmt: skip
        self.assertLess(0, seconds["training"][0])
        self.assertLess(seconds["training"][0], seconds["run"][0])

    def test_evaluation_doubles_up_to_its_longest(self):
        rows = by_label(evaluation.evaluation(FakePrograms(), [], 1))
        self.assertEqual(rows["none, 2,048/1,024", "time", 1].values, [4])
        self.assertEqual(rows["none, 65,536/32,768", "time", 1].values, [4])
        self.assertEqual(rows["rope, 65,536 tokens", "time", 2].verdict, "not reached")  # 43 s
        self.assertEqual(rows["rope, 65,536 tokens", "peak memory", 2].verdict, "not reached")
        self.assertEqual(rows["spiral, 65,536 tokens", "peak memory", 2].verdict, "reached")


class CommandLine(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.csv = Path(temporary.name) / "figures.csv"

    def run_main(self, *arguments, programs=None):
        """(exit code, standard output, standard error)."""
        out, err = io.StringIO(), io.StringIO()
        make_programs = Programs if programs is None else lambda *_: programs
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
             mock.patch("importlib.util.find_spec", lambda _: True):  # fmt: skip
            try:
                code = command.main([*arguments, "--csv", str(self.csv)], make_programs)
            except SystemExit as exit:
                code = exit.code
        return code, out.getvalue(), err.getvalue()

    def sections(self):
        return [row["section"] for row in csv.DictReader(self.csv.open())]

    def test_all_sections_unless_told_otherwise(self):
        code, out, _ = self.run_main("--repetitions", "1", programs=FakePrograms())
        self.assertEqual(code, 0)
        self.assertEqual(list(dict.fromkeys(self.sections())), list(command.SECTIONS))
        self.assertIn(f"written to {self.csv}", out)

    def test_only_the_sections_and_sizes_asked_for(self):
        self.assertEqual(self.run_main("L", "jobs", "peak", programs=FakePrograms())[0], 0)
        self.assertEqual(list(dict.fromkeys(self.sections())), ["jobs", "peak"])
        self.assertEqual({row["size"] for row in csv.DictReader(self.csv.open()) if row["section"] == "jobs"}, {"L"})

    def test_rows_for_the_csv_alone_are_not_printed(self):
        _, out, _ = self.run_main("S", "sgemm", programs=FakePrograms())
        self.assertNotIn("GFLOP/s", out)
        self.assertIn("GFLOP/s", self.csv.read_text())

    def test_a_failing_program_ends_it(self):
        programs = FakePrograms()
        programs.peak = mock.Mock(side_effect=ProgramError("benchmark_peak: exit code 1\nout of luck"))
        code, _, err = self.run_main("peak", programs=programs)
        self.assertEqual(code, 1)
        self.assertIn("benchmark: benchmark_peak: exit code 1\nout of luck", err)

    def test_an_interruption_keeps_what_was_measured(self):
        programs = FakePrograms()
        programs.gemm = mock.Mock(side_effect=KeyboardInterrupt)
        code, _, err = self.run_main("peak", "sgemm", programs=programs)
        self.assertEqual((code, self.sections()), (130, ["peak"]))
        self.assertIn(f"interrupted; the rows printed so far are in {self.csv}", err)

    def test_an_interruption_before_the_first_row_keeps_the_file_before(self):
        self.run_main("jobs", programs=FakePrograms())
        programs = FakePrograms()
        programs.peak = mock.Mock(side_effect=KeyboardInterrupt)
        self.assertEqual(self.run_main("peak", programs=programs)[0], 130)
        self.assertEqual(set(self.sections()), {"jobs"})

    def test_another_blas_is_warned_of(self):
        programs = FakePrograms()
        for name, warned in (("/usr/lib/openblas-openmp/libblas.so.3", False), ("MKL", False), ("unknown", True),
                             ("/usr/lib/blas/libblas.so.3", True), ("/usr/lib/openblas-pthread/libblas.so.3", True)):  # fmt: skip
            with self.subTest(name=name):
                programs.torch = lambda: {"version": 2.0, "blas": name}
                _, out, err = self.run_main("S", "training", "--repetitions", "1", programs=programs)
                self.assertIn(f"BLAS: {name}", out)
                self.assertEqual("WARNING" in err and "libopenblas0-openmp" in err, warned)

    def test_a_missing_build_says_what_builds_it(self):
        code, _, err = self.run_main("--build", str(self.csv.parent))
        self.assertEqual(code, 3)
        self.assertIn("expected benchmark_peak, benchmark_gemm", err)
        self.assertIn("scripts/setup builds them", err)

    def test_without_pytorch_the_other_sections_go_on(self):
        with mock.patch.object(command.importlib.util, "find_spec", lambda _: None):
            self.assertIn("scripts/benchmark peak goes without", command.what_is_missing(FakePrograms(), ["peak", "training"]))
            self.assertEqual(command.what_is_missing(FakePrograms(), ["peak", "sgemm"]), "")

    def test_a_csv_that_cannot_be_written(self):
        self.csv.mkdir()
        code, _, err = self.run_main("peak", programs=FakePrograms())
        self.assertEqual(code, 3)
        self.assertIn(str(self.csv), err)

    def test_bad_usage(self):
        for arguments in (["XL"], ["peak", "speed"], [""], ["--repetitions", "0"], ["--seconds", "x"], ["--seconds", "-1"], ["--seconds", "nan"], ["--seconds", "inf"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_main(*arguments, programs=FakePrograms())[0], 2)


class Models(unittest.TestCase):
    def test_sizes_are_those_of_the_programs(self):
        header = (REPOSITORY / "tests" / "programs" / "benchmark_sizes.hpp").read_text()
        found = {name: tuple(map(int, numbers.split(","))) for name, numbers in re.findall(r'\{"(\w)", \{([\d, ]+)\}\}', header)}
        self.assertEqual(found, SIZES)

    def test_flops_of_a_token(self):
        """By hand for M: 6 for a parameter; 4 layers, 2 products of 2·128 for 64 tokens, three times."""
        self.assertEqual(training_flops(SIZES["M"], 1000), 6000 + 4 * 2 * 2 * 128 * 64 * 3)


if __name__ == "__main__":
    unittest.main()
