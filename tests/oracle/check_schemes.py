#!/usr/bin/env python3
"""Holds every positional scheme, scaling and sampler of the built program to what the oracle makes of the papers.

For every scheme that `ropewalk list schemes` names, causal and bidirectional, in f32 and f64, with 1, 6, 8 and 12 heads, at 1, 2, 17 and
256 tokens of a model trained on 64, and once more for other settings; likewise every scaling and sampler.

To 1e-10 in f64 and 1e-5 in f32, but for two kinds of gradients in f32: see check_positional.py, which says why.

Exit 0: everything agrees; 1: something does not; 2: usage, or BUILD_DIR is not built; 77: no PyTorch.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from peers import require_torch

torch = require_torch()
import yaml
from check_positional import check_dump

TRAINED, LENGTHS, HEADS, HEAD_WIDTH = 64, (1, 2, 17, 256), (1, 6, 8, 12), 8
GRIDS = (1, 4, 16, 256)  # lengths that are grids like that of 64

# Settings without which a scheme does not serve all these lengths.
NEEDED = {"learned": {"beyond": "interpolate"}, "cope": {"max_position": 20}}
CAUSAL_ONLY = ("cope", "forget")

# Other settings of each scheme. Numbers are chosen so that both sides of every bound are met within 256 tokens.
OTHERS = {
    "sinusoidal": [{"base": 50.0, "scale": 0.5}],
    "learned": [{"beyond": "clamp"}, {"max_length": 300, "beyond": "error"}],
    "shaw": [{"clip": 3}, {"clip": 0}, {"values": False, "clip": 300}],
    "transformer_xl": [{"base": 50.0}],
    "t5": [{"buckets": 8, "max_distance": 20}],
    "rope": [{"base": 500.0, "layout": "half"}, {"fraction": 0.5}, {"fraction": 0.25, "layout": "half"}],
    "xpos": [{"gamma": 0.9, "scale_base": 64.0, "layout": "half"}],
    "alibi": [{"slopes": "learned"}, {"heads": 4}, {"slopes": "learned", "heads": 1}],
    "kerple": [{"form": "power"}],
    "sandwich": [{"width": 6, "base": 100.0}],
    "fire": [{"width": 5}],
    "cope": [{"gates": "scaled"}, {"max_position": 3}],
    "deberta": [{"clip": 3}, {"clip": 300}],
    "abacus": [{"max_offset": 3}],
    "segment": [{"segments": 3}],
    "axial_rope": [{"base": 1000.0, "grid": [4, 16]}],
    "learned_2d": [{"resample": "bilinear"}, {"grid": [4, 16]}],
    "sum": [
        {"parts": [{"kind": "learned", "beyond": "clamp"}, {"kind": "t5"}]},
        {"parts": [{"kind": "rope", "scaling": {"kind": "log_scale"}}, {"kind": "shaw", "clip": 4}, {"kind": "alibi"}]},
        {"parts": [{"kind": "segment"}, {"kind": "transformer_xl"}, {"kind": "shaw"}, {"kind": "kerple"}]},
        {"parts": [{"kind": "xpos"}, {"kind": "fire"}, {"kind": "abacus"}]},
        {"parts": [{"kind": "deberta"}, {"kind": "rope"}, {"kind": "sandwich"}]},
    ],
}
OTHERS_CAUSAL = {"sum": [{"parts": [{"kind": "rope", "scaling": {"kind": "rerope", "window": 5}}, {"kind": "cope"}, {"kind": "forget"}]}]}
OTHERS_BIDIRECTIONAL = {"alibi": [{"right": 0.25}, {"right": 3.0, "slopes": "learned"}, {"right": 0.0, "heads": 2}]}

SCALINGS = {
    "none": [{}],
    "linear": [{"factor": 4.0}],
    "ntk": [{"factor": 4.0}],
    "dynamic_ntk": [{}],
    "yarn": [{"factor": 4.0}, {"factor": 8.0, "alpha": 0.5, "beta": 4.0}],
    "llama3": [{}, {"factor": 4.0, "low": 0.5, "high": 8.0}],
    "longrope": [{"factors": [1.0, 1.5, 2.0, 4.0]}, {"factors": [1.0, 1.5, 2.0, 4.0], "keep": 10}],
    "self_extend": [{}, {"window": 4, "group": 3}, {"window": 0, "group": 2}],
    "rerope": [{}, {"window": 3}],
    "log_scale": [{}],
}
BY_DISTANCE = ("self_extend", "rerope")  # of rope itself, and of decoders, alone

SAMPLERS = {
    "contiguous": [{}],
    "offset": [{"max": 50}],
    "randomized": [{"range": 300}, {"range": 300, "evaluation": "drawn"}],
    "cape": [{}, {"shift": 20.0, "jitter": 0.3, "scale": 2.0}],
}
ON_A_GRID = ("axial_rope", "learned_2d")


def case(position, causal, element, heads, length, **others):
    """One entry of what `dump_positional` reads, its name aside."""
    kind = "decoder" if causal else "encoder"
    positions = others.pop("positions", {"kind": "contiguous"})
    model = {"kind": kind, "heads": heads, "width": heads * HEAD_WIDTH, "position": position, "positions": positions}
    sequences = 1 if length > 100 else 2
    return {"model": model, "trained": TRAINED, "length": length, "sequences": sequences, "type": element, **others}


def directions(kind):
    return (True,) if kind in CAUSAL_ONLY else (True, False)


def lengths(kind):
    return GRIDS if kind in ON_A_GRID else LENGTHS


def scheme_cases(kind):
    position = {"kind": kind, **NEEDED.get(kind, {})}
    for causal in directions(kind):
        for element in ("f64", "f32"):
            for heads in HEADS:
                for length in lengths(kind):
                    yield case(position, causal, element, heads, length)
            special = OTHERS_CAUSAL if causal else OTHERS_BIDIRECTIONAL
            for other in OTHERS.get(kind, []) + special.get(kind, []):
                for length in lengths(kind)[2:]:
                    yield case({**position, **other}, causal, element, 6, length)


def scaling_cases(kind):
    for other in SCALINGS[kind]:
        scaling = {"kind": kind, **other}
        for element in ("f64", "f32"):
            for causal in (True,) if kind in BY_DISTANCE else (True, False):
                for length in LENGTHS:
                    yield case({"kind": "rope", "scaling": scaling}, causal, element, 6, length)
                if kind in BY_DISTANCE:
                    continue
                yield case({"kind": "xpos", "scaling": scaling}, causal, element, 6, 256)
                pairs = {"factors": [1.0, 3.0]} if kind == "longrope" else {}
                yield case({"kind": "axial_rope", "scaling": {**scaling, **pairs}}, causal, element, 6, 256)


def sampler_cases(kind, schemes):
    """Every scheme at positions that training draws, each sequence its own."""
    for other in SAMPLERS[kind]:
        positions = {"kind": kind, **other}
        for scheme in schemes:
            if scheme in ON_A_GRID and kind != "contiguous":
                continue  # a patch is where it is
            position = {"kind": scheme, **NEEDED.get(scheme, {})}
            for causal in directions(scheme):
                for element in ("f64", "f32"):
                    yield case(position, causal, element, 6, lengths(scheme)[2], positions=positions, training=True)


def draws(kind):
    for other in SAMPLERS[kind]:
        for training in (True, False):
            positions = {"kind": kind, **other}
            yield {"model": {"positions": positions}, "trained": 20, "length": 20, "sequences": 2000, "training": training}


def named(entries):
    return [{"name": f"{number:03d}_{label(entry)}", **entry} for number, entry in enumerate(entries)]


def label(entry):
    model = entry["model"]
    if "position" not in model:
        return f"{model['positions']['kind']}_{'training' if entry['training'] else 'evaluation'}"
    words = [model["position"]["kind"], model["kind"], f"h{model['heads']}", f"t{entry['length']}"]
    return "_".join(words)


def kinds(build, what):
    """The names that `ropewalk list` gives."""
    text = subprocess.run([build / "ropewalk", "list", what], check=True, capture_output=True, text=True).stdout
    return [line.split(":")[0] for line in text.splitlines() if not line.startswith(" ")]


def check(build, title, cases):
    """How many of them agree, and how many there are; those of one kind at a time, since their files are large."""
    print(f"== {title}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        asked, dump = Path(folder) / "cases.yaml", Path(folder) / "dump.h5"
        asked_of = {group: named(entries) for group, entries in cases.items()}
        asked.write_text(yaml.safe_dump(asked_of, default_flow_style=None))
        if subprocess.run([build / "dump_positional", asked, dump]).returncode != 0:
            return 0, sum(map(len, asked_of.values()))
        return check_dump(dump)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, metavar="BUILD_DIR", help="such as build")
    parser.add_argument("--only", metavar="KIND", help="one scheme, scaling or sampler")
    parsed = parser.parse_args(arguments)
    for program in ("ropewalk", "dump_positional"):
        if not (parsed.build / program).is_file():
            parser.error(f"{parsed.build}: expected {program} in it; run scripts/setup first, which builds it in build/")
    return parsed.build.resolve(), parsed.only


def main(arguments):
    build, only = parse(arguments)
    schemes = kinds(build, "schemes")
    work = {f"scheme {kind}": {"cases": scheme_cases(kind)} for kind in schemes}
    work |= {f"scaling {kind}": {"cases": scaling_cases(kind)} for kind in kinds(build, "scalings")}
    work |= {f"sampler {kind}": {"cases": sampler_cases(kind, schemes), "samplers": draws(kind)} for kind in kinds(build, "samplers")}
    found = {title: check(build, title, cases) for title, cases in work.items() if only in (None, title.split()[1])}
    for title, (agree, count) in found.items():
        if agree < count:
            print(f"disagrees with the oracle: {title}, {count - agree} of {count}")
    agree, count = (sum(numbers) for numbers in zip(*found.values()))
    print(f"{agree} of {count} cases agree with the oracle")
    return 0 if agree == count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
