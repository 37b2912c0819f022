"""Resolved configs: YAML text to nested dictionaries, and their settings as flat dotted names."""
import re

import yaml


class _Loader(yaml.SafeLoader):
    """PyYAML takes 1e-08 for text, since YAML 1.1 asks for a dot in a number; the core schema of YAML 1.2 does not."""


_NUMBER = re.compile(r"^[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$")
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _NUMBER, list("-+0123456789"))


def load_config(text):
    """The config as nested dictionaries and lists. Raises yaml.YAMLError."""
    return yaml.load(text, Loader=_Loader)


def flatten(config, prefix=""):
    """{"train.length": 64, …}; a list is one value, written as text."""
    flat = {}
    for key, value in config.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            flat.update(flatten(value, name + "."))
        else:
            flat[name] = str(value) if isinstance(value, list) else value
    return flat
