"""The kinds of pollution: what a whole file may look like, and what is planted into one.

Each is a function of a draft that gives the export. Its first line of documentation is its row in
the table.
"""

import gzip
import io
import zipfile
import zlib
from typing import Callable

from exports import COLUMNS, Draft, Export, Item, typed

Kind = Callable[[Draft], Export]
KINDS: dict[str, list[Kind]] = {}

FEWER = ("too_few_fields",)
QUOTES = ("unclosed_quote", "stray_quote")
BAD_CELL = ("unknown_value", "wrong_pattern", "wrong_type", "missing_value")
# A cut may also divide a letter.
CUT = (*FEWER, *QUOTES, *BAD_CELL, "invalid_encoding")
HEADER = [name.encode() for name in COLUMNS]


def kind(group: str) -> Callable[[Kind], Kind]:
    def add(function: Kind) -> Kind:
        KINDS.setdefault(group, []).append(function)
        return function
    return add


def title(function: Kind) -> str:
    return (function.__doc__ or "").split("\n")[0].strip().rstrip(".")


clean = kind("to be read whole")
line = kind("one line is damaged")
cell = kind("one cell is damaged")
whole = kind("the file is not what it should be")
packed = kind("gzip")


# To be read whole

@clean
def plain(draft: Draft) -> Export:
    """a plain file, LF or CR LF, quoted as needed or throughout."""
    return draft.export()


@clean
def mixed_ends(draft: Draft) -> Export:
    """LF and CR LF mixed."""
    ends = [draft.random.choice((b"\n", b"\r\n")) for _ in range(len(draft.items) + 1)]
    return draft.export(ends=ends)


@clean
def byte_order_mark(draft: Draft) -> Export:
    """a byte order mark at the start."""
    return draft.export(before=b"\xef\xbb\xbf")


@clean
def no_final_end(draft: Draft) -> Export:
    """no line end after the last record."""
    return draft.export(last=b"")


@clean
def blank_lines(draft: Draft) -> Export:
    """blank lines between records and at the end."""
    for index in reversed(draft.chosen()):
        draft.items.insert(index, Item(b""))
    draft.items += [Item(b"")] * draft.random.randint(1, 3)
    return draft.export()


@clean
def one_record(draft: Draft) -> Export:
    """one record alone."""
    del draft.items[1:]
    return draft.export()


@clean
def quoted_breaks(draft: Draft) -> Export:
    """line breaks, delimiters and doubled quotes inside quotes."""
    of = draft.random
    for index in draft.chosen(of.randint(2, 6)):
        text = of.choice(("first\nsecond", 'a "b"\nc, d', "x\r\ny", "one\n\ntwo", 'so ""quoted""',
                          "ends with\n,"))
        draft.items[index] = draft.item(int(draft.items[index].cells[0][2:]), Remarks=text)
    return draft.export()


@clean
def odd_letters(draft: Draft) -> Export:
    """letters that some take for line ends: U+0085, U+2028, vertical tab, form feed."""
    of = draft.random
    for index in draft.chosen():
        letter = of.choice("\u0085\u2028\u2029\v\f\x1c\x1d\x1e")
        text = f"left{letter}right"
        draft.items[index] = draft.item(int(draft.items[index].cells[0][2:]), Remarks=text)
    return draft.export()


@clean
def other_order(draft: Draft) -> Export:
    """the columns in another order."""
    order = list(range(len(COLUMNS)))
    draft.random.shuffle(order)
    draft.columns = tuple(COLUMNS[index] for index in order)
    for item in draft.items:
        item.data = draft.written(tuple(item.cells[index] for index in order))
    return draft.export()


@clean
def further_column(draft: Draft) -> Export:
    """a column more than is asked for."""
    place = draft.random.randint(0, len(COLUMNS))
    draft.columns = (*COLUMNS[:place], "Dispatcher", *COLUMNS[place:])
    for item in draft.items:
        item.data = draft.written((*item.cells[:place], "D 7", *item.cells[place:]))
    return draft.export()


