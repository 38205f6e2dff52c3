"""The row of `stress.py` in which more newcomers come than can be answered, beside a server to which as many come as it answers."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Iterator

from comparison import load
from comparison.load import Latencies
from comparison.share import Share
from comparison.stressed import PATIENCE_MILLISECONDS, SECONDS, Finding, Stressed

# As many newcomers at once as get most answers in time: fewer wait for each other, more leave.
PEAK_NEWCOMERS = 64
# What each server has of one processor: who throws ten times as many takes the rest.
SHARE = 0.2
TIMES_TOO_MANY = [1.5, 3, 10]
# Each server has the crowd as often as the other: one processor may be faster.
CROWDS = 4
CROWD_SECONDS = 2 * SECONDS
# What those who are connected ask meanwhile.
CONNECTED_RATE = 10
PATIENCE = PATIENCE_MILLISECONDS / 1000
# For how long it is looked whether all is as before.
LONGEST_BACK = 10 * SECONDS


@dataclass(frozen=True)
class Asked:
    """One of two servers, and what is asked of it."""

    server: Stressed
    uris: list[str]

    def come(self, seconds: int, **pace: float) -> Latencies:
        return load.newcomers(self.uris, seconds, self.server.ours.headers, PATIENCE, **pace)

    def peak(self, seconds: int) -> float:
        """What it answers a second in time where so many come that it always has something to do, and no more."""
        return self.come(seconds, at_once=PEAK_NEWCOMERS).rate

    def crowd(self, rate: float) -> Crowd:
        """More come than are answered, until all is as before."""
        come: list[Latencies] = []
        kept = load.at_rate_during(
            lambda: come.append(self.come(CROWD_SECONDS, rate=rate)), self.server.uris, CONNECTED_RATE,
            self.server.ours.headers)
        return Crowd(come[0], kept)

    def seconds_until_all_are_answered(self, rate: float) -> float:
        """After a crowd, the last of whom came as long ago as they wait."""
        began = time.monotonic() - PATIENCE
        while time.monotonic() < began + LONGEST_BACK:
            if self.come(1, rate=rate).faults == 0:
                return time.monotonic() - began
        return float("inf")


@dataclass(frozen=True)
class Crowd:
    """What came of those who came, and of those who were connected before."""

    come: Latencies
    kept: Latencies


def newcomers(one: Stressed) -> Iterator[Finding]:
    """More than can be answered, whether or not those before are, each over a connection of their own, which is left when
    the answer takes too long."""
    pages = [f"/trips?limit=50&{each.query}" for each in one.mart.filters()[:200]]
    with Stressed(one.mart, one.signed) as other, Share(one.server._process.pid, SHARE), Share(other.server._process.pid, SHARE):
        yield from _rows("/kpi", [Asked(each, each.uris) for each in (one, other)])
        yield from _rows("/trips", [Asked(each, [each.ours.base + page for page in pages]) for each in (one, other)])


def _rows(title: str, pair: list[Asked]) -> Iterator[Finding]:
    for times in TIMES_TOO_MANY:
        with ThreadPoolExecutor() as threads:
            alone = list(threads.map(lambda each: each.peak(SECONDS), pair))
            if 0 in alone:
                raise SystemExit(f"{title}: nobody was answered")
            rate = sum(alone) / len(alone)
            crowds, beside, backs = [], [], []
            for number in range(CROWDS):
                crowded, free = pair if number % 2 == 0 else reversed(pair)
                peak = threads.submit(free.peak, CROWD_SECONDS)
                crowds.append(crowded.crowd(times * rate))
                beside.append(peak.result())
                backs.append(crowded.seconds_until_all_are_answered(rate / 2))
        yield _finding(title, times, alone, crowds, beside, max(backs))


def _finding(title: str, times: float, alone: list[float], crowds: list[Crowd], beside: list[float], back: float) -> Finding:
    good, most = sum(each.come.rate for each in crowds) / CROWDS, sum(beside) / CROWDS
    statuses = sum((each.come.statuses for each in crowds), Counter())
    others = ", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items()) if status != "200")
    faults, tail = sum(each.kept.faults for each in crowds), max(each.kept.share(0.99) for each in crowds)
    pairs = ", ".join(f"{each.come.rate:,.0f} and {peak:,.0f}" for each, peak in zip(crowds, beside))
    rate = sum(alone) / len(alone)
    return Finding(
        f"{title}: newcomers to a server with {SHARE:.0%} of a processor, {times:g} × those it answers",
        f"/kpi at {CONNECTED_RATE}/s, connected before",
        f"{times * rate:,.0f}/s come, {good:,.0f}/s are answered within {PATIENCE:g} s: {100 * good / most:.0f} % of the "
        f"{most:,.0f}/s that {PEAK_NEWCOMERS} at once get meanwhile from a second server ({pairs}), {100 * good / rate:.0f} % of what they "
        f"get from both before ({' and '.join(f'{each:,.0f}' for each in alone)}); others {others or 'none'}; those connected p99 "
        f"{tail:,.0f} ms at most, {faults} faults; as before after {back:.1f} s",
        "80 % of the second server's, no faults of those connected, 5 s", good >= 0.8 * most and faults == 0 and back <= 5,
    )
