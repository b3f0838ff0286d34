"""A small counter-based generator (splitmix64): one 64-bit word of state per table, the only unsigned numbers here."""

from __future__ import annotations

import numpy as np

from trickenv.jit import jit

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S33 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(33)


@jit
def scramble(word):
    """Mix the bits of a 64-bit word; every input gives another output."""
    word = (word ^ (word >> _S30)) * _M1
    word = (word ^ (word >> _S27)) * _M2
    return word ^ (word >> _S31)


@jit
def advance(word):
    """The generator's next state."""
    return word + _GAMMA


@jit
def below(word, n):
    """A number in 0..n-1 from a generator state; uniform up to n / 2**31."""
    return np.int64(((scramble(word) >> _S33) * np.uint64(n)) >> _S31)


@jit
def fraction(word):
    """A number in [0, 1) from a generator state."""
    return np.float64(scramble(word) >> _S33) / 2147483648.0


@jit
def from_seed(seed):
    """Generator state for a seed (a whole number of 0 or more)."""
    return scramble(np.uint64(seed) + _GAMMA)