@clean
def repeated_records(draft: Draft) -> Export:
    """some records twice, byte for byte."""
    for index in reversed(draft.chosen()):
        first = draft.items[index]
        draft.items.insert(draft.random.randint(index + 1, len(draft.items)),
                           Item(first.data, first.row, is_repeated=True, cells=first.cells))
    return draft.export()


# One line is damaged

@line
def too_short(draft: Draft) -> Export:
    """a separator is missing."""
    for index in draft.chosen():
        cells = draft.items[index].cells
        place = draft.random.choice((0, 1, 4, 5, 6))
        joined = (*cells[:place], cells[place] + cells[place + 1], *cells[place + 2:])
        draft.plant(index, draft.written(joined), *FEWER)
    return draft.export()


@line
def too_long(draft: Draft) -> Export:
    """a separator too many: inside a cell, at the end, or an amount with a comma."""
    of = draft.random
    for index in draft.chosen():
        item = draft.items[index]
        cells, place = item.cells, of.randint(0, len(item.cells) - 1)
        more = of.choice(((*cells[:place], "", *cells[place:]), (*cells, ""),
                          (*cells[:6], "1", "204.25", cells[7]),
                          (*cells[:3], "Bay 4", " gate", *cells[4:])))
        # A reader that passes over a blank cell behind all others has the record right.
        undone = item.row if more[:len(cells)] == cells else None
        draft.plant(index, draft.written(more), "too_many_fields", or_row=undone)
    return draft.export()


@line
def cut_line(draft: Draft) -> Export:
    """a line is cut; the next follows."""
    # Two cuts among quotes may close each other's, and then they are one record by the rule.
    for index in draft.chosen(1 if draft.quoting == "all" else None):
        data = draft.items[index].data
        draft.plant(index, data[:draft.random.randint(1, len(data) - 1)], *CUT)
    return draft.export()


@line
def cut_file(draft: Draft) -> Export:
    """the file ends inside its last record."""
    data = draft.items[-1].data
    draft.plant(len(draft.items) - 1, data[:draft.random.randint(1, len(data) - 1)], *CUT)
    return draft.export(last=b"")


@line
def broken_line(draft: Draft) -> Export:
    """a line break in a cell that is not quoted."""
    draft.quoting = "needed"
    for index in draft.chosen():
        draft.items[index] = draft.item(int(draft.items[index].cells[0][2:]), Remarks="plain words")
        data = draft.written(draft.items[index].cells)
        place = draft.random.randint(1, len(data) - 1)
        draft.plant(index, data[:place] + draft.end + data[place:], *FEWER, *BAD_CELL, lines=2)
    return draft.export()


@line
def joined_lines(draft: Draft) -> Export:
    """the line end between two records is missing."""
    for index in reversed(draft.chosen()):
        if index + 1 < len(draft.items) and draft.items[index + 1].planted is None:
            data = draft.items[index].data + draft.items[index + 1].data
            del draft.items[index + 1]
            draft.plant(index, data, "too_many_fields", *QUOTES)
    return draft.export()


@line
def stray_quote(draft: Draft) -> Export:
    """a quote inside a cell."""
    for index in draft.chosen():
        cells = draft.items[index].cells
        place = draft.random.choice((0, 1, 4, 7))
        text = draft.cell(cells[place], place)
        inner = (draft.random.randint(2, len(text) - 2) if text[0] == '"'
                 else draft.random.randint(1, len(text) - 1))
        written = [draft.cell(each, number) for number, each in enumerate(cells)]
        written[place] = text[:inner] + '"' + text[inner:]
        draft.plant(index, ",".join(written).encode(), *QUOTES)
    return draft.export()


@line
def stray_quote_in_text(draft: Draft) -> Export:
    """a quote inside a free text, or text after a closing quote."""
    for index in draft.chosen():
        cells = draft.items[index].cells
        written = [draft.cell(each, number) for number, each in enumerate(cells)]
        written[3] = draft.random.choice(
            ('ward 6" east', '"north" gate', '"a" b "c"', 'x"', '"x"y', '"1" or "2"'))
        # A quote behind a letter may be meant, and may be taken as it stands.
        meant = None if written[3][0] == '"' else typed((*cells[:3], written[3], *cells[4:]))
        draft.plant(index, ",".join(written).encode(), *QUOTES, or_row=meant)
    return draft.export()


