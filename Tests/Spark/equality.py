#!/usr/bin/env python3
"""Runs exports on Spark and by `triptych run --full`, and compares both marts and all trips row by
row.

    equality.py --folder DIR [--seeds 1,2] [--samples county,minimal] [--master local[2]] [--trips
    N]

`triptych` is the one on the PATH. One Python starts all jobs, so that Spark's Java starts once.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engines" / "spark"))

import comparison  # noqa: E402
from exports import Case, generated, sample  # noqa: E402
from triptych_spark import job, options  # noqa: E402
from triptych_spark.failures import Failure  # noqa: E402

# Nothing looks at its pages, and loopback is all there is.
QUIET = ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1"]


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--samples", default="")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--trips", type=int, default=3000)
    parser.add_argument("--ship-binary", action="store_true")
    return parser.parse_args()


def compared(case: Case, folder: Path, chosen: argparse.Namespace, triptych: str) -> list[str]:
    """The differences of one case."""
    reference = ["--reference", str(case.reference)] if case.reference else []
    key = folder / "key"
    native, divided = folder / "native", folder / "divided"
    ending = subprocess.run(
        [
            triptych,
            "run",
            str(case.pipeline),
            "--full",
            "--mart",
            str(native),
            "--input",
            str(case.input),
            "--key-file",
            str(key),
            *reference,
        ],
        capture_output=True,
        text=True,
    )
    said = [
        "run",
        str(case.pipeline),
        "--mart",
        str(divided),
        "--input",
        str(case.input),
        "--key-file",
        str(key),
        "--out",
        str(folder / "out"),
        "--master",
        chosen.master,
        "--triptych",
        triptych,
        "--partitions",
        "5",
        *reference,
        *QUIET,
        *(["--ship-binary"] if chosen.ship_binary else []),
    ]
    try:
        status = job.run(options.read(said))
    except Failure as failure:
        return [failure.text]
    if status != ending.returncode:
        return [
            f"run ended with {ending.returncode}, spark with {status}: {ending.stdout[-600:]} {ending.stderr[-600:]}"
        ]
    if status not in (0, 10):
        return [f"nothing was published ({status}): there is nothing to compare"]
    found = comparison.differences(native, divided) or comparison.blindness(native, divided)
    left = [
        path.name
        for path in (folder / "out").iterdir()
        if len(path.name) != 64 and path.name != "_mart.json"
    ]
    return found + [f"{name} was left behind" for name in left]


def main() -> int:
    """Compares all cases that are asked for on one master."""
    chosen = words()
    chosen.folder = chosen.folder.resolve()
    triptych = shutil.which("triptych")
    if triptych is None:
        sys.exit("triptych is not on the PATH")
    os.environ.setdefault("TRIPTYCH_NOW", "2026-11-06T06:14:00Z")
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("SPARK_LOCAL_DIRS", str(chosen.folder / "scratch"))
    os.environ.setdefault("SPARK_WORKER_DIR", str(chosen.folder / "work"))
    faults = cases = 0
    for name in [*chosen.seeds.split(","), *chosen.samples.split(",")]:
        if not name:
            continue
        begun = time.monotonic()
        folder = chosen.folder / name
        folder.mkdir(parents=True)
        case = (
            generated(folder, int(name), triptych, chosen.trips)
            if name.isdigit()
            else sample(name, folder)
        )
        found = compared(case, folder, chosen, triptych)
        cases += 1
        faults += bool(found)
        print(
            f"{case.name}: {'equal' if not found else 'DIFFERENT'} in {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        for line in found:
            print(f"    {line}")
        if not found:
            shutil.rmtree(folder)
    print(f"{cases - faults} of {cases} cases equal on {chosen.master}")
    return 1 if faults or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
