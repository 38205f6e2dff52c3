"""Bytes of an export into records, by the record rule and nothing else.

A record is the shortest run of physical lines from a record start that parses strictly (a closing
quote is followed by the delimiter or the line end) and has the header's field count, within the
limits. Where no such run exists, the first physical line alone is the reject and reading goes on
at the next line. Work is not bounded here; this is the plain twin, not the fast one.
"""

import gzip
import hashlib

MAGIC = b"\x1f\x8b"


class Refused(Exception):
    """The file as a whole cannot be read; carries a reason without content."""


class Dialect:
    """How text is divided into records and cells; all marks are single bytes."""

    def __init__(self, delimiter=b",", quote=b'"', escape=None, line_ends="any", encoding="utf-8",
                 breaks_in_quotes=True, columns=None, lines_max=100, bytes_max=256 * 1024):
        self.delimiter = delimiter
        self.quote = quote
        self.escape = escape
        self.line_ends = line_ends
        self.encoding = encoding
        self.breaks_in_quotes = breaks_in_quotes
        self.columns = columns
        self.lines_max = lines_max
        self.bytes_max = bytes_max


class Line:
    """A physical line: its bytes without the line end, its number from 1, its byte offset."""

    __slots__ = ("body", "end", "number", "offset")

    def __init__(self, body, end, number, offset):
        self.body = body
        self.end = end
        self.number = number
        self.offset = offset


class Record:
    """A record that was read: `cells` are texts. Or one that was not: `faults` say why."""

    __slots__ = ("number", "line", "offset", "size", "cells", "faults")

    def __init__(self, number, line, offset, size, cells, faults):
        self.number = number
        self.line = line
        self.offset = offset
        self.size = size
        self.cells = cells
        self.faults = faults


class Export:
    """A whole file, divided."""

    def __init__(self, header, records, line_count, blank_count):
        self.header = header
        self.records = records
        self.line_count = line_count
        self.blank_count = blank_count


def expanded(raw):
    """The bytes of a plain or gzip file; gzip's check sums are verified by the library."""
    if not raw.startswith(MAGIC):
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, ValueError) as error:
        raise Refused(f"gzip: {type(error).__name__}") from None
    except Exception as error:
        raise Refused(f"gzip: {type(error).__name__}") from None


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def physical_lines(content, line_ends):
    """Cuts bytes at line ends; a last line without one counts, an empty rest does not."""
    lines = []
    offset = 0
    number = 1
    mark = b"\r" if line_ends == "cr" else b"\n"
    while offset < len(content):
        found = content.find(mark, offset)
        stop = len(content) if found < 0 else found
        body = content[offset:stop]
        end = b"" if found < 0 else mark
        if line_ends in ("any", "crlf") and end and body.endswith(b"\r"):
            body, end = body[:-1], b"\r\n"
        elif line_ends == "crlf" and end:
            raise Refused("a line ends without a carriage return")
        lines.append(Line(body, end, number, offset))
        number += 1
        offset = stop + 1 if found >= 0 else stop
    return lines