@line
def unclosed_quote(draft: Draft) -> Export:
    """a quote is opened and never closed."""
    for index in draft.chosen():
        cells = draft.items[index].cells
        place = draft.random.choice((0, 1, 2, 3, 4, 5, 6, 7))
        written = [draft.cell(each, number) for number, each in enumerate(cells)]
        text = cells[place].replace('"', "").replace(",", "") or "words"
        written[place] = '"' + text
        draft.plant(index, ",".join(written).encode(), *QUOTES, *FEWER)
    return draft.export()


@line
def other_delimiter(draft: Draft) -> Export:
    """a line with another delimiter."""
    for index in draft.chosen():
        cells = [each.replace(",", " ").replace('"', "") for each in draft.items[index].cells]
        draft.plant(index, draft.random.choice(";\t|").join(cells).encode(), *FEWER)
    return draft.export()


@line
def shifted(draft: Draft) -> Export:
    """cells shifted by a column, their count right."""
    for index in draft.chosen():
        cells = list(draft.items[index].cells)
        place = draft.random.randint(0, 7)
        if draft.random.random() < 0.5:
            moved = [*cells[:place], "", *cells[place:-1]]
        else:
            del cells[min(place, 6)]
            moved = [*cells, ""]
        draft.plant(index, draft.written(moved), *BAD_CELL)
    return draft.export()


@line
def swapped_cells(draft: Draft) -> Export:
    """two cells of a line exchanged."""
    for index in draft.chosen():
        cells = list(draft.items[index].cells)
        one, other = draft.random.choice(((0, 1), (2, 4), (4, 7), (1, 5), (0, 7), (2, 6)))
        cells[one], cells[other] = cells[other], cells[one]
        draft.plant(index, draft.written(cells), *BAD_CELL)
    return draft.export()


@line
def nul(draft: Draft) -> Export:
    """a NUL byte."""
    for index in draft.chosen():
        data = draft.items[index].data
        place = draft.random.randint(0, len(data) - 1)
        keeps = draft.random.random() < 0.5
        draft.plant(index, data[:place] + b"\0" + data[place + (not keeps):], "nul_byte")
    return draft.export()


@line
def hole(draft: Draft) -> Export:
    """a block of NUL bytes across several lines, as a torn copy leaves."""
    first = draft.random.randint(1, len(draft.items) - 4)
    last = first + draft.random.randint(1, 3)
    data = draft.end.join(item.data for item in draft.items[first:last + 1])
    start = draft.random.randint(1, len(draft.items[first].data) - 1)
    stop = len(data) - draft.random.randint(1, len(draft.items[last].data) - 1)
    del draft.items[first + 1:last + 1]
    draft.plant(first, data[:start] + b"\0" * (stop - start) + data[stop:], "nul_byte")
    return draft.export()


@line
def bad_utf8(draft: Draft) -> Export:
    """bytes that are no UTF-8."""
    wrong = (b"\xff", b"\xc3", b"\xe9t\xe9", b"\xc0\xaf", b"\xed\xa0\x80", b"\x80",
             b"\xf5\x80\x80\x80")
    for index in draft.chosen():
        cells = draft.items[index].cells
        parts = [draft.cell(each, number).encode() for number, each in enumerate(cells)]
        text = parts[3]
        place = len(text) - 1 if text[:1] == b'"' else len(text)
        parts[3] = text[:place] + draft.random.choice(wrong) + text[place:]
        draft.plant(index, b",".join(parts), "invalid_encoding")
    return draft.export()


@line
def carriage_return(draft: Draft) -> Export:
    """a carriage return in the middle of a line."""
    draft.quoting = "needed"
    for index in draft.chosen():
        cells = list(draft.items[index].cells)
        cells[3] = "plain words"
        column = draft.random.randint(0, 7)
        place = draft.random.randint(1, len(cells[column]) - 1)
        cells[column] = cells[column][:place] + "\r" + cells[column][place:]
        # In a free text it may be meant.
        draft.plant(index, ",".join(cells).encode(), "invalid_encoding", or_row=typed(cells))
    return draft.export()


