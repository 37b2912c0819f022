"""Whether a process is at a run: the locks of experiments/run/run_lock.cpp, asked and never taken."""
import fcntl
import os
import struct

OFFSETS = 1 << 62
FLOCK = "hhqqi0q"  # struct flock: type, whence, start, length, process; padded as in C


def fnv1a(text):
    """The 64-bit FNV-1a hash of a text."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def is_held(experiment, run_id):
    """Whether a process holds the lock of a run in an experiment's folder; None if the file system cannot tell."""
    try:
        descriptor = os.open(experiment / ".locks", os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return False
    except OSError:
        return None
    try:
        asked = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, fnv1a(run_id) % OFFSETS, 1, 0)
        answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, asked)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return struct.unpack(FLOCK, answer)[0] != fcntl.F_UNLCK
