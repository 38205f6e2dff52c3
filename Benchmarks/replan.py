#!/usr/bin/env python3
"""Measures edits of reference rows over stored trips: evaluated, and published.

    replan.py [--size M] [--runs 5] [--folder DIR] [--write]

Both have the same trips in a store of their own, ours as `run` publishes it, DuckDB's in its native table.
Then vehicles change hands, and each works out what all trips come to: the look-ups joined and the rules
asked again, nothing written. They take turns, as processes from start to end, after one run each to warm
up. DuckDB's cube must equal, cell by cell, the one we publish from the edited files.

After that the edit is published: by `reclassify` from the stored trips, and by a full run from gzip exports
with the same files, in turns. Both must leave the same cube. `--write` puts the tables into README.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import sys
import tempfile
from pathlib import Path

from compare import SIZES
from comparison import cube, measure, page
from comparison.data import Data
from comparison.engines import BENCHMARKS, PIPELINE, Scratch, engines, program
from comparison.lookups import prepare
from comparison.measure import Series

HEADER = ["what", "engine", "wall s", "min–max", "CPU s", "peak MB", "× ours"]
# Every so many vehicles of VA go to a vendor.
EVERY = 7


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=list(SIZES), default="M")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def edit(reference: Path, edited: Path) -> int:
    """Copies the reference files, some vehicles with another owner; returns how many."""
    shutil.copytree(reference, edited)
    path = edited / "vehicles.csv"
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    owner = header.index("owner")
    own = [row for row in rows if row[owner] == "VA"][::EVERY]
    for row in own:
        row[owner] = "VENDOR"
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return len(own)


class Replanning:
    """One call of the program."""

    def __init__(self, chosen: argparse.Namespace, folder: Path) -> None:
        self.chosen = chosen
        self.log = folder / "replan.log"
        self.program = program()
        found = engines(self.program)
        self.ours = found[0]
        self.duckdb = next(engine for engine in found if engine.name == "duckdb")
        self.trips = SIZES[chosen.size]
        data = Data(folder, self.trips, self.program)
        self.exports = data.exports("plain", has_repeats=False)
        self.packed = data.exports("gzip", has_repeats=False)
        self.scratch = Scratch(folder / "replan").cleared()
        self.reference = self.scratch.folder / "reference"
        self.lookups = self.scratch.folder / "lookups"
        self.vehicles = edit(self.exports.reference, self.reference)
        prepare(self.reference, self.lookups)

    def done(self, command: list[str], what: str) -> measure.Usage:
        """Runs one command that must succeed."""
        usage = measure.run(command, self.log)
        if usage.status not in self.ours.good:
            raise SystemExit(f"{what}: status {usage.status}\n{self.log.read_text()}")
        print(f"{what}: {usage.wall:.2f} s", file=sys.stderr, flush=True)
        return usage

    def build(self) -> None:
        """Both stores, before the edit."""
        self.done(self.ours.run(PIPELINE, self.exports, self.scratch, 2), "our store")
        self.done(self.duckdb.command("store", self.exports, self.scratch, 2), "DuckDB's store")

    def ours_planned(self) -> list[str]:
        return self.ours.plan(PIPELINE, self.reference, self.scratch, 2)

    def duckdb_planned(self) -> list[str]:
        command = self.duckdb.command("plan", self.exports, self.scratch, 2)
        command[command.index("--lookups") + 1] = str(self.lookups)
        return command

    def measure(self) -> list[Series]:
        """Lets the two take turns; their totals must agree every time."""
        series = [Series(), Series()]
        for turn in range(self.chosen.runs + 1):
            ours = self.done(self.ours_planned(), "our plan")
            planned = json.loads(self.log.read_text())[0]["planned"]
            theirs = self.done(self.duckdb_planned(), "DuckDB's plan")
            cells = cube.of_file(self.scratch.cube)
            totals = [sum(cell[index] for cell in cells.values()) for index in range(5)]
            named = ["trips", "in_house_trips", "contracted_trips", "undetermined_trips", "cost_cents"]
            if totals != [planned[name] for name in named]:
                raise SystemExit(f"ours {planned}, DuckDB {totals}")
            if turn > 0:
                series[0].runs.append(ours)
                series[1].runs.append(theirs)
        return series

    def publish(self) -> list[Series]:
        """Publishes the edit from the stored trips and from the exports, in turns.

        Both cubes must be the one that DuckDB computed last.
        """
        mart, full = self.scratch.store / "mart", Scratch(self.scratch.folder / "full")
        kept = self.scratch.folder / "kept"
        mart.rename(kept)
        series = [Series(), Series()]
        for turn in range(self.chosen.runs + 1):
            shutil.rmtree(mart, ignore_errors=True)
            shutil.copytree(kept, mart, symlinks=True)
            ours = self.done(
                self.ours.reclassify(PIPELINE, self.reference, self.scratch, 2), "reclassified")
            self.require_equal_cubes(mart)
            shutil.rmtree(mart)
            command = self.ours.run(PIPELINE, self.packed, full.cleared(), 2)
            command[command.index("--reference") + 1] = str(self.reference)
            again = self.done(command, "full run")
            self.require_equal_cubes(full.store / "mart")
            full.remove()
            if turn > 0:
                series[0].runs.append(ours)
                series[1].runs.append(again)
        return series

    def require_equal_cubes(self, mart: Path) -> None:
        """Compares what is published with what DuckDB computed, cell by cell."""
        differences = cube.differences(cube.of_mart(mart), cube.of_file(self.scratch.cube))
        if differences:
            raise SystemExit("\n".join(differences[:5]))

    def table(self, names: list[str], series: list[Series]) -> str:
        rows = []
        for name, own in zip(names, series, strict=True):
            walls = [run.wall for run in own.runs]
            rows.append([
                f"{self.vehicles} vehicles change hands", name, page.seconds(own.wall),
                f"{page.seconds(min(walls))}–{page.seconds(max(walls))}", page.seconds(own.cpu),
                f"{own.peak_bytes / 1e6:,.0f}", f"{own.wall / series[0].wall:.2f}",
            ])
        return page.table(rows, HEADER, words=2)


def main() -> int:
    chosen = words()
    with tempfile.TemporaryDirectory(prefix="triptych-replan-") as temporary:
        folder = chosen.folder.resolve() if chosen.folder else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        replanning = Replanning(chosen, folder)
        replanning.build()
        planned = replanning.table(["Triptych: plan", "DuckDB: own table"], replanning.measure())
        published = replanning.table(
            ["Triptych: reclassify, published", "Triptych: run --full from gzip, published"],
            replanning.publish())
        versions = f"{replanning.ours.version}, {replanning.duckdb.version}"
        text = (f"{measure.origin(folder, versions)} "
                f"{replanning.trips:,} stored trips, 2 threads each; medians of {chosen.runs} in turns, "
                f"after one run each to warm up.\n\n{planned}\n\n{published}")
        print(text, flush=True)
        if chosen.write:
            page.write(BENCHMARKS / "README.md", "replan.py", text)
        replanning.scratch.remove()
        replanning.log.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
