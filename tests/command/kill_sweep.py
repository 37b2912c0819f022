"""Kills sweeps at random moments, opens every file after each kill, and compares what they end with.

usage: kill_sweep.py ROPEWALK [--kills 200] [--seed 1]    (the built program; h5dump of hdf5-tools)

A sweep of eight runs, four of them the first stage of the others, is started with --jobs 2 by one process or by two at once. After
a random while SIGKILL takes one of them or both. Then h5dump and h5py have to read every file, while a process that is left is
stopped wherever it is. The same command goes on, and is killed again, until the sweep is done; it then has to have left the bytes
of an undisturbed sweep, and another begins. Prints what the kills hit. The seed gives the same moments, but no machine is at the
same place then.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

from toy_sweep import OFTEN, STAGED, Sweep, dump_files, end

JOBS = 2
RUNS = 8
OPTIONS = ("--jobs", str(JOBS), "--threads", "2", "--set", "sweep.seeds=2", *OFTEN)
LONGEST = 0.8  # seconds from a start, or from the last kill, to a kill

RUN_ATTRIBUTES = {"format", "format_version", "run_id", "status", "config", "software", "machine", "parameters", "started",
                  "finished", "peak_bytes"}
TRAIN = {"step", "stage", "tokens", "loss", "rate", "gradient_norm", "seconds"}
EVALUATE = {"step", "stage", "length", "protocol", "loss", "perplexity", "token_accuracy", "scored", "bits_per_byte"}


def check_run(file):
    assert set(file.attrs) >= RUN_ATTRIBUTES, set(file.attrs)
    assert file.attrs["status"] in {"running", "done"}, file.attrs["status"]
    assert set(file["train"]) >= TRAIN and set(file["evaluate"]) >= EVALUATE
    steps, evaluations = len(file["train/step"]), len(file["evaluate/step"])
    assert all(file["train"][name].shape == (steps,) for name in TRAIN)
    assert file["evaluate/loss"].shape == (evaluations, 2, 2)


def check_checkpoint(file):
    assert set(file.attrs) >= {"step", "config"}
    names = set(file["parameters"])
    assert "blocks.0.attention.qkv.weight" in names
    for moment in ("first_moment", "second_moment"):
        assert set(file["optimizer"][moment]) == names


def check_index(file):
    assert len(file["runs/id"]) == len(file["files"]) == RUNS


CHECKS = {"run.h5": check_run, "checkpoint.h5": check_checkpoint, "index.h5": check_index}


def check_files(directory):
    """Reads every file with h5dump and h5py; how many there are."""
    files = dump_files(directory)
    for path in files:
        with h5py.File(path) as file:
            CHECKS[path.name](file)
    return len(files)


class Process:
    """The program on a terminal of its own, on which it says what it is at."""

    def __init__(self, command):
        self.terminal, other = os.openpty()
        self.process = subprocess.Popen(command, stdout=other)
        os.close(other)
        self.pid = self.process.pid
        self.screen = b""

    def read(self):
        while select.select([self.terminal], [], [], 0)[0]:
            try:
                self.screen = (self.screen + os.read(self.terminal, 1 << 16)).rpartition(b"\x1b[J")[2]
            except OSError:  # it has ended
                return

    def kill(self):
        """Whether it was alive until then."""
        self.process.kill()
        alive = self.process.wait() == -signal.SIGKILL
        self.read()
        os.close(self.terminal)
        return alive

    def has_ended(self):
        if self.process.poll() is None:
            return False
        assert self.process.returncode == 0, self.screen.decode()
        os.close(self.terminal)
        return True


@contextlib.contextmanager
def all_stopped(processes):
    """Wherever the other processes are, they stay there. Else h5dump, which follows the links of index.h5 and reads each run
    twice, has an internal error where it finds another version of the run the second time."""
    for process in processes:
        process.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            process.process.send_signal(signal.SIGCONT)


def what_was_hit(killed, experiment):
    """As far as the files, and the terminal's last tenth of a second, can tell."""
    if list(experiment.rglob(f".*partial-*-{killed.pid}-*")):
        return "in the middle of a save"
    own = []
    for path in experiment.glob("*/run.h5"):
        with h5py.File(path) as file:
            if file.attrs["process"] == killed.pid:
                own.append((file.attrs["status"], path.parent))
    held = [run for status, run in own if status == "running"]
    if not own:
        return "before it had taken up a run"
    if not held:
        return "between runs"
    if b"evaluating" in killed.screen:
        return "during an evaluation"
    if not all((run / "checkpoint.h5").exists() for run in held):
        return "before a first checkpoint"
    return "in a second stage" if any("stage-2" in run.name for run in held) else "in a first stage"


