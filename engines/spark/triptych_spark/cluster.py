"""The work of the workers, from the driver's side."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark import Broadcast, StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from . import accepted, session, tasks
from .driver import Driver
from .failures import Failure, counted, failure_in, say
from .options import Options
from .program import Secret
from .results import Results
from .shuffle import part_keys
from .storage import Entry, Storage

# Bytes of exports, as they are when expanded, for one part of the shuffle: some million trips.
_PART_BYTES = 128 << 20
# How much gzip mostly takes off an export.
_GZIP_GROWTH = 8
# Trips for one file of Parquet and month, and more where a file has more.
_GROUP_ROWS = 2_000_000


class Cluster:
    """A session of Spark, for one job or several."""

    def __init__(self, options: Options, driver: Driver, pipeline: str, folder: Path) -> None:
        self.spark = session.started(options.conf, options.master, f"triptych {pipeline}", folder)
        self._options = options
        self._program = driver.path
        if options.ship_binary:
            self.spark.sparkContext.addFile(driver.path)

    def stop(self) -> None:
        self.spark.stop()

    def setup(self, plan: dict[str, Any], content: bytes, staging: Storage) -> tasks.Setup:
        """What every task of a plan needs to know; `content` is the plan as it was written."""
        options = self._options
        context = self.spark.sparkContext
        return tasks.Setup(
            input=Storage(options.input),
            staging=staging,
            triptych=os.path.basename(self._program) if options.ship_binary else options.triptych,
            is_shipped=options.ship_binary,
            plan=context.broadcast(content),
            threads=int(context.getConf().get("spark.task.cpus", "1")),
            keys=part_keys(options.partitions or _parts(plan)) if plan["compares_versions"] else [],
            keeps_rows=not options.dry_run,
        )


class Work:
    """All that is done by one plan: files are read, parts decided, accepted trips written."""

    def __init__(
        self,
        cluster: Cluster,
        driver: Driver,
        plan: dict[str, Any],
        listed: list[Entry],
        staging: Storage,
        results: Results,
    ) -> None:
        self._spark = cluster.spark
        self._driver = driver
        self.plan = plan
        self._listed = {entry.path: entry for entry in listed}
        self._staging = staging
        self.results = results
        self._setup = cluster.setup(plan, results.plan.read_bytes(), staging)
        self._key = Secret(driver.key_file.read_bytes())
        # What the tasks of files gave: rows for the shuffle, and what they wrote.
        self._mapped: DataFrame | None = None
        self._read: list[dict[str, Any]] = []

    def read(self) -> dict[str, str]:
        """Reads all files; gives the contents of those that another day had to be judged by, by
        their paths."""
        files = self.plan["files"]
        say(f"reading {counted(len(files), 'file')}")
        entries = [
            (file["index"], self._listed[file["listed"]])
            for file in sorted(files, key=lambda file: -file["size"])
        ]
        self._mapped = self._each(entries, tasks.mapping(self._setup, self._key)).persist(
            StorageLevel.DISK_ONLY
        )
        self._read = _by("file", _results(self._mapped.where("result is not null")), len(files))
        self.results.take_files(self._staging, self._read)
        return {
            files[index]["listed"]: content for index, content in self.results.misjudged().items()
        }

    def forget(self) -> None:
        """Gives back what the tasks of files gave to the shuffle."""
        if self._mapped is not None:
            self._mapped.unpersist()

    def decide(self) -> list[dict[str, Any]]:
        """Decides which files are in force, and which versions of their trips; gives what the parts
        wrote."""
        results, keys = self.results, self._setup.keys
        self._driver.files(results.plan, results.folder, results.files)
        if not keys:
            self.forget()
            return []
        assert self._mapped is not None
        read = sum(one["versions"] for one in self._read)
        say(f"deciding {counted(read, 'version')} in {counted(len(keys), 'part')}")
        parts = self._resolved(self._mapped, results.files.read_bytes())
        self.forget()
        results.take_parts(self._staging, parts)
        arrived = sum(one["versions"] for one in parts)
        if read != arrived:
            raise Failure(
                f"{read} versions were read, and {arrived} arrived: nothing is published."
            )
        return parts

    def write(self, parts: list[dict[str, Any]]) -> dict[str, Any]:
        """Writes the accepted trips; gives what is to be committed."""
        results = self.results
        in_force = json.loads(results.files.read_bytes())["in_force"]
        staged = self._staged(self._read, results, in_force)
        trips = sum(file.rows for file in staged)
        say(f"writing the accepted of {counted(trips, 'trip')}")
        written = self._written(staged, parts)
        results.compare(staged, written)
        return {"groups": written, "parts": [part for part in parts if part["set_aside"]]}

    def _each(self, entries: list[Any], work: Callable[[Any], tasks.Batches]) -> DataFrame:
        """One task for each entry.

        Rows from a list of Python would start a second Python beside each task.
        """
        numbers = self._spark.range(0, len(entries), 1, max(1, len(entries)))
        return numbers.mapInArrow(tasks.of_entries(entries, work), tasks.ROWS)

    def _resolved(self, mapped: DataFrame, files: bytes) -> list[dict[str, Any]]:
        decision: Broadcast[bytes] = self._spark.sparkContext.broadcast(files)
        frames = (
            mapped.where("result is null")
            .select("key", "rows", "frame")
            .repartition(len(self._setup.keys), "key")
        )
        return _by(
            "part",
            _results(frames.mapInArrow(tasks.resolving(self._setup, decision), tasks.ROWS)),
            len(self._setup.keys),
        )

    def _staged(
        self, read: list[dict[str, Any]], results: Results, in_force: list[bool]
    ) -> list[accepted.Staged]:
        """The files in force, each with its rows that are to be left out and its decisions made by
        hand."""
        by_file = results.decisions(self.plan["overrides"])
        return [
            accepted.Staged(
                file["file"],
                f"{file['folder']}/trips.arrow",
                file["trips"],
                results.set_aside(file["file"]),
                by_file.get(file["file"], []),
            )
            for file in read
            if in_force[file["file"]]
        ]

    def _written(
        self, staged: list[accepted.Staged], parts: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        groups = accepted.grouped(staged, _GROUP_ROWS)
        if not groups:
            return []
        keys = part_keys(len(groups))
        group_of = [-1] * len(self.plan["files"])
        for group, files in enumerate(groups):
            for file in files:
                group_of[file.file] = group
        work = [
            (keys[group], 0, None, accepted.work(group, files))
            for group, files in enumerate(groups)
        ]
        rows = self._spark.createDataFrame(work, tasks.ROWS)
        paths = [f"{part['folder']}/set_aside.parquet" for part in parts if part["set_aside"]]
        if paths:
            rows = rows.union(self._each(paths, accepted.dividing(self._staging, group_of, keys)))
        rows = rows.repartition(len(groups), "key").mapInArrow(
            accepted.writing(self._staging), tasks.ROWS
        )
        return _by("group", _results(rows), len(groups))


def _parts(plan: dict[str, Any]) -> int:
    """Parts of the shuffle by the size of the files."""
    size = sum(
        file["size"] * (_GZIP_GROWTH if file["listed"].endswith(".gz") else 1)
        for file in plan["files"]
    )
    return max(1, min(100_000, -(-size // _PART_BYTES)))


def _results(rows: DataFrame) -> list[dict[str, Any]]:
    """What tasks wrote; a fault of a worker comes in its own words."""
    try:
        return [json.loads(one["result"]) for one in rows.select("result").collect()]
    except (Py4JJavaError, PySparkException) as fault:
        if (known := failure_in(str(fault))) is not None:
            raise known from None
        raise Failure(f"Spark could not do it: {_cause(str(fault))}", 71) from None


def _cause(text: str) -> str:
    """What a fault says of itself: the end of the traceback of a worker's Python, without the
    frames; else the first lines."""
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("Traceback (most")]
    frames = itertools.dropwhile(
        lambda line: not line.strip() or line.startswith(" "),
        lines[heads[-1] + 1 :] if heads else [],
    )
    said = list(itertools.takewhile(lambda line: line.strip(), frames))
    return "\n".join((said or lines)[:12])


def _by(name: str, found: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Results in order, where each of them is there once."""
    found = sorted(found, key=lambda one: one[name])
    if [one[name] for one in found] != list(range(count)):
        raise Failure(f"Spark gave {len(found)} results of {count} ({name}), or one of them twice.")
    return found
