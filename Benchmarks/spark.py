#!/usr/bin/env python3
"""Measures the job on Spark beside `triptych run` and beside a plain PySpark job, on the same
exports.

    spark.py [--trips 1000000,10000000] [--form gzip] [--masters local[2],local-cluster[2,1,2048]]
    [--engines run,spark,plain]
             [--files N] [--faults] [--folder DIR] [--seconds-limit N]

Trips occur again, unchanged and changed, as in the job `kpi-exact` of compare.py; with --faults the
exports have what the
generator plants besides (broken lines, quoted line breaks, other forms of amounts), and the table
says how many cells
of each cube are wrong. `run --full` publishes the same trips and is what cubes are compared with.
Each engine is a process of its own; its memory is the largest sum of what it and all it started
hold at a time, and
bytes shuffled are those that Spark's own event log counts. `Benchmarks/run.sh spark.py` starts it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from comparison import cube
from comparison.data import MONTHS, SEED, Data, pack
from comparison.engines import BENCHMARKS, PIPELINE, REPOSITORY, program

# What a second of looking costs is far below what is looked at.
LOOK_SECONDS = 0.2
CUBES = {"run": "mart", "spark": "mart", "plain": "cube.csv"}


@dataclass(frozen=True)
class Measured:
    """What one engine took."""

    wall: float
    cpu: float
    peak_bytes: int
    status: int
    shuffled_bytes: int
    written_bytes: int


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--trips", default="1000000,10000000", help="sizes; 100000000 takes 31 GB for exports and 40 GB for results"
    )
    parser.add_argument("--form", choices=["gzip", "plain"], default="gzip")
    parser.add_argument(
        "--masters",
        default="local[2] local-cluster[1,1,2048] local-cluster[2,1,2048]",
        help="for Spark, divided by blanks",
    )
    parser.add_argument("--engines", default="run,spark,plain")
    parser.add_argument("--faults", action="store_true", help="exports with planted faults")
    parser.add_argument(
        "--multi-line", action="store_true", help="let the plain job read over line breaks"
    )
    parser.add_argument("--folder", type=Path, default=Path(".build/spark-bench"))
    parser.add_argument("--seconds-limit", type=float, default=7200)
    return parser.parse_args()


class Tree:
    """The memory and the processor time of a process and of all that it started, looked at while it
    works."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.peak_bytes = 0
        self._ended = threading.Event()
        # Processor ticks by process: what has ended keeps the last that was seen.
        self._ticks: dict[int, int] = {}
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            self._once()

    def _once(self) -> None:
        known: dict[int, tuple[int, int, int]] = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                session, pages = int(fields[3]), int(fields[21])
                known[int(name)] = session, int(fields[11]) + int(fields[12]), pages
        # Everything that is started here stays in the session, or is a descendant that left it.
        sum_pages = 0
        for pid, (session, ticks, pages) in known.items():
            if session == self._pid or pid in self._ticks:
                self._ticks[pid] = max(ticks, self._ticks.get(pid, 0))
                sum_pages += pages
        self.peak_bytes = max(self.peak_bytes, sum_pages * os.sysconf("SC_PAGE_SIZE"))

    def end(self) -> float:
        """Ends looking; gives the seconds of processors."""
        self._ended.set()
        self._thread.join()
        return sum(self._ticks.values()) / os.sysconf("SC_CLK_TCK")


def measured(command: list[str], folder: Path, limit: float) -> Measured:
    """Runs one engine to its end."""
    log = folder / "log"
    events = folder / "events"
    events.mkdir()
    environment = {
        **os.environ,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_LOCAL_DIRS": str(folder / "scratch"),
        "PYSPARK_PYTHON": sys.executable,
    }
    begun = time.monotonic()
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, env=environment, start_new_session=True
        )
        tree = Tree(process.pid)
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
        wall = time.monotonic() - begun
        cpu = tree.end()
    shuffled, written = counted(events)
    if status not in (0, 10):
        print(log.read_text(errors="replace")[-3000:], file=sys.stderr)
    return Measured(wall, cpu, tree.peak_bytes, status, shuffled, written)


def counted(events: Path) -> tuple[int, int]:
    """Bytes that tasks wrote into the shuffle, and those that they spilled to disk."""
    shuffled = spilled = 0
    for path in events.rglob("*"):
        if not path.is_file() or path.name.startswith("."):
            continue
        for line in path.read_text(errors="replace").splitlines():
            if '"SparkListenerTaskEnd"' not in line:
                continue
            metrics = json.loads(line).get("Task Metrics") or {}
            shuffled += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
            spilled += metrics.get("Disk Bytes Spilled", 0)
    return shuffled, spilled


