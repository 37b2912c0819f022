"""What the datasets of a run.h5 are over. Their names decide it: HDF5 crashes where it is asked in a damaged file."""
import numpy as np

AXES = {  # of the datasets of a group, by how many axes they have
    "train": {1: ("step",)},
    "evaluate": {1: ("step",), 2: ("step", "length"), 3: ("step", "protocol", "length")},
    "attention": {3: ("layer", "head", "length")},
}
POSITION_AXES = ("length", "position")  # of position_loss and position_count
SCALES = {"step", "protocol", "length", "position", "layer", "head"}
METRICS = {"loss", "perplexity", "token_accuracy", "bits_per_byte", "scored"}  # in evaluate, over all of its axes


def axes_of(group, name, count):
    """Names of the scales that a dataset of `count` axes is over; None if they are not known."""
    if name in SCALES:
        return (name,)
    return POSITION_AXES if name.startswith("position_") else AXES[group].get(count)


def expect_shapes(group, arrays):
    """Raises ValueError if an array {name: values} of a group has not the shape that its scales ask for."""
    for name, values in arrays.items():
        axes = AXES["evaluate"][3] if group == "evaluate" and name in METRICS else axes_of(group, name, np.ndim(values))
        if axes is None or name in SCALES:
            continue
        given = np.shape(values)
        expected = tuple(len(arrays.get(axis, range(size))) for axis, size in zip(axes, given))
        if given != expected or len(axes) != len(given):
            raise ValueError(f"{group}/{name}: expected {', '.join(axes)} of {expected}, got {given}")


def in_order_of_length(group, arrays):
    """The arrays with their lengths ascending, as figures need them; a config may have them in any order."""
    order = np.argsort(arrays.get("length", []), kind="stable")
    if np.array_equal(order, np.arange(len(order))):
        return arrays
    return {name: _in_order(values, axes_of(group, name, np.ndim(values)) or (), order) for name, values in arrays.items()}


def _in_order(values, axes, order):
    return values.take(order, axes.index("length")) if "length" in axes else values
