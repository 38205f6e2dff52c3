"""Frames of a divided run (docs/SHARDS.md), read, divided by trip and written again."""

import json
import struct

WIDTHS = {"int32": 4, "date32": 4, "int64": 8, "float64": 8, "timestamp_s": 8}


def read(data):
    """Yields (header, buffers or text) of every frame; the last one is `end`."""
    at = 0
    rows = 0
    while at < len(data):
        stop = data.index(b"\n", at)
        header = json.loads(data[at:stop])
        at = stop + 1
        if header["frame"] == "end":
            assert header["rows"] == rows and at == len(data), "the stream is not whole"
            yield header, None
            return
        if "size" in header:
            yield header, data[at:at + header["size"]]
            at += header["size"]
            continue
        buffers = []
        for column in header["columns"]:
            parts = []
            for size in column["sizes"]:
                parts.append(data[at:at + size])
                at += size
            buffers.append(parts)
        rows += header["rows"]
        yield header, buffers
    raise AssertionError("no `end` frame")


def end(rows):
    return json.dumps({"frame": "end", "rows": rows}).encode() + b"\n"


def write(header, buffers):
    """A frame of rows as bytes."""
    columns = [
        {"name": c["name"], "type": c["type"], "sizes": [len(part) for part in parts]}
        for c, parts in zip(header["columns"], buffers)
    ]
    head = {"frame": header["frame"], "rows": header["rows"], "columns": columns}
    return json.dumps(head).encode() + b"\n" + b"".join(b"".join(parts) for parts in buffers)


def bit(bits, row):
    return bits[row >> 3] >> (row & 7) & 1


def packed(truths):
    bits = bytearray((len(truths) + 7) // 8)
    for row, truth in enumerate(truths):
        bits[row >> 3] |= (1 if truth else 0) << (row & 7)
    return bytes(bits)


def value(kind, parts, row):
    """The bytes of one value; nothing is said about nulls."""
    validity, offsets, data = parts
    if kind in ("utf8", "binary"):
        first, last = struct.unpack_from("<ii", offsets, 4 * row)
        return data[first:last]
    width = WIDTHS[kind]
    return data[width * row:width * (row + 1)]


def chosen(header, buffers, rows):
    """The frame with some of its rows alone."""
    result = []
    for column, parts in zip(header["columns"], buffers):
        kind = column["type"]
        validity = packed([bit(parts[0], row) for row in rows]) if parts[0] else b""
        if kind == "bool":
            result.append((validity, b"", packed([bit(parts[2], row) for row in rows])))
            continue
        values = [value(kind, parts, row) for row in rows]
        offsets = b""
        if kind in ("utf8", "binary"):
            ends = [0]
            for one in values:
                ends.append(ends[-1] + len(one))
            offsets = struct.pack("<%di" % len(ends), *ends)
        result.append((validity, offsets, b"".join(values)))
    return dict(header, rows=len(rows)), result


def part_of(ref, parts):
    """The part of the shuffle that a trip belongs to."""
    return int.from_bytes(ref[:4], "little") % parts


def column(header, buffers, name):
    """The type and the buffers of a column."""
    for entry, parts in zip(header["columns"], buffers):
        if entry["name"] == name:
            return entry["type"], parts
    raise KeyError(name)