@line
def repeated_header(draft: Draft) -> Export:
    """the header again, as in exports put together."""
    for index in reversed(draft.chosen()):
        quoted = b",".join(b'"' + name + b'"' for name in HEADER)
        data = draft.random.choice((draft.header, draft.header, quoted))
        draft.items.insert(index, Item(b""))
        draft.plant(index, data, "repeated_header")
    return draft.export()


@line
def twice_the_export(draft: Draft) -> Export:
    """the same export twice in one file."""
    again = [Item(item.data, item.row, is_repeated=True, cells=item.cells) for item in draft.items]
    draft.items += [Item(b""), *again]
    draft.plant(len(again), draft.header, "repeated_header")
    return draft.export()


@line
def footer(draft: Draft) -> Export:
    """a line of totals, or what a report prints below a table."""
    count = len(draft.items)
    draft.items.append(Item(b""))
    draft.plant(count, draft.random.choice((
        f"Total,,,,,,{count * 100}.00,", f"{count} rows", f"({count} rows affected)",
        "-- end of report --", f"TRAILER|{count}", "\x1a", f",,,,,,{count * 100}.00,",
        "Printed 2026-10-01 04:00:00, page 1 of 1")).encode(), *FEWER, *BAD_CELL)
    return draft.export(last=draft.random.choice((b"", draft.end)))


@line
def message_inside(draft: Draft) -> Export:
    """an error message of the sender's database in the middle."""
    for index in reversed(draft.chosen()):
        draft.items.insert(index, Item(b""))
        draft.plant(index, draft.random.choice((
            b"ORA-01555: snapshot too old", b"Warning: mysql_fetch_array() expects parameter 1",
            b"<br />", b"Msg 1205, Level 13, State 51", b"NULL", b"#", b"... 412 more")),
            *FEWER, *QUOTES)
    return draft.export()


@line
def record_too_long(draft: Draft) -> Export:
    """a cell of a megabyte, or a hundred thousand cells."""
    index = draft.chosen(1)[0]
    item = draft.items[index]
    if draft.random.random() < 0.5:
        long = draft.item(int(item.cells[0][2:]), Remarks="x" * (1 << 20))
        draft.plant(index, long.data, "record_too_long", or_row=long.row)
    else:
        draft.plant(index, item.data + b"," * 100_000, "too_many_fields", "record_too_long",
                    or_row=item.row)
    return draft.export()


# One cell is damaged

def with_cells(draft: Draft, column: str, texts: tuple[str, ...], *reasons: str) -> Export:
    place = COLUMNS.index(column)
    for index in draft.chosen():
        cells = list(draft.items[index].cells)
        cells[place] = draft.random.choice(texts)
        draft.plant(index, draft.written(cells), *reasons, field=column)
    return draft.export()


@cell
def bad_amount(draft: Draft) -> Export:
    """an amount that is none."""
    return with_cells(draft, "Amount Paid", (
        "n/a", "12.3.4", "1O.00", "€5.00", "#REF!", "1.2E+03", "12,34", "--", "NaN", "10.00 USD",
        "0x1F", "12.345"), "wrong_type")


@cell
def bad_date(draft: Draft) -> Export:
    """a day or time that there is not."""
    return with_cells(draft, "Pickup", (
        "2026-02-30 10:00:00", "2026-13-01 10:00:00", "2026-04-31 10:00:00", "yesterday", "45997.4",
        "0000-00-00 00:00:00", "2026-05-01 24:10:00", "2026-05-01 10:61:00", "05/01/2026 10:00",
        "2026-05-01"), "wrong_type", "out_of_range")


@cell
def bad_number(draft: Draft) -> Export:
    """a number that a spreadsheet has rewritten."""
    return with_cells(draft, "Trip Number", (
        "1.23457E+11", "T-1,23E+05", "123456.0", "#NAME?", "########", "T-12345", "=T-123456"),
        "wrong_pattern")


