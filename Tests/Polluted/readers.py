"""The readers: ours, and those that exports are mostly loaded with, each as strict as it can be
told to be while it goes on after a damaged line where it is able to.

    readers.py READER FOLDER        one line of JSON per export of FOLDER

All are told the delimiter, the quote, that the first line is a header and that the text is UTF-8,
and take every cell as text; columns are asked for by name. What a reader cannot be told of the
cells (patterns, words, what may not be blank) is asked of its rows afterwards, for all by the same
conditions: `typed` of exports.py. So they differ only in what they make of lines.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import warnings
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path

from exports import COLUMNS, typed

PIPELINE = Path(__file__).resolve().parent / "pipeline"
FIELDS = {"trip_id": "Trip Number", "pickup_at": "Pickup", "region": "VISN", "remarks": "Remarks",
          "trip_type": "Service Level", "miles": "Miles", "cost": "Amount Paid",
          "owner": "Vehicle Owner"}


@dataclass
class Reading:
    """What a reader made of one export."""

    # Why it took nothing.
    refused: str | None = None
    rows: list[list[object]] = field(default_factory=list)
    # By line, where it says: the damages it names, each with reason and column.
    named: dict[int, tuple[str, str | None]] = field(default_factory=dict)
    # Line numbers of the rows, where it says.
    lines: list[int] = field(default_factory=list)
    # How many lines or rows it set aside, named or not.
    set_aside: int = 0
    # How many it took in all the same, with a warning that names the line.
    warned: int = 0
    line_count: int | None = None


def of_texts(rows: list[tuple[str | None, ...]], set_aside: int = 0, **more: object) -> Reading:
    """Rows that are as declared; the others are set aside."""
    good = [row for row in map(typed, rows) if row is not None]
    return Reading(rows=[list(row) for row in good], set_aside=set_aside + len(rows) - len(good),
                   **more)


class Triptych:
    """One night for each export, in a mart of its own."""

    title = "Triptych"

    def __init__(self) -> None:
        self.version = said("triptych", "--version")

    def read(self, path: Path) -> Reading:
        with tempfile.TemporaryDirectory() as folder:
            mart = Path(folder) / "mart"
            ending = self.run("run", str(PIPELINE), "--mart", str(mart),
                              "--input", str(path.parent), "--threads", "1")
            if not (mart / "triptych.sqlite").exists():
                said = ending.stdout + ending.stderr
                if ending.returncode in (11, 65):
                    return Reading(refused=f"status {ending.returncode}")
                return Reading(refused=None, line_count=-1,
                               named={0: (f"status {ending.returncode}: {said[:300]}", None)})
            listed = self.run("rejects", "list", "--file", path.name, "--limit", "100000",
                              "--format", "json", "--mart", str(mart))
            reading = self.published(mart)
            for reject in json.loads(listed.stdout):
                column = FIELDS.get(reject["field"]) if reject["field"] else None
                reading.named[reject["line_number"]] = (reject["reason"], column)
            reading.set_aside = len(reading.named)
            return reading

    @staticmethod
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["triptych", *words], capture_output=True, text=True,
                              errors="replace", timeout=120)

    @staticmethod
    def published(mart: Path) -> Reading:
        link = os.path.realpath(mart / "triptych.sqlite")
        connection = sqlite3.connect(f"file:{link}?mode=ro&immutable=1", uri=True)
        with contextlib.closing(connection):
            found = connection.execute(
                "SELECT line_number, trip_id, pickup_at, region, remarks, trip_type,"
                " miles_hundredths, cost_cents, owner FROM trip ORDER BY line_number").fetchall()
            (count,) = connection.execute("SELECT sum(line_count) FROM source_file").fetchone()
        return Reading(rows=[list(row[1:]) for row in found], lines=[row[0] for row in found],
                       line_count=count)


class DuckDB:
    """`read_csv` with `strict_mode` and `store_rejects`, nothing guessed."""

    title = "DuckDB"

    def __init__(self) -> None:
        import duckdb
        self.duckdb, self.version = duckdb, duckdb.__version__

    def read(self, path: Path) -> Reading:
        names = ", ".join(f'"{name}"' for name in COLUMNS)
        connection = self.duckdb.connect()
        try:
            # Only with the names found in the header are columns asked for by name.
            rows = connection.execute(
                f"SELECT {names} FROM read_csv($1, auto_detect = false, header = true, delim = ',',"
                f" quote = '\"', escape = '\"', columns = {texts(header(path))},"
                " strict_mode = true, null_padding = false, store_rejects = true)",
                [str(path)]).fetchall()
            named = {int(line): (str(reason), None) for line, reason in connection.execute(
                "SELECT line, error_type FROM reject_errors").fetchall()}
            return of_texts(rows, len(named), named=named)
        except (self.duckdb.Error, ValueError) as error:
            return Reading(refused=str(error)[:200])
        finally:
            connection.close()


class Polars:
    """`read_csv` that stops at the first fault."""

    title = "Polars"

    def __init__(self) -> None:
        import polars
        self.polars, self.version = polars, polars.__version__

    def read(self, path: Path) -> Reading:
        try:
            frame = self.polars.read_csv(
                path, separator=",", quote_char='"', infer_schema=False, encoding="utf8",
                truncate_ragged_lines=False, ignore_errors=False)
            return of_texts(frame.select(COLUMNS).rows())
        # What a damaged file makes it raise is no narrower.
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            return Reading(refused=str(error)[:200])


class Pandas:
    """`read_csv` that names lines it passes over."""

    title = "pandas"

    def __init__(self) -> None:
        import pandas
        self.pandas, self.version = pandas, pandas.__version__

    def read(self, path: Path) -> Reading:
        try:
            with warnings.catch_warnings(record=True) as said, \
                    contextlib.redirect_stderr(io.StringIO()):
                warnings.simplefilter("always")
                frame = self.pandas.read_csv(
                    path, sep=",", quotechar='"', dtype=str, keep_default_na=False, na_filter=False,
                    encoding="utf-8", encoding_errors="strict", on_bad_lines="warn",
                    skip_blank_lines=True)
            if not isinstance(frame.index, self.pandas.RangeIndex):
                return Reading(refused="the first cells became row labels")
            named = {int(number): ("skipped", None) for each in said
                     for number in re.findall(r"Skipping line (\d+)", str(each.message))}
            rows = frame[list(COLUMNS)].itertuples(index=False, name=None)
            return of_texts([tuple(row) for row in rows], len(named), named=named)
        except Exception as error:
            return Reading(refused=f"{type(error).__name__}: {error}"[:200])


class Shell:
    """`.import --csv` of the sqlite3 shell into a table named by the header."""

    title = "sqlite3 shell"

    def __init__(self) -> None:
        self.version = said("sqlite3", "--version").split(" ")[0]

    def read(self, path: Path) -> Reading:
        with tempfile.TemporaryDirectory() as folder:
            source = path
            if path.name.endswith(".gz"):
                # It reads no gzip; what it is given is what gzip takes for whole.
                source = Path(folder) / "trips.csv"
                with open(source, "wb") as out:
                    if subprocess.run(["gzip", "-dc", path], stdout=out,
                                      stderr=subprocess.DEVNULL).returncode != 0:
                        return Reading(refused="gzip refuses it")
            database = Path(folder) / "read.sqlite"
            ending = subprocess.run(
                ["sqlite3", "-bail", database, f'.import --csv "{source}" trips'],
                capture_output=True, text=True, errors="replace")
            if ending.returncode != 0:
                return Reading(refused=ending.stderr[:200])
            extras = re.findall(r":(\d+): expected .* extras ignored", ending.stderr)
            named = {int(number): ("extras ignored", None) for number in extras}
            connection = sqlite3.connect(database)
            connection.text_factory = lambda data: data.decode(errors="surrogateescape")
            try:
                names = ", ".join(f'"{name}"' for name in COLUMNS)
                with contextlib.closing(connection):
                    known = [row[1] for row in connection.execute("PRAGMA table_info(trips)")]
                    if missing := set(COLUMNS) - set(known):
                        return Reading(refused=f"no column {sorted(missing)[0]}")
                    rows = connection.execute(f"SELECT {names} FROM trips").fetchall()
            except sqlite3.Error as error:
                return Reading(refused=str(error))
            return of_texts(rows, named=named, warned=len(named))


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def header(path: Path) -> list[str]:
    """The names in the first line, as DuckDB needs to be told how many there are."""
    try:
        with gzip.open(path) if path.name.endswith(".gz") else open(path, "rb") as file:
            first = file.readline().decode("utf-8-sig").rstrip("\r\n")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise ValueError(str(error)) from error
    return [name.strip('"') for name in first.split(",")]


def texts(names: list[str]) -> str:
    """Columns that are texts, as DuckDB writes them."""
    if len(set(names)) < len(names):
        raise ValueError("a column is named twice")
    quoted = ("'" + name.replace("'", "''") + "': 'VARCHAR'" for name in names)
    return "{" + ", ".join(quoted) + "}"


READERS = {each.title.split(" ")[0].lower(): each
           for each in (Triptych, DuckDB, Polars, Pandas, Shell)}


def main() -> None:
    reader = READERS[sys.argv[1]]()
    for folder in sorted(Path(sys.argv[2]).iterdir()):
        (path,) = folder.iterdir()
        print(json.dumps([folder.name, asdict(reader.read(path))]), flush=True)


if __name__ == "__main__":
    main()
