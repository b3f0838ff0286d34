"""Named blocks laid end to end: action spaces and observation vectors, and the compiled writers that fill the latter.

A rules module declares its blocks once; offsets, spaces, names and the tables in the docs are derived from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from trickenv.jit import inlined


class Block(NamedTuple):
    """One block: name, first index, number of entries, meaning.

    unit: length of the runs in which the entries go through the suits in order (a deck of cards, or one entry a suit),
    0 where suits have no part in it.
    """

    name: str
    start: int
    size: int
    doc: str
    unit: int = 0

    @property
    def stop(self) -> int:
        """First index after the block."""
        return self.start + self.size


class Blocks:
    """Blocks in order, from rows (name, size, meaning) or (name, size, meaning, unit); `size` is their total length."""

    def __init__(self, *rows: tuple[str, int, str] | tuple[str, int, str, int]) -> None:
        self._blocks: dict[str, Block] = {}
        self.size = 0
        for name, size, doc, *unit in rows:
            self._blocks[name] = Block(name, self.size, size, doc, *unit)
            self.size += size

    def __getitem__(self, name: str) -> Block:
        return self._blocks[name]

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks.values())

    def start(self, name: str) -> int:
        """First index of a block."""
        return self._blocks[name].start

    def of(self, index: int) -> Block:
        """The block that an index lies in. Raises IndexError when it lies in none."""
        for block in self:
            if block.start <= index < block.stop:
                return block
        raise IndexError(f"index {index} lies outside 0..{self.size - 1}")

    def kinds(self) -> np.ndarray:
        """(size,) int64: number of the block that each index lies in."""
        return np.repeat(np.arange(len(self._blocks)), [block.size for block in self])


_BYTES = np.array([[byte >> i & 1 for i in range(8)] for byte in range(256)], np.float32)  # the floats of each byte


# The writers slice first: for an index that starts at 0 the compiler drops the check for negatives, and vectorises.


@inlined
def put_cards(out, at, cards, size):
    """Write a card set as `size` zeros and ones; returns the next position."""
    block = out[at : at + size]
    rest = np.int64(cards)
    whole = size >> 3
    for k in range(whole):
        bits = _BYTES[(rest >> (8 * k)) & 255]
        for i in range(8):
            block[8 * k + i] = bits[i]
    for i in range(8 * whole, size):
        block[i] = np.float32((rest >> i) & 1)
    return at + size


@inlined
def put_one(out, at, index, size):
    """Write a one at `index` of `size` zeros (an index outside writes none); returns the next position."""
    block = out[at : at + size]
    for i in range(size):
        block[i] = np.float32(i == index)
    return at + size


@inlined
def put(out, at, value):
    """Write one number, clipped to [-1, 1]; returns the next position."""
    out[at] = np.float32(min(1.0, max(-1.0, value)))
    return at + 1
