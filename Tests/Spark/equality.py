#!/usr/bin/env python3
"""Runs exports on Spark and by `triptych run --full`, and compares both marts and all trips row by
row.

    equality.py --folder DIR [--seeds 1,2] [--samples county,minimal] [--master local[2]] [--trips
    N]

`triptych` is the one on the PATH. All jobs share one session: Spark and its workers start once.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from real_job import ENGINE, PUBLISHED, RealJob, prepare, program

sys.path.insert(0, str(ENGINE))

import comparison  # noqa: E402
from exports import Case, generated, sample  # noqa: E402
from triptych_spark import job, options, session  # noqa: E402
from triptych_spark.failures import Failure  # noqa: E402


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--samples", default="")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--trips", type=int, default=3000)
    parser.add_argument("--ship-binary", action="store_true")
    return parser.parse_args()


@contextlib.contextmanager
def one_session(folder: Path) -> Iterator[None]:
    """Jobs start no session where there is one, and leave it to the next job."""
    folder.mkdir(parents=True, exist_ok=True)
    started = session.started
    held: list[Any] = []

    def start(conf: dict[str, str], master: str | None, name: str, _: Path) -> Any:
        if not held:
            held.append(started(conf, master, name, folder))
        return held[0]

    with (
        mock.patch.object(session, "started", start),
        mock.patch.object(job.Cluster, "stop", lambda cluster: None),
    ):
        try:
            yield
        finally:
            for one in held:
                one.stop()


def compared(case: Case, folder: Path, chosen: argparse.Namespace, triptych: str) -> list[str]:
    """The differences of one case."""
    both = RealJob(case, folder, triptych)
    ending = both.run_here()
    shipped = ["--ship-binary"] if chosen.ship_binary else []
    try:
        status = job.run(options.read(both.words(chosen.master, *shipped)))
    except Failure as failure:
        return [failure.text]
    if status != ending.returncode:
        said = f"{ending.stdout[-600:]} {ending.stderr[-600:]}"
        return [f"run ended with {ending.returncode}, spark with {status}: {said}"]
    if status not in PUBLISHED:
        return [f"nothing was published ({status}): there is nothing to compare"]
    return both.faults() or comparison.blindness(both.native, both.divided)


def main() -> int:
    """Compares all cases that are asked for on one master."""
    chosen = words()
    chosen.folder = chosen.folder.resolve()
    triptych = program()
    prepare(chosen.folder)
    names = [name for name in f"{chosen.seeds},{chosen.samples}".split(",") if name]
    faults = 0
    with one_session(chosen.folder / "session"):
        for name in names:
            begun = time.monotonic()
            folder = chosen.folder / name
            folder.mkdir(parents=True)
            case = (
                generated(folder, int(name), triptych, chosen.trips)
                if name.isdigit()
                else sample(name, folder)
            )
            found = compared(case, folder, chosen, triptych)
            faults += bool(found)
            result = "DIFFERENT" if found else "equal"
            print(f"{case.name}: {result} in {time.monotonic() - begun:.0f} s", flush=True)
            for line in found:
                print(f"    {line}", flush=True)
            if not found:
                shutil.rmtree(folder)
    print(f"{len(names) - faults} of {len(names)} cases equal on {chosen.master}")
    return 1 if faults or not names else 0


if __name__ == "__main__":
    sys.exit(main())
