"""What tasks write before it counts: names that no other attempt of a task has.

    OUT/_staging/PLAN/map/00012-ATTEMPT/       trips.arrow  rejects.jsonl  report.json
    OUT/_staging/PLAN/resolve/00003-ATTEMPT/   set_aside.parquet  cells.jsonl  report.json
    OUT/_staging/PLAN/trips/00001-ATTEMPT/     2026-01-0.parquet …

A task gives the driver the name of its folder when all of it is written. Only folders that the
driver was given count: those of killed and repeated attempts are removed with the whole of the
staging folder.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as parquet

from .storage import Storage

# Parquet of this size reads well; smaller row groups cost readers, larger ones cost memory here.
ROW_GROUP = 1 << 17


def attempt(kind: str, index: int) -> str:
    """The folder of this attempt of a task."""
    return f"{kind}/{index:05d}-{uuid.uuid4().hex}"


class ParquetFile:
    """A Parquet file that grows by batches; rows are held until a row group is full."""

    ending = "parquet"

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage = storage
        self._path = path
        self._held: list[pa.RecordBatch] = []
        self.held_rows = 0
        self.rows = 0
        self._stream: BinaryIO | None = None
        self._writer: parquet.ParquetWriter | None = None

    def add(self, batch: pa.RecordBatch) -> None:
        self._held.append(batch)
        self.held_rows += batch.num_rows
        self.rows += batch.num_rows
        if self.held_rows >= ROW_GROUP:
            self.flush()

    def flush(self) -> None:
        """Writes what is held as a row group."""
        if not self._held:
            return
        if self._writer is None:
            self._stream = self._storage.create(self._path)
            schema = self._held[0].schema
            self._writer = parquet.ParquetWriter(
                self._stream, schema, compression="zstd", use_dictionary=_repeated(schema)
            )
        table = pa.Table.from_batches(self._held)
        self._writer.write_table(table, row_group_size=max(ROW_GROUP, table.num_rows))
        self._held, self.held_rows = [], 0

    def close(self) -> bool:
        """Ends the file; says whether there is one: without a batch there is none."""
        self.flush()
        if self._writer is None or self._stream is None:
            return False
        self._writer.close()
        self._stream.close()
        return True


def _repeated(schema: pa.Schema) -> list[str]:
    """Columns whose values occur again and again: a dictionary of others is made in vain."""
    return [
        one.name
        for one in schema
        if one.name != "trip_ref" and (pa.types.is_string(one.type) or pa.types.is_date(one.type))
    ]


class ArrowFile:
    """A file of Arrow's own form that grows by batches: what is read once more and then removed is
    not worth Parquet's work."""

    ending = "arrow"

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage = storage
        self._path = path
        self.rows = 0
        self._stream: BinaryIO | None = None
        self._writer: ipc.RecordBatchFileWriter | None = None

    def add(self, batch: pa.RecordBatch) -> None:
        if self._writer is None:
            self._stream = self._storage.create(self._path)
            options = ipc.IpcWriteOptions(compression="lz4")
            self._writer = ipc.new_file(self._stream, batch.schema, options=options)
        self._writer.write_batch(batch)
        self.rows += batch.num_rows

    def close(self) -> bool:
        """Ends the file; says whether there is one: without a batch there is none."""
        if self._writer is None or self._stream is None:
            return False
        self._writer.close()
        self._stream.close()
        return True


def arrow_batches(storage: Storage, path: str) -> Iterator[pa.RecordBatch]:
    """The batches of such a file; one that was cut is refused."""
    with storage.files.open_input_file(storage.at(path)) as stream:
        with ipc.open_file(stream) as reader:
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number)


class TextFile:
    """A file that grows by texts; without a text there is none."""

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage = storage
        self._path = path
        self._stream: BinaryIO | None = None

    def add(self, text: bytes) -> None:
        if self._stream is None:
            self._stream = self._storage.create(self._path)
        self._stream.write(text)

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
