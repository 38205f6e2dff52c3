"""A job of the real program beside `triptych run --full` of the same exports, on this machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import comparison
from comparison import ENGINE, Storage
from exports import Case
from object_storage import Bucket

# Nothing looks at its pages, and loopback is all there is.
QUIET = ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1"]
PUBLISHED = (0, 10)


def program() -> str:
    """The program `triptych` of the PATH."""
    found = shutil.which("triptych")
    if found is None:
        sys.exit("triptych is not on the PATH")
    return found


def prepare(folder: Path) -> None:
    """Gives both ways one time, and Spark a folder for what it writes beside the job."""
    os.environ.setdefault("TRIPTYCH_NOW", "2026-11-06T06:14:00Z")
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("SPARK_LOCAL_DIRS", str(folder / "scratch"))
    os.environ.setdefault("SPARK_WORKER_DIR", str(folder / "work"))


def left_behind(out: str, uri: str, generations: int = 1) -> list[str]:
    """What lies in the output folder and should not, beside the trips of each generation; and what
    the manifest of the last one lists and is not there."""
    trips = comparison.trips_folder(uri)
    manifest = json.loads((trips / "_manifest.json").read_bytes())
    listed = {one["path"] for one in manifest["files"] + manifest["set_aside"]}
    there = {str(path.relative_to(trips)) for path in trips.glob("*/**/*.parquet")}
    found = [f"{name} is not in the manifest, or not there" for name in sorted(there ^ listed)]
    others = set(Storage(out).names()) - {"_mart.json"}
    if uri.split("/")[-2] in others and len(others) == generations:
        return found
    return [*found, f"{len(others)} folders of {generations} generations: {sorted(others)}"]


class RealJob:
    """The exports of a case, a mart of one machine beside the mart of a job, and its Parquet."""

    def __init__(
        self, case: Case, folder: Path, triptych: str, bucket: Bucket | None = None
    ) -> None:
        self.case = case
        self._bucket = bucket
        self.triptych = triptych
        self.engine = ENGINE
        self.out = folder / "out"
        self.scratch, self.temporary = folder / "scratch", folder / "temporary"
        self.native, self.divided = folder / "native", folder / "divided"
        self._key = folder / "key"

    def _both(self, mart: Path, exports: str) -> list[str]:
        reference = self.case.reference
        return [
            *("run", str(self.case.pipeline), "--mart", str(mart)),
            *("--input", exports, "--key-file", str(self._key)),
            *(["--reference", str(reference)] if reference else []),
        ]

    def run_here(self, *more: str) -> subprocess.CompletedProcess[str]:
        """`triptych run --full`."""
        return subprocess.run(
            [self.triptych, *self._both(self.native, str(self.case.input)), "--full", *more],
            capture_output=True,
            text=True,
        )

    @property
    def _out(self) -> str:
        return f"{self._bucket.uri}/out" if self._bucket else str(self.out)

    def left_by_dry_runs(self) -> list[str]:
        """What lies there after dry runs alone."""
        left = [
            path.name
            for path in (self.out, self.native, self.divided, self._key)
            if path.exists()
        ]
        left += [entry.path for entry in Storage(self._out).list()]
        return [f"a dry run left {one} behind" for one in left]

    def words(self, master: str, *more: str) -> list[str]:
        """What triptych-spark is told."""
        here = self.case.input
        exports = self._bucket.holding(here) if self._bucket else str(here)
        return [
            *self._both(self.divided, exports),
            *("--out", self._out, "--master", master, "--triptych", self.triptych),
            *("--partitions", "5", *QUIET, *more),
        ]

    def run(
        self, master: str, *more: str, inside: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """The job, as a process of its own; `inside` is a command that starts another."""
        main = self.engine / "triptych_spark" / "__main__.py"
        # A driver that is killed leaves its own folder behind.
        folders = {"SPARK_LOCAL_DIRS": self.scratch, "TMPDIR": self.temporary}
        self.temporary.mkdir(exist_ok=True)
        return subprocess.run(
            [*inside, sys.executable, "-B", str(main), *self.words(master, *more)],
            capture_output=True,
            text=True,
            env={**os.environ, **{name: str(path) for name, path in folders.items()}},
        )

    def published(self) -> list[str]:
        """The generations of its mart."""
        found = (self.divided / "generations").glob("*.sqlite")
        return sorted(path.name for path in found if not path.name.endswith(".kpi.sqlite"))

    def faults(self, generations: int = 1) -> list[str]:
        """What is not as it must be after as many imports: all that differs from the other mart,
        files that lie about."""
        if len(self.published()) != generations:
            return [f"{self.published()} are published, expected {generations}"]
        found = comparison.differences(self.native, self.divided, generations)
        if (self.divided / "cluster").exists():
            found.append("a plan was left behind in the mart")
        uri = comparison.mart(self.divided).execute("SELECT uri FROM trip_location").fetchone()[0]
        return found + left_behind(self._out, uri, generations)
