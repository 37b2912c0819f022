"""What the checks need: PyTorch or a polite end, HDF5 to dictionaries, and the verdict on a list of comparisons."""
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

SKIPPED = 77  # the exit code that ctest's SKIP_RETURN_CODE knows
TOLERANCE = 1e-4


def require_torch():
    """The torch module, without gradients until they are asked for. Ends the program with SKIPPED where it is not installed."""
    try:
        import torch
    except ImportError:
        print("skipped: PyTorch is not installed (scripts/setup --with-optional installs it)")
        sys.exit(SKIPPED)
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)  # tests run side by side
    return torch


def read_group(group):
    """{path below the group: array} of every dataset, such as "blocks.0.norm1.weight"."""
    import h5py

    arrays = {}
    group.visititems(lambda name, item: arrays.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return arrays


def load_parameters(module, parameters):
    """Takes {name: array}. Raises ValueError that lists every name or shape that is not as expected."""
    import torch

    own = dict(module.named_parameters())
    faults = [f"missing {name} {list(own[name].shape)}" for name in own.keys() - parameters.keys()]
    faults += [f"unexpected {name}" for name in parameters.keys() - own.keys()]
    faults += [
        f"{name}: expected {list(own[name].shape)}, got {list(parameters[name].shape)}"
        for name in own.keys() & parameters.keys()
        if tuple(own[name].shape) != tuple(parameters[name].shape)
    ]
    if faults:
        raise ValueError("parameters: " + "; ".join(sorted(faults)))
    with torch.no_grad():
        for name, parameter in own.items():
            parameter.copy_(torch.as_tensor(parameters[name]))


def relative(actual, expected):
    """|actual - expected| / |expected|; infinite where one of them is not a number."""
    difference = abs(actual - expected) / max(abs(expected), 1e-12)
    return difference if difference == difference else float("inf")


class Table:
    """Comparisons, printed as they come; `failed` counts those that are not good."""

    def __init__(self, what):
        self.failed = 0
        print(f"{what:<44}{'ours':>14}{'PyTorch':>14}{'difference':>12}")

    def row(self, what, actual, expected, difference=None, good=None):
        """Good unless told: the difference, relative unless told, is within the tolerance."""
        difference = relative(actual, expected) if difference is None else difference
        good = difference <= TOLERANCE if good is None else good
        self.failed += not good
        print(f"{what:<44}{actual:>14.7g}{expected:>14.7g}{difference:>12.1e}{'' if good else '  MISMATCH'}")

    def verdict(self):
        """Exit code: 0, or 1 with a closing line."""
        if self.failed:
            print(f"{self.failed} of the values above disagree")
        return 1 if self.failed else 0
