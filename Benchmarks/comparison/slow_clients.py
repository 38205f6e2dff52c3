"""The rows of `stress.py` in which slowhttptest takes long over what it sends, or over what it reads."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
from dataclasses import dataclass
from typing import Iterator

from comparison import load
from comparison.load import Latencies
from comparison.stressed import ASKED, MEGABYTES, RATE, SECONDS, UNHARMED, Finding, Stressed, is_unharmed

COUNT = 1_000
A_SECOND = 500
# One stall of 50 ms more or less moves the p99 of ten seconds: of several attacks it says what is usual.
ATTACKS = 3
# Until all that came within two seconds are ended, and a little more.
ENDING_SECONDS = 5
# How often the server's memory is looked at.
LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class SlowClients:
    """One of its ways."""

    what: str
    options: list[str]
    path: str
    # When the server begins to end them, in seconds.
    ended_after: int


WAYS = [
    SlowClients("heads that never end", ["-H"], "/openapi.yaml", 30),
    # Bodies go where forms are read: elsewhere they would be refused by their heads.
    SlowClients("forms whose bodies never end", ["-B"], "/token", 10),
    # Each asks ten times without waiting, and for answers that are long.
    SlowClients("readers of a byte a second", ["-X", "-w", "1", "-y", "2", "-z", "1", "-k", "10"], "/openapi.yaml", 40),
]


def slow(one: Stressed) -> Iterator[Finding]:
    """Slow clients while they come and go on, and while the server ends them."""
    for way in WAYS:
        before, coming, ended = Latencies(), Latencies(), Latencies()
        until = way.ended_after + ENDING_SECONDS
        megabytes: list[float] = []

        def look() -> None:
            end = time.monotonic() + until
            while time.monotonic() < end:
                megabytes.append(one.megabytes)
                time.sleep(LOOK_SECONDS)

        for _ in range(ATTACKS):
            before += one.asked()
            with attack(one, way, until):
                after = load.at_rate_during(look, one.uris, RATE, one.ours.headers)
                left = one.connections
            coming += after.between(0, SECONDS)
            ended += after.between(way.ended_after, until)
        yield Finding(
            f"{COUNT:,} {way.what}, {A_SECOND} a second, three times", ASKED,
            f"p99 {coming.share(0.99):.2f} ms in their first {SECONDS} s, {ended.share(0.99):.2f} ms while they are ended after "
            f"{way.ended_after} s ({before.share(0.99):.2f} without), {coming.faults + ended.faults} faults, "
            f"{max(megabytes):,.0f} MB at most, {left} sockets left",
            f"{UNHARMED}, {MEGABYTES} MB, all ended",
            is_unharmed(before, coming) and is_unharmed(before, ended) and max(megabytes) <= MEGABYTES and left < COUNT / 10,
        )


@contextlib.contextmanager
def attack(one: Stressed, way: SlowClients, seconds: int) -> Iterator[None]:
    """Goes on beside what is done within, and ends the program where it was none."""
    command = ["slowhttptest", *way.options, "-u", one.ours.base + way.path, "-c", str(COUNT), "-r", str(A_SECOND),
               "-l", str(seconds + 1), "-i", "3", "-p", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        # It asks its connections without pause whether anything has come, which takes more than half a processor whatever the
        # server does. It has those that nobody else wants, as if it came from elsewhere.
        os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
        yield
        said = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", process.communicate()[0])
    held = max(map(int, re.findall(r"connected: *(\d+)", said)), default=0)
    # One may have been ended before it first says how many there are.
    if process.returncode != 0 or held < 0.99 * COUNT:
        raise SystemExit(f"slowhttptest ended with {process.returncode} and held {held} of {COUNT} connections: {said[-400:]}")
