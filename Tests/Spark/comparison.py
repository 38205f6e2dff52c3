"""Two marts, row by row: one of `triptych run --full`, one of triptych-spark; and the trips of
both.

Differences name tables, files and records, never a trip id, a patient or a raw text.
"""

from __future__ import annotations

import atexit
import collections
import datetime
import functools
import json
import shutil
import sqlite3
import sys
import tempfile
import urllib.parse
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet

ENGINE = Path(__file__).resolve().parents[2] / "engines" / "spark"
sys.path.insert(0, str(ENGINE))

from triptych_spark.storage import Storage  # noqa: E402

# Trips lie elsewhere; codes of texts are numbered by the trips.
TRIPS = {"trip_row", "trip_version", "text_value", "month_range", "patient"}
# Where they lie.
LOCATION = {"trip_location", "trip_location_month", "rejected_correction"}
# Never sealed the same way twice.
LEFT_OUT = {"reject": {"sealed_text"}}
# With `trip_ids: unique` a divided run relies on the promise, as a dry run does (docs/SHARDS.md).
PROMISED = {"check_result": "WHERE id <> 'trip_ids'"}
SHOWN = 5
# Where files are numbered; the files themselves come last.
FILES = {
    "ledger": "file_number",
    "reject": "file_number",
    "trip_row": "file_number",
    "trip_version": "file_number",
    "source_file": "number",
}
# What a comparison that sees anything must find.
PLANTED = [
    "UPDATE kpi_cube SET cost_cents = cost_cents + 1 WHERE trips = (SELECT min(trips) FROM kpi_cube)",
    "UPDATE ledger SET items = items + 1 WHERE file_number = 1 AND term = 'accepted'",
    "UPDATE reject SET trip_id = 'X' WHERE number = 1",
    "UPDATE trip_row SET record_number = record_number + 1 WHERE trip_number = 2",
    "DELETE FROM trip_row WHERE trip_number = 2",
    "UPDATE trip_version SET term = 'merged' WHERE number = 1",
]


def mart(folder: Path) -> sqlite3.Connection:
    path = (folder / "triptych.sqlite").resolve()
    return sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?mode=ro&immutable=1", uri=True)


@functools.cache
def trips_folder(uri: str) -> Path:
    """The folder of a plan, on this machine, by the URI of its trips; of object storage a copy."""
    folder = uri.removesuffix("/trips")
    if folder.startswith("file://"):
        return Path(urllib.parse.unquote(folder.removeprefix("file://")))
    stored, copy = Storage(folder), Path(tempfile.mkdtemp(prefix="trips-"))
    atexit.register(shutil.rmtree, copy)
    copies = [(entry.path, copy / entry.path) for entry in stored.list()]
    for _, path in copies:
        path.parent.mkdir(parents=True, exist_ok=True)
    stored.fetch(copies)
    return copy


def differences(native: Path, divided: Path, nights: int = 1) -> list[str]:
    """What differs between both marts and their trips; nothing where they are equal. After the
    first night, files are those in force, by their contents."""
    return _differences(*_both(native, divided, nights))


def table_differences(native: Path, divided: Path) -> list[str]:
    """What differs between the tables of both marts that have no trips."""
    return _tables(mart(native), mart(divided))


def blindness(native: Path, divided: Path, nights: int = 1) -> list[str]:
    """Changes of equal marts that the comparison does not see: none, or it says nothing."""
    found = []
    ours, theirs, contents = _both(native, divided, nights)
    for change in PLANTED:
        changed = sqlite3.connect(":memory:")
        ours.backup(changed)
        if changed.execute(change).rowcount and not _differences(changed, theirs, contents):
            found.append(f"the comparison does not see: {change}")
    return found


def _both(native: Path, divided: Path, nights: int) -> tuple[Any, Any, dict[str, str]]:
    """Both marts, and what the paths of the divided one are called."""
    if nights == 1:
        return mart(native), mart(divided), {}
    return _by_content(mart(native))[0], *_by_content(mart(divided))


def _by_content(one: sqlite3.Connection) -> tuple[sqlite3.Connection, dict[str, str]]:
    """A mart without its files that are no longer in force, and each file called by what it holds.

    A mart of one machine keeps them, and the name under which a content came first; a divided run
    has the files of its list alone.
    """
    copy = sqlite3.connect(":memory:")
    one.backup(copy)
    files = copy.execute(
        "SELECT number, path, content_hash FROM source_file WHERE status = 'current' ORDER BY 3"
    ).fetchall()
    for table, column in FILES.items():
        copy.execute(
            f"DELETE FROM {table} WHERE {column} NOT IN"
            " (SELECT number FROM source_file WHERE status = 'current')"
        )
        for number, (old, _, _) in enumerate(files, 1):
            copy.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (-number, old))
        copy.execute(f"UPDATE {table} SET {column} = -{column}")
    copy.execute(
        "UPDATE source_file SET path = content_hash, sequence = 1, archive_hash = content_hash,"
        " archive_size = expanded_size, order_key = ''"
    )
    copy.execute("UPDATE reject SET number = -number")
    rejects = copy.execute("SELECT number FROM reject ORDER BY file_number, -number").fetchall()
    for number, (old,) in enumerate(rejects, 1):
        copy.execute("UPDATE reject SET number = ? WHERE number = ?", (number, old))
    copy.commit()
    return copy, {path: content for _, path, content in files}


