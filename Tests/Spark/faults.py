#!/usr/bin/env python3
"""Lets tasks, workers and drivers die at each stage, fills the scratch disk, cuts a file: what is
published?

    faults.py --folder DIR [--master URL] [--only WORDS] [--files N]

`triptych` is the one on the PATH. After each fault nothing half-done is seen: the job ends with the
generation of `triptych run --full`, row by row, or nothing is published and the next job publishes
it, once.
"""

from __future__ import annotations

import argparse
import functools
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import comparison
from exports import generated, many, two_files
from object_storage import Bucket
from planted import PLACES, engine_with
from real_job import ENGINE, PUBLISHED, RealJob, prepare, program

# A worker can die where there are two; a task is tried four times on both.
MASTERS = {"executor": "local-cluster[2,1,1024]"}
MASTER = "local[2,4]"
Ending = subprocess.CompletedProcess[str]


def told(ending: Ending) -> str:
    return f"{ending.returncode}: {ending.stdout[-400:]} {ending.stderr[-1500:]}"


def whole(job: RealJob, ending: Ending, here: Ending) -> list[str]:
    """What is wrong with a job that must have published."""
    if ending.returncode not in PUBLISHED or here.returncode not in PUBLISHED:
        return [f"ended with {told(ending)}; run with {here.returncode}"]
    return job.faults()


def dying(
    place: str, seed: int, folder: Path, master: str, bucket: str | None = None
) -> list[str]:
    """One death; the job goes on, or is started again."""
    case = generated(folder, seed, program())
    job = RealJob(case, folder, program(), Bucket.of(bucket, folder))
    here = job.run_here()
    job.engine = engine_with(place, folder)
    ending = job.run(master)
    if not (folder / "fault").exists():
        return [f"the fault never happened: {told(ending)}"]
    if PLACES[place][3] != "driver":
        return whole(job, ending, here)
    found = []
    if ending.returncode != -signal.SIGKILL:
        found.append(f"the driver lives on: {told(ending)}")
    if len(job.published()) != (place == "the driver that has published"):
        found.append(f"a driver that was killed has published {job.published()}")
    # What was killed is not there to help, and what stays of its Spark ends by itself.
    job.engine = ENGINE
    return found + whole(job, job.run(master), here)


def truncated(seed: int, folder: Path, master: str, files: int) -> list[str]:
    """One gzip file among many is cut: nothing is published, and it is named as `run` names it;
    sent again whole, all is published."""
    job = RealJob(many(folder, seed, program(), files), folder, program())
    paths = sorted((folder / "in").glob("*.csv.gz"))
    path = paths[len(paths) // 2]
    kept = path.read_bytes()
    path.write_bytes(kept[:-20])
    here, ending = job.run_here(), job.run(master)
    found = []
    if (here.returncode, ending.returncode) != (65, 65):
        found.append(f"run ended with {here.returncode}, the job with {told(ending)}")
    words = [
        line for line in here.stdout.splitlines() + here.stderr.splitlines() if path.name in line
    ]
    if not words or words[0] not in ending.stdout + ending.stderr:
        found.append(f"it does not say {words[:1]}: {told(ending)}")
    if job.published():
        found.append("it was published")
    if left := [one.name for one in job.out.iterdir() if one.name != "_mart.json"]:
        found.append(f"{left} were left behind")
    path.write_bytes(kept)
    return found + whole(job, job.run(master), job.run_here())


def full(seed: int, folder: Path, master: str) -> list[str]:
    """Spark's scratch disk is full: a plan fits on it, and no shuffle."""
    job = RealJob(generated(folder, seed, program(), 60_000), folder, program())
    here = job.run_here()
    job.scratch.mkdir()
    # In a name space of its own, the file system is gone when the job is.
    mount = 'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"'
    ending = job.run(master, inside=["unshare", "-rm", "sh", "-c", mount, str(job.scratch)])
    found = []
    if ending.returncode in PUBLISHED or "No space left" not in ending.stderr:
        found.append(f"the job does not say so: {told(ending)}")
    if job.published():
        found.append("something was published")
    return found + whole(job, job.run(master), here)


def large(seed: int, folder: Path, master: str) -> list[str]:
    """The rows of two files that are read at once are more than the heap of Java."""
    job = RealJob(two_files(folder, seed, program(), 4_000_000), folder, program())
    here, ending = job.run_here(), job.run(master, "--conf", "spark.driver.memory=512m")
    if ending.returncode not in PUBLISHED or here.returncode not in PUBLISHED:
        return [f"ended with {told(ending)}; run with {here.returncode}"]
    return comparison.table_differences(job.native, job.divided)


def tries(chosen: argparse.Namespace) -> dict[str, Callable[[int, Path], list[str]]]:
    """All faults that are asked for, by name."""
    found: dict[str, Callable[[int, Path], list[str]]] = {}
    for place, (*_, whom) in PLACES.items():
        master = chosen.master or MASTERS.get(whom, MASTER)
        found[place] = functools.partial(dying, place, master=master, bucket=chosen.bucket)
    if chosen.bucket:
        return found
    master = chosen.master or MASTER
    name = f"a truncated file among {chosen.files:,}"
    found[name] = functools.partial(truncated, master=master, files=chosen.files)
    found["files larger than the heap"] = functools.partial(large, master=master)
    found["a full scratch disk"] = functools.partial(full, master=master)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--master", help="for all; else workers die beside another one alone")
    parser.add_argument(
        "--bucket", help="deaths alone; exports and trips lie in this one of an S3 server"
    )
    parser.add_argument("--only", default="")
    parser.add_argument("--files", type=int, default=1000, help="of which one is truncated")
    chosen = parser.parse_args()
    chosen.folder = chosen.folder.resolve()
    prepare(chosen.folder)
    bad = count = 0
    for number, (name, work) in enumerate(tries(chosen).items(), 1):
        if chosen.only not in name:
            continue
        begun = time.monotonic()
        folder = chosen.folder / f"{number:02d}"
        folder.mkdir(parents=True)
        found = work(number, folder)
        count += 1
        bad += bool(found)
        print(
            f"{name}: {'right' if not found else 'WRONG'} in {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        for line in found:
            print(f"    {line}", flush=True)
        if not found:
            shutil.rmtree(folder)
    print(f"{count - bad} of {count} faults right")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
