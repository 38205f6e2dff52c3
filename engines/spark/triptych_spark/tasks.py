"""What runs on workers: one file read by `triptych map`, one part decided by `triptych resolve`.

Each task gives rows of `ROWS`: frames for the shuffle, and as its last row, with `result` alone,
what it wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark import Broadcast, SparkFiles, TaskContext

from .failures import Failure
from .frames import end_frame
from .program import Program, Secret
from .shuffle import Divided
from .staging import ParquetFile, TextFile, attempt
from .storage import Storage, chunks

ROWS = "key int, rows int, frame binary, result string"
_SCHEMA = pa.schema(
    [
        ("key", pa.int32()),
        ("rows", pa.int32()),
        ("frame", pa.binary()),
        ("result", pa.utf8()),
    ]
)
Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True)
class Setup:
    """What every task needs to know."""

    input: Storage
    staging: Storage
    # Where `triptych` lies on workers; the name of the file that came with the job where
    # `is_shipped`.
    triptych: str
    is_shipped: bool
    plan: Broadcast[bytes]
    # Processors of a task (`spark.task.cpus`).
    threads: int
    # What `repartition` sends into each part.
    keys: list[int]

    def program(self) -> Program:
        path = SparkFiles.get(self.triptych) if self.is_shipped else self.triptych
        # A program of another version than the plan's refuses it.
        return Program(path, self.plan.value)


def row(
    key: int = 0, rows: int = 0, frame: bytes | None = None, result: Any = None
) -> pa.RecordBatch:
    """One row of `ROWS` as a batch of its own: frames are large."""
    text = None if result is None else json.dumps(result)
    return pa.record_batch([[key], [rows], [frame], [text]], schema=_SCHEMA)


def of_entries(entries: list[Any], work: Callable[[Any], Batches]) -> Callable[[Batches], Batches]:
    """Does the work of those entries whose numbers come, in a column of its own."""

    def run(batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from work(entries[number])

    return run


def mapping(setup: Setup, key: Secret) -> Callable[[tuple[int, str]], Batches]:
    """Reads a file (index, path): its versions by part, and what was written of it."""

    def run(entry: tuple[int, str]) -> Batches:
        yield from _read(setup, key, *entry)

    return run


def _read(setup: Setup, key: Secret, index: int, path: str) -> Batches:
    folder = attempt("map", index)
    trips = ParquetFile(setup.staging, f"{folder}/trips.parquet")
    rejects = TextFile(setup.staging, f"{folder}/rejects.jsonl")
    divided = Divided("versions", len(setup.keys))
    report: bytes | None = None
    what = f"file {path}"
    with setup.input.open(path) as source:
        files = {"--key-file": key.reveal()}
        words = ["map", "--file", str(index), "--threads", str(setup.threads)]
        for frame in setup.program().frames(words, files, chunks(source), what):
            if frame.kind == "versions" and frame.batch is not None and setup.keys:
                for part, rows, piece in divided.add(frame.batch):
                    yield row(setup.keys[part], rows, piece)
            elif frame.kind == "trips" and frame.batch is not None:
                trips.add(frame.batch)
            elif frame.kind == "rejects" and frame.text is not None:
                rejects.add(frame.text)
            elif frame.kind == "report" and frame.text is not None and report is None:
                report = frame.text
            else:
                raise Failure(
                    f"{what}: triptych map wrote a frame {frame.kind} that is not expected here"
                )
    if report is None:
        raise Failure(f"{what}: triptych map wrote no report")
    for part, rows, piece in divided.rest():
        yield row(setup.keys[part], rows, piece)
    trips.close()
    # A file without rejects has an empty list of them.
    rejects.add(b"")
    rejects.close()
    setup.staging.write(f"{folder}/report.json", report)
    yield row(
        result={"file": index, "folder": folder, "trips": trips.rows, "versions": divided.rows}
    )


def resolving(setup: Setup, files: Broadcast[bytes]) -> Callable[[Batches], Batches]:
    """Decides which versions of the trips of one part are accepted; gives what was written of
    it."""

    def run(batches: Batches) -> Batches:
        context = TaskContext.get()
        assert context is not None
        yield from _resolve(setup, files.value, context.partitionId(), batches)

    return run


def _resolve(setup: Setup, files: bytes, part: int, batches: Batches) -> Batches:
    folder = attempt("resolve", part)
    set_aside = ParquetFile(setup.staging, f"{folder}/set_aside.parquet")
    cells = TextFile(setup.staging, f"{folder}/cells.jsonl")
    report: bytes | None = None
    counted = 0

    def source() -> Iterator[bytes]:
        nonlocal counted
        for batch in batches:
            for rows, frame in zip(
                batch.column("rows").to_pylist(), batch.column("frame"), strict=True
            ):
                counted += rows
                yield frame.as_buffer()
        yield end_frame(counted)

    what = f"part {part}"
    words = ["resolve", "--part", str(part), "--parts", str(len(setup.keys))]
    words += ["--threads", str(setup.threads)]
    for frame in setup.program().frames(words, {"--files": files}, source(), what):
        if frame.kind == "set_aside" and frame.batch is not None:
            set_aside.add(frame.batch)
        elif frame.kind == "cells" and frame.text is not None:
            cells.add(frame.text)
        elif frame.kind == "report" and frame.text is not None and report is None:
            report = frame.text
        else:
            raise Failure(
                f"{what}: triptych resolve wrote a frame {frame.kind} that is not expected here"
            )
    if report is None:
        raise Failure(f"{what}: triptych resolve wrote no report")
    has_set_aside = set_aside.close()
    cells.add(b"")
    cells.close()
    setup.staging.write(f"{folder}/report.json", report)
    yield row(
        result={
            "part": part,
            "folder": folder,
            "versions": counted,
            "set_aside": set_aside.rows if has_set_aside else 0,
        }
    )
