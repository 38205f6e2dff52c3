"""The run, step by step: begin with `run`."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark import Broadcast, StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from . import accepted, session, tasks
from .committed import Committed, Results
from .driver import Driver
from .failures import Failure, failure_in
from .options import Options
from .program import Secret
from .shuffle import part_keys
from .storage import Storage

# Bytes of exports, as they are when expanded, for one part of the shuffle: some million trips.
_PART_BYTES = 128 << 20
# How much gzip mostly takes off an export.
_GZIP_GROWTH = 8
# Trips for one file of Parquet and month, and more where a file has more.
_GROUP_ROWS = 2_000_000


def run(options: Options) -> int:
    """Runs the whole job; gives the exit status."""
    driver = Driver(options)
    out, source = Storage(options.out), Storage(options.input)
    with _locked(options.mart), tempfile.TemporaryDirectory(prefix="triptych-spark-") as folder:
        # 1. Which files there are, and what is to be done with each.
        plan_path, listing = Path(folder, "plan.json"), Path(folder, "files.jsonl")
        driver.write_list(source.list(), listing)
        plan = driver.plan(listing, plan_path)
        # 2. What an earlier job left: what it committed is imported first, all else is removed.
        committed = Committed(out, driver)
        committed.claim(plan["pipeline"], plan["key_check"])
        committed.remove_staging()
        listing_hash = hashlib.sha256(listing.read_bytes()).hexdigest()
        earlier = committed.finish_earlier(listing_hash, Path(folder, "earlier"))
        if earlier.status is not None:
            return earlier.status
        if earlier.has_imported:
            plan = driver.plan(listing, plan_path)
        # 3. Spark reads, shuffles, decides and writes below the staging folder.
        results = Results(Path(folder, "results"), plan_path)
        results.folder.mkdir()
        staging = out.below(f"_staging/{plan['hash']}")
        cluster = Cluster(options, driver, source, staging, plan, Path(folder))
        try:
            commit = cluster.work(results)
        finally:
            cluster.stop()
        # 4. All of it is there: it gets its name, and the generation its numbers.
        committed.commit(plan["hash"], listing_hash, commit, results)
        status, _ = committed.publish(plan["hash"], results)
        committed.remove_staging()
        return status


@contextlib.contextmanager
def _locked(mart: str) -> Iterator[None]:
    """One job for each mart at a time: a second one would remove what the first is staging."""
    os.makedirs(mart, mode=0o700, exist_ok=True)
    descriptor = os.open(mart, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(
                f"Another triptych-spark works on {mart}: wait for its end.", 75
            ) from None
        yield
    finally:
        os.close(descriptor)


class Cluster:
    """The work of the workers, from the driver's side."""

    def __init__(
        self,
        options: Options,
        driver: Driver,
        source: Storage,
        staging: Storage,
        plan: dict[str, Any],
        folder: Path,
    ) -> None:
        self._plan = plan
        self._staging = staging
        self._driver = driver
        name = f"triptych {plan['pipeline']}"
        self._spark = session.started(options.conf, options.master, name, folder)
        context = self._spark.sparkContext
        if options.ship_binary:
            context.addFile(driver.path)
        self._keys = (
            part_keys(options.partitions or _parts(plan)) if plan["compares_versions"] else []
        )
        self._key = Secret(Path(options.key_file).read_bytes())
        self._setup = tasks.Setup(
            input=source,
            staging=staging,
            triptych=os.path.basename(driver.path) if options.ship_binary else options.triptych,
            is_shipped=options.ship_binary,
            plan=context.broadcast(Path(folder, "plan.json").read_bytes()),
            threads=int(context.getConf().get("spark.task.cpus", "1")),
            keys=self._keys,
        )

    def stop(self) -> None:
        self._spark.stop()

    def work(self, results: Results) -> dict[str, Any]:
        """Reads, decides and writes; fills the results; gives what is to be committed."""
        _say(f"reading {len(self._plan['files']):,} files")
        mapped = self._each(
            [
                (file["index"], file["listed"])
                for file in sorted(self._plan["files"], key=lambda file: -file["size"])
            ],
            tasks.mapping(self._setup, self._key),
        ).persist(StorageLevel.DISK_ONLY)
        read = _by("file", _results(mapped.where("result is not null")), len(self._plan["files"]))
        results.take_files(self._staging, read)
        self._driver.files(results.plan, results.folder, results.files)
        in_force = json.loads(results.files.read_bytes())["in_force"]
        parts: list[dict[str, Any]] = []
        if self._keys:
            _say(
                f"deciding {sum(file['versions'] for file in read):,} versions in {len(self._keys):,} parts"
            )
            parts = self._resolved(mapped, results.files.read_bytes())
            results.take_parts(self._staging, parts)
            versions = [sum(one["versions"] for one in some) for some in (read, parts)]
            if versions[0] != versions[1]:
                raise Failure(
                    f"{versions[0]} versions were read, and {versions[1]} arrived: nothing is published."
                )
        mapped.unpersist()
        staged = self._staged(read, results, in_force)
        _say(f"writing the accepted of {sum(file.rows for file in staged):,} trips")
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
            .repartition(len(self._keys), "key")
        )
        return _by(
            "part",
            _results(frames.mapInArrow(tasks.resolving(self._setup, decision), tasks.ROWS)),
            len(self._keys),
        )

    def _staged(
        self, read: list[dict[str, Any]], results: Results, in_force: list[bool]
    ) -> list[accepted.Staged]:
        """The files in force, each with its rows that are to be left out and its decisions made by
        hand."""
        by_file = results.decisions(self._plan["overrides"])
        return [
            accepted.Staged(
                file["file"],
                f"{file['folder']}/trips.parquet",
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
        group_of = [-1] * len(self._plan["files"])
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
        raise Failure(f"Spark could not do it: {_first_lines(str(fault))}", 71) from None


def _first_lines(text: str) -> str:
    return "\n".join(text.splitlines()[:12])


def _by(name: str, found: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Results in order, where each of them is there once."""
    found = sorted(found, key=lambda one: one[name])
    if [one[name] for one in found] != list(range(count)):
        raise Failure(f"Spark gave {len(found)} results of {count} ({name}), or one of them twice.")
    return found


def _say(text: str) -> None:
    print(f"{datetime.datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)