def check_logs(sweep, results, kills):
    """No run is taken up after its end, nor begun anew once there is a checkpoint, nor without a kill of whoever had it."""
    for name, places in sweep.taken_up(results).items():
        log = (sweep.directory / results / "toy" / name / "log.txt").read_text()
        assert log.count("Z done at step") <= 1 and not re.search(r"Z done at step \d+\n.", log), log
        steps = [-1 if place is None else place for place in places]
        assert steps and steps == sorted(steps), log
    taken_up = sum(map(len, sweep.taken_up(results).values()))
    assert taken_up <= RUNS + JOBS * kills, f"{RUNS} runs were taken up {taken_up} times, after {kills} kills"
    return taken_up


class Killing:
    def __init__(self, sweep, kills, seed):
        self.sweep = sweep
        self.wanted = kills
        self.moments = random.Random(seed)
        self.hits = collections.Counter()
        self.sweeps = self.pairs = self.files = self.taken_up = 0
        self.sweep.run("undisturbed", *OPTIONS)
        self.expected = sweep.outcome("undisturbed")
        assert len({run for run, _, _ in self.expected}) == RUNS
        names = {name for _, _, name in self.expected}
        assert names >= {"train/loss", "evaluate/loss", "parameters/head.weight", "optimizer/first_moment/embed.weight"}, names

    def all(self):
        while self.kills() < self.wanted:
            self.one_sweep(f"killed-{self.sweeps}")
            self.sweeps += 1

    def kills(self):
        return self.hits.total()

    def one_sweep(self, results):
        before = self.kills()
        processes = []
        try:
            while self.kills() < self.wanted and not self.kill_some(results, processes):
                pass
        finally:
            for process in processes:
                end(process.process)
        self.sweep.run(results, *OPTIONS)
        directory = self.sweep.directory / results
        self.files += check_files(directory)
        found = self.sweep.outcome(results)
        assert found.keys() == self.expected.keys()
        different = [key for key in found if found[key] != self.expected[key]]
        assert not different, different
        assert not list(directory.rglob(".*partial*")), "temporaries of killed programs"
        with h5py.File(directory / "toy" / "index.h5") as index:
            assert list(index["runs/status"].asstr()) == ["done"] * RUNS
        self.taken_up += check_logs(self.sweep, results, self.kills() - before)
        shutil.rmtree(directory)

    def kill_some(self, results, processes):
        """One start and one kill of one or two processes. True once they have ended by themselves."""
        while len(processes) < self.moments.choice((1, 1, 2)):
            processes.append(Process(self.sweep.command(results, *OPTIONS)))
        moment = time.monotonic() + self.moments.uniform(0.0, LONGEST)
        while time.monotonic() < moment:
            time.sleep(0.002)
            for process in processes:
                process.read()
        running = [process for process in processes if not process.has_ended()]
        victims = self.moments.sample(running, min(len(running), self.moments.choice((1, 2))))
        processes[:] = [process for process in running if process not in victims]
        alive = [process for process in victims if process.kill()]
        self.pairs += len(alive) == 2
        for process in alive:
            self.hits[what_was_hit(process, self.sweep.directory / results / "toy")] += 1
        with all_stopped(processes):
            self.files += check_files(self.sweep.directory / results)
        return not running

    def summary(self):
        lines = [f"{self.kills()} kills, {self.pairs} times of two processes at once, over {self.sweeps} sweeps of {RUNS} runs, "
                 f"which were taken up {self.taken_up} times"]
        lines += [f"{count:6} {what}" for what, count in self.hits.most_common()]
        lines += [f"{self.files} times a file was read by h5dump and h5py: none was damaged",
                  f"{self.sweeps} sweeps compared with an undisturbed one, {len(self.expected)} datasets each: the same bytes"]
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if shutil.which("h5dump") is None:
        print("skipped: h5dump is not installed (hdf5-tools)")
        return 77
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        sweep = Sweep(pathlib.Path(arguments.program).resolve(), directory, steps=240, config=STAGED)
        killing = Killing(sweep, arguments.kills, arguments.seed)
        killing.all()
    print(killing.summary())
    print(f"in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
