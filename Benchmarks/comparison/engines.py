"""The engines: how each is started, what it writes, what must be known when its numbers are read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from comparison import cube
from comparison.data import Exports

JOBS = ["kpi", "kpi-exact", "store", "store-exact"]
BENCHMARKS = Path(__file__).resolve().parent.parent
REPOSITORY = BENCHMARKS.parent
PIPELINE = REPOSITORY / "pipelines/ambulance"
# Where the Makefile has programs and tests built.
BUILT = Path(os.environ.get("BUILT") or ".build/release")


def program() -> Path:
    """Ours: the built one, or the one TRIPTYCH_PROGRAM names."""
    # Started elsewhere than here, a relative path would mean another file.
    path = REPOSITORY / (os.environ.get("TRIPTYCH_PROGRAM") or BUILT / "triptych")
    if not os.access(path, os.X_OK):
        raise SystemExit(f"{path.name} is missing: swift build -c release --product triptych")
    return path


def program_version(path: Path) -> str:
    """What ours calls itself, and the commit it is built from, with `and changes` where its sources differ from it."""
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    commit = subprocess.run(["git", "-C", REPOSITORY, "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True, check=False).stdout.strip()
    changed = subprocess.run(["git", "-C", REPOSITORY, "diff", "--quiet", "HEAD", "--", "Package.swift", "Sources"],
                             capture_output=True, check=False).returncode == 1
    commit += " and changes" if changed else ""
    given = ", program from TRIPTYCH_PROGRAM" if "TRIPTYCH_PROGRAM" in os.environ else ""
    return f"triptych {answer.stdout.strip()} (commit {commit or 'not known'}{given})"


def unique_pipeline(copy: Path) -> Path:
    """The pipeline with the declaration that every trip id occurs once."""
    shutil.copytree(PIPELINE, copy)
    start = copy / "pipeline.yaml"
    start.write_text("trip_ids: unique\n" + start.read_text(encoding="utf-8"), encoding="utf-8")
    return copy


@dataclass(frozen=True)
class Scratch:
    """The folder of one run; it is removed before the next."""

    folder: Path

    @property
    def cube(self) -> Path:
        return self.folder / "cube.csv"

    @property
    def store(self) -> Path:
        return self.folder / "store"

    def remove(self) -> None:
        """Takes it away with all that lies in it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def cleared(self) -> Scratch:
        """The folder, empty."""
        self.remove()
        self.store.mkdir(parents=True)
        return self


@dataclass(frozen=True)
class Engine:
    """One engine of the comparison."""

    name: str
    label: str
    # Runs once where the data is large: it would take hours, and says the same.
    is_slow: bool = False
    # Exit statuses that mean that the job was done.
    good: tuple[int, ...] = (0,)
    # What a reader of the table must know of the store jobs.
    kept_as: str = ""

    def command(self, job: str, exports: Exports, scratch: Scratch, threads: int) -> list[str]:
        """What runs the job as a process of its own."""
        script = BENCHMARKS / "rivals" / f"{self.name}_job"
        start = ([str(script.with_suffix(".sh"))] if self.name == "sqlite"
                 else [sys.executable, str(script.with_suffix(".py"))])
        return start + [
            "--job", job, "--exports", str(exports.folder), "--lookups", str(exports.lookups),
            "--cube", str(scratch.cube), "--store", str(scratch.store), "--threads", str(threads),
        ]

    def cube(self, job: str, scratch: Scratch) -> cube.Cube | None:
        """The cube of the run that has just ended; None where it leaves none behind."""
        return cube.of_file(scratch.cube)

    def store_size(self, scratch: Scratch) -> int:
        """Bytes of what a reader of trips would open."""
        return sum(path.stat().st_size for path in scratch.store.rglob("*") if path.is_file())

    @property
    def version(self) -> str:
        """The engine with its version."""
        if self.name == "python":
            return f"Python {sys.version.split()[0]}"
        if self.name == "sqlite":
            answer = subprocess.run(
                ["sqlite3", "--version"], capture_output=True, text=True, check=True)
            return f"sqlite3 {answer.stdout.split()[0]}"
        return f"{self.name} {metadata.version(self.name)}"

    def title(self, job: str) -> str:
        """The engine's name in the table."""
        return f"{self.label}: {self.kept_as}" if job.startswith("store") else self.label

    def missing(self) -> str | None:
        """What has to be installed before the engine can run."""
        if self.name == "sqlite" and not shutil.which("sqlite3"):
            return "the sqlite3 shell is missing: apt-get install sqlite3"
        return None


@dataclass(frozen=True)
class Triptych(Engine):
    """Ours: the command as a user runs it."""

    program: Path = BUILT / "triptych"

    def command(self, job: str, exports: Exports, scratch: Scratch, threads: int) -> list[str]:
        words = self.run(self._pipeline(job, scratch), exports, scratch, threads)
        return words if job.startswith("store") else [*words, "--dry-run"]

    def run(self, pipeline: Path, exports: Exports, scratch: Scratch, threads: int) -> list[str]:
        """What publishes the exports into a mart of their own."""
        return [
            str(self.program), "run", str(pipeline),
            "--mart", str(scratch.store / "mart"), "--key-file", str(scratch.folder / "mart.key"),
            "--input", str(exports.folder), "--reference", str(exports.reference),
            "--threads", str(threads), "--full",
        ]

    def reclassify(self, pipeline: Path, reference: Path, scratch: Scratch,
                   threads: int) -> list[str]:
        """What publishes edits from the stored trips of the mart that `run` published."""
        return [
            str(self.program), "reclassify", str(pipeline), "--yes",
            "--mart", str(scratch.store / "mart"), "--key-file", str(scratch.folder / "mart.key"),
            "--reference", str(reference), "--threads", str(threads),
        ]

    def plan(self, pipeline: Path, reference: Path, scratch: Scratch, threads: int) -> list[str]:
        """What says what edits would change in the mart that `run` published."""
        return [
            str(self.program), "plan", str(pipeline), "--format", "json",
            "--mart", str(scratch.store / "mart"), "--key-file", str(scratch.folder / "mart.key"),
            "--reference", str(reference), "--threads", str(threads),
        ]

    def _pipeline(self, job: str, scratch: Scratch) -> Path:
        # Told, as the rivals are, that every trip id occurs once.
        return unique_pipeline(scratch.folder / "ambulance") if job == "kpi" else PIPELINE

    def cube(self, job: str, scratch: Scratch) -> cube.Cube | None:
        # A dry run prints its newest month alone; its cube is that of the same files published.
        return cube.of_mart(scratch.store / "mart") if job.startswith("store") else None

    def store_size(self, scratch: Scratch) -> int:
        return (scratch.store / "mart" / "triptych.sqlite").stat().st_size

    @property
    def version(self) -> str:
        return program_version(self.program)


def engines(program: Path) -> list[Engine]:
    """All engines, ours first: the others are compared with it."""
    return [
        Triptych("triptych", "Triptych", good=(0, 10), kept_as="all indexes", program=program),
        Engine("polars", "Polars", kept_as="Parquet, no index"),
        Engine("duckdb", "DuckDB", kept_as="own table"),
        Engine("chdb", "ClickHouse", kept_as="MergeTree"),
        Engine("sqlite", "sqlite3 shell", is_slow=True, kept_as="2 indexes"),
        Engine("python", "plain Python", is_slow=True, kept_as="sqlite3, 2 indexes"),
    ]
