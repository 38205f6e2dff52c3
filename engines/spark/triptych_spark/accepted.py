"""The accepted trips by month: what the files' tasks staged, without what the parts set aside.

Rows that were set aside travel to the task that writes the trips of their file. Each task counts
what
reaches it against what the driver knows, so that no row is lost on the way.
"""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as compute
import pyarrow.parquet as parquet

from .failures import Failure
from .frames import end_frame, read_frames
from .shuffle import pieces
from .staging import ROW_GROUP, ParquetFile, arrow_batches, attempt
from .storage import Storage, narrow_modes
from .tasks import Batches, row

# Trips of one Parquet file, some 2 GB: S3 renames none above 5 GB.
_FILE_ROWS = 20_000_000
# A trip of a file: a record may hold several trips, and a trip id may stand in several records.
_TRIP = ("record_number", "trip_ref")


@dataclass(frozen=True)
class Decision:
    """What a decision made by hand gives one trip."""

    record: int
    ref: str
    trip_class: str
    basis: str
    rule: str


@dataclass
class Staged:
    """The trips of one file, as its task staged them."""

    file: int
    path: str
    rows: int
    set_aside: int
    decisions: list[Decision] = field(default_factory=list)


def grouped(files: list[Staged], rows: int) -> list[list[Staged]]:
    """Files in their order, as groups of about so many rows: many small files become few of
    Parquet."""
    groups: list[list[Staged]] = []
    held = rows
    for file in files:
        if held >= rows:
            groups.append([])
            held = 0
        groups[-1].append(file)
        held += file.rows
    return groups


def work(group: int, files: list[Staged]) -> str:
    """The work of one task as text."""
    return json.dumps(
        {
            "group": group,
            "files": [
                {**vars(file), "decisions": [vars(decision) for decision in file.decisions]}
                for file in files
            ],
        }
    )


def dividing(staging: Storage, groups: list[int], keys: list[int]) -> Callable[[str], Batches]:
    """Sends rows that were set aside to the groups of their files: `groups` has the group of each
    file."""
    by_file = np.array(groups, np.int64)

    def run(path: str) -> Batches:
        with staging.files.open_input_file(staging.at(path)) as stream:
            for rows in parquet.ParquetFile(stream).iter_batches(ROW_GROUP):
                places = by_file[rows.column("file").to_numpy(zero_copy_only=False)]
                if (places < 0).any():
                    raise Failure(f"{path}: rows of a file that is not in force were set aside")
                for group, count, frame in pieces("set_aside", rows, places):
                    yield row(keys[group], count, frame)

    return run


def writing(staging: Storage) -> Callable[[Batches], Batches]:
    """Writes the accepted trips of the groups of one partition."""

    def run(batches: Batches) -> Batches:
        frames: list[bytes] = []
        chosen: list[dict[str, Any]] = []
        for batch in batches:
            for one in batch.to_pylist():
                if one["result"] is not None:
                    chosen.append(json.loads(one["result"]))
                else:
                    frames.append(one["frame"])
        by_file = _by_file(frames)
        for one in chosen:
            yield row(result=_write(staging, one, by_file))
        if by_file:
            raise Failure(f"rows were set aside of files that are not here: {sorted(by_file)[:5]}")

    return run


def _by_file(frames: list[bytes]) -> dict[int, pa.Table]:
    """The rows that were set aside, by file and in order of their records; takes the frames."""
    if not frames:
        return {}
    table = pa.Table.from_batches([_batch(frame) for frame in frames])
    frames.clear()
    table = table.sort_by([("file", "ascending"), ("record", "ascending")]).combine_chunks()
    files, starts = np.unique(table["file"].to_numpy(), return_index=True)
    ends = [*starts[1:], table.num_rows]
    return {
        int(file): table.slice(start, end - start)
        for file, start, end in zip(files, starts, ends, strict=True)
    }


def _batch(frame: bytes) -> pa.RecordBatch:
    rows = json.loads(frame[: frame.index(b"\n")])["rows"]
    found = next(iter(read_frames(io.BytesIO(frame + end_frame(rows)))))
    assert found.batch is not None
    return found.batch


