"""The rows of `stress.py` in which slowhttptest takes long over what it sends, or over what it reads."""

from __future__ import annotations

import os
import re
import subprocess
import time
from dataclasses import dataclass
from typing import Iterator

from comparison import load
from comparison.load import Latencies
from comparison.stressed import (
    ASKED, MEGABYTES, MOST_TRIES, RATE, SECONDS, UNHARMED, Finding, Stressed, has_enough, is_unharmed, p99,
)

COUNT = 1_000
A_SECOND = 500
# One stall of 50 ms more or less moves the p99 of ten seconds: of several attacks it says what is usual. More come where the
# machine was taken away so often that too little is left to measure.
ATTACKS = 3
# In which all are ended that come within two seconds, and a little more.
ENDING_SECONDS = 5
# How long after its limit the server has to have ended the last of them.
GRACE_SECONDS = 3


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


@dataclass(frozen=True)
class Attack:
    """What came of one."""

    before: Latencies
    coming: Latencies
    ended: Latencies
    faults: int
    # The most that the server held meanwhile.
    megabytes: float
    # What the system held for connections, of both ends.
    socket_megabytes: float
    # How many it has not ended by then.
    left: int


def slow(one: Stressed) -> Iterator[Finding]:
    """Slow clients while they come and go on, and while the server ends them; each way has a server of its own."""
    for way in WAYS:
        with Stressed(one.mart, one.signed) as own:
            attacks = [_attacked(own, way) for _ in range(ATTACKS)]
            while not has_enough(*_together(attacks)) and len(attacks) < MOST_TRIES:
                attacks.append(_attacked(own, way))
        before, coming, ended = _together(attacks)
        left = max(one.left for one in attacks)
        faults, megabytes = sum(one.faults for one in attacks), max(one.megabytes for one in attacks)
        worst = ", ".join(
            f"{max(each.undisturbed.share(0.99) for each in (one.coming, one.ended)):.2f}" for one in attacks)
        yield Finding(
            f"{COUNT:,} {way.what}, {A_SECOND} a second, {len(attacks)} times", ASKED,
            f"p99 {p99(coming)} ms in their first {SECONDS} s, {p99(ended)} ms while they are ended after {way.ended_after} s "
            f"({p99(before)} without; of each attack alone {worst} at most), {max(coming.milliseconds + ended.milliseconds):.0f} ms at "
            f"most, {faults} faults, {megabytes:,.0f} MB at most, "
            f"{max(one.socket_megabytes for one in attacks):,.0f} MB more in the system's hands, {left} not ended",
            f"{UNHARMED}, {MEGABYTES} MB, all ended",
            is_unharmed(before, coming) and is_unharmed(before, ended)
            and faults == 0 and megabytes <= MEGABYTES and left <= 0,
        )


def _together(attacks: list[Attack]) -> tuple[Latencies, Latencies, Latencies]:
    """Those of all attacks: before, while they come, and while they are ended."""
    before, coming, ended = zip(*((one.before, one.coming, one.ended) for one in attacks))
    return sum(before, Latencies()), sum(coming, Latencies()), sum(ended, Latencies())


def _attacked(one: Stressed, way: SlowClients) -> Attack:
    """Asks without an attack, and beside one from its first connection until its last is ended."""
    before = one.asked()
    # How many megabytes the system held, until when they were to be ended, in seconds, and how many were left.
    met: list[tuple[float, float, int]] = []
    headers = one.ours.headers
    one.forget_most()

    def attack() -> None:
        # Longer than the server bears it: it has to end all of them.
        command = ["slowhttptest", *way.options, "-u", one.ours.base + way.path, "-c", str(COUNT), "-r", str(A_SECOND),
                   "-l", str(round(1.5 * way.ended_after) + 2 * ENDING_SECONDS), "-i", "3", "-p", "3"]
        begun, others = time.monotonic(), one.connections
        files = _open_files(one)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            # It asks its connections without pause whether anything has come, which takes more than half a processor whatever the
            # server does. It has those that nobody else wants, as if it came from elsewhere.
            os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
            half = begun + way.ended_after / 2
            # With what others leave it, it takes longer than it is told to, and who comes later is ended later.
            most, last = files, begun
            while most < files + COUNT and time.monotonic() < half:
                time.sleep(0.25)
                now = _open_files(one)
                if now > most:
                    most, last = now, time.monotonic()
            ended = max(begun + way.ended_after + ENDING_SECONDS, last + way.ended_after + GRACE_SECONDS)
            time.sleep(max(0, half - time.monotonic()))
            held_megabytes = _socket_megabytes()
            time.sleep(max(0, ended - time.monotonic()))
            # Those who read a byte a second do not see it themselves by then.
            left, goes_on = one.connections - others, process.poll() is None
            said = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", process.communicate()[0])
        held = max(map(int, re.findall(r"connected: *(\d+)", said)), default=0)
        # One may have been ended before it first says how many there are.
        is_over = goes_on or "No open connections left" in said
        if process.returncode != 0 or held < 0.99 * COUNT or not is_over or re.search("service available: *NO", said):
            raise SystemExit(f"slowhttptest ended with {process.returncode} and held {held} of {COUNT} connections: {said[-600:]}")
        met.append((held_megabytes, ended - begun, left))

    after = load.at_rate_during(attack, one.uris, RATE, headers)
    [(socket_megabytes, ended, left)] = met
    return Attack(
        before, after.between(0, SECONDS), after.between(way.ended_after, ended), after.faults, one.most_megabytes, socket_megabytes, left)


def _open_files(one: Stressed) -> int:
    """How many the server has open, connections among them: costs less than to tell those apart."""
    return len(os.listdir(f"/proc/{one.process_id}/fd"))


def _socket_megabytes() -> float:
    """What the system holds for all connections over TCP of this machine."""
    with open("/proc/net/sockstat", encoding="ascii") as file:
        pages = re.search(r"^TCP:.* mem (\d+)$", file.read(), re.MULTILINE)
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
