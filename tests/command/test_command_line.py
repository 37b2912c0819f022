"""The program as its users meet it: commands, exit codes, messages, progress.

usage: test_command_line.py ROPEWALK    (the built program)
"""
import fcntl
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
import unittest

import h5py
import numpy as np
import xarray

from program_test import ProgramTest
from toy_sweep import WORDS


class CommandLine(ProgramTest):
    def write(self, name, text):
        (self.directory / name).write_text(text)
        return name

    def test_bad_usage(self):
        for arguments in ([], ["walk"], ["run"], ["run", "toy.yaml", "--threads", "0"], ["run", "toy.yaml", "--jobs", "x"],
                          ["run", "toy.yaml", "--save-every", "nan"],
                          ["run", "toy.yaml", "--no-such"], ["run", "toy.yaml", "--share", "3/2"],
                          ["run", "toy.yaml", "--launcher", "pbs"], ["run", "toy.yaml", "--launcher", "slurm", "--threads", "2"],
                          ["run", "toy.yaml", "--launcher", "slurm", "--share", "1/2"],
                          ["list"], ["list", "ropes"], ["report"], ["report", ".", "--csv", ""], ["report", ".", "--baseline", ""],
                          ["evaluate"],
                          ["evaluate", "x", "--threads", "0"], ["generate", "x"], ["generate", "x", "--prompt", "a"],
                          ["generate", "x", "--prompt", "a", "--tokens", "0"],
                          ["generate", "x", "--prompt", "a", "--tokens", "3", "--top-k", "-1"]):
            with self.subTest(arguments):
                code, output, errors = self.ropewalk(*arguments)
                self.assertEqual(code, 2)
                self.assertTrue(errors)
        self.assertFalse((self.directory / "results").exists())

    def test_launching_where_there_is_no_slurm(self):
        done = subprocess.run([self.sweep.program, "run", "toy.yaml", "--launcher", "slurm"], cwd=self.directory,
                              env=dict(os.environ, PATH=str(self.directory)), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(done.stderr, "scontrol: cannot be started: No such file or directory; is this machine part of a cluster "
                                      "with Slurm? --launcher local runs here\n")
        self.assertFalse((self.directory / "results").exists())

    def test_shares_of_a_sweep(self):
        for share in ("2/2", "1/2"):
            code, output, _ = self.ropewalk("run", "toy.yaml", "--share", share)
            self.assertEqual(code, 0)
            self.assertRegex(output, r"(?m)^1 of 1 runs done, in")
        self.assertRegex(self.ropewalk("run", "toy.yaml")[1], r"(?m)^2 of 2 runs done \(2 before\), in")

    def test_help_and_version(self):
        code, output, _ = self.ropewalk("--help")
        self.assertEqual(code, 0)
        for command in ("run", "plan", "check", "status", "report", "evaluate", "generate", "list"):
            self.assertRegex(output, rf"(?m)^ +{command} ")
            self.assertEqual(self.ropewalk(command, "--help")[0], 0)
        code, output, _ = self.ropewalk("--version")
        self.assertEqual(code, 0)
        self.assertRegex(output, r"^ropewalk \d+\.\d+\.\d+, oneDNN [\d.]+, HDF5 [\d.]+, yaml-cpp [\d.]+, compiler .+\n"
                                 r"source: (git [0-9a-f]{12}(, changed)?|unknown)\nbuild: \w+, .*\nmachine: .+, \d+ cores, \w+\n$")
        self.assertNotIn("/", output, "no paths of the machine it was built on")

    def test_bad_config(self):
        bad = self.write("bad.yaml", "model:\n  widht: 32\ntrain: {steps: -1}\n")
        for command in ("run", "plan", "check"):
            with self.subTest(command):
                code, _, errors = self.ropewalk(command, bad)
                self.assertEqual(code, 2)
                self.assertRegex(errors, r"(?m)^bad\.yaml:2:3: model\.widht: .*did you mean '?width")
                self.assertRegex(errors, r"(?m)^bad\.yaml:3:16: train\.steps: expected .*, got -1")
        code, _, errors = self.ropewalk("run", "toy.yaml", "--set", "train.steps=soon")
        self.assertEqual(code, 2)
        self.assertRegex(errors, r"--set.*train\.steps: expected .*, got .*soon")
        self.assertFalse((self.directory / "results").exists())

    def test_check_shows_the_mistakes_of_every_file(self):
        one, two = self.write("one.yaml", "seed: -1\n"), self.write("two.yaml", "model: {kind: recoder}\n")
        code, output, errors = self.ropewalk("check", one, "missing.yaml", two, "toy.yaml")
        self.assertEqual(code, 3, "a file that is not there is worse than one with mistakes")
        for expected in ("one.yaml:1:7: seed:", "missing.yaml: expected a config file", "two.yaml:1:15: model.kind:"):
            self.assertIn(expected, errors)
        self.assertIn("toy.yaml: fine, 2 runs", output)
        self.assertEqual(self.ropewalk("check", one, two)[0], 2)
        self.assertEqual(self.ropewalk("check", "toy.yaml")[0], 0)

    def test_the_configs_of_the_readme_ask_for_what_it_says(self):
        root = pathlib.Path(__file__).parents[2]
        shutil.copytree(root / "configs", self.directory / "configs")
        found = []
        for block in re.findall(r"```yaml\n(# .*?)```", (root / "README.md").read_text(), re.DOTALL):  # those with a file's name
            code, output, errors = self.ropewalk("check", self.write("readme.yaml", block), "--set", "task.corpus=text.txt")
            self.assertEqual(code, 0, errors)
            found.append(re.search(r"fine, (\d+) runs", output)[1])
        self.assertEqual(found, ["18", "38"])

    def test_output_that_cannot_be_written_is_no_success(self):
        self.ropewalk("run", "toy.yaml")
        for arguments in (["report", "results"], ["status", "results"], ["list", "metrics"], ["plan", "toy.yaml"]):
            with self.subTest(arguments), open("/dev/full", "w") as full:
                done = subprocess.run([pathlib.Path(self.program).resolve(), *arguments], cwd=self.directory, stdout=full,
                                      stderr=subprocess.PIPE, text=True)
                self.assertEqual((done.returncode, done.stderr), (3, "standard output: cannot write: No space left on device\n"))

    def test_every_config_that_comes_with_the_program_is_fine(self):
        shutil.copytree(pathlib.Path(__file__).parents[2] / "configs", self.directory / "configs")
        text = " ".join(random.Random(3).choices(WORDS, k=80_000))  # enough for the longest of their lengths to be held out
        (self.directory / "data" / "sotu").mkdir(parents=True)
        for corpus in ("data/kjv.txt", "data/sotu/speech.txt"):
            (self.directory / corpus).write_text(text)
        configs = sorted((self.directory / "configs").rglob("*.yaml"))
        self.assertTrue([config for config in configs if config.parent.name == "claims"])
        for config in configs:
            code, output, errors = self.ropewalk("check", config)
            self.assertEqual((code, errors), (0, ""), config)
            self.assertRegex(output, r"fine, \d+ (runs|of the \d+ runs of .*)\n$")

    def test_check_warns_and_reads_texts_once(self):
        lazy = self.write("lazy.yaml", "extends: toy.yaml\nmodel: {positions: {kind: offset}}\n"
                                       "sweep: {seeds: 2, exclude: [{seed: 7}, {model.position.kind: rope, seed: 1}]}\n")
        code, output, errors = self.ropewalk("check", lazy)
        self.assertEqual((code, errors), (0, ""))
        why = "which goes by distances, and a shift of all positions leaves those as they are"
        self.assertEqual(output, f"lazy.yaml: model.positions: offset changes nothing with model.position rope, {why}\n"
                                 f"lazy.yaml: model.positions: offset changes nothing with model.position alibi, {why}\n"
                                 "lazy.yaml: sweep.exclude[0] at lazy.yaml:3:29 leaves out no run\n"
                                 "lazy.yaml: fine, 3 runs\n")
        code, output, errors = self.ropewalk("check", lazy, "--set", "task.corpus=nowhere.txt")
        self.assertEqual((code, output), (3, ""))
        self.assertEqual(errors.count("nowhere.txt"), 1, "of three runs")

    def test_plan_shows_what_sets_points_of_a_list_apart(self):
        nested = self.write("nested.yaml", "extends: toy.yaml\nsweep:\n  grid: null\n  list:\n"
                                           "    - {}\n"
                                           "    - {model.position: {kind: rope}, grid: {model.position.base: [100, 200]}}\n")
        code, output, errors = self.ropewalk("plan", nested)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(re.findall(r"(?m)^position-\S+(?: +[\d.]+){4}  (.*)$", output),
                         ["-", "model.position=rope, model.position.base=100", "model.position=rope, model.position.base=200"])

    def test_a_missing_text_names_the_command_that_fetches_it(self):
        code, _, errors = self.ropewalk("run", "toy.yaml", "--set", "task.corpus=data/kjv.txt")
        self.assertEqual(code, 3)
        self.assertIn("data/kjv.txt", errors)
        self.assertIn("scripts/fetch-data kjv", errors)
        self.assertFalse((self.directory / "results").exists())

    def test_an_encoder_is_refused_before_anything_is_trained(self):
        for command in ("run", "check", "plan"):
            code, _, errors = self.ropewalk(command, "toy.yaml", "--set", "model.kind=encoder")
            self.assertEqual(code, 2, command)
            self.assertIn("model.kind: expected decoder", errors)
        self.assertFalse((self.directory / "results").exists())

    def test_plan_lists_the_runs_and_trains_nothing(self):
        code, output, _ = self.ropewalk("plan", "toy.yaml", "--set", "sweep.seeds=2")
        self.assertEqual(code, 0)
        self.assertIn("toy: 4 runs", output)
        row = r"(?m)^\S+ +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +model\.position=(?:rope|alibi), seed=[01]$"
        self.assertEqual(len(re.findall(row, output)), 4, output)
        self.assertRegex(output, r"(?m)^total: [\d.]+ TFLOP")
        self.assertFalse((self.directory / "results").exists())
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()), ["text.txt", "toy.yaml"])

    def test_plan_says_what_is_left(self):
        self.assertEqual(self.ropewalk("run", "toy.yaml", "--set", "sweep.seeds=1", "--out", "there")[0], 0)
        before = sorted(self.directory.rglob("*"))
        code, output, errors = self.ropewalk("plan", "toy.yaml", "--set", "sweep.seeds=2", "--out", "there", "--jobs", 1)
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("toy: 4 runs, 2 done\n", output)
        self.assertEqual(len(re.findall(r"(?m)^position-.*, seed=0; done$", output)), 2, output)
        self.assertRegex(output, r"(?m)^left: 2 of 4 runs, [\d.]+ TFLOP, about .* here with --jobs 1 --threads \d+, [\d.]+ MiB at once$")
        self.assertEqual(sorted(self.directory.rglob("*")), before)

    def test_plan_shows_stages_and_what_they_start_from(self):
        code, output, _ = self.ropewalk("plan", "toy.yaml", "--set", "train.stages=[{length: 24}]", "--only", "*rope*stage*",
                                        "--threads", 1)  # fmt: skip
        self.assertEqual(code, 0)
        self.assertIn("toy: 2 runs\n", output, "with the first stage, which the pattern does not match")
        first = re.search(r"(?m)^(position-rope-\S+) .*; for others to start from$", output)[1]
        self.assertRegex(output, rf"(?m)^position-rope-\S+-stage-2-\S+ .*; stage 2, after {first}$")

    def test_report(self):
        code, _, errors = self.ropewalk("report", self.directory)
        self.assertEqual(code, 3)
        self.assertIn(str(self.directory), errors)
        self.assertEqual(self.ropewalk("report", "nowhere")[0], 3)
        self.assertEqual(self.ropewalk("run", "toy.yaml")[0], 0)
        code, output, _ = self.ropewalk("report", "results/toy", "--csv", "table.csv")
        self.assertEqual(code, 0)
        self.assertRegex(output, r"(?m)^.*rope.* \d+\.\d+")
        self.assertRegex(output, r"(?m)^.*alibi.* \d+\.\d+")
        self.assertIn("perplexity", (self.directory / "table.csv").read_text())
        self.assertEqual(self.ropewalk("report", "results/toy", "--metric", "beauty")[0], 2)
        damaged = next((self.directory / "results/toy").glob("*/run.h5"))
        damaged.write_bytes(damaged.read_bytes()[:-1000])
        code, output, errors = self.ropewalk("report", "results/toy")
        self.assertEqual(code, 3)
        self.assertIn(damaged.parent.name, output + errors)

    def test_a_second_run_skips_and_a_missing_directory_is_made(self):
        code, output, _ = self.ropewalk("run", "toy.yaml", "--out", "some/where")
        self.assertEqual(code, 0)
        self.assertEqual(len(list((self.directory / "some/where/toy").glob("*/run.h5"))), 2)
        code, output, _ = self.ropewalk("run", "toy.yaml", "--out", "some/where")
        self.assertEqual(code, 0)
        self.assertEqual(output.count("done already, skipped"), 2)
        self.assertRegex(output, r"2 of 2 runs done \(2 before\), in \d+ s\n$")

    def test_configs_that_share_a_run_train_it_once(self):
        self.write("again.yaml", "extends: toy.yaml\nname: toy\nsweep: {grid: {model.position: [{kind: rope}, {kind: none}]}}\n")
        code, output, errors = self.ropewalk("run", "toy.yaml", "again.yaml", "--jobs", "2", "--threads", "2")
        self.assertEqual(code, 0, errors)
        self.assertIn("again.yaml: 1 of its runs are asked for by a config before it", errors)
        self.assertRegex(output, r"(?m)^3 of 3 runs done, in \d+ s$")
        self.assertEqual(len(list((self.directory / "results/toy").glob("*/run.h5"))), 3)

    def test_a_diverged_run_gives_1_and_an_unwritable_place_3(self):
        code, output, _ = self.ropewalk("run", "toy.yaml", "--set", "train.optimizer.rate=1e30")
        self.assertEqual(code, 1)
        self.assertRegex(output, r"(?m)^0 of 2 runs done, 2 diverged, in \d+ s$")
        code, output, _ = self.ropewalk("run", "toy.yaml", "--out", "text.txt")
        self.assertEqual(code, 3)
        self.assertIn("text.txt/toy/", output)
        self.assertIn("--out", output)
        self.assertRegex(output, r"(?m)^0 of 2 runs done, 2 failed, in \d+ s$")

    def trained(self, *options, position="rope"):
        """The directory of a finished run."""
        axis = f"sweep.grid.model.position=[{{kind: {position}}}]"
        code, output, errors = self.ropewalk("run", "toy.yaml", "--set", axis, *options)
        self.assertEqual(code, 0, output + errors)
        return next((self.directory / "results/toy").glob("*/run.h5")).parent

    def contents(self, directory):
        return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}

    def test_evaluate_finds_the_bits_of_the_run_again(self):
        run = self.trained()
        before = self.contents(self.directory / "results")
        code, output, errors = self.ropewalk("evaluate", run, "--out", "again.h5", "--threads", "2")
        self.assertEqual((code, errors), (0, ""))
        self.assertIn(f"{run.name}: step 20 of 20, done\n", output)
        with h5py.File(run / "run.h5") as recorded, h5py.File(self.directory / "again.h5") as found:
            self.assertEqual(set(found["evaluate"]), set(recorded["evaluate"]))
            for name, item in recorded["evaluate"].items():
                self.assertEqual(found["evaluate"][name][()].tobytes() if item.dtype != object else list(found["evaluate"][name]),
                                 item[()].tobytes() if item.dtype != object else list(item), name)
            self.assertEqual(found.attrs["config"], recorded.attrs["config"])
            self.assertEqual(found.attrs["run_id"], run.name)
            self.assertEqual(found.attrs["run"], str(run))
            self.assertEqual(found.attrs["step"], 20)
            loss = recorded["evaluate/loss"][-1]
        for row in loss:
            for value in row:
                self.assertRegex(output, rf" {value:.6g} ")
        self.assertEqual(self.contents(self.directory / "results"), before, "the run itself is not touched")

    def test_evaluate_under_other_settings(self):
        run = self.trained()
        (self.directory / "other.txt").write_text("a rope of another text, and of other words. " * 100)
        code, output, errors = self.ropewalk(
            "evaluate", run, "--out", "long.h5", "--set", "evaluate.lengths=[48, 200]",
            "--set", "evaluate.protocols=[nonoverlapping]", "--set", "model.position.scaling={kind: yarn, factor: 4}",
            "--set", "task.corpus=other.txt", "--set", "task.validation=0.5")
        self.assertEqual(code, 0, errors)
        self.assertRegex(output, r"(?m)^length +perplexity +loss +bits_per_byte +token_accuracy +scored$")
        self.assertRegex(output, r"(?m)^200 +\d")
        with xarray.open_dataset(self.directory / "long.h5", group="evaluate") as evaluate:
            self.assertEqual(list(evaluate.length.values), [48, 200])
            self.assertGreater(float(evaluate.loss.sel(protocol="nonoverlapping", length=200, step=20)), 0)
        with h5py.File(self.directory / "long.h5") as file:
            self.assertIn("kind: yarn", file.attrs["config"])
            self.assertIn("lengths: [48, 200]", file.attrs["config"])

    def test_evaluate_looks_at_attention(self):
        run = self.trained()
        code, output, errors = self.ropewalk(
            "evaluate", run, "--out", "attention.h5", "--set", "record.attention=true", "--set", "evaluate.lengths=[48, 200]")
        self.assertEqual(code, 0, errors)
        self.assertIn("attention: mean entropy by length, nats", output)
        with xarray.open_dataset(self.directory / "attention.h5", group="attention") as attention:
            self.assertEqual(attention.entropy.dims, ("layer", "head", "length"))
            self.assertEqual(list(attention.length.values), [48, 200])
            self.assertTrue((attention.entropy < np.log(attention.length)).all())
            self.assertTrue((attention.mean_distance.sel(length=200) > attention.mean_distance.sel(length=48)).all())

    def test_evaluate_refuses_what_is_no_evaluation(self):
        run = self.trained()
        before = self.contents(self.directory / "results")
        for arguments, code, expected in (
                (["--set", "train.length=16"], 2, "train.length: expected 32, as the run was trained, got 16"),
                (["--set", "model.position.kind=alibi"], 2, "model.position.kind: expected rope"),
                (["--set", "evaluate.lenghts=[16]"], 2, "did you mean"),
                (["--set", "evaluate.lengths=[100000]"], 2, "evaluate.tokens: "),
                (["--set", "task.corpus=nowhere.txt"], 3, "nowhere.txt"),
                (["--out", run / "run.h5"], 2, "belongs to a run"),
                (["--out", run / "checkpoint.h5"], 2, "belongs to a run"),
                (["--out", run.parent / "index.h5"], 2, "belongs to a run"),
                (["--out", "toy.yaml"], 2, "which is something else"),
                (["--out", ""], 2, "expected a value, got nothing"),
                (["--out", "no/where.h5"], 3, "no/where.h5: cannot write")):
            with self.subTest(arguments):
                found, output, errors = self.ropewalk("evaluate", run, *arguments)
                self.assertEqual(found, code, errors)
                self.assertIn(expected, errors)
                self.assertEqual(output, "")
        self.assertEqual(self.contents(self.directory / "results"), before)
        for command in (["evaluate"], ["generate", "--prompt", "a", "--tokens", "3"]):
            for place in ("nowhere", "text.txt", "results/toy"):
                code, _, errors = self.ropewalk(command[0], place, *command[1:])
                self.assertEqual(code, 3)
                self.assertIn(place, errors)
            damaged = run / "checkpoint.h5"
            damaged.write_bytes(before[damaged][:-1000])
            code, _, errors = self.ropewalk(command[0], run, *command[1:])
            self.assertEqual(code, 3)
            self.assertIn(str(damaged), errors)
            damaged.write_bytes(before[damaged])

    def generated(self, run, *arguments):
        done = subprocess.run([self.sweep.program, "generate", run, *arguments], cwd=self.directory, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def test_generate(self):
        run = self.trained("--set", "train.optimizer.rate=0.01")
        before = self.contents(self.directory / "results")
        first = self.generated(run, "--prompt", "the rope", "--tokens", "60")
        self.assertEqual(len(first), 60, "the continuation alone, byte by byte")
        self.assertEqual(self.generated(run, "--prompt", "the rope", "--tokens", "60"), first)
        self.assertNotEqual(self.generated(run, "--prompt", "the rope", "--tokens", "60", "--seed", "1"), first)
        greedy = self.generated(run, "--prompt", "the rope", "--tokens", "60", "--temperature", "0")
        self.assertEqual(self.generated(run, "--prompt", "the rope", "--tokens", "60", "--top-k", "1", "--seed", "9"), greedy)
        stop = greedy[20:23]
        self.assertEqual(self.generated(run, "--prompt", "the rope", "--tokens", "60", "--temperature", "0", "--stop", stop),
                         greedy[:greedy.index(stop) + 3])
        turned = self.generated(run, "--prompt", "the rope", "--tokens", "60", "--set", "model.position.base=2")
        self.assertNotEqual(turned, first)
        self.assertEqual(self.contents(self.directory / "results"), before)

    def test_generate_refuses_what_it_cannot_do(self):
        run = self.trained("--set", "evaluate.lengths=[32]", position="learned")
        for arguments, expected in ((["--prompt", "", "--tokens", "3"], "--prompt: expected at least one byte"),
                                    (["--prompt", "rope", "--tokens", "30"], "--tokens can be at most 29"),
                                    (["--prompt", "a", "--tokens", "3", "--temperature", "nan"], "--temperature"),
                                    (["--prompt", "a", "--tokens", "3", "--set", "evaluate.tokens=50"], "evaluate.tokens"),
                                    (["--prompt", "a", "--tokens", "3", "--set", "seed=4"], "seed: ")):
            with self.subTest(arguments):
                code, output, errors = self.ropewalk("generate", run, *arguments)
                self.assertEqual((code, output), (2, ""), errors)
                self.assertIn(expected, errors)
        self.assertEqual(len(self.generated(run, "--prompt", "rope", "--tokens", "29")), 29)
        longer = self.generated(run, "--prompt", "rope", "--tokens", "50", "--set", "model.position.beyond=clamp")
        self.assertEqual(len(longer), 50)
        with open("/dev/full", "wb") as full:
            done = subprocess.run([self.sweep.program, "generate", run, "--prompt", "a", "--tokens", "3"], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("standard output: cannot write", done.stderr)

    def test_generate_streams_and_is_interrupted(self):
        run = self.trained()
        command = [self.sweep.program, "generate", run, "--prompt", "a", "--tokens", "1000000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            self.assertEqual(len(os.read(process.stdout.fileno(), 1)), 1, "long before the end")
            process.send_signal(signal.SIGINT)
            process.stdout.read()
            self.assertEqual(process.wait(), 130)

    def test_generate_on_a_terminal(self):
        run = self.trained()
        code, output = on_terminal([self.sweep.program, "generate", run, "--prompt", "a", "--tokens", "200"], 80, "latin-1")
        self.assertEqual(code, 0)
        self.assertTrue(output.endswith("\n"))
        plain = self.generated(run, "--prompt", "a", "--tokens", "200")
        self.assertTrue(any(byte < 0x20 and byte not in b"\n\t" for byte in plain), "a model that knows little says anything")
        self.assertEqual([sign for sign in output if ord(sign) < 0x20 and sign not in "\r\n\t"], [])

    def test_list(self):
        for what, words in {"schemes": ["rope: ", "alibi: ", "none: "], "samplers": ["contiguous: "], "tasks": ["text: "],
                            "metrics": ["perplexity: "], "settings": ["train.steps: ", "sweep.seeds: "]}.items():
            with self.subTest(what):
                code, output, _ = self.ropewalk("list", what)
                self.assertEqual(code, 0)
                for word in words:
                    self.assertIn("\n" + word, "\n" + output)

    def test_plain_lines_where_there_is_no_terminal(self):
        code, output, errors = self.ropewalk("run", "toy.yaml")
        self.assertEqual(code, 0)
        self.assertNotIn("\x1b", output + errors)
        self.assertEqual(len(re.findall(r"(?m)^\S+  begun$", output)), 2)
        self.assertEqual(len(re.findall(r"(?m)^\S+  done$", output)), 2)
        self.assertRegex(output, r"\n2 of 2 runs done, in \d+ s\n$")

    def test_progress_on_a_terminal(self):
        columns = 60
        code, output = on_terminal(self.sweep.command("results", "--set", "train.steps=150"), columns)
        self.assertEqual(code, 0)
        self.assertRegex(output, r"\x1b\[\d+A\x1b\[J")
        self.assertRegex(output, r"step \d+/150  loss \d\.\d{4}  \d+ tokens/s  \d+ s left  ")
        self.assertRegex(output, r"(?m)^[012] of 2 runs")
        drawn = [re.sub(r"\x1b\[\d*[AJ]", "", line).rstrip("\r") for line in output.split("\n")]
        self.assertEqual([line for line in drawn if "step" in line and len(line) >= columns], [])
        self.assertRegex(drawn[-2], r"^2 of 2 runs done, in \d+ s$")
        self.assertEqual(drawn[-1], "")


def on_terminal(command, columns, encoding="utf-8"):
    """(exit code, what a terminal of this width was sent)"""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs)
    os.close(theirs)
    sent = b""
    while True:
        try:
            sent += os.read(ours, 65536)
        except OSError:  # EIO: the other end is closed
            break
    os.close(ours)
    return process.wait(), sent.decode(encoding)


if __name__ == "__main__":
    CommandLine.program = sys.argv.pop(1)
    unittest.main()
