"""The run, step by step: begin with `Job.publish`."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .cluster import Cluster, Work
from .committed import Committed
from .driver import Driver
from .failures import Failure, counted, say
from .kept import KeptPlans
from .options import Options
from .results import Results
from .storage import Storage, narrow_modes


def run(options: Options) -> int:
    """Runs the whole job; gives the exit status."""
    narrow_modes()
    with tempfile.TemporaryDirectory(prefix="triptych-spark-") as folder:
        # What is wrong with the command itself is said before a new mart gets its folder.
        job = Job(options, Path(folder))
        with _locked(options):
            return job.try_out() if options.dry_run else job.publish()


class Job:
    """One run, with a folder of this machine for what it needs until its end."""

    def __init__(self, options: Options, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._out = Storage(options.out)
        self._driver = Driver(options, folder)
        self._committed = Committed(self._out, self._driver, KeptPlans(options.mart))
        exports = Storage(options.input)
        if exports.holds(self._out):
            raise Failure(
                f"{self._out.uri} lies in {exports.uri}: the next job would list its trips as exports."
                " Give the trips a folder beside the exports with --out.",
                2,
            )
        self._files = exports.list()
        if not self._files:
            raise Failure(
                f"{exports.uri} has no file, or is not there: nothing was read."
                " Name the folder of exports with --input.",
                66,
            )
        self._plan_path = folder / "plan.json"
        # The plans by which something was staged.
        self._staged: list[str] = []

    def publish(self) -> int:
        """Reads, commits and publishes."""
        # 1. Which files there are, and what is to be done with each.
        plan, listing = self._planned({})
        listing_hash = hashlib.sha256(listing).hexdigest()
        # 2. What an earlier job left: what it committed is imported first, all else is removed.
        self._committed.claim(plan, writes=True)
        self._committed.remove_staging()
        earlier = self._committed.finish_earlier(plan, listing_hash, self._folder / "earlier")
        if earlier is not None:
            return earlier
        # 3. Spark reads, shuffles, decides and writes below the staging folder.
        with self._cluster(plan) as cluster:
            work = self._read(cluster, plan)
            commit = work.write(work.decide())
        # 4. All of it is there: it gets its name, and the generation its numbers.
        self._committed.commit(work.plan, listing_hash, commit, work.results)
        status, _ = self._committed.publish(work.plan["hash"], work.results.folder)
        self._committed.remove_staging()
        return status

    def try_out(self) -> int:
        """Says what would be published, and leaves nothing behind."""
        plan, _ = self._planned({})
        self._committed.claim(plan, writes=False)
        was_there = self._out.exists("")
        try:
            with self._cluster(plan) as cluster:
                work = self._read(cluster, plan)
                work.decide()
            where = self._committed.uri(work.plan["hash"])
            return self._driver.publish(self._plan_path, work.results.folder, where)
        finally:
            self._committed.remove_trial(self._staged)
            # Nothing of another job that began in it meanwhile.
            if not was_there and not self._out.names():
                self._out.remove("")

    def _planned(self, contents: dict[str, str]) -> tuple[dict[str, Any], bytes]:
        """The plan of the files, and their list; `contents` is what some of them hold, by path."""
        listing = self._folder / "files.jsonl"
        self._driver.write_list(self._files, contents, listing)
        return self._driver.plan(listing, self._plan_path), listing.read_bytes()

    @contextlib.contextmanager
    def _cluster(self, plan: dict[str, Any]) -> Iterator[Cluster]:
        cluster = Cluster(self._options, self._driver, plan["pipeline"], self._folder)
        try:
            yield cluster
        finally:
            cluster.stop()

    def _read(self, cluster: Cluster, plan: dict[str, Any]) -> Work:
        """Reads the files, once more where the contents of some show that the mart knows them, or
        does not, against what their paths and sizes said."""
        work = self._work(cluster, plan)
        contents = work.read()
        if not contents:
            return work
        say(
            f"the content of {counted(len(contents), 'file')} is other than paths and sizes said, so"
            " that pick-ups were judged by the wrong day"
        )
        work.forget()
        # Every report belongs to one plan: all files are read again.
        work = self._work(cluster, self._planned(contents)[0])
        work.read()
        return work

    def _work(self, cluster: Cluster, plan: dict[str, Any]) -> Work:
        results = Results(self._folder / f"results-{plan['hash']}", self._plan_path)
        results.folder.mkdir()
        self._staged.append(plan["hash"])
        staging = self._out.below(f"_staging/{plan['hash']}")
        return Work(cluster, self._driver, plan, self._files, staging, results)


@contextlib.contextmanager
def _locked(options: Options) -> Iterator[None]:
    """One job for each mart at a time: a second one would remove what the first is staging."""
    if options.dry_run and not os.path.isdir(options.mart):
        # No other job can have begun, and none is made for it.
        yield
        return
    try:
        os.makedirs(options.mart, mode=0o750, exist_ok=True)
        descriptor = os.open(options.mart, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as fault:
        is_file = os.path.isfile(options.mart)
        raise Failure(
            f"{options.mart} cannot be the folder of the mart:"
            f" {'it is a file' if is_file else fault.strerror}. Name the folder with --mart, and let"
            " this account write there.",
            66 if is_file else 73,
        ) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(
                f"Another triptych-spark works on {options.mart}: wait for its end.", 75
            ) from None
        yield
    finally:
        os.close(descriptor)
