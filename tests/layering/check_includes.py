#!/usr/bin/env python3
"""Holds the include lines of framework/ and experiments/ to the layers they belong to.

    check_includes.py [ROOT]      exit 0: all rules hold; 1: each violation on a line, file:line: what, and why

Layers look down only: core <- kernels <- ops <- {positional, nn, optimize} <- experiments; nn may also use positional.
Each heavy library has its one place, and none of them is included from a header.
"""
import re
import sys
from pathlib import Path

BELOW = {  # layer: the layers it may include, itself aside
    "framework/core": set(),
    "framework/kernels": {"framework/core"},
    "framework/ops": {"framework/core", "framework/kernels"},
    "framework/positional": {"framework/core", "framework/kernels", "framework/ops"},
    "framework/optimize": {"framework/core", "framework/kernels", "framework/ops"},
    "framework/nn": {"framework/core", "framework/kernels", "framework/ops", "framework/positional"},
}
BELOW["experiments"] = set(BELOW)

LIBRARIES = {
    "oneDNN": r"(oneapi/)?dnnl",
    "MPI": r"mpi\.h",
    "HDF5": r"(hdf5|H5)",
    "yaml-cpp": r"yaml-cpp/",
    "CLI11": r"CLI/",
    "spdlog": r"spdlog/",
    "Eigen": r"(Eigen|unsupported/Eigen)/",
}
PLACES = {  # library: the prefix of every path that may include it
    "oneDNN": "framework/kernels/gemm_onednn.cpp",
    "yaml-cpp": "experiments/config/",
    "MPI": "experiments/mpi/mpi_ranks.cpp",
    "HDF5": "experiments/",
    "CLI11": "experiments/",
    "spdlog": "experiments/",
    "Eigen": "framework/kernels/",
}
FILE_ACCESS = {"filesystem", "fstream", "iostream"}  # the engine reads and writes no files

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def layer_of(path):
    """The layer of a path or an include, or None: "framework/ops/matmul.hpp" is in "framework/ops"."""
    return next((layer for layer in BELOW if path.startswith(layer + "/")), None)


def library_of(include):
    return next((name for name, pattern in LIBRARIES.items() if re.match(pattern, include)), None)


def includes(root):
    """(path, line number, include) of every include line, paths relative to the root."""
    for top in ("framework", "experiments"):
        for file in sorted((root / top).rglob("*.[ch]pp")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                if match := INCLUDE.match(line):
                    yield file.relative_to(root).as_posix(), number, match[1]


def direction_fault(path, include):
    here, there = layer_of(path), layer_of(include)
    if here is None:
        return f"is in no known layer; the layers are {', '.join(BELOW)}"
    if there in (None, here) or there in BELOW[here]:
        return None
    allowed = ", ".join(sorted(BELOW[here])) or "nothing of ours"
    return f"{here} may not include {include}; below it: {allowed}"


def library_fault(path, include):
    library = library_of(include)
    if library is None:
        return None
    if not path.startswith(PLACES[library]):
        return f"{library} may be included from {PLACES[library]} alone, got {include}"
    if path.endswith(".hpp"):
        return f"{library} costs seconds in every file that includes it: keep {include} out of headers"
    return None


def file_access_fault(path, include):
    if path.startswith("framework/") and include in FILE_ACCESS:
        return f"the engine knows no files: move what needs <{include}> to experiments"
    return None


def hdf5_fault(found):
    """One file alone speaks HDF5, so that what a file on the disk looks like is decided in one place."""
    users = sorted({path for path, _, include in found if library_of(include) == "HDF5"})
    if len(users) == 1:
        return []
    return [f"experiments: exactly one file may include HDF5, got {len(users)}: {', '.join(users) or 'none'}"]


def violations(root):
    found = list(includes(root))
    faults = [
        f"{path}:{number}: {fault}"
        for path, number, include in found
        for rule in (direction_fault, library_fault, file_access_fault)
        if (fault := rule(path, include))
    ]
    return faults + hdf5_fault(found)


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]
    if not (root / "framework").is_dir():
        print(f"check_includes: {root}: expected a checkout with framework/ and experiments/", file=sys.stderr)
        return 2
    faults = violations(root)
    print("\n".join(faults) or "check_includes: every include looks down")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
