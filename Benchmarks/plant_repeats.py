#!/usr/bin/env python3
"""Copies exports and plants repeats: trips that occur once more in the next month's export.

    plant_repeats.py FROM TO [--seed 1]

Of the records of each export some are written once more, byte for byte, into the next export of the
same layout (duplicates), and some with another paid amount (superseding versions). The choice hangs
on the seed and the record's bytes alone. Exports are read line by line, once; in memory are only the
repeats of one export.
"""

from __future__ import annotations

import argparse
import csv
import io
import zlib
from collections import Counter
from pathlib import Path

# Of 10,000 records. Those of the last export of a layout have no next one, and only records with a
# paid amount can get another; both shares still come out above half a percent of all trips.
DUPLICATES = 60
SUPERSEDING = 140
# A repeat stands after every so many records, so that repeats do not lie together at the end.
SPACING = 40
PAID_COLUMNS = ("paid_amount", "Amt Paid")


def plant(source: Path, target: Path, seed: int) -> Counter[str]:
    """Writes the exports of one folder into another, with repeats, and counts what was planted."""
    target.mkdir(parents=True, exist_ok=True)
    start = zlib.crc32(str(seed).encode())
    counts: Counter[str] = Counter()
    layout = b""
    repeats: list[tuple[str, bytes]] = []
    for path in sorted(source.glob("claims_*.csv")):
        with open(path, "rb") as records, open(target / path.name, "wb") as copy:
            header = records.readline()
            copy.write(header)
            if header != layout:
                layout, repeats = header, []
            paid, columns = columns_of(header)
            waiting: list[tuple[str, bytes]] = []
            written = 0
            for number, line in enumerate(records):
                copy.write(line)
                if number % SPACING == 0 and written < len(repeats):
                    copy.write(repeats[written][1])
                    written += 1
                place = zlib.crc32(line, start) % 10_000
                if place < DUPLICATES + SUPERSEDING:
                    cells = next(csv.reader([line.decode()]))
                    assert len(cells) == columns, "a generated record is one line"
                    if place < DUPLICATES:
                        waiting.append(("duplicates", line))
                    elif cells[paid]:
                        waiting.append(("superseding", with_other_amount(cells, paid, place)))
                counts["records"] += 1
            copy.writelines(line for _, line in repeats[written:])
            counts.update(kind for kind, _ in repeats)
            repeats = waiting
    return counts


def columns_of(header: bytes) -> tuple[int, int]:
    """The index of the paid amount, and how many columns there are."""
    names = next(csv.reader([header.decode()]))
    return next(index for index, name in enumerate(names) if name in PAID_COLUMNS), len(names)


def with_other_amount(cells: list[str], paid: int, step: int) -> bytes:
    """The record with one dollar to two more paid, written as the amount was written."""
    amount = cells[paid]
    cents = round(float(amount.replace("$", "").replace(",", "")) * 100) + 100 + step % 100
    text = f"{cents / 100:,.2f}"
    changed = list(cells)
    changed[paid] = f"${text}" if amount.startswith("$") else text.replace(",", "")
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(changed)
    return line.getvalue().encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    counts = plant(words.source, words.target, words.seed)
    records = counts["records"]
    for kind in ("duplicates", "superseding"):
        print(f"{kind:11} {counts[kind]:>9,} of {records:,} records, {counts[kind] / records:.2%}")


if __name__ == "__main__":
    main()