class _Months:
    """The Parquet files of one task: one for each month, more where it has very many trips."""

    def __init__(self, staging: Storage, folder: str) -> None:
        self._staging = staging
        self._folder = folder
        self._files: dict[str, list[ParquetFile]] = {}

    def add(self, batch: pa.RecordBatch, kept: pa.Array | None) -> int:
        """Adds the rows of a batch that are kept, all where nothing says so; gives how many."""
        added = 0
        months = batch.column("month")
        found = compute.unique(months).to_pylist()
        for month in found:
            of_month = None if len(found) == 1 else compute.equal(months, month)
            chosen = [one for one in (kept, of_month) if one is not None]
            part = batch.filter(functools.reduce(compute.and_, chosen)) if chosen else batch
            if part.num_rows:
                self._file(month).add(part)
                added += part.num_rows
        # Files of many months would each hold rows back.
        last = [files[-1] for files in self._files.values()]
        while sum(file.held_rows for file in last) > 2 * ROW_GROUP:
            max(last, key=lambda file: file.held_rows).flush()
        return added

    def _file(self, month: str) -> ParquetFile:
        """The file that the next trips of a month go into."""
        files = self._files.setdefault(month, [])
        if not files or files[-1].rows >= _FILE_ROWS:
            if files:
                files[-1].close()
            name = f"{self._folder}/{month}-{len(files)}.parquet"
            files.append(ParquetFile(self._staging, name))
        return files[-1]

    def close(self) -> list[dict[str, Any]]:
        """Ends the last file of each month; gives all of them with their trips."""
        for files in self._files.values():
            files[-1].close()
        return [
            {"month": month, "number": number, "trips": file.rows}
            for month, files in sorted(self._files.items())
            for number, file in enumerate(files)
        ]


def _write(staging: Storage, group: dict[str, Any], by_file: dict[int, pa.Table]) -> dict[str, Any]:
    narrow_modes()
    folder = attempt("trips", group["group"])
    months = _Months(staging, folder)
    accepted: dict[int, int] = {}
    for one in group["files"]:
        file = Staged(
            **{**one, "decisions": [Decision(**decision) for decision in one["decisions"]]}
        )
        set_aside = by_file.pop(file.file, None)
        came = 0 if set_aside is None else set_aside.num_rows
        if came != file.set_aside:
            raise Failure(
                f"file {file.file}: {came} of {file.set_aside} rows that were set aside arrived"
            )
        accepted[file.file] = 0
        for batch, kept in _accepted(staging, file, set_aside):
            accepted[file.file] += months.add(batch, kept)
    return {
        "group": group["group"],
        "folder": folder,
        "files": months.close(),
        "accepted": accepted,
    }


def _accepted(
    staging: Storage, file: Staged, set_aside: pa.Table | None
) -> Iterator[tuple[pa.RecordBatch, pa.Array | None]]:
    """The trips of one file, decided by hand where a decision is in force, and which of them are
    accepted: all where nothing says so."""
    if not file.rows:
        return
    absent = None if set_aside is None else _Absent(file.file, set_aside)
    found = decided = 0
    for batch in arrow_batches(staging, file.path):
        is_absent = None if absent is None else absent.among(batch)
        kept = None if is_absent is None else compute.invert(is_absent)
        found += 0 if is_absent is None else compute.sum(is_absent).as_py() or 0
        for decision in file.decisions:
            batch, count = _decide(batch, kept, decision)
            decided += count
        yield batch, kept
    if found != file.set_aside:
        raise Failure(
            f"file {file.file}: {found} of its trips are those {file.set_aside} that were set aside"
        )
    if decided != len(file.decisions):
        raise Failure(
            f"file {file.file}: {decided} of {len(file.decisions)} trips decided by hand were found"
        )


class _Absent:
    """The rows of one file that were set aside, in order of their records."""

    def __init__(self, file: int, rows: pa.Table) -> None:
        self._file = file
        self._rows = rows
        self._records = rows["record"].to_numpy()

    def among(self, batch: pa.RecordBatch) -> pa.Array | None:
        """Which rows of a batch they are; None where no record of it has any. Only those of the
        batch's own records are looked up: a batch has few of a file's."""
        records = batch.column("record_number").to_numpy()
        if not len(records):
            return None
        start = np.searchsorted(self._records, records.min(), "left")
        end = np.searchsorted(self._records, records.max(), "right")
        if start == end:
            return None
        rows = self._rows.slice(start, end - start)
        names = _names(rows["record"], rows["trip_ref"])
        if len(names.unique()) != len(names):
            raise Failure(f"file {self._file}: a row was set aside twice")
        return compute.is_in(_names(*(batch.column(name) for name in _TRIP)), names)


def _names(records: Any, refs: Any) -> pa.Array:
    """A text for each trip of a file."""
    names = compute.binary_join_element_wise(compute.cast(records, pa.utf8()), refs, " ")
    return names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names


def _decide(
    batch: pa.RecordBatch, kept: pa.Array | None, decision: Decision
) -> tuple[pa.RecordBatch, int]:
    is_it = compute.and_(
        compute.equal(batch.column("record_number"), decision.record),
        compute.equal(batch.column("trip_ref"), decision.ref),
    )
    if kept is not None:
        is_it = compute.and_(is_it, kept)
    count = compute.sum(is_it).as_py() or 0
    if not count:
        return batch, 0
    given = {"class": decision.trip_class, "basis": decision.basis, "rule": decision.rule}
    columns = [
        compute.if_else(is_it, pa.scalar(given[name], column.type), column)
        if name in given
        else column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema), count
