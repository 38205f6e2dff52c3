#!/usr/bin/env python3
"""Runs exports on Spark and by `triptych run --full`, and compares both marts and all trips row by
row.

    equality.py --folder DIR [--seeds 1,2] [--samples county,minimal] [--master local[2]] [--trips
    N]

`triptych` is the one on the PATH. All jobs share one session: Spark and its workers start once.
"""

from __future__ import annotations

import argparse
import datetime
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from real_job import ENGINE, PUBLISHED, RealJob, prepare, program

sys.path.insert(0, str(ENGINE))

import comparison  # noqa: E402
from exports import Case, generated, nights, sample  # noqa: E402
from object_storage import Bucket  # noqa: E402
from shared_session import one_session  # noqa: E402
from triptych_spark import job, options  # noqa: E402
from triptych_spark.failures import Failure  # noqa: E402


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--samples", default="")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--trips", type=int, default=3000)
    parser.add_argument("--ship-binary", action="store_true")
    parser.add_argument("--bucket", help="exports and trips lie in this one of an S3 server")
    return parser.parse_args()


def compared(case: Case, folder: Path, chosen: argparse.Namespace, triptych: str) -> list[str]:
    """The differences of one case."""
    both = RealJob(case, folder, triptych, Bucket.of(chosen.bucket, folder))
    shipped = ["--ship-binary"] if chosen.ship_binary else []
    first = os.environ["TRIPTYCH_NOW"]
    try:
        if found := tried_out(both, [chosen.master, *shipped]):
            return found
        for night, arrive in enumerate((lambda: None, *case.later)):
            arrive()
            moment = datetime.datetime.fromisoformat(first) + datetime.timedelta(days=night)
            os.environ["TRIPTYCH_NOW"] = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
            ending = both.run_here()
            status = job.run(options.read(both.words(chosen.master, *shipped)))
            if status != ending.returncode:
                said = f"{ending.stdout[-600:]} {ending.stderr[-600:]}"
                return [f"run ended with {ending.returncode}, spark with {status}: {said}"]
            if status not in PUBLISHED:
                return [f"nothing was published ({status}): there is nothing to compare"]
            if found := both.faults(generations=night + 1):
                return [f"night {night + 1}: {line}" for line in found]
    except Failure as failure:
        return [failure.text]
    finally:
        os.environ["TRIPTYCH_NOW"] = first
    return comparison.blindness(both.native, both.divided, 1 + len(case.later))


def tried_out(both: RealJob, words: list[str]) -> list[str]:
    """What dry runs of both ways say otherwise, and what they leave behind."""
    ending = both.run_here("--dry-run")
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        # What children of this process say.
        os.dup2(file.fileno(), 1)
        try:
            status = job.run(options.read(both.words(*words, "--dry-run")))
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        said = file.read().decode()
    accounts = [account(text) for text in (ending.stdout, said)]
    if not accounts[0] or (status, accounts[1]) != (ending.returncode, accounts[0]):
        return [f"dry runs say {accounts[0]} and {accounts[1]}, {ending.returncode} and {status}"]
    return both.left_by_dry_runs()


def account(said: str) -> list[str]:
    """What a dry run accounts for, and the result, without the time that it took."""
    found = [line for line in said.splitlines() if line.startswith(("  items ", "  money "))]
    result = [line for line in said.splitlines() if line.startswith("WOULD PUBLISH")]
    return found + [line.rpartition(" | ")[0] for line in result]


def cased(name: str, folder: Path, triptych: str, trips: int) -> Case:
    """The case of a name: a seed, or a sample."""
    if name.isdigit():
        return generated(folder, int(name), triptych, trips)
    if name == "nights":
        return nights(folder, datetime.datetime.fromisoformat(os.environ["TRIPTYCH_NOW"]).day)
    return sample(name, folder)


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
            case = cased(name, folder, triptych, chosen.trips)
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
