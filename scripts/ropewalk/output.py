"""Files written whole or not at all, so that a full disk leaves what was there."""
import os
import sys
from pathlib import Path

from .runs import InputError, UsageError


def output_path(text):
    """The path that an option names. Raises UsageError for a text that names no file."""
    path = Path(text)
    if not path.name:
        raise UsageError(f"--output '{text}': expected a file's name")
    return path


def say(*lines):
    """Prints what was done. Raises InputError if that arrives nowhere."""
    try:
        print(*lines, sep="\n", flush=True)
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # or the interpreter tries once more at its end
        raise InputError(f"standard output: cannot be written ({error.strerror})") from error


def replace_file(path, write):
    """Has `write` fill a file beside `path`, which then takes its place. Raises InputError with the path and what to try."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.partial-{os.getpid()}")
    try:
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        fill_and_rename(temporary, path, write)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path}: cannot be written ({reason}); choose another place with --output") from error


def fill_and_rename(temporary, path, write):
    try:
        write(temporary)
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
