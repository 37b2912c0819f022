"""The checksum after the last byte of an HDF5 file that `ropewalk` wrote, as in experiments/record/seal.hpp: HDF5 does not detect
a flipped bit, and some crash it, and Python with it."""
from functools import lru_cache

import numpy as np

MARK = b"\nropewalk-fnv1a64 "
DIGITS = 16
START, PRIME = 0xCBF29CE484222325, 0x100000001B3


def is_broken(contents):
    """Whether the bytes of a file end with a seal that is not theirs. One that another program has changed has none any more."""
    body, found = contents[: -len(MARK) - DIGITS], contents[-len(MARK) - DIGITS :]
    return found.startswith(MARK) and found[len(MARK) :] != b"%016x" % fnv1a(body)


def fnv1a(contents):
    """The 64-bit hash FNV-1a of bytes (Fowler, Noll, Vo): of each in turn, hash = (hash ^ byte) * PRIME.

    Here all bytes at once. The xor adds something to the hash that depends on its last byte alone, and once these sums are known
    the rest is a polynomial in PRIME, modulo 2^64."""
    data = np.frombuffer(contents, dtype=np.uint8)
    mixed = mixed_bytes(data)
    added = mixed.astype(np.int64) - (mixed ^ data)
    powers = prime_powers(1 << len(data).bit_length())[: len(data) + 1]
    return (START * int(powers[-1]) + int(np.sum(added.astype(np.uint64) * powers[:0:-1]))) % 2**64


def mixed_bytes(data):
    """[N], of bytes [N]: the hash's last byte xor the byte, at each. Bit by bit, for a bit of a product depends on the lower ones
    only: given these, each is the xor of all before it."""
    mixed = np.zeros_like(data)
    for bit in range(8):
        changed = ((data >> bit) ^ ((mixed * np.uint8(PRIME & 0xFF)) >> bit)) & 1
        mixed |= (((data >> bit) & 1) ^ xor_before(changed) ^ np.uint8(START >> bit & 1)) << bit
    return mixed


def xor_before(bits):
    """[N], of bits [N], a byte each: the xor of all bits before each. Eight at a time."""
    packed = np.packbits(bits)
    for distance in (1, 2, 4):
        packed ^= packed >> distance
    totals = packed & 1
    packed ^= (np.bitwise_xor.accumulate(totals) ^ totals) * np.uint8(0xFF)
    return np.unpackbits(packed)[: len(bits)] ^ bits


@lru_cache(maxsize=4)
def prime_powers(count):
    """[count]: PRIME^0, PRIME^1, …, modulo 2^64."""
    powers = np.full(count, PRIME, dtype=np.uint64)
    powers[0] = 1
    return np.multiply.accumulate(powers)