def read_export(content, dialect):
    """Divides a whole expanded file.

    Raises Refused where the header cannot be read.
    """
    if not content:
        raise Refused("no bytes")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Refused("UTF-16")
    base = 3 if content.startswith(b"\xef\xbb\xbf") and dialect.encoding == "utf-8" else 0
    lines = physical_lines(content[base:], dialect.line_ends)
    for line in lines:
        line.offset += base
    blank_count = 0
    start = 0
    header_cells = None
    if dialect.columns is not None:
        header = list(dialect.columns)
    else:
        first, used = candidate(lines, 0, None, dialect)
        if used == 0:
            raise Refused("the header is not a record")
        header = [decoded(cell, dialect) for cell in first]
        if any(name is None or "\0" in name for name in header) or header == [""]:
            raise Refused("the header is not text")
        header_cells = list(first)
        start = used
    records = []
    index = start
    while index < len(lines):
        line = lines[index]
        if line.body == b"":
            blank_count += 1
            index += 1
            continue
        cells, used = candidate(lines, index, len(header), dialect)
        faults = {cells} if used == 0 else set()
        used = used or 1
        whole = run_bytes(lines, index, used)
        texts = None
        if repeats(cells, header_cells):
            faults = {"repeated_header"}
        else:
            # A line can be broken in several ways; which one is named is not judged.
            if b"\0" in whole:
                faults.add("nul_byte")
            if decoded(whole, dialect) is None:
                faults.add("invalid_encoding")
            if faults and b"\r" in line.body:
                faults.add("invalid_encoding")
                if dialect.quote and dialect.quote in line.body:
                    faults.add("stray_quote")
        if not faults:
            texts = [decoded(cell, dialect) for cell in cells]
        records.append(
            Record(len(records) + 1, line.number, line.offset, len(whole), texts, faults))
        index += used
    return Export(header, records, len(lines), blank_count)


def repeats(cells, header_cells):
    """Whether the cells of a line are the header's, with or without a byte order mark."""
    if header_cells is None or isinstance(cells, str):
        return False
    return list(cells) == header_cells or (
        cells[0] == b"\xef\xbb\xbf" + header_cells[0] and list(cells[1:]) == header_cells[1:])


def run_bytes(lines, index, used):
    """The bytes of a run of lines without the last line end."""
    parts = []
    for line in lines[index : index + used]:
        parts += [line.body, line.end]
    return b"".join(parts[:-1])


def decoded(cell, dialect):
    """The text of a cell, or None where the bytes are not text in the declared encoding."""
    try:
        return cell.decode(dialect.encoding)
    except UnicodeDecodeError:
        return None


def candidate(lines, index, field_count, dialect):
    """The record that begins at a line: its cells and its number of lines.

    Returns a reason and 0 where there is none.
    """
    quote, delimiter, escape = dialect.quote, dialect.delimiter, dialect.escape
    cells = []
    cell = bytearray()
    state = "start"                 # of a field | plain | quoted | closed
    size = 0
    used = 0
    while index + used < len(lines):
        line = lines[index + used]
        used += 1
        size += len(line.body)
        if used > dialect.lines_max or size > dialect.bytes_max:
            return ("record_too_long" if used == 1 else "unclosed_quote"), 0
        body = line.body
        if state == "start" and (quote is None or quote not in body):
            if b"\r" in body:
                return "invalid_encoding", 0
            cells = body.split(delimiter)
            return counted(cells, field_count, used)
        at = 0
        while at < len(body):
            byte = body[at : at + 1]
            if state == "quoted":
                if escape and byte == escape and at + 1 < len(body):
                    cell += body[at + 1 : at + 2]
                    at += 1
                elif byte == quote:
                    if not escape and body[at + 1 : at + 2] == quote:
                        cell += quote
                        at += 1
                    else:
                        state = "closed"
                else:
                    cell += byte
            elif byte == delimiter:
                cells.append(bytes(cell))
                cell = bytearray()
                state = "start"
            elif state == "closed":
                return "stray_quote", 0
            elif byte == quote:
                if state != "start":
                    return "stray_quote", 0
                state = "quoted"
            elif byte == b"\r":
                # Outside quotes a carriage return ends a line or stands for nothing.
                return ("invalid_encoding" if used == 1 else "unclosed_quote"), 0
            else:
                cell += byte
                state = "plain"
            at += 1
        if state != "quoted":
            cells.append(bytes(cell))
            return counted(cells, field_count, used)
        if not dialect.breaks_in_quotes:
            return "unclosed_quote", 0
        cell += line.end
        size += len(line.end)
    return "unclosed_quote", 0


def counted(cells, field_count, used):
    if field_count is None or len(cells) == field_count:
        return cells, used
    return ("too_many_fields" if len(cells) > field_count else "too_few_fields"), 0
