#!/usr/bin/env python3
"""Compares Triptych with other engines: the same exports, the same rules, the same two threads.

    compare.py [--sizes T,S] [--jobs kpi,kpi-exact:gzip,store,store-exact] [--forms plain,gzip]
               [--engines triptych,polars,…] [--runs 5] [--folder DIR] [--note TEXT] [--write]

`make bench` starts it with the rivals installed. Every engine is a process of its own; they take turns,
after one run each to warm up. A cube that differs from ours by one cell is an error, and its engine
gets no time. README.md says what the jobs are and who is handicapped by what. thresholds.csv says how many
times our time the fastest rival must take at least; where it takes less, the command fails.
"""

from __future__ import annotations

import argparse
import csv
import os
import sqlite3
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Callable

from comparison import cube, measure, page
from comparison.data import Data, Exports
from comparison.engines import BENCHMARKS, JOBS, Engine, Scratch, engines, program
from comparison.measure import Series

# T is for trying the harness, L shows growth.
SIZES = {"T": 50_000, "S": 1_000_000, "M": 10_000_000, "L": 30_000_000}
FORMS = ["plain", "gzip"]
# From here on, slow engines run once.
LARGE = 10_000_000
SHOWN_DIFFERENCES = 5


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])

    def some_of(known: list[str]) -> Callable[[str], list[str]]:
        def read(text: str) -> list[str]:
            chosen = text.split(",")
            for word in chosen:
                if word not in known:
                    raise argparse.ArgumentTypeError(f"{word} is none of {', '.join(known)}")
            return chosen
        return read

    names = [engine.name for engine in engines(Path())]
    parser.add_argument("--sizes", type=some_of(list(SIZES)), default=["S"])
    both = [f"{job}:{form}" for job in JOBS for form in FORMS]
    parser.add_argument("--jobs", type=some_of(JOBS + both), default=JOBS,
                        help="a job alone is done with each of --forms")
    parser.add_argument("--forms", type=some_of(FORMS), default=FORMS)
    parser.add_argument("--engines", type=some_of(names), default=names)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where data and stores lie; data is kept there")
    parser.add_argument("--sync", action="store_true",
                        help="count the time until what was written has reached the disk")
    parser.add_argument("--note", default="", help="what else must be known about this run")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    return parser.parse_args()


