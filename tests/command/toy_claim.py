"""Claims about a small study on a text of its own, and calls of the program on them."""
import csv
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from toy_sweep import WORDS

# By scheme, number of heads and seed a run that later runs, longer, are tuned from.
STUDY = """\
name: toy
task: {{kind: text, corpus: text.txt, validation: 0.2}}
model: {{layers: 1, width: 16}}
train:
  length: 16
  batch: 8
  steps: {steps}
  optimizer: {{rate: 0.02}}
  schedule: {{kind: cosine, warmup: 5}}
  stages: [{{length: 32, steps: 10, rate: 1.0e-3}}]
evaluate: {{lengths: [16, 32, 64], protocols: [nonoverlapping, sliding], stride: 8, tokens: 500}}
record: {{every: 5}}
sweep:
  grid: {{model.position: [{{kind: rope}}, {{kind: alibi}}, {{kind: none}}], model.heads: {heads}}}
  seeds: {seeds}
"""

# Looks at two runs of each seed: rope, trained and tuned.
CLAIM = """\
claim: Tuned, rope is better at four times its first length
source: Nobody 2026, Table 0
published: {what: perplexity of nothing in particular}
study: toy.yaml
toy: It is nothing but one.
evaluations:
  linear: {model.position.scaling: {kind: linear, factor: 2}}
series:
  rope: {where: {model.position.kind: rope}}
  tuned: {stage: 2, where: {model.position.kind: rope}}
  linear: {where: {model.position.kind: rope}, evaluation: linear}
predicate:
  - tuned at 4L < 1.5 * rope at 4L
  - linear at 2L > 0.5 * rope at 2L
"""

BEGUN = re.compile(r"(?m)^(\S+)  begun$")
EVALUATED = re.compile(r"(?m)^(\S+)  evaluating: (.+)$")


class ClaimTest(unittest.TestCase):
    program = None

    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.write_text()

    def write_text(self):
        self.write("text.txt", " ".join(random.Random(5).choices(WORDS, k=3000)))

    def write(self, name, text):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_study(self, name="toy.yaml", steps=20, heads="[2]", seeds=3):
        self.write(name, STUDY.format(steps=steps, heads=heads, seeds=seeds))

    def command(self, *arguments):
        return [str(pathlib.Path(self.program).resolve()), *map(str, arguments)]

    def ropewalk(self, *arguments, code=0):
        """(standard output, standard error)"""
        done = subprocess.run(self.command(*arguments), cwd=self.directory, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def verify(self, *arguments, code=0):
        """Standard output."""
        return self.ropewalk("verify", *arguments, code=code)[0]

    def rows(self, name):
        """The lines of a CSV file, {column: text} each."""
        with open(self.directory / name, newline="") as file:
            return list(csv.DictReader(file))

    def contents(self, folder="results"):
        """{file: (bytes, time of its last change)} of all there is."""
        files = (path for path in (self.directory / folder).rglob("*") if path.is_file())
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}

    def assert_kept(self, before):
        """No file of `before`, as `contents` gave it, is changed or gone; there may be others."""
        after = self.contents()
        self.assertEqual([path for path, content in before.items() if after.get(path) != content], [])
