"""Reads what `ropewalk inspect` writes. Letters as in the file: N tokens, D model width, H heads."""
from dataclasses import dataclass
from pathlib import Path

import h5py
import yaml

from .config import load_config
from .runs import InputError

FORMAT = "ropewalk-inspect"
FORMAT_VERSION = 1


@dataclass
class Rotation:
    cosine: object  # [N, pairs]
    sine: object  # [N, pairs]
    wavelength: object  # [pairs], tokens
    base: float
    width: int  # elements of a head that turn along one axis
    trained_length: int  # tokens along that axis
    length: int
    critical_dimension: int


@dataclass
class Inspection:
    """One file, read whole. Arrays that the scheme does not have are None."""

    path: Path
    config: dict
    trained_length: int
    length: int
    step: int  # optimizer steps the model was trained
    token_embedding: object  # [N, D]
    embedding: object  # [N, D], what is added to it
    sum: object  # [N, D]
    rotation: Rotation | None
    slopes: object  # [H]
    bias: object  # [H, N, N]
    scores: object  # [H, N, N]
    weights: object  # [H, N, N]

    @property
    def causal(self):
        return self.config["model"]["kind"] == "decoder"

    @property
    def scheme(self):
        """"alibi", "rope, scaling yarn", or the parts of a hybrid: "sinusoidal + alibi"."""
        position = self.config["model"]["position"]
        return " + ".join(_scheme(part) for part in position.get("parts", [position]))


def _scheme(position):
    scaling = position.get("scaling", {}).get("kind", "none")
    return position["kind"] + (f", scaling {scaling}" if scaling != "none" else "")


def _rotation(file):
    if "rotation" not in file:
        return None
    group = file["rotation"]
    whole = {name: int(group.attrs[name]) for name in ("width", "trained_length", "length", "critical_dimension")}
    return Rotation(group["cos"][()], group["sin"][()], group["wavelength"][()], float(group.attrs["base"]), **whole)


def read_inspection(path):
    """The contents of the file. Raises InputError if it is damaged or is something else."""
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: there is no such file; `ropewalk inspect CONFIG --length N --output {path}` makes it")
    arrays = ("token_embedding", "embedding", "sum", "slopes", "bias", "scores", "weights")
    try:
        with h5py.File(path, "r") as file:
            found = (str(file.attrs.get("format", "none")), int(file.attrs.get("format_version", 0)))
            if found != (FORMAT, FORMAT_VERSION):
                raise InputError(f"{path}: expected format {FORMAT} version {FORMAT_VERSION}, got {found[0]} version {found[1]}")
            whole = {name: int(file.attrs[name]) for name in ("trained_length", "length", "step")}
            values = {name: file[name][()] if name in file else None for name in arrays}
            return Inspection(path, load_config(file.attrs["config"]), rotation=_rotation(file), **whole, **values)
    except (OSError, RuntimeError, KeyError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read as what inspect writes ({error}); write it again") from error
