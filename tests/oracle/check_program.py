#!/usr/bin/env python3
"""Holds the built program against PyTorch, for every scheme: trained runs are evaluated again, ten training steps are repeated.

Exit 0: everything agrees; 1: something does not; 2: usage, or BUILD_DIR is not built; 77: no PyTorch.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from peers import require_torch

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
PROGRAMS = ("ropewalk", "dump_training_steps")

# Every scheme that a text can be read with, and every other part of the model at least once. abacus and segment are not here: no
# token of a text is marked as a digit or a separator. transformer_xl has a small base: with 10000, half of its sinusoid hardly
# changes in 32 tokens, and what hardly changes has, through a softmax, a gradient that drowns in the rounding of f32. cope has a
# short table: its gradient jumps where a position passes a row, so f32 and f64 part where they round to different sides of one.
MODELS = [
    "{position: {kind: none}, tie_embeddings: true}",
    "{position: {kind: sinusoidal}, activation: relu}",
    "{position: {kind: learned, beyond: clamp}}",
    "{position: {kind: learned, beyond: interpolate}, norm: rms}",
    "{position: {kind: rope}}",
    "{position: {kind: rope, layout: half, fraction: 0.5, base: 500}, activation: swiglu, norm: rms}",
    "{position: {kind: alibi}}",
    "{position: {kind: alibi, slopes: learned, heads: 2}, activation: silu}",
    "{position: {kind: t5}, activation: gelu_tanh}",
    "{position: {kind: t5, per_layer: true, buckets: 16, max_distance: 40}}",
    "{position: {kind: shaw, clip: 8}}",
    "{position: {kind: transformer_xl, base: 100}}",
    "{position: {kind: rope, scaling: {kind: dynamic_ntk}}}",
    "{position: {kind: rope, scaling: {kind: yarn, factor: 4, alpha: 0.5, beta: 4}}}",
    "{position: {kind: rope, scaling: {kind: self_extend, window: 16, group: 4}}}",
    "{position: {kind: rope, scaling: {kind: rerope, window: 16}}}",
    "{position: {kind: rope, scaling: {kind: log_scale}}}",
    "{position: {kind: xpos, scale_base: 128}}",
    "{position: {kind: alibi, slopes: learned, per_layer: true}}",
    "{position: {kind: kerple}}",
    "{position: {kind: kerple, form: power}}",
    "{position: {kind: sandwich}}",
    "{position: {kind: fire}}",
    "{position: {kind: cope, max_position: 4}}",
    "{position: {kind: forget}}",
    "{position: {kind: deberta, clip: 16}}",
    "{position: {kind: axial_rope, grid: [4, 8]}}",
    "{position: {kind: learned_2d, grid: [4, 8], resample: bicubic}}",
    "{position: {kind: sum, parts: [{kind: sinusoidal}, {kind: shaw, clip: 8}, {kind: t5}]}}",
]

# The same with a later stage, from the first stage's parameters: a scaling that begins there, and a scheme that does.
STAGED = [
    ("{position: {kind: rope}}", "{length: 64, steps: 5, position: {scaling: {kind: yarn, factor: 2, alpha: 0.5, beta: 4}}}"),
    ("{position: {kind: rope}}", "{length: 64, steps: 5, position: {scaling: {kind: dynamic_ntk}}}"),
    ("{position: {kind: none}}", "{steps: 5, position: {kind: fire}}"),
]

# Models of masked text; deberta and t5 tell the two sides of a token apart, alibi does not, none not even near from far.
MASKED = [
    "{kind: encoder, position: {kind: none}}",
    "{kind: encoder, position: {kind: learned, beyond: clamp}, tie_embeddings: true}",
    "{kind: encoder, position: {kind: alibi}}",
    "{kind: encoder, position: {kind: t5}}",
    "{kind: encoder, position: {kind: deberta, clip: 16}}",
]

# Four times the trained length, so that grids of 4 by 8 have one of their shape there too.
CONFIG = """
name: oracle
task: {{kind: {task}, corpus: {corpus}}}
model: {model}
train: {{length: 32, batch: 8, steps: 10, optimizer: {{kind: adamw, decay: 0.1}}, schedule: {{kind: cosine, warmup: 3}}, clip: 0.5,
        stages: [{stages}]}}
evaluate: {{lengths: [32, 128], tokens: 4096}}
record: {{attention: true}}
"""


def run(*command):
    print("$", *(str(word) for word in command), flush=True)
    return subprocess.run([str(word) for word in command]).returncode


def check(build, directory, task, model, stages):
    config = directory / "config.yaml"
    config.write_text(CONFIG.format(task=task, model=model, stages=stages, corpus=REPOSITORY / "data/kjv.txt"))
    steps, results = directory / "steps", directory / "results"
    if run(build / "dump_training_steps", config, steps) or run(build / "ropewalk", "run", config, "--out", results):
        return False
    runs = [path.parent for path in sorted(results.glob("*/*/run.h5"))]
    trained = run(sys.executable, HERE / "check_training.py", f"{steps}.yaml", f"{steps}.h5")
    evaluated = run(sys.executable, HERE / "check_run.py", *runs)
    return bool(runs) and trained == 0 and evaluated == 0


def parse(arguments):
    """The build directory, which has the programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, metavar="BUILD_DIR", help="such as build")
    build = parser.parse_args(arguments).build.resolve()
    if missing := [program for program in PROGRAMS if not (build / program).is_file()]:
        parser.error(f"{build}: expected {' and '.join(missing)} in it; run scripts/setup first, which builds them in build/")
    return build


def main(arguments):
    build = parse(arguments)
    require_torch()
    wrong = []
    cases = [("text", model, "") for model in MODELS] + [("masked_text", model, "") for model in MASKED]
    cases += [("text", *staged) for staged in STAGED]
    for task, model, stages in cases:
        with tempfile.TemporaryDirectory() as directory:
            if not check(build, Path(directory), task, model, stages):
                wrong.append(f"{task} {model} {stages}")
    for model in wrong:
        print("disagrees with PyTorch:", model)
    print(f"{len(cases) - len(wrong)} of {len(cases)} models agree with PyTorch")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