class Engines:
    """The commands of one size of exports."""

    def __init__(
        self, triptych: Path, exports: Path, reference: Path, lookups: Path, multi_line: bool
    ) -> None:
        self._triptych = triptych
        self._exports = exports
        self._reference = reference
        self._lookups = lookups
        self._multi_line = multi_line

    def command(self, engine: str, folder: Path, master: str) -> list[str]:
        """The words that start an engine; its results lie in the folder."""
        events = [
            "--conf",
            "spark.eventLog.enabled=true",
            "--conf",
            f"spark.eventLog.dir=file://{folder / 'events'}",
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--conf",
            "spark.eventLog.compress=false",
        ]
        if engine == "plain":
            return [
                sys.executable,
                "-B",
                str(BENCHMARKS / "rivals" / "spark_job.py"),
                "--exports",
                str(self._exports),
                "--lookups",
                str(self._lookups),
                "--cube",
                str(folder / "cube.csv"),
                "--store",
                str(folder),
                "--master",
                master,
                *events,
                *(["--multi-line"] if self._multi_line else []),
            ]
        shared = [
            str(PIPELINE),
            "--mart",
            str(folder / "mart"),
            "--input",
            str(self._exports),
            "--reference",
            str(self._reference),
            "--key-file",
            str(folder / "key"),
        ]
        if engine == "run":
            return [str(self._triptych), "run", *shared, "--full"]
        return [
            sys.executable,
            "-B",
            str(REPOSITORY / "engines/spark/triptych_spark/__main__.py"),
            "run",
            *shared,
            "--out",
            str(folder / "out"),
            "--master",
            master,
            "--triptych",
            str(self._triptych),
            *events,
        ]


def exports_of(chosen: argparse.Namespace, trips: int, triptych: Path) -> tuple[Path, Path, Path]:
    """Exports, reference files and prepared look-ups of one size, made when they are first asked
    for."""
    data = Data(chosen.folder, trips, triptych)
    made = data.exports(chosen.form, True)
    if not chosen.faults:
        return made.folder, made.reference, made.lookups
    plain = data.folder / "faults-plain"
    data._once(
        plain,
        lambda to: (
            subprocess.run(
                [
                    triptych,
                    "generate",
                    "--out",
                    to,
                    "--trips",
                    str(trips),
                    "--months",
                    str(MONTHS),
                    "--seed",
                    str(SEED),
                    "--layout",
                    "mixed",
                    "--faults",
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            and None
        ),
    )
    if chosen.form == "plain":
        return plain, plain / "reference", made.lookups
    data._once(data.folder / "faults-gzip", lambda to: pack(plain, to))
    return data.folder / "faults-gzip", plain / "reference", made.lookups


def main() -> int:
    chosen = words()
    chosen.folder = chosen.folder.resolve()
    triptych = program()
    print(
        "| trips | engine | on | wall s | CPU s | peak MB | shuffled MB | bytes/trip | spilled MB | wrong cells |"
    )
    print("|---:|---|---|---:|---:|---:|---:|---:|---:|---:|")
    bad = False
    for trips in (int(number) for number in chosen.trips.split(",")):
        exports, reference, lookups = exports_of(chosen, trips, triptych)
        engines = Engines(triptych, exports, reference, lookups, chosen.multi_line)
        truth: cube.Cube | None = None
        for engine in chosen.engines.split(","):
            for master in ["one process"] if engine == "run" else chosen.masters.split():
                folder = chosen.folder / "run"
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                found = measured(
                    engines.command(engine, folder, master), folder, chosen.seconds_limit
                )
                wrong = "–"
                if found.status in (0, 10):
                    path = folder / CUBES[engine]
                    ours = cube.of_file(path) if engine == "plain" else cube.of_mart(path)
                    truth = ours if engine == "run" else truth
                    wrong = "?" if truth is None else str(len(cube.differences(truth, ours)))
                    bad |= engine == "spark" and wrong not in ("0", "?")
                else:
                    wrong = f"status {found.status}"
                    bad = True
                print(
                    f"| {trips:,} | {engine} | {master} | {found.wall:.1f} | {found.cpu:.1f} |"
                    f" {found.peak_bytes / 1e6:,.0f} | {found.shuffled_bytes / 1e6:,.1f} |"
                    f" {found.shuffled_bytes / trips:.0f} | {found.written_bytes / 1e6:,.1f} | {wrong} |",
                    flush=True,
                )
        shutil.rmtree(chosen.folder / "run", ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
