"""Resolved configs: YAML text to nested dictionaries, and their settings as flat dotted names."""
import copy
import math
import re

import yaml


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # libyaml's is seven times as fast
    """PyYAML takes 1e-08 for text, since YAML 1.1 asks for a dot in a number; the core schema of YAML 1.2 does not."""


_NUMBER = re.compile(r"^[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$")
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _NUMBER, list("-+0123456789"))


def load_config(text):
    """The config as nested dictionaries and lists. Raises yaml.YAMLError."""
    return yaml.load(text, Loader=_Loader)


STAGE_KEYS = {  # what a stage can change: its name there and in a config
    "length": "train.length",
    "batch": "train.batch",
    "steps": "train.steps",
    "rate": "train.optimizer.rate",
    "schedule": "train.schedule",
    "clip": "train.clip",
    "position": "model.position",
    "positions": "model.positions",
}


def flatten(config):
    """{"train.length": 64, "model.position.parts[0].kind": "rope", …}; a list of plain values is one value, written as YAML. Of a
    later stage, what it changes: "train.stages[0].length"."""
    train = config.get("train")
    stages = train.get("stages") if isinstance(train, dict) else None
    if stages is None:
        return _flatten(config)
    flat = _flatten({**config, "train": {key: value for key, value in train.items() if key != "stages"}})
    before = _flatten({key: _value_at(config, path) for key, path in STAGE_KEYS.items()}) if stages else {}
    for index, stage in enumerate(map(_flatten, stages)):
        changed = {path: value for path, value in stage.items() if path not in before or before[path] != value}
        flat.update({f"train.stages[{index}].{path}": value for path, value in changed.items()})
        before = stage
    return flat


def trained_lengths(config):
    """Tokens, of each stage; NaN if the config does not say."""
    train = config.get("train")
    train = train if isinstance(train, dict) else {}
    return [stage.get("length", math.nan) for stage in [train, *(train.get("stages") or [])]]


def last_stage(config):
    """A resolved config as its last stage sees it, as if that were the whole training."""
    config = copy.deepcopy(config)
    for stage in config["train"].get("stages", [])[-1:]:
        for key, path in STAGE_KEYS.items():
            outer, _, last = path.rpartition(".")
            _value_at(config, outer)[last] = stage[key]
    return config


def _value_at(config, path):
    for key in path.split("."):
        config = config[key]
    return config


def _flatten(config, prefix=""):
    flat = {}
    for key, value in config.items():
        flat.update(_flatten_value(value, f"{prefix}{key}"))
    return flat


def _flatten_value(value, name):
    if isinstance(value, dict):
        return _flatten(value, name + ".")
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return _flatten({f"{name}[{index}]": item for index, item in enumerate(value)})
    return {name: text(value) if isinstance(value, list) else value}


def text(value):
    """As YAML has it, but numbers short: 100.0 as 100."""
    if isinstance(value, list):
        return f"[{', '.join(map(text, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)
