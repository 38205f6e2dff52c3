"""Exports as people have them, each odd in one way, always the same for a seed.

A kind of file is a function of odd_forms.py or odd_values.py. It makes the file from trips that it
knows: what they are, by month and with their dollars, does not come from reading the file again.
"""

from __future__ import annotations

import collections
import csv
import io
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

HEADER = ("Trip Number", "Pickup", "County", "Service Level", "Amount Paid", "Owner")
OWNERS = ("VA", "Alder Ambulance", "Birch EMS")
# Made-up names: they stand in no list of people, and nowhere else in what the program prints.
SURNAMES = ("Quillfeather", "Ombersley", "Trevanion", "Zellweger-Ash", "Vantongeren")


@dataclass
class Trip:
    """What one record is about."""

    id: str
    at: datetime
    county: str
    level: str
    cents: int
    owner: str


@dataclass
class Odd:
    """A file, with what is right about it.

    `asked` is what `init` has to leave undecided, by the field's name; `refused` is its exit where
    it must refuse the file. `runs` is false where no run is possible before an answer. `rejects`
    is the number of records that no run can take for trips. `says` are words that its answer needs.
    Where `is_classed`, the trips of the owner VA are those in-house.
    """

    name: str
    data: bytes
    trips: list[Trip]
    has_money: bool = True
    asked: tuple[str, ...] = ()
    refused: int | None = None
    runs: bool = True
    rejects: int = 0
    is_classed: bool = False
    private: list[str] = field(default_factory=list)
    says: tuple[str, ...] = ()

    @property
    def months(self) -> dict[str, tuple[int, int]]:
        """Trips and cents by month."""
        found: dict[str, tuple[int, int]] = collections.defaultdict(lambda: (0, 0))
        for trip in self.trips:
            count, cents = found[f"{trip.at:%Y-%m}"]
            found[f"{trip.at:%Y-%m}"] = count + 1, cents + (trip.cents if self.has_money else 0)
        return dict(found)


KINDS: dict[str, Callable[[random.Random], Odd]] = {}


def kind(make: Callable[[random.Random], Odd]) -> Callable[[random.Random], Odd]:
    """Adds a function to the list, under its name with blanks."""
    KINDS[make.__name__.replace("_", " ")] = make
    return make


def some(rng: random.Random, count: int = 80, first: str = "T{}") -> list[Trip]:
    """Trips of three months, in order of their pick-up."""
    start = datetime(2026, 8, 1)
    minutes = sorted(rng.randrange(90 * 1440) for _ in range(count))
    return [
        Trip(first.format(20261 + 7 * number), start + timedelta(minutes=minute),
             rng.choice(("Adams", "Cañon", "Lake")), rng.choice(("BLS", "ALS", "SCT")),
             rng.randrange(2_000, 250_000), rng.choice(OWNERS))
        for number, minute in enumerate(minutes)
    ]


def dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def usual(trip: Trip) -> list[str]:
    return [trip.id, f"{trip.at:%m/%d/%Y %H:%M}", trip.county, trip.level, dollars(trip.cents),
            trip.owner]


def table(header: Iterable[str], rows: Iterable[Iterable[str]], mark: str = ",",
          end: str = "\n", quoting: int = csv.QUOTE_MINIMAL) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator=end, quoting=quoting)
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def plain(trips: list[Trip], header: Iterable[str] = HEADER,
          row: Callable[[Trip], list[str]] = usual) -> bytes:
    return table(header, map(row, trips)).encode()


def changed(place: int, text: Callable[[Trip], str]) -> Callable[[Trip], list[str]]:
    """A row of the usual cells but one."""
    def row(trip: Trip) -> list[str]:
        cells = usual(trip)
        cells[place] = text(trip)
        return cells
    return row