def _differences(
    ours: sqlite3.Connection, theirs: sqlite3.Connection, contents: dict[str, str]
) -> list[str]:
    folder = trips_folder(theirs.execute("SELECT uri FROM trip_location").fetchone()[0])
    return (
        _tables(ours, theirs) + _trips(ours, folder, contents) + _versions(ours, folder, contents)
    )


def _tables(ours: sqlite3.Connection, theirs: sqlite3.Connection) -> list[str]:
    question = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    names = [{name for (name,) in one.execute(question)} for one in (ours, theirs)]
    found = [
        f"only one has the table {name}"
        for name in sorted(names[0] ^ names[1] - TRIPS - LOCATION)
        if name not in TRIPS
    ]
    for name in sorted(names[0] & names[1] - TRIPS):
        columns = [
            one[1]
            for one in ours.execute(f"PRAGMA table_info('{name}')")
            if one[1] not in LEFT_OUT.get(name, ())
        ]
        chosen = ", ".join(f'"{column}"' for column in columns)
        rest = PROMISED.get(name, "")
        rows = [
            collections.Counter(one.execute(f'SELECT {chosen} FROM "{name}" {rest}'))
            for one in (ours, theirs)
        ]
        found += _differing(f"table {name}", *rows)
    return found


def _differing(what: str, ours: collections.Counter, theirs: collections.Counter) -> list[str]:
    only = [list((ours - theirs).elements()), list((theirs - ours).elements())]
    if not any(only):
        return []
    rows = [f"{who} {row}" for who, rows in zip(("run", "spark"), only) for row in rows[:SHOWN]]
    return [
        f"{what}: {len(only[0])} rows of run alone, {len(only[1])} of spark alone: "
        + "; ".join(rows)[:1500]
    ]


def _trips(ours: sqlite3.Connection, folder: Path, contents: dict[str, str]) -> list[str]:
    """The accepted trips with all columns but the id, which is sealed in one and plain in the
    other."""
    cursor = ours.execute("SELECT * FROM trip")
    names = [one[0] for one in cursor.description]
    native = [dict(zip(names, row)) for row in cursor]
    divided = []
    for path in sorted(folder.glob("trips/*/*.parquet")):
        rows = parquet.ParquetFile(path).read().to_pylist()
        if {f"month={row['month']}" for row in rows} != {path.parent.name}:
            return [f"{path.name}: trips of other months"]
        for row in rows:
            row["source_file"] = contents.get(row["source_file"], row["source_file"])
        divided += rows
    if len({row["trip_ref"] for row in divided}) != len(native):
        return [f"{len(native)} trips of run, {len({row['trip_ref'] for row in divided})} of spark"]
    # One id for one ref, and one ref for one id.
    pairs = collections.defaultdict(set)
    place = {}
    for row in native:
        place.setdefault((row["source_file"], row["record_number"]), []).append(row)
    columns = [name for name in names if name not in ("trip_number", "trip_id")]
    if all(row["patient_ref"] is None for row in native):
        # A pipeline without a patient: the view has the column all the same.
        columns.remove("patient_ref")
    absent = [name for name in columns if divided and name not in divided[0]]
    if absent:
        return [f"the Parquet has no columns {absent}"]
    rows = [
        collections.Counter(tuple(_plain(row[name]) for name in columns) for row in some)
        for some in (native, divided)
    ]
    for row in divided:
        same = place.get((row["source_file"], row["record_number"]), [])
        if len(same) == 1:
            pairs[row["trip_ref"]].add(same[0]["trip_id"])
    found = (
        [f"{len(bad)} refs stand for several trips"]
        if (bad := [one for one in pairs.values() if len(one) > 1])
        else []
    )
    return found + _differing("accepted trips", *rows)


def _versions(ours: sqlite3.Connection, folder: Path, contents: dict[str, str]) -> list[str]:
    """The versions that are not accepted, by their places. Units that a record lists again are in
    reports alone."""
    files = dict(ours.execute("SELECT number, path FROM source_file"))
    native = collections.Counter(
        (files[file], record, line, term, cents)
        for file, record, line, term, cents in ours.execute(
            "SELECT file_number, record_number, line_number, term, amount_cents FROM trip_version"
        )
    )
    paths = json.loads((folder / "_manifest.json").read_bytes())["exports"]
    paths = [contents.get(path, path) for path in paths]
    divided: collections.Counter = collections.Counter()
    for path in sorted(folder.glob("set_aside/*.parquet")):
        for row in parquet.ParquetFile(path).read().to_pylist():
            divided[paths[row["file"]], row["record"], row["line"], row["term"], row["cents"]] += 1
    for path in sorted((folder / "_results").glob("file-*.report.json")):
        report = json.loads(path.read_bytes())
        for one in report["repetitions"]:
            divided[paths[report["file"]], one["record"], one["line"], "duplicate", None] += one[
                "count"
            ]
    return _differing("versions set aside", native, divided)


def _plain(value: Any) -> Any:
    """A value of Parquet as SQLite has it."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value