class Comparison:
    """One call of the program: what is compared, where, and what went wrong."""

    def __init__(self, chosen: argparse.Namespace, folder: Path) -> None:
        self.chosen = chosen
        self.folder = folder
        self.scratch = Scratch(folder / "run")
        self.log = folder / "run.log"
        self.program = program()
        known = engines(self.program)
        self.engines = [engine for engine in known if engine.name in chosen.engines]
        for engine in self.engines:
            if missing := engine.missing():
                raise SystemExit(f"{missing} (or leave it out: --engines)")
        self.ours = known[0]
        self.faults: list[str] = []
        self.thresholds = thresholds()
        self.regressions: list[str] = []

    @property
    def cases(self) -> list[tuple[str, str]]:
        """The jobs, each with the form of its exports."""
        cases: list[tuple[str, str]] = []
        for word in self.chosen.jobs:
            job, _, form = word.partition(":")
            cases += [(job, form)] if form else [(job, form) for form in self.chosen.forms]
        return cases

    def size(self, size: str) -> str:
        """Compares at one size; gives its part of the page."""
        data = Data(self.folder, SIZES[size], self.program)
        results: list[page.Result] = []
        expected: dict[bool, cube.Cube] = {}
        notes: list[str] = []
        for job, form in self.cases:
            has_repeats = job.endswith("-exact")
            if has_repeats not in expected:
                expected[has_repeats] = self.published(data.exports("plain", has_repeats))
            exports = data.exports(form, has_repeats)
            say(f"{size} {job} {form}, {exports.size / 1e6:,.0f} MB of exports")
            series = self.turns(job, exports, expected[has_repeats], data.trips)
            self.compare(size, job, form, series)
            ours = series.get(self.ours.name)
            results += [page.Result(job, form, engine, series[engine.name], ours, data.trips)
                        for engine in self.engines]
            if ours and ours.store_bytes and not ours.fault:
                probe = measure.write_and_sync(ours.store_bytes, self.folder)
                notes.append(
                    f"{job} {form}: writing and syncing the {ours.store_bytes / 1e6:,.0f} MB of our"
                    f" store as one file takes {probe:.2f} s."
                )
            say(page.table(page.rows(results[-len(self.engines):])))
        heading = f"### Size {size}: {data.trips:,} trips in 24 exports, two layouts"
        return "\n\n".join([heading, page.table(page.rows(results)), *notes])

    def compare(self, size: str, job: str, form: str, series: dict[str, Series]) -> None:
        """Notes where the fastest rival has come nearer than it may."""
        least = self.thresholds.get((size, job, form))
        ours = series.get(self.ours.name)
        rivals = [own.wall for name, own in series.items()
                  if name != self.ours.name and own.runs and not own.fault]
        if least is None or not rivals or not ours or not ours.runs or ours.fault:
            return
        ratio = min(rivals) / ours.wall
        if ratio < least:
            self.regressions.append(
                f"{size} {job} {form}: {ratio:.2f} times ours, at least {least:.2f} expected")

    def published(self, exports: Exports) -> cube.Cube:
        """Our cube of these exports, from a published generation, outside of all times."""
        self.scratch.cleared()
        command = self.ours.command("store", exports, self.scratch, self.chosen.threads)
        usage = measure.run(command, self.log)
        if usage.status not in self.ours.good:
            raise SystemExit(f"nothing was published (status {usage.status}):\n{self.log.read_text()}")
        return cube.of_mart(self.scratch.store / "mart")

    def turns(
        self, job: str, exports: Exports, expected: cube.Cube, trips: int
    ) -> dict[str, Series]:
        """Lets the engines take turns: A B C A B C …; the first turn warms up and is not counted."""
        series = {engine.name: Series() for engine in self.engines}
        for turn in range(self.chosen.runs + 1):
            for engine in self.engines:
                own = series[engine.name]
                runs_once = engine.is_slow and trips >= LARGE
                # One run to warm up for a single one would double the longest times of all.
                if own.fault or (runs_once and turn != 1):
                    continue
                usage = self.run(engine, job, exports, own, expected)
                if turn > 0 and not own.fault:
                    own.runs.append(usage)
        self.scratch.remove()
        return series

    def run(
        self, engine: Engine, job: str, exports: Exports, own: Series, expected: cube.Cube
    ) -> measure.Usage:
        """Runs an engine once and checks its cube."""
        scratch = self.scratch.cleared()
        command = engine.command(job, exports, scratch, self.chosen.threads)
        if self.chosen.sync:
            command = measure.synced(command, scratch.store)
        usage = measure.run(command, self.log)
        if usage.status not in engine.good:
            own.fault = f"failed, status {usage.status}"
            tail = self.log.read_text(errors="replace").splitlines()[-10:]
            self.fault(engine, job, exports, [own.fault, *tail])
            return usage
        try:
            found = engine.cube(job, scratch)
        except (OSError, ValueError, StopIteration, sqlite3.Error) as error:
            own.fault = "no cube"
            self.fault(engine, job, exports, [f"its cube cannot be read: {error}"])
            return usage
        different = [] if found is None else cube.differences(expected, found)
        if different:
            own.fault = "cube differs"
            self.fault(engine, job, exports, [f"{len(different)} cells differ from ours (“here”):",
                                              *different[:SHOWN_DIFFERENCES]])
        elif job.startswith("store"):
            own.store_bytes = engine.store_size(scratch)
        return usage

    def fault(self, engine: Engine, job: str, exports: Exports, lines: list[str]) -> None:
        where = f"{engine.label}, {job}, {exports.form}"
        self.faults.append(where)
        say(f"FAULT: {where}: " + "\n    ".join(lines))

    def circumstances(self) -> str:
        """The facts without which the numbers mean nothing."""
        versions = ", ".join(engine.version for engine in self.engines)
        load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
        facts = [
            f"{date.today().isoformat()}. {self.chosen.note}".strip(),
            f"{measure.machine(self.folder)}. {self.chosen.threads} threads each; medians of"
            f" {self.chosen.runs} in turns, after one run each to warm up. Load before it began"
            f" (1, 5 and 15 minutes): {load}.",
            f"{versions}.",
        ]
        if self.chosen.sync:
            facts.append("Each time ends when what the engine wrote has reached the disk.")
        return "\n".join(facts)


def thresholds() -> dict[tuple[str, str, str], float]:
    """How many times our time the fastest rival takes at least, by size, job and form."""
    with open(BENCHMARKS / "thresholds.csv", encoding="utf-8", newline="") as file:
        return {(row["size"], row["job"], row["exports"]): float(row["least_ratio"])
                for row in csv.DictReader(file)}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    chosen = words()
    with tempfile.TemporaryDirectory(prefix="triptych-bench-") as temporary:
        folder = chosen.folder.resolve() if chosen.folder else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        comparison = Comparison(chosen, folder)
        parts = [comparison.circumstances()]
        print(parts[0], flush=True)
        for size in chosen.sizes:
            parts.append(comparison.size(size))
            print("\n" + parts[-1], flush=True)
            # After each size: the next may take hours, and may be interrupted.
            if chosen.write and not comparison.faults:
                name = "compare.py --sync" if chosen.sync else "compare.py"
                page.write(BENCHMARKS / "README.md", name, "\n\n".join(parts))
        comparison.log.unlink(missing_ok=True)
        comparison.scratch.remove()
    if comparison.regressions:
        say("Slower beside the fastest rival than thresholds.csv allows: "
            + "; ".join(comparison.regressions))
    if comparison.faults:
        say("No time is shown where an engine failed or its cube differs from ours: "
            + "; ".join(comparison.faults))
    return 1 if comparison.faults or comparison.regressions else 0


if __name__ == "__main__":
    sys.exit(main())
