#!/usr/bin/env python3
"""Shows what the server does under stress: held connections, slow clients, overload, guesses, races and restarts.

    stress.py [--trips 100000] [--folder DIR] [--write] [ROW…]

Rows: idle, slow, overload, hashing, guesses, refresh, timing, restarts; all of them where none is named. The load comes from this
machine's own addresses and shares its cores with the server, which speaks TLS. Ends with 1 where something is not as it is wanted.
`--write` puts the table into README.md; where rows are named, those of the others stay as they are there. Each says which program
and commit it is of.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, Iterator

from comparison import load, measure, page
from comparison.connections import idle, overload
from comparison.credentials import guesses, hashing, refresh, timing
from comparison.engines import BENCHMARKS, REPOSITORY, program, program_version
from comparison.mart import Mart
from comparison.servers import certificate, find_ours
from comparison.slow_clients import slow
from comparison.stressed import Finding, Stressed

HEADER = ["what", "beside it", "found", "wanted", "", "program, commit"]
CYCLES = 100


def restarts(one: Stressed) -> Iterator[Finding]:
    """Stopped and killed again and again while it is asked."""
    ending = subprocess.run(
        [sys.executable, "-B", REPOSITORY / "Tests/Contract/test_restarts.py", one.mart.folder,
         "--cycles", str(CYCLES), "--limits"],
        capture_output=True, text=True, check=False,
    )
    yield Finding(
        f"{CYCLES} ends over TLS, every fourth by a kill", "eight who ask without pause",
        re.sub(r"^\d+ cycles, ", "", ending.stdout.strip()) or "it did not run",
        "0 faults, ready within 1 s, stopped within 10 s", ending.returncode == 0,
    )


ROWS: dict[str, Callable[[Stressed], Iterator[Finding]]] = {
    "idle": idle, "slow": slow, "overload": overload, "hashing": hashing, "guesses": guesses, "refresh": refresh,
    "timing": timing, "restarts": restarts,
}


def written() -> list[list[str]]:
    """The lines of the table as they stand in the page."""
    text = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    text = text.partition("written by stress.py: begin")[2].partition("written by stress.py: end")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def merged(old: list[list[str]], new: list[list[str]]) -> list[list[str]]:
    """The old lines with the new ones in their places, or behind them."""
    def mark(line: list[str]) -> str:
        # The same kind of stress, whatever came of it.
        return re.sub(r"[\d,.]+", "#", line[0])

    kinds = {mark(line) for line in new}
    # In the place of the first of their kind; how many there are of it may have changed.
    merged = []
    for line in old:
        kind = mark(line)
        if kind in kinds:
            merged += [each for each in new if mark(each) == kind]
            kinds.remove(kind)
        elif kind not in {mark(each) for each in new}:
            merged.append(line)
    return merged + [line for line in new if mark(line) in kinds]


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", choices=[*ROWS, []], metavar="ROW")
    parser.add_argument("--trips", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main() -> int:
    chosen = words()
    load.available()
    find_ours()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    findings: list[Finding] = []
    with contextlib.ExitStack() as stack:
        folder = chosen.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        mart = Mart(folder.resolve(), chosen.trips)
        signed = certificate(folder)
        version = program_version(program())
        # As it stands in each line: lines of other programs may stand beside it.
        built = re.sub(r"triptych (\S+) \(commit (.*)\)", r"\1, \2", version)
        origin = f"{measure.origin(folder, version)} {chosen.trips:,} stored trips."
        for name in chosen.rows or ROWS:
            with Stressed(mart, signed) as one:
                for finding in ROWS[name](one):
                    print(" | ".join(finding.cells(built)), flush=True)
                    findings.append(finding)
    if chosen.write:
        lines = merged(written() if chosen.rows else [], [finding.cells(built) for finding in findings])
        page.write(BENCHMARKS / "README.md", "stress.py", f"{origin}\n\n{page.table(lines, HEADER, words=len(HEADER))}")
    return 0 if all(finding.is_met for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
