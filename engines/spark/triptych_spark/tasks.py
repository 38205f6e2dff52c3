"""What runs on workers: one file read by `triptych map`, one part decided by `triptych resolve`.

Each task gives rows of `ROWS`: frames for the shuffle, and as its last row, with `result` alone,
what it wrote.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa
from pyspark import Broadcast, SparkFiles, TaskContext

from .failures import Failure
from .frames import end_frame
from .program import Program, Secret
from .shuffle import Divided
from .staging import ArrowFile, ParquetFile, TextFile, attempt
from .storage import Entry, Storage, chunks, narrow_modes

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
    # Whether trips, and what is set aside of them, become Parquet: not where nothing is published.
    keeps_rows: bool = True

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


def mapping(setup: Setup, key: Secret) -> Callable[[tuple[int, Entry]], Batches]:
    """Reads a file (index, as it was listed): its versions by part, and what was written of it."""

    def run(file: tuple[int, Entry]) -> Batches:
        yield from _read(setup, key, *file)

    return run


def _read(setup: Setup, key: Secret, index: int, listed: Entry) -> Batches:
    path, size = listed.path, 0
    staged = _Attempt(setup, "map", index, "trips", ArrowFile, "rejects")
    divided = Divided("versions", len(setup.keys))

    def pieces() -> Iterator[bytes]:
        nonlocal size
        for piece in chunks(source):
            size += len(piece)
            yield piece

    words = ["map", "--file", str(index)]
    with _opened(setup.input, path) as source:
        frames = staged.frames(
            words, {"--key-file": key.reveal()}, pieces(), f"file {path}", "versions"
        )
        for batch in frames:
            for part, rows, piece in divided.add(batch):
                yield row(setup.keys[part], rows, piece)
    for part, rows, piece in divided.rest():
        yield row(setup.keys[part], rows, piece)
    # `map` sees a file of another size itself, and lets it wait. One that was replaced by as many
    # bytes may be a mix of both, or another one than an earlier attempt of this task has read.
    if size == listed.size and setup.input.entry(path) != listed:
        raise Failure(
            f"file {path} was written to while the job ran. Run the job again when it is complete.",
            75,
        )
    rows = staged.close()
    yield row(
        result={"file": index, "folder": staged.folder, "trips": rows, "versions": divided.rows}
    )


def _opened(folder: Storage, path: str) -> BinaryIO:
    try:
        return folder.open(path)
    except OSError as fault:
        host = socket.gethostname()
        raise Failure(f"file {path}: {host} cannot open it: {fault}", 66) from None


def resolving(setup: Setup, files: Broadcast[bytes]) -> Callable[[Batches], Batches]:
    """Decides which versions of the trips of one part are accepted; gives what was written of
    it."""

    def run(batches: Batches) -> Batches:
        context = TaskContext.get()
        assert context is not None
        yield from _resolve(setup, files.value, context.partitionId(), batches)

    return run


def _resolve(setup: Setup, files: bytes, part: int, batches: Batches) -> Batches:
    staged = _Attempt(setup, "resolve", part, "set_aside", ParquetFile, "cells")
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

    words = ["resolve", "--part", str(part), "--parts", str(len(setup.keys))]
    for _ in staged.frames(words, {"--files": files}, source(), f"part {part}"):
        pass
    rows = staged.close()
    yield row(
        result={"part": part, "folder": staged.folder, "versions": counted, "set_aside": rows}
    )


class _Attempt:
    """What one attempt of a task stages: rows, a text, and the report."""

    def __init__(
        self,
        setup: Setup,
        work: str,
        index: int,
        rows: str,
        form: type[ArrowFile] | type[ParquetFile],
        text: str,
    ) -> None:
        narrow_modes()
        self.folder = attempt(work, index)
        self._setup, self._work = setup, work
        self._rows = form(setup.staging, f"{self.folder}/{rows}.{form.ending}")
        self._text = TextFile(setup.staging, f"{self.folder}/{text}.jsonl")
        self._kinds = rows, text

    def frames(
        self,
        words: list[str],
        files: dict[str, bytes],
        source: Iterable[bytes],
        what: str,
        shuffled: str | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Runs the program and stages what it writes; gives the rows of frames `shuffled`."""
        setup = self._setup
        rows, text = self._kinds
        report: bytes | None = None
        words = [*words, "--threads", str(setup.threads)]
        for frame in setup.program().frames(words, files, source, what):
            if frame.batch is not None and frame.kind == shuffled and setup.keys:
                yield frame.batch
            elif frame.batch is not None and frame.kind == rows:
                if setup.keeps_rows:
                    self._rows.add(frame.batch)
            elif frame.text is not None and frame.kind == text:
                self._text.add(frame.text)
            elif frame.text is not None and frame.kind == "report" and report is None:
                report = frame.text
            else:
                raise Failure(
                    f"{what}: triptych {self._work} wrote a frame {frame.kind} that is not expected"
                    " here"
                )
        if report is None:
            raise Failure(f"{what}: triptych {self._work} wrote no report")
        setup.staging.write(f"{self.folder}/report.json", report)

    def close(self) -> int:
        """Ends the files; gives the number of rows that were staged."""
        self._rows.close()
        # Without a frame of it there is an empty text.
        self._text.add(b"")
        self._text.close()
        return self._rows.rows