@cell
def unknown_word(draft: Draft) -> Export:
    """a word that is not in the list."""
    return with_cells(draft, "Vehicle Owner", ("va", "VAN", "V", "VENDER", "0", "NULL", "Total"),
                      "unknown_value")


@cell
def blank_cell(draft: Draft) -> Export:
    """a cell that must not be blank is."""
    return with_cells(
        draft, draft.random.choice([name for name in COLUMNS if name != "Remarks"]),
        ("", "", "  ", "\t"), "missing_value")


@cell
def invisible(draft: Draft) -> Export:
    """an invisible character before or after a cell: a byte order mark, a no-break space."""
    for index in draft.chosen():
        item = draft.items[index]
        cells, place = list(item.cells), draft.random.choice((0, 2, 4, 7))
        letter = draft.random.choice("\ufeff\u00a0\u200b\u2007")
        before = draft.random.random() < 0.5
        cells[place] = letter + cells[place] if before else cells[place] + letter
        draft.plant(index, draft.written(cells), *BAD_CELL, or_row=item.row)
    return draft.export()


# The file is not what it should be

@whole
def no_header(draft: Draft) -> Export:
    """no header."""
    draft.columns = draft.items.pop(0).cells
    return draft.export("refuse")


@whole
def preamble(draft: Draft) -> Export:
    """lines above the header: a title, a date, `sep=,`."""
    above = draft.random.choice((b"Trips of October", b"sep=,", b"Report,Trips\nDate,2026-10-01",
                                 b"# made by hand", b"-- trips --,,,,,,,"))
    return draft.export("refuse", before=above + draft.end)


@whole
def other_names(draft: Draft) -> Export:
    """a column is named otherwise, lacks, or is there twice."""
    of, names = draft.random, list(COLUMNS)
    place = of.randint(0, len(names) - 1)
    way = of.choice(("otherwise", "lacks", "twice", "case"))
    if way == "lacks":
        del names[place]
        for item in draft.items:
            item.data = draft.written((*item.cells[:place], *item.cells[place + 1:]))
    else:
        names[place] = {"otherwise": names[place][:-1], "case": names[place].swapcase(),
                        "twice": names[place - 1]}[way]
    draft.columns = tuple(names)
    return draft.export("refuse")


@whole
def swapped_names(draft: Draft) -> Export:
    """two names of the header exchanged, the cells not."""
    names = list(COLUMNS)
    one, other = draft.random.choice(((0, 1), (1, 6), (2, 4), (4, 7), (0, 2)))
    names[one], names[other] = names[other], names[one]
    draft.columns = tuple(names)
    return draft.export("refuse")


@whole
def other_header_width(draft: Draft) -> Export:
    """the header has a column more, or fewer, than all records."""
    draft.columns = draft.random.choice(
        ((*COLUMNS, "Dispatcher"), (*COLUMNS[:3], "Dispatcher", *COLUMNS[3:]), COLUMNS[:-1]))
    return draft.export("refuse")


@whole
def other_dialect(draft: Draft) -> Export:
    """another delimiter or quote throughout."""
    if draft.random.random() < 0.6:
        draft.delimiter = draft.random.choice(";\t|")
        draft.quoting = "needed"
        draft.items = [draft.clean(item.cells) for item in draft.items]
        return draft.export("refuse")
    for item in draft.items:
        cells = tuple(text.replace("'", " ").replace('"', " ") for text in item.cells)
        item.data, item.row = ",".join(f"'{text}'" for text in cells).encode(), typed(cells)
    export = draft.export("refuse")
    header = ",".join(f"'{name}'" for name in COLUMNS).encode()
    export.data = export.data.replace(draft.header, header)
    return export


@whole
def other_encoding(draft: Draft) -> Export:
    """UTF-16 or UTF-32."""
    export = draft.export("refuse")
    name = draft.random.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32"))
    export.data = export.data.decode().encode(name)
    return export


@whole
def other_ends(draft: Draft) -> Export:
    """carriage returns alone as line ends."""
    draft.end = b"\r"
    return draft.export("refuse")


