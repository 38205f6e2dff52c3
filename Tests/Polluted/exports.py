"""Exports of trips, and what a reader must make of them when they are damaged.

An export is drawn from a seed, record by record; kinds.py damages some. What was planted where is
known from the making: nothing here reads an export. No person is in it.
"""

import random
import re
from dataclasses import dataclass, field
from typing import Iterable

COLUMNS = ("Trip Number", "Pickup", "VISN", "Remarks", "Service Level", "Miles", "Amount Paid",
           "Vehicle Owner")
LEVELS = ("BLS", "ALS1", "ALS2", "SCT", "WCV")
OWNERS = ("VA", "VENDOR")
REMARKS = ("", "", "night shift", "Bay 4, north gate", 'said "at once"', "São Tomé ward",
           "déjà vu", "stairs; no lift", "tab\there", "100 % oxygen", "O'Hare", "a|b",
           "1,204.25 miles, once")

# One row as every reader shall have it; blank remarks are none, miles hundredths, amounts cents.
Row = tuple[str, str, str, str | None, str, int, int, str]

# What the pipeline declares of the cells, and the readers that cannot be told are asked afterwards.
PATTERNS = {
    "Trip Number": r"T-[0-9]{6}",
    "Pickup": r"20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
              r" ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]",
    "VISN": r"[0-9]{2}",
    "Remarks": r"(?s:.*)",
    "Service Level": "|".join(LEVELS),
    "Miles": r"[0-9]{1,4}\.[0-9]",
    "Amount Paid": r"[0-9]{1,5}\.[0-9]{2}",
    "Vehicle Owner": "|".join(OWNERS),
}
SHORT_MONTHS = {"02-29", "02-30", "02-31", "04-31", "06-31", "09-31", "11-31"}


def typed(cells: Iterable[str | None]) -> Row | None:
    """The cells of a row by their types; none where one is not as declared."""
    given = ["" if cell is None else str(cell) for cell in cells]
    for pattern, cell in zip(PATTERNS.values(), given, strict=True):
        if not re.fullmatch(pattern, cell):
            return None
    number, pickup, visn, remarks, level, miles, paid, owner = given
    if pickup[5:10] in SHORT_MONTHS:
        return None
    return (number, pickup, visn, remarks.strip(" \t") or None, level,
            int(miles.replace(".", "")) * 10, int(paid.replace(".", "")), owner)


@dataclass
class Planted:
    """One damage: the lines it spoils, and what is right to say of it."""

    reasons: set[str]
    # How many lines are rejects, from the first of the item on.
    lines: int = 1
    field: str | None = None
    # Where the damage can be undone without a doubt, the row that is right as well.
    or_row: Row | None = None


@dataclass
class Item:
    """One or more lines that stand together, without the last line's end."""

    data: bytes
    row: Row | None = None
    planted: Planted | None = None
    is_repeated: bool = False
    # The cells it was written from, for kinds that write it otherwise.
    cells: tuple[str, ...] = ()


@dataclass
class Export:
    """The bytes of one file, and what is right."""

    name: str
    data: bytes
    # By line: accepted rows; damages.
    rows: dict[int, Row] = field(default_factory=dict)
    planted: dict[int, Planted] = field(default_factory=dict)
    line_count: int = 0
    # `rows`: as above. `refuse`: nothing of the file may be taken. `either`: both are right.
    wanted: str = "rows"


class Draft:
    """An export that is being made."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        of = self.random
        self.quoting = of.choice(("needed", "needed", "all", "texts"))
        self.end = of.choice((b"\n", b"\n", b"\r\n"))
        self.delimiter = ","
        self.columns = COLUMNS
        self.items = [self.item(number) for number in self.numbers(of.randint(20, 60))]
        self.name = "trips.csv"

    def numbers(self, count: int) -> list[int]:
        return self.random.sample(range(100_000, 1_000_000), count)

    def cells(self, number: int) -> tuple[str, ...]:
        of = self.random
        return (f"T-{number}",
                f"2026-{of.randint(1, 9):02}-{of.randint(1, 28):02} "
                f"{of.randint(0, 23):02}:{of.randint(0, 59):02}:{of.randint(0, 59):02}",
                f"{of.randint(1, 23):02}", of.choice(REMARKS), of.choice(LEVELS),
                f"{of.randint(0, 900)}.{of.randint(0, 9)}",
                f"{of.randint(10, 4000)}.{of.randint(0, 99):02}", of.choice(OWNERS))

    def item(self, number: int, **changed: str) -> Item:
        """A clean record, with some of its cells chosen."""
        cells = list(self.cells(number))
        for name, text in changed.items():
            cells[COLUMNS.index(name.replace("_", " "))] = text
        return self.clean(tuple(cells))

    def clean(self, cells: tuple[str, ...]) -> Item:
        return Item(self.written(cells), typed(cells), cells=cells)

    def written(self, cells: Iterable[str]) -> bytes:
        return self.delimiter.join(
            self.cell(text, index) for index, text in enumerate(cells)).encode()

    def cell(self, text: str, index: int) -> str:
        needs = any(letter in text for letter in (self.delimiter, '"', "\n", "\r"))
        if needs or self.quoting == "all" or (self.quoting == "texts" and index in (0, 3, 4, 7)):
            return '"' + text.replace('"', '""') + '"'
        return text

    @property
    def header(self) -> bytes:
        return self.written(self.columns)

    def chosen(self, count: int | None = None) -> list[int]:
        """Some records, in order; never the first, which shows that the file began well."""
        of = self.random
        count = of.randint(1, 3) if count is None else count
        return sorted(of.sample(range(1, len(self.items)), count))

    def plant(self, index: int, data: bytes, *reasons: str, **more: object) -> None:
        """Puts damaged bytes in the place of a record."""
        self.items[index] = Item(data, planted=Planted(set(reasons), **more))

    def export(self, wanted: str = "rows", ends: list[bytes] | None = None,
               last: bytes | None = None, before: bytes = b"") -> Export:
        """Puts the file together and counts its lines."""
        parts = [Item(self.header), *self.items]
        ends = ends or [self.end] * len(parts)
        if last is not None:
            ends = [*ends[:-1], last]
        export = Export(self.name, before + b"".join(
            item.data + end for item, end in zip(parts, ends, strict=True)), wanted=wanted)
        line = 1
        for item in parts:
            if item.row is not None and not item.is_repeated:
                export.rows[line] = item.row
            if item.planted is not None:
                for more in range(item.planted.lines):
                    export.planted[line + more] = item.planted
            line += item.data.count(b"\n") + 1
        export.line_count = line - 1
        return export
