"""Frames: what `triptych map` and `triptych resolve` read and write (docs/SHARDS.md).

A frame is one line of JSON, then raw bytes: the buffers of its columns as Arrow lays them out, or a
text.
Columns are built over the very buffers that the pipe was read into.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

TYPES: dict[str, pa.DataType] = {
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "utf8": pa.utf8(),
    "binary": pa.binary(),
    "date32": pa.date32(),
    "timestamp_s": pa.timestamp("s"),
}
_NAMES = {kind: name for name, kind in TYPES.items()}
_WIDTHS = {"int32": 4, "int64": 8, "float64": 8, "date32": 4, "timestamp_s": 8}
_HAS_OFFSETS = {"utf8", "binary"}
# A header names each column in some 60 bytes, and a pipeline has 1000 columns at most.
_HEADER_SIZE = 1 << 20
# No frame of `triptych` comes near; a size beyond it is a damaged header.
_BUFFER_SIZE = 1 << 31
_EMPTY = memoryview(b"")


class FrameError(Exception):
    """The stream is not what docs/SHARDS.md says; the text says what was found and what was
    expected."""


class StreamEnded(FrameError):
    """The stream ends too early: what wrote it says why."""


@dataclass(frozen=True)
class Frame:
    """One frame: columns (`batch`) or a text (`text`)."""

    kind: str
    batch: pa.RecordBatch | None = None
    text: bytes | None = None


def read_frames(stream: BinaryIO) -> Iterator[Frame]:
    """The frames of a stream, up to its end frame, which is not among them.

    Raises FrameError where a header is malformed, sizes do not fit, the end frame is missing or
    counts other
    rows than came, or bytes follow it. Holds one frame at a time.
    """
    rows = 0
    while True:
        header = _header(stream)
        kind = header["frame"]
        if kind == "end":
            if header.get("rows") != rows:
                raise FrameError(f"the end frame counts {header.get('rows')} rows, and {rows} came")
            if stream.read(1):
                raise FrameError("bytes follow the end frame")
            return
        if "columns" in header:
            batch = _batch(stream, kind, header)
            rows += batch.num_rows
            yield Frame(kind, batch=batch)
        elif "size" in header:
            yield Frame(kind, text=_buffer(stream, header["size"], kind).to_pybytes())
        else:
            raise FrameError(f"a frame {kind} has neither columns nor a size")


def _header(stream: BinaryIO) -> dict[str, Any]:
    line = stream.readline(_HEADER_SIZE)
    if not line:
        raise StreamEnded("the stream ends without its end frame")
    if not line.endswith(b"\n") and len(line) < _HEADER_SIZE:
        raise StreamEnded("the stream ends inside the header of a frame")
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or not isinstance(header.get("frame"), str):
        raise FrameError("a frame does not begin with a line of JSON")
    return header


def _buffer(stream: BinaryIO, size: Any, what: str) -> pa.Buffer:
    """The next `size` bytes, read once into memory of their own."""
    if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size < _BUFFER_SIZE:
        raise FrameError(f"{what}: {size!r} is no size")
    buffer = pa.allocate_buffer(size)
    view = memoryview(buffer).cast("B")
    done = 0
    while done < size:
        count = stream.readinto(view[done:])  # type: ignore[attr-defined]
        if not count:
            raise StreamEnded(f"{what}: the stream ends after {done} of {size} bytes")
        done += count
    return buffer


def _batch(stream: BinaryIO, kind: str, header: dict[str, Any]) -> pa.RecordBatch:
    rows = header.get("rows")
    if not isinstance(rows, int) or isinstance(rows, bool) or rows < 0:
        raise FrameError(f"a frame {kind} has {rows!r} rows")
    names, arrays = [], []
    for column in header["columns"]:
        name, type_name = column.get("name"), column.get("type")
        if type_name not in TYPES:
            raise FrameError(f"{kind}.{name}: the type {type_name!r} is not known")
        what = f"{kind}.{name}"
        validity, offsets, data = _sizes(what, column.get("sizes"), type_name, rows)
        buffers = [_buffer(stream, validity, what) if validity else None]
        if type_name not in _HAS_OFFSETS:
            buffers.append(_buffer(stream, data, what))
        else:
            # Arrow wants offsets of no row as well.
            spans = _buffer(stream, offsets, what) if offsets else pa.py_buffer(bytes(4))
            buffers += [spans, _buffer(stream, data, what)]
        try:
            array = pa.Array.from_buffers(TYPES[type_name], rows, buffers)
            # Offsets below zero, falling, or beyond the bytes.
            array.validate(full=type_name in _HAS_OFFSETS)
        except pa.ArrowInvalid as fault:
            raise FrameError(f"{what}: {fault}") from None
        names.append(name)
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, names=names)


def _sizes(what: str, sizes: Any, type_name: str, rows: int) -> tuple[int, int, int]:
    """The three sizes of a column, where they fit its type and rows."""
    if (
        not isinstance(sizes, list)
        or len(sizes) != 3
        or not all(isinstance(size, int) for size in sizes)
    ):
        raise FrameError(f"{what}: expected the sizes of three buffers")
    validity, offsets, data = sizes
    bitmap = (rows + 7) // 8
    if validity not in (0, bitmap):
        raise FrameError(f"{what}: {validity} bytes of validity, expected 0 or {bitmap}")
    if type_name in _HAS_OFFSETS:
        wanted = 4 * (rows + 1)
        if offsets != wanted and not (rows == 0 and offsets == 0):
            raise FrameError(f"{what}: {offsets} bytes of offsets, expected {wanted}")
    else:
        wanted = bitmap if type_name == "bool" else rows * _WIDTHS[type_name]
        if offsets or data != wanted:
            raise FrameError(f"{what}: {offsets} and {data} bytes, expected 0 and {wanted}")
    return validity, offsets, data


def column_frame(kind: str, batch: pa.RecordBatch) -> bytes:
    """A batch, which may be a part of a larger one, as one frame."""
    columns, parts = [], []
    for name, array in zip(batch.schema.names, batch.columns, strict=True):
        type_name = _NAMES[array.type]
        buffers = _compact(array, type_name)
        columns.append({"name": name, "type": type_name, "sizes": [len(part) for part in buffers]})
        parts += buffers
    header = {"frame": kind, "rows": batch.num_rows, "columns": columns}
    return b"".join([json.dumps(header, separators=(",", ":")).encode(), b"\n", *parts])


def _compact(array: pa.Array, type_name: str) -> list[memoryview]:
    """The three buffers of a column: validity, offsets, data, each of its exact size."""
    begin, rows = array.offset, len(array)
    validity, *buffers = array.buffers()
    nulls = _bits(validity, begin, rows) if validity is not None and array.null_count else _EMPTY
    if type_name == "bool":
        return [nulls, _EMPTY, _bits(buffers[0], begin, rows)]
    if type_name not in _HAS_OFFSETS:
        width = _WIDTHS[type_name]
        return [nulls, _EMPTY, _view(buffers[0])[width * begin : width * (begin + rows)]]
    if rows == 0:
        return [nulls, memoryview(bytes(4)), _EMPTY]
    offsets = np.frombuffer(buffers[0], np.int32, rows + 1, 4 * begin)
    data = _view(buffers[1])[int(offsets[0]) : int(offsets[-1])]
    return [nulls, memoryview(offsets - offsets[0]).cast("B"), data]


def _bits(buffer: pa.Buffer, begin: int, rows: int) -> memoryview:
    """Bits from one of them on, moved to the beginning of a byte."""
    first = begin // 8
    found = np.frombuffer(buffer, np.uint8)[first : (begin + rows + 7) // 8]
    if begin % 8:
        bits = np.unpackbits(found, bitorder="little")[begin % 8 :][:rows]
        found = np.packbits(bits, bitorder="little")
    return memoryview(found)


def _view(buffer: pa.Buffer | None) -> memoryview:
    return _EMPTY if buffer is None else memoryview(buffer)


def text_frame(kind: str, text: bytes) -> bytes:
    """A text as one frame."""
    return (
        json.dumps({"frame": kind, "size": len(text)}, separators=(",", ":")).encode()
        + b"\n"
        + text
    )


def end_frame(rows: int) -> bytes:
    """The frame that proves the stream whole."""
    return json.dumps({"frame": "end", "rows": rows}, separators=(",", ":")).encode() + b"\n"
