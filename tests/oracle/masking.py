"""Which held-out tokens a run of masked text is asked for, worked out once more: Philox 4x32-10 (Salmon et al. 2011) in numpy."""
import numpy as np

MASK = 256  # the token after all bytes
WORD = 2**32 - 1
WIDE = 2**64 - 1


def stream_key(seed, purpose):
    """FNV-1a of the purpose, mixed with the seed by the finaliser of SplitMix64."""
    hashed = 0xCBF29CE484222325
    for byte in purpose.encode():
        hashed = (hashed ^ byte) * 0x100000001B3 & WIDE
    mixed = (seed * 0x9E3779B97F4A7C15 + hashed) & WIDE
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & WIDE
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & WIDE
    return mixed ^ mixed >> 31


def philox(counter, key):
    """counter: four words, each an array u64; key: two words -> four words."""
    for _ in range(10):
        first, third = counter[0] * np.uint64(0xD2511F53), counter[2] * np.uint64(0xCD9E8D57)
        high, low = (lambda x: x >> np.uint64(32)), (lambda x: x & np.uint64(WORD))
        second, fourth = (high(product) ^ counter[i] ^ np.uint64(key[i // 2]) for product, i in ((third, 1), (first, 3)))
        counter = (second, low(third), fourth, low(first))
        key = ((key[0] + 0x9E3779B9) & WORD, (key[1] + 0xBB67AE85) & WORD)
    return counter


def chosen(count, rate):
    """bool [count]: which of the first held-out tokens are masked. The step of a token's stream is its place."""
    key, places = stream_key(0, "mask held out"), np.arange(count, dtype=np.uint64)
    none = np.zeros_like(places)
    words = philox((none, none, places & np.uint64(WORD), places >> np.uint64(32)), (key & WORD, key >> 32))
    uniform = ((words[0] << np.uint64(32) | words[1]) >> np.uint64(11)) * 2.0**-53
    return uniform < rate
