"""Cubes: reading them, and finding where two differ."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

Key = tuple[str, str, str]
Cube = dict[Key, tuple[int, ...]]

COLUMNS = ["trips", "in_house", "contracted", "undetermined", "cost_cents", "miles_hundredths"]
# The finest cells: rolled-up ones say `all` and follow from these.
MART_CELLS = """
    SELECT month, trip_type, region, trips, in_house_trips, contracted_trips, undetermined_trips,
        cost_cents, loaded_miles_hundredths
    FROM kpi_cube WHERE month <> 'all' AND trip_type <> 'all' AND region <> 'all'
"""


def of_mart(mart: Path) -> Cube:
    """The finest cells of a published generation."""
    database = sqlite3.connect(f"file:{mart / 'triptych.sqlite'}?mode=ro&immutable=1", uri=True)
    try:
        return {tuple(row[:3]): tuple(row[3:]) for row in database.execute(MART_CELLS)}
    finally:
        database.close()


def of_file(path: Path) -> Cube:
    """A cube as a rival wrote it. A cell that stands twice would hide one of the two: it is refused."""
    cube: Cube = {}
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            key = (row[0], row[1], row[2])
            if key in cube:
                raise ValueError(f"the cell {' '.join(key)} stands twice")
            cube[key] = tuple(int(cell) for cell in row[3:])
    return cube


def differences(ours: Cube, theirs: Cube) -> list[str]:
    """One line for each cell in which the two differ, in the order of the cells."""
    found: list[str] = []
    for key in sorted(ours.keys() | theirs.keys()):
        our, their = ours.get(key), theirs.get(key)
        if our == their:
            continue
        if our is None or their is None:
            found.append(f"{' '.join(key)}: only in {'theirs' if our is None else 'ours'}")
            continue
        parts = [f"{name} {a} here and {b} there"
                 for name, a, b in zip(COLUMNS, our, their, strict=True) if a != b]
        found.append(f"{' '.join(key)}: {', '.join(parts)}")
    return found
