"""The generation that is served, and what people ask of it."""

from __future__ import annotations

import contextlib
import itertools
import random
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator
from urllib.parse import urlencode

from comparison.data import SEED, Data
from comparison.engines import PIPELINE, program

# Lists of each combination of filters: that of the commonest values, that of the rarest, and some by chance.
LISTS = 10


@dataclass(frozen=True)
class Filter:
    """Months from the first to the last, a trip type and a region, each given or not."""

    first: str | None
    last: str | None
    trip_type: str | None
    region: str | None

    @property
    def query(self) -> str:
        """As our server reads it."""
        chosen = {"from": self.first, "to": self.last, "trip_type": self.trip_type, "region": self.region}
        return urlencode({name: value for name, value in chosen.items() if value is not None})


class Mart:
    """A mart, made where it is not there."""

    def __init__(self, folder: Path, trips: int) -> None:
        self.exports = Data(folder, trips, program()).exports("plain", has_repeats=False)
        self.folder = folder / f"trips-{trips}" / "mart"
        if not (self.folder / "kpi.sqlite").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.run()

    def run(self, *options: str) -> None:
        """One whole run over all exports."""
        self.started(*options).wait()
        if not (self.folder / "kpi.sqlite").exists():
            raise SystemExit("the mart could not be made")

    def started(self, *options: str) -> subprocess.Popen[bytes]:
        """The same, while it goes on."""
        command = [program(), "run", PIPELINE, "--mart", self.folder, "--input", self.exports.folder,
                   "--reference", self.exports.reference, *options]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def key_file(self) -> Path:
        return self.folder.with_name(self.folder.name + ".key")

    @contextlib.contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """The file of the generation that is served, to be read."""
        path = self.folder / "triptych.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            yield connection

    def filters(self) -> list[Filter]:
        """One month or all, of every value and of all, each of which has trips: in an order that is no order."""
        with self.opened() as connection:
            keys = connection.execute(
                "SELECT month, month, trip_type, region FROM kpi_cube ORDER BY 1, 3, 4").fetchall()
        every = [Filter(*(None if value == "all" else value for value in key)) for key in keys]
        random.Random(SEED).shuffle(every)
        return every

    def ranges(self) -> list[Filter]:
        """Several months, both ends by chance, of every value and of all: in an order that is no order."""
        with self.opened() as connection:
            keys = connection.execute(
                "SELECT trip_type, region FROM kpi_cube WHERE month = 'all' ORDER BY 1, 2").fetchall()
        every = [
            Filter(first, last, *(None if value == "all" else value for value in key))
            for (first, last), key in itertools.product(itertools.combinations(self.months, 2), keys)
        ]
        random.Random(SEED).shuffle(every)
        return every

    @property
    def months(self) -> list[str]:
        """All months, the oldest first."""
        return sorted(self._frequent("month"))

    def lists(self) -> Iterator[tuple[str, list[Filter]]]:
        """Every combination of filters, with some lists of each."""
        chance = random.Random(SEED)
        single = [(month, month) for month in self._frequent("month")]
        several = list(itertools.combinations(self.months, 2))
        # From the longest to the shortest.
        several.sort(key=lambda pair: self.months.index(pair[0]) - self.months.index(pair[1]))
        spans = {"": [(None, None)], "month": single, "several months": several}
        types, regions = self._frequent("trip_type"), self._frequent("region")
        for (name, months), has_type, has_region in itertools.product(spans.items(), [False, True], [False, True]):
            values = [months, types if has_type else [None], regions if has_region else [None]]
            chosen = [[each[0] for each in values], [each[-1] for each in values]]
            chosen += [[chance.choice(each) for each in values] for _ in range(LISTS - 2)]
            filters = dict.fromkeys(Filter(*span, trip_type, region) for span, trip_type, region in chosen)
            words = [name, "trip type" if has_type else "", "region" if has_region else ""]
            yield ", ".join(filter(None, words)) or "everything", list(filters)

    def _frequent(self, name: str) -> list[str]:
        """The values of a dimension, those of most trips first."""
        others = " AND ".join(f"{key} = 'all'" for key in ["month", "trip_type", "region"] if key != name)
        with self.opened() as connection:
            return [row[0] for row in connection.execute(
                f"SELECT {name} FROM kpi_cube WHERE {name} <> 'all' AND {others} ORDER BY trips DESC, 1")]
