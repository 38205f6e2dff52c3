"""A job over the stand-in: its exports from a seed, what must come out, and what did."""

from __future__ import annotations

import contextlib
import gzip
import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as parquet
from real_job import ENGINE, QUIET, left_behind

MASTER = os.environ.get("MASTER", "local[2]")
SECRET = "rules, and what no other account may read"


class SmallJob:
    """Files of trips in a folder of their own, of which a job makes a mart and Parquet."""

    def __init__(self, folder: Path, seed: int = 1, files: int = 3, trips: int = 200) -> None:
        self.folder = folder
        self.engine = ENGINE
        for name in ("in", "bin"):
            (folder / name).mkdir(parents=True)
        source = random.Random(seed)
        names = ["by-hand", *(f"T{number}" for number in range(trips))]
        self.last: dict[str, tuple[str, int]] = {}
        self.versions = 0
        for file in range(files):
            # The first file has them all, later ones correct some.
            chosen = names if file == 0 else source.choices(names, k=trips // 2)
            lines = []
            for name in chosen:
                self.last[name] = f"2026-{source.randint(1, 9):02d}", source.randint(1, 99_999)
                lines.append(f"{name},{self.last[name][0]},{self.last[name][1]}\n")
            self.versions += len(lines)
            data = "".join(lines).encode()
            path = folder / "in" / (f"{file}.csv.gz" if file % 2 else f"{file}.csv")
            path.write_bytes(gzip.compress(data) if file % 2 else data)
        (folder / "key").write_bytes(b"a key that no log may show")
        (folder / "key").chmod(0o600)
        # It stands for a list of overrides: only the account of the driver may read it.
        (folder / "pipeline").write_text(SECRET)
        program = folder / "bin" / "triptych"
        program.write_text(
            f"#!/bin/sh\nexec env TRIPTYCH_SPARK={ENGINE} {sys.executable} -B"
            f' {Path(__file__).with_name("stand_in.py")} "$@"\n'
        )
        program.chmod(0o755)

    def run(self, *words: str, master: str = MASTER) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words, master=master),
            capture_output=True,
            text=True,
            env=self.environment(),
        )

    def command(self, *words: str, master: str = MASTER) -> list[str]:
        folder = self.folder
        return [
            sys.executable,
            "-B",
            str(self.engine / "triptych_spark" / "__main__.py"),
            "run",
            str(folder / "pipeline"),
            "--input",
            str(folder / "in"),
            "--out",
            str(folder / "out"),
            "--mart",
            str(folder / "mart"),
            "--key-file",
            str(folder / "key"),
            "--master",
            master,
            "--triptych",
            str(folder / "bin" / "triptych"),
            "--partitions",
            "2",
            *QUIET,
            *words,
        ]

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder / "scratch"),
            "SPARK_WORKER_DIR": str(self.folder / "work"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def published(self) -> list[dict]:
        """What the mart has, in no order."""
        found = []
        for path in (self.folder / "mart" / "generations").glob("*.sqlite"):
            with contextlib.closing(sqlite3.connect(path)) as file:
                cells = {month: rest for month, *rest in file.execute("SELECT * FROM cell")}
                trips = file.execute("SELECT uri FROM trip_location").fetchone()[0]
            found.append({"cells": cells, "trips": trips})
        return found

    def faults(self) -> list[str]:
        """What is not as it must be after one import: cells, trips, files."""
        found = self.published()
        if len(found) != 1:
            return [f"{len(found)} generations are published"]
        cells: dict[str, list[int]] = {}
        for month, cents in self.last.values():
            cell = cells.setdefault(month, [0, 0])
            cell[0] += 1
            cell[1] += cents
        faults = [] if found[0]["cells"] == cells else ["the cells are others"]
        trips = Path(found[0]["trips"].removeprefix("file://")).parent
        rows = [
            one
            for path in trips.glob("trips/*/*.parquet")
            for one in parquet.ParquetFile(path).read().to_pylist()
        ]
        by_hand = [one["basis"] for one in rows if one["class"] == "contracted"]
        if sorted((one["month"], one["cents"]) for one in rows) != sorted(
            self.last.values()
        ) or by_hand != ["by-hand"]:
            faults.append("the trips are others")
        aside = sum(
            parquet.ParquetFile(path).metadata.num_rows
            for path in trips.glob("set_aside/*.parquet")
        )
        if aside != self.versions - len(self.last):
            faults.append(f"{aside} versions were set aside")
        return faults + left_behind(str(self.folder / "out"), found[0]["trips"])
