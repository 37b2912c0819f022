"""Whether a process is at a run: the locks of experiments/run/run_lock.cpp, asked and never taken."""
import fcntl
import os
import struct

from .seal import fnv1a

OFFSETS = 1 << 62
FLOCK = "hhqqi0q"  # struct flock: type, whence, start, length, process; padded as in C


def is_held(experiment, run_id):
    """Whether a process holds the lock of a run in an experiment's folder; None if the file system cannot tell."""
    try:
        descriptor = os.open(experiment / ".locks", os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return False
    except OSError:
        return None
    try:
        asked = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, fnv1a(run_id.encode()) % OFFSETS, 1, 0)
        answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, asked)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return struct.unpack(FLOCK, answer)[0] != fcntl.F_UNLCK
