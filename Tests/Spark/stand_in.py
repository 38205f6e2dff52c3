"""A stand-in for `triptych`, for tests of the job around it: trips are lines `TRIP,MONTH,CENTS`, a
later line wins.

It speaks the frames and files of docs/SHARDS.md as far as triptych-spark looks at them. Its "mart"
is a folder
with one file for each import. Whether the real program is right is not its business.
"""

from __future__ import annotations

import contextlib
import datetime
import gzip
import hashlib
import json
import os
import sqlite3
import sys
from pathlib import Path

sys.path.insert(
    0,
    os.environ.get("TRIPTYCH_SPARK")
    or str(Path(__file__).resolve().parents[2] / "engines" / "spark"),
)

import pyarrow as pa  # noqa: E402
from triptych_spark import frames  # noqa: E402

TERMS = ("accepted", "superseded", "duplicate")


def option(name: str) -> str:
    return sys.argv[sys.argv.index(name) + 1]


def read_json(path: str) -> dict:
    return json.loads(Path(path).read_bytes())


def write(*parts: bytes) -> None:
    for part in parts:
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()


def plan() -> None:
    listed = [json.loads(line) for line in Path(option("--files")).read_text().splitlines()]
    mart = Path(option("--mart"), "generations")
    key = Path(option("--key-file"))
    if not key.exists():
        key.write_text("made by the first plan")
    text = {
        "plan": "stand-in",
        "pipeline": "stand-in",
        "key_check": "k",
        "compares_versions": "--unique" not in sys.argv,
        "now": datetime.datetime.now().isoformat(),
        "served": {"generation": len(list(mart.glob("*.sqlite")))},
        "inputs": [{"path": "rules.yaml", "text": Path(sys.argv[3]).read_text()}],
        "overrides": [
            {
                "class": "contracted",
                "basis": "by-hand",
                "rule": "override-x",
                "expires": "2999-12-31",
            }
        ],
        "files": [
            {
                "index": index,
                "listed": one["path"],
                "path": one["path"],
                "size": one["size"],
                "taken_in": "2026-11-05" if "content_hash" in one else "2026-11-06",
            }
            for index, one in enumerate(sorted(listed, key=lambda one: one["path"]))
        ],
    }
    text["hash"] = hashlib.sha256(json.dumps(text).encode()).hexdigest()
    Path(option("--out")).write_text(json.dumps(text))


def trip_ref(trip: str) -> bytes:
    return hashlib.sha256(trip.encode()).digest()[:16]


def map_file() -> None:
    file = int(option("--file"))
    chosen = read_json(option("--plan"))["files"][file]
    data = sys.stdin.buffer.read()
    report = {"file": file, "refusal": None, "valid": {"items": 0}, "is_misjudged": False}
    versions = 0
    try:
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    except (OSError, EOFError) as fault:
        report["refusal"] = {"reason": str(fault)}
        text = ""
    rows = [line.split(",") for line in text.splitlines()]
    # A trip of this name is in a content that was taken in on another day than the list lets think.
    report["content_hash"] = hashlib.sha256(text.encode()).hexdigest()
    report["is_misjudged"] = "known," in text and chosen["taken_in"] != "2026-11-05"
    if rows:
        refs = [trip_ref(trip) for trip, _, _ in rows]
        numbers = list(range(1, len(rows) + 1))
        cents = [int(one[2]) for one in rows]
        months = [one[1] for one in rows]
        for begin in range(0, len(rows), 100):
            some = slice(begin, begin + 100)
            size = len(rows[some])
            write(
                frames.column_frame(
                    "versions",
                    pa.record_batch(
                        {
                            "ref": pa.array(refs[some], pa.binary()),
                            "file": pa.array([file] * size, pa.int32()),
                            "record": pa.array(numbers[some], pa.int64()),
                            "month": pa.array(months[some], pa.utf8()),
                            "cents": pa.array(cents[some], pa.int64()),
                        }
                    ),
                )
            )
            write(
                frames.column_frame(
                    "trips",
                    pa.record_batch(
                        {
                            "trip_ref": pa.array([ref.hex() for ref in refs[some]], pa.utf8()),
                            "month": pa.array(months[some], pa.utf8()),
                            "class": pa.array(["in_house"] * size, pa.utf8()),
                            "basis": pa.array([""] * size, pa.utf8()),
                            "rule": pa.array([None] * size, pa.utf8()),
                            "counted": pa.array([True] * size, pa.bool_()),
                            "cents": pa.array(cents[some], pa.int64()),
                            "record_number": pa.array(numbers[some], pa.int64()),
                        }
                    ),
                )
            )
            versions += 2 * size
    report["valid"]["items"] = len(rows)
    write(
        frames.text_frame("rejects", b'{"file":%d}\n' % file),
        frames.text_frame("report", json.dumps(report).encode()),
        frames.end_frame(versions),
    )


