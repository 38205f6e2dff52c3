#!/usr/bin/env python3
"""Lets tasks, workers and drivers die at each stage, fills the scratch disk, cuts a file: what is
published?

    faults.py --folder DIR [--master URL] [--only WORDS]

After each fault nothing half-done is seen: either the job ends with the right generation, or
nothing is
published and the next job publishes it, once. `triptych` is a stand-in: what is tried is what is
around it.
"""

from __future__ import annotations

import argparse
import functools
import signal
import subprocess
import sys
import time
from pathlib import Path

from planted import PLACES, engine_with
from small_job import ENGINE, SmallJob

# A worker can die where there are two; a task is tried four times on both.
MASTERS = {"executor": "local-cluster[2,1,1024]"}
MASTER = "local[2,4]"


def dying(place: str, folder: Path, master: str) -> list[str]:
    """One death; the job goes on, or is started again."""
    job = SmallJob(folder, seed=len(place))
    job.engine = engine_with(place, folder)
    ending = job.run(master=master)
    if not (folder / "fault").exists():
        return ["the fault never happened"]
    if PLACES[place][3] != "driver":
        return (
            job.faults()
            if ending.returncode == 0
            else [f"ended with {ending.returncode}: {ending.stderr[-1500:]}"]
        )
    found = (
        []
        if ending.returncode == -signal.SIGKILL
        else [f"the driver lives on: {ending.returncode}"]
    )
    if len(job.published()) > (place == "the driver that has published"):
        found.append("something was published by a driver that was killed before")
    # What was killed is not there to help, and what stays of its Spark ends by itself.
    job.engine = ENGINE
    ending = job.run(master=master)
    if ending.returncode != 0:
        found.append(f"the next job ended with {ending.returncode}: {ending.stderr[-1500:]}")
    return found + job.faults()


def truncated(folder: Path, master: str, files: int = 120) -> list[str]:
    """One gzip file among many is cut: nothing is published, and it is named; whole again, all
    is."""
    job = SmallJob(folder, files=files, trips=60)
    path = folder / "in" / "1.csv.gz"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    ending = job.run(master=master)
    found = (
        []
        if ending.returncode == 65
        else [f"ended with {ending.returncode}: {ending.stderr[-1500:]}"]
    )
    if job.published():
        found.append("it was published")
    if "truncated" not in ending.stderr:
        found.append(f"it is not said why: {ending.stderr[-1500:]}")
    if left := [one.name for one in (folder / "out").iterdir() if one.name != "_mart.json"]:
        found.append(f"{left} were left behind")
    path.write_bytes(whole)
    ending = job.run(master=master)
    return found + (
        job.faults()
        if ending.returncode == 0
        else [f"then {ending.returncode}: {ending.stderr[-1500:]}"]
    )


def full(folder: Path, master: str) -> list[str]:
    """Spark's scratch disk is full: a file system of some kilobytes."""
    job = SmallJob(folder, trips=20_000)
    scratch = folder / "scratch"
    scratch.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(scratch)],
        capture_output=True,
        text=True,
    )
    if mounted.returncode != 0:
        return [f"no file system of its own can be mounted here: {mounted.stderr.strip()}"]
    try:
        ending = job.run(master=master)
    finally:
        subprocess.run(["umount", "-l", str(scratch)], check=True)
    found = [] if ending.returncode not in (0, 10) else ["the job did not notice"]
    if job.published():
        found.append("something was published")
    ending = job.run(master=master)
    return found + (
        job.faults()
        if ending.returncode == 0
        else [f"then {ending.returncode}: {ending.stderr[-1500:]}"]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--master", help="for all; else workers die beside another one alone")
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    tries = {}
    for place, (*_, whom) in PLACES.items():
        master = chosen.master or MASTERS.get(whom, MASTER)
        tries[place] = functools.partial(dying, place, master=master)
    tries["a truncated file among many"] = functools.partial(
        truncated, master=chosen.master or MASTER
    )
    tries["a full scratch disk"] = functools.partial(full, master=chosen.master or MASTER)
    bad = count = 0
    for number, (name, work) in enumerate(tries.items()):
        if chosen.only not in name:
            continue
        begun = time.monotonic()
        found = work(chosen.folder.resolve() / f"{number:02d}")
        count += 1
        bad += bool(found)
        print(
            f"{name}: {'right' if not found else 'WRONG'} in {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        for line in found:
            print(f"    {line}", flush=True)
    print(f"{count - bad} of {count} faults right")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
