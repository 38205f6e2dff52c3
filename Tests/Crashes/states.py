"""What readers of a mart see: the numbers by `kpi`, the tables by SQLite through the links."""

import hashlib
import json
import os
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Everything a reader counts by. Sealed texts and patients' references belong to a key, and the
# first night makes one of its own; numbers of generations are compared apart.
TABLES = {
    "kpi_cube": "*", "kpi_basis": "*", "ledger": "*", "bridge": "*", "rule": "*", "month": "*",
    "region": "*", "trip_type": "*", "check_result": "*", "source_file": "*",
    "generation_input": "*", "trip_version": "*",
    "reject": "number, file_number, record_number, line_number, byte_offset, field, reason",
    "trip": "trip_id, pickup_at, month, region, trip_type, cost_cents, class, basis, rule,"
            " counted, source_file, record_number",
}


class Mixed(Exception):
    """A reader met a state that is neither the old one nor the new one."""


@dataclass(frozen=True)
class State:
    """What is served, without the number it is served under."""

    numbers: str
    tables: str
    suppressed: str


def digest(rows: object) -> str:
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def tables(path: Path, names: dict[str, str]) -> str:
    """The rows of a file as a reader outside opens it: by its real name, never changing."""
    connection = sqlite3.connect(f"file:{os.path.realpath(path)}?mode=ro&immutable=1", uri=True)
    try:
        if (fault := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise Mixed(f"{path.name}: {fault}")
        return digest([
            sorted(connection.execute(f"SELECT {columns} FROM {name}").fetchall(), key=repr)
            for name, columns in names.items()
        ])
    except sqlite3.Error as error:
        raise Mixed(f"{path.name}: {error}") from error
    finally:
        connection.close()


def served(mart: Path) -> tuple[int, State] | None:
    """The number and the state that readers get; none where nothing is published."""
    link = mart / "triptych.sqlite"
    told = subprocess.run(
        ["triptych", "kpi", "--by", "month,region,class", "--format", "json", "--mart", str(mart)],
        capture_output=True, text=True, timeout=60)
    if not link.is_symlink():
        if told.returncode not in (66, 74):
            raise Mixed(f"nothing is published, and kpi ends with {told.returncode}")
        return None
    if told.returncode != 0:
        raise Mixed(f"kpi ends with {told.returncode}: {told.stderr[:300]}")
    number = int(os.readlink(link).split("/")[-1].split(".")[0])
    rows = json.loads(told.stdout)
    if {row.pop("generation") for row in rows} != {number}:
        raise Mixed("kpi names another generation than the link")
    suppressed = mart / "kpi.sqlite"
    # Its link follows the other one a moment later.
    cube = tables(suppressed, {"kpi_cube": "*"}) if suppressed.is_symlink() else ""
    return number, State(digest(rows), tables(link, TABLES), cube)


def remains(mart: Path) -> set[str]:
    """Names of what is made on the way, or belongs to a generation that is gone."""
    found = set()
    for folder, _, names in os.walk(mart):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), mart)
            stem = name.split(".")[0]
            is_orphan = (folder.endswith("/generations")
                         and not os.path.exists(os.path.join(folder, stem + ".sqlite")))
            if (name.startswith(".") or name.endswith((".new", "-journal", "-wal"))
                    or path.startswith("archive/.new/") or is_orphan):
                found.add(path)
    return found
