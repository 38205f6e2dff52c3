#!/usr/bin/env python3
"""Counts the instructions that one trip costs, which no busy machine changes: the guard of the hot loops.

    instructions.py [--jobs kpi,kpi-exact,store,plan] [--write]

Each job runs on one thread under valgrind with 20,000 and with 100,000 trips; the difference, by trip, leaves
out what starting costs. Job `plan` decides the trips of a store anew. The counts are compared with those of
instructions.csv, and one that is more than 5 % above its own ends with status 1. Counts of another compiler
or kind of processor than this one's are not compared. `--write` replaces the file: its diff is the review.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from comparison.data import Data
from comparison.engines import BENCHMARKS, PIPELINE, Scratch, engines, program, unique_pipeline

KNOWN = BENCHMARKS / "instructions.csv"
TRIPS = (20_000, 100_000)
JOBS = ["kpi", "kpi-exact", "store", "plan"]
LIMIT = 1.05


def toolchain() -> str:
    """What counts belong to: the compiler and the kind of processor."""
    answer = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"Swift version (\S+)", answer.stdout + answer.stderr)
    return f"Swift {found[1] if found else 'unknown'}, {platform.machine()}"


def read_known() -> dict[tuple[str, str], int]:
    """The known counts, by toolchain and job."""
    with open(KNOWN, encoding="utf-8", newline="") as file:
        return {(row["toolchain"], row["job"]): int(row["instructions_per_trip"])
                for row in csv.DictReader(file)}


def count(stripped: Path, folder: Path, job: str, trips: int) -> int:
    """The instructions of one run, start and end included."""
    exports = Data(folder, trips, stripped).exports("plain", has_repeats=False)
    scratch = Scratch(folder / "run").cleared()
    pipeline = unique_pipeline(scratch.folder / "pipeline") if job == "kpi" else PIPELINE
    ours = engines(stripped)[0]
    command = ours.run(pipeline, exports, scratch, 1)
    if job == "plan":
        subprocess.run(command, check=True, capture_output=True)
        command = ours.plan(pipeline, exports.reference, scratch, 1)
    elif job != "store":
        command.append("--dry-run")
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         *command],
        # A seed of its own per process would hash, and so count, a little differently every time.
        env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        capture_output=True, text=True, check=False)
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode not in (0, 10) or not found:
        raise SystemExit(f"{job}: status {done.returncode}\n{done.stderr}")
    return int(found[1].replace(",", ""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=lambda text: text.split(","), default=JOBS)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    own = toolchain()
    known = read_known()
    if not any(of == own for of, _ in known):
        print(f"Benchmarks/instructions.csv knows no counts of {own}: nothing is compared.")
    grown = []
    with tempfile.TemporaryDirectory(prefix="triptych-instructions-") as folder:
        # Valgrind gives up on debug information newer than itself.
        stripped = Path(folder) / "triptych"
        subprocess.run(["objcopy", "--strip-debug", program(), stripped], check=True)
        for job in chosen.jobs:
            small, large = (count(stripped, Path(folder), job, trips) for trips in TRIPS)
            per_trip = round((large - small) / (TRIPS[1] - TRIPS[0]))
            start = small - per_trip * TRIPS[0]
            before = known.get((own, job))
            ratio = f"{per_trip / before:.3f} of the known {before:,}" if before else "not known yet"
            print(f"{job:<10} {per_trip:>7,} instructions per trip, {ratio}"
                  f"   ({start / 1e6:,.0f} million to start)", flush=True)
            if before and per_trip > before * LIMIT:
                grown.append(job)
            known[own, job] = per_trip
    if chosen.write:
        with open(KNOWN, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["toolchain", "job", "instructions_per_trip"])
            writer.writerows([*key, number] for key, number in sorted(known.items()))
        return 0
    if grown:
        print(f"More than {LIMIT - 1:.0%} above Benchmarks/instructions.csv: {', '.join(grown)}. If it is"
              " worth it, run Benchmarks/instructions.py --write, and say why.", file=sys.stderr)
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
