"""Rows on their way through the shuffle: whole frames, each with the rows of one part.

Spark moves few large values far faster than many small rows, and never looks into a frame.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from .failures import Failure
from .frames import column_frame

# Rows that are divided together at least: smaller pieces would be more header than rows.
_ROWS = 1 << 16
_ROWS_PER_PART = 256
_MOST_ROWS = 1 << 20


def part_keys(parts: int) -> list[int]:
    """For each part the least integer that Spark's `repartition(parts, key)` sends into the
    partition of its number.

    With other integers `triptych resolve` would refuse rows of another part.
    """
    keys: dict[int, int] = {}
    candidate = 0
    while len(keys) < parts:
        keys.setdefault(_murmur3(candidate) % parts, candidate)
        candidate += 1
    return [keys[part] for part in range(parts)]


def _murmur3(value: int) -> int:
    """Spark's hash of an integer: 32-bit Murmur3 with the seed 42; Python's `%` is its `pmod`."""
    mask = 0xFFFFFFFF

    def rotated(word: int, count: int) -> int:
        return (word << count | word >> (32 - count)) & mask

    mixed = rotated(value * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    word = (rotated(42 ^ mixed, 13) * 5 + 0xE6546B64) & mask
    word ^= 4
    word = (word ^ word >> 16) * 0x85EBCA6B & mask
    word = (word ^ word >> 13) * 0xC2B2AE35 & mask
    word ^= word >> 16
    return word - (1 << 32) if word & 1 << 31 else word


def parts_of_refs(refs: pa.Array, parts: int) -> np.ndarray:
    """The part of each trip ref, as docs/SHARDS.md says. A ref is a cipher text, so that its first
    bytes are spread evenly."""
    rows = len(refs)
    buffers = refs.buffers()
    if rows == 0:
        return np.zeros(0, np.int64)
    offsets = np.frombuffer(buffers[1], np.int32, rows + 1, 4 * refs.offset)
    if refs.null_count or (np.diff(offsets) < 4).any():
        raise Failure("triptych wrote a trip without its reference")
    places = offsets[:-1, np.newaxis] + np.arange(4)
    return (
        np.frombuffer(buffers[2], np.uint8)[places].view("<u4").ravel().astype(np.int64) % parts
    )


class Divided:
    """Rows collected and given out part by part, each piece as a frame of its own."""

    def __init__(self, kind: str, parts: int) -> None:
        self._kind = kind
        self._parts = parts
        self._held: list[pa.RecordBatch] = []
        self._held_rows = 0
        self._least = min(_MOST_ROWS, max(_ROWS, _ROWS_PER_PART * parts))
        self.rows = 0

    def add(self, batch: pa.RecordBatch) -> Iterator[tuple[int, int, bytes]]:
        """Takes rows with a column `ref`; gives (part, rows, frame) of those that are enough by
        now."""
        self._held.append(batch)
        self._held_rows += batch.num_rows
        self.rows += batch.num_rows
        if self._held_rows >= self._least:
            yield from self.rest()

    def rest(self) -> Iterator[tuple[int, int, bytes]]:
        """Gives out what is held."""
        if not self._held_rows:
            return
        batch = pa.Table.from_batches(self._held).combine_chunks().to_batches()[0]
        self._held, self._held_rows = [], 0
        yield from pieces(self._kind, batch, parts_of_refs(batch.column("ref"), self._parts))


def pieces(
    kind: str, batch: pa.RecordBatch, places: np.ndarray
) -> Iterator[tuple[int, int, bytes]]:
    """A batch divided by the place of each row: (place, rows, frame), in order of places; rows keep
    their order."""
    order = np.argsort(places, kind="stable")
    found, begins = np.unique(places[order], return_index=True)
    ends = np.append(begins[1:], len(order))
    # Rows move once for all places: a `take` for each piece takes six times as long.
    ordered = batch.take(pa.array(order))
    for place, begin, end in zip(found.tolist(), begins.tolist(), ends.tolist(), strict=True):
        yield place, end - begin, column_frame(kind, ordered.slice(begin, end - begin))