def files() -> int:
    chosen = read_json(option("--plan"))["files"]
    reports = [
        read_json(f"{option('--results')}/file-{one['index']:05d}.report.json") for one in chosen
    ]
    if any(one["is_misjudged"] for one in reports):
        print("judged by the wrong day", file=sys.stderr)
        return 65
    Path(option("--out")).write_text(
        json.dumps({"in_force": [one["refusal"] is None for one in reports]})
    )
    return 0


def resolve() -> None:
    in_force = read_json(option("--files"))["in_force"]
    rows = [
        one for frame in frames.read_frames(sys.stdin.buffer) for one in frame.batch.to_pylist()
    ]
    rows = sorted(
        (one for one in rows if in_force[one["file"]]), key=lambda one: (one["file"], one["record"])
    )
    last = {one["ref"]: one for one in rows}
    aside = [one for one in rows if last[one["ref"]] is not one]
    accounts: dict[int, dict] = {}
    cells: dict[str, list[int]] = {}
    overridden = []
    for one in rows:
        account = accounts.setdefault(
            one["file"], {"file": one["file"], **{term: {"items": 0} for term in TERMS}}
        )
        account["accepted" if last[one["ref"]] is one else "superseded"]["items"] += 1
    for ref, one in last.items():
        cell = cells.setdefault(one["month"], [0, 0])
        cell[0] += 1
        cell[1] += one["cents"]
        if ref == trip_ref("by-hand"):
            overridden.append(
                {"override": 0, "ref": ref.hex(), "file": one["file"], "record": one["record"]}
            )
    if aside:
        write(
            frames.column_frame(
                "set_aside",
                pa.record_batch(
                    {
                        "trip_ref": pa.array([one["ref"].hex() for one in aside], pa.utf8()),
                        "file": pa.array([one["file"] for one in aside], pa.int32()),
                        "record": pa.array([one["record"] for one in aside], pa.int64()),
                    }
                ),
            )
        )
    lines = "".join(
        json.dumps({"month": month, "trips": trips, "cents": cents}) + "\n"
        for month, (trips, cents) in sorted(cells.items())
    )
    report = {
        "accounts": list(accounts.values()),
        "overridden": overridden,
        "rows": len(rows),
        "sums": {"months": [{"month": month, "trips": cell[0]} for month, cell in cells.items()]},
        "last_pickup_within": 1_790_000_000 if rows else None,
    }
    write(
        frames.text_frame("cells", lines.encode()),
        frames.text_frame("report", json.dumps(report).encode()),
        frames.end_frame(len(aside)),
    )


def import_cube() -> int:
    folder, chosen = Path(option("--results")), read_json(option("--plan"))
    published = Path(option("--mart"), "generations", chosen["hash"] + ".sqlite")
    if published.exists():
        print("already published")
        return 0
    reports = sorted(folder.glob("file-*.report.json"))
    if len(reports) != len(chosen["files"]) or len(
        list(folder.glob("file-*.rejects.jsonl"))
    ) != len(reports):
        print("files are missing", file=sys.stderr)
        return 65
    if any(read_json(str(path))["refusal"] for path in reports):
        print("a file is refused: truncated", file=sys.stderr)
        return 65
    cells: dict[str, list[int]] = {}
    for path in folder.glob("part-*.cells.jsonl"):
        for line in path.read_text().splitlines():
            one = json.loads(line)
            cell = cells.setdefault(one["month"], [0, 0])
            cell[0] += one["trips"]
            cell[1] += one["cents"]
    if "--dry-run" in sys.argv:
        print("would publish", sum(trips for trips, _ in cells.values()))
        return 0
    published.parent.mkdir(exist_ok=True)
    temporary = published.with_suffix(".tmp")
    with contextlib.closing(sqlite3.connect(temporary)) as file, file:
        file.execute("CREATE TABLE trip_location(uri)")
        file.execute("INSERT INTO trip_location VALUES (?)", (option("--trips"),))
        file.execute("CREATE TABLE cell(month, trips, cents)")
        file.executemany(
            "INSERT INTO cell VALUES (?, ?, ?)", [(key, *one) for key, one in cells.items()]
        )
    os.rename(temporary, published)
    print("published")
    return 0


def main() -> int:
    words = [word for word in sys.argv[1:3] if not word.startswith("-")]
    works = {
        "shard plan": plan,
        "shard files": files,
        "map": map_file,
        "resolve": resolve,
        "import-cube": import_cube,
    }
    return works[" ".join(words) if words[0] == "shard" else words[0]]() or 0


sys.exit(main())