@whole
def nothing(draft: Draft) -> Export:
    """no byte, blank lines, or a header alone."""
    draft.items.clear()
    export = draft.export("either")
    export.data = draft.random.choice((b"", b"\n", b"\r\n\r\n", b" ", b"\xef\xbb\xbf", export.data,
                                       export.data.rstrip()))
    return export


@whole
def another_thing(draft: Draft) -> Export:
    """a zip archive, a spreadsheet, a page or JSON, named .csv."""
    export = draft.export("refuse")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        if draft.random.random() < 0.5:
            file.writestr("[Content_Types].xml", "<Types/>")
            file.writestr("xl/worksheets/sheet1.xml", "<worksheet><sheetData/></worksheet>")
        else:
            file.writestr("trips.csv", export.data)
    page = (b"<!DOCTYPE html>\n<html><body><p>Your session, expired, sign in</p></body></html>\n")
    export.data = draft.random.choice(
        (archive.getvalue(), page, b'[{"Trip Number": "T-100001", "VISN": "07"}]\n'))
    return export


# gzip

def zipped(draft: Draft, data: bytes) -> bytes:
    return gzip.compress(data, draft.random.choice((1, 6, 9)), mtime=0)


@packed
def intact(draft: Draft) -> Export:
    """intact: one member or several, zeros below."""
    draft.name = "trips.csv.gz"
    export = draft.export()
    cut = draft.random.randint(0, len(export.data))
    members = draft.random.choice(((export.data,), (export.data[:cut], export.data[cut:])))
    export.data = (b"".join(zipped(draft, each) for each in members)
                   + b"\0" * draft.random.choice((0, 0, 7, 512)))
    return export


@packed
def gzip_cut(draft: Draft) -> Export:
    """cut anywhere, also in its second member."""
    draft.name = "trips.csv.gz"
    export = draft.export("refuse")
    data = zipped(draft, export.data)
    place = draft.random.randint(0, len(data) - 1)
    export.data = (data if place > 10 and draft.random.random() < 0.3 else b"") + data[:place or 1]
    return export


@packed
def gzip_flipped(draft: Draft) -> Export:
    """a bit flipped in the compressed data, the check sum or the length."""
    draft.name = "trips.csv.gz"
    export = draft.export("refuse")
    data = bytearray(zipped(draft, export.data))
    data[draft.random.randint(10, len(data) - 1)] ^= 1 << draft.random.randint(0, 7)
    # Some flips leave the same text: unused bits, and other ways to write a code.
    same = False
    try:
        same = zlib.decompress(bytes(data), 31) == export.data
    except zlib.error:
        pass
    export.data, export.wanted = bytes(data), "either" if same else "refuse"
    return export


@packed
def gzip_header(draft: Draft) -> Export:
    """a damaged header: another method, reserved flags, a wrong check sum of its own."""
    draft.name = "trips.csv.gz"
    export = draft.export("refuse")
    data = bytearray(zipped(draft, export.data))
    way = draft.random.choice(("method", "flags", "sum", "magic"))
    if way == "method":
        data[2] = draft.random.randint(0, 7)
    elif way == "flags":
        data[3] |= 1 << draft.random.randint(5, 7)
    elif way == "magic":
        data[draft.random.randint(0, 1)] ^= 0xFF
    else:
        data[3] |= 2
        data[10:10] = ((zlib.crc32(bytes(data[:10])) & 0xFFFF) ^ 1).to_bytes(2, "little")
    export.data = bytes(data)
    return export


@packed
def gzip_trailing(draft: Draft) -> Export:
    """other bytes after its end."""
    draft.name = "trips.csv.gz"
    export = draft.export("refuse")
    export.data = zipped(draft, export.data) + draft.random.choice(
        (b"x", b"\n", b"T-1,2,3\n", b"\x1f\x8b", b"\0\0\1", b"PK\3\4", export.data[:80]))
    return export


@packed
def plain_named_gz(draft: Draft) -> Export:
    """plain text named .gz."""
    draft.name = "trips.csv.gz"
    return draft.export("refuse")
