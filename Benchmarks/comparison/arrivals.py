"""The row of `stress.py` in which more newcomers come than can be answered, beside a server to which as many come as it answers."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Iterator

from comparison import load
from comparison.load import Latencies
from comparison.share import Share
from comparison.stressed import PATIENCE_MILLISECONDS, SECONDS, Finding, Stressed

# So many newcomers at once as get most answers in time: of fewer the server waits for some, of more some leave. More than 24 who ask for
# lists get no more than the machine's pace changes by, and leave.
PEAK_NEWCOMERS = {"/kpi": 64, "/trips": 24}
# So many of those are answered in time: where an eighth leave it is a crowd.
LEAST_OF_FEW = 7 / 8
# What each server has of one processor: who throws ten times as many takes the rest.
SHARE = 0.2
TIMES_TOO_MANY = [1.5, 3, 10]
# Each server has the crowd as often as the other: what they keep is not the same, nor what else the processors do.
CROWDS = 4
CROWD_SECONDS = 2 * SECONDS
# After so long a server whom nobody asks knows of no crowd any more.
CALM_SECONDS = 2
# What those who are connected ask meanwhile.
CONNECTED_RATE = 10
PATIENCE = PATIENCE_MILLISECONDS / 1000
# For how long half as many as are answered come after it, and from when on all of them have to be answered.
AFTER_SECONDS, BACK_SECONDS = 7, 5


@dataclass(frozen=True)
class Turn:
    """What came of a crowd at one server, of those who were connected to it before, and of few at once at the other meanwhile."""

    crowd: Latencies
    connected: Latencies
    peak: Latencies
    # In which part of its periods each used its share up: that of the crowd, and the other.
    throttled: tuple[float, float]
    # When after the crowd's end the last came who was not answered, of half as many as are.
    seconds_back: float


@dataclass(frozen=True)
class Limited:
    """One of two servers, with its share of the processors, and what is asked of it."""

    stressed: Stressed
    share: Share
    uris: list[str]
    at_once: int

    def asked(self, seconds: float, **pace: float) -> Latencies:
        return load.newcomers(self.uris, seconds, self.stressed.ours.headers, PATIENCE, **pace)

    def peak(self, seconds: float) -> Latencies:
        """Where so many come that it always has something to do, and no more."""
        return self.asked(seconds, at_once=self.at_once)

    def told(self, seconds: float) -> Latencies:
        """The same where the answer is as short as a refusal: what remains is what it takes to be heard."""
        least = [f"{self.stressed.ours.base}/healthz"] * load.THROWERS
        return load.newcomers(least, seconds, self.stressed.ours.headers, PATIENCE, at_once=PEAK_NEWCOMERS["/kpi"])

    def turn(self, other: Limited, threads: ThreadPoolExecutor, rate: float, times: float) -> Turn:
        """A crowd here and few at the other, and from its end half as many here as are answered."""
        for each in (self, other):
            # Signs in where that is due: it is no part of what is measured.
            _ = each.stressed.ours.headers
        time.sleep(CALM_SECONDS)
        before = [each.share.periods for each in (self, other)]
        peak = threads.submit(other.peak, CROWD_SECONDS)
        found: list[Latencies] = []
        throttled: list[float] = []

        def after() -> Latencies:
            time.sleep(CROWD_SECONDS)
            return self.asked(AFTER_SECONDS, rate=rate / 2)

        def come() -> None:
            later = threads.submit(after)
            found.append(self.asked(CROWD_SECONDS, rate=times * rate))
            throttled.extend(each.share.throttled(since) for each, since in zip((self, other), before))
            found.append(later.result())

        connected = load.at_rate_during(come, self.stressed.uris, CONNECTED_RATE, self.stressed.ours.headers)
        (crowd, rest), beside = found, peak.result()
        return Turn(crowd, connected, beside, (throttled[0], throttled[1]), rest.last_fault)


@dataclass(frozen=True)
class Turns:
    """What came of all crowds of one line, taken together."""

    # What few at once get from each server while nobody else asks, a second.
    alone: list[float]
    # What they get where they ask for the least there is to say.
    told: list[float]
    each: list[Turn]

    @property
    def rate(self) -> float:
        return statistics.mean(self.alone)

    @property
    def good(self) -> float:
        """What a crowd gets, a second."""
        return statistics.mean(turn.crowd.rate for turn in self.each)

    @property
    def most(self) -> float:
        """What few get meanwhile."""
        return statistics.mean(turn.peak.rate for turn in self.each)

    @property
    def crowd(self) -> Counter[str]:
        return sum((turn.crowd.statuses for turn in self.each), Counter())

    @property
    def few(self) -> Counter[str]:
        return sum((turn.peak.statuses for turn in self.each), Counter())

    @property
    def faults(self) -> int:
        """Of those who were connected."""
        return sum(turn.connected.faults for turn in self.each)

    @property
    def tail(self) -> float:
        """The p99 of those who were connected, in the worst crowd."""
        return max(turn.connected.share(0.99) for turn in self.each)

    @property
    def seconds_back(self) -> float:
        return max(turn.seconds_back for turn in self.each)

    @property
    def throttled(self) -> list[float]:
        return [min(parts) for parts in zip(*(turn.throttled for turn in self.each))]

    @property
    def is_measure(self) -> bool:
        """Whether nearly all of the few are answered, and not much fewer than before: otherwise they say nothing of what could have been."""
        return self.few["200"] >= LEAST_OF_FEW * self.few.total() and self.most >= self.rate / 2

    @property
    def is_met(self) -> bool:
        return (self.is_measure and self.good >= 0.8 * self.most
                and set(self.crowd) <= {"200", "429", "503", "late", "closed"} and self.faults == 0
                and self.tail <= PATIENCE_MILLISECONDS and self.seconds_back <= BACK_SECONDS)

    def found(self, times: float, at_once: int) -> str:
        pairs = ", ".join(f"{turn.crowd.rate:,.0f} and {turn.peak.rate:,.0f}" for turn in self.each)
        return (
            f"{times * self.rate:,.0f}/s come, {self.good:,.0f}/s are answered within {PATIENCE:g} s: "
            f"{_percent(self.good, self.most)} of the {self.most:,.0f}/s that {at_once} at once get meanwhile from a second server "
            f"({pairs}; of its own {_counts(self.few)}), {_percent(self.good, self.rate)} of what they get from both before "
            f"({' and '.join(f'{each:,.0f}' for each in self.alone)}; of the least there is to say "
            f"{' and '.join(f'{each:,.0f}' for each in self.told)}); others {_counts(self.crowd)}; both used their share up in "
            f"{self.throttled[0]:.0%} and {self.throttled[1]:.0%} of the time or more; those connected p99 {self.tail:,.0f} ms at most, "
            f"{self.faults} faults; of half as many who come then all but those of the first {self.seconds_back:.1f} s"
        )


def newcomers(one: Stressed) -> Iterator[Finding]:
    """More than can be answered, whether or not those before are, each over a connection of their own, which is left when
    the answer takes too long."""
    pages = [f"/trips?limit=50&{each.query}" for each in one.mart.filters()[:200]]
    with Stressed(one.mart, one.signed) as other, ThreadPoolExecutor() as threads, \
            Share(one.process_id, SHARE) as ours, Share(other.process_id, SHARE) as others:
        servers = [(one, ours), (other, others)]
        for title, uris in {"/kpi": lambda each: each.uris, "/trips": lambda each: [each.ours.base + page for page in pages]}.items():
            pair = [Limited(stressed, share, uris(stressed), PEAK_NEWCOMERS[title]) for stressed, share in servers]
            for times in TIMES_TOO_MANY:
                yield _row(title, times, pair, threads)


def _row(title: str, times: float, pair: list[Limited], threads: ThreadPoolExecutor) -> Finding:
    alone = [each.rate for each in threads.map(lambda each: each.peak(SECONDS), pair)]
    if 0 in alone:
        raise SystemExit(f"{title}: nobody was answered")
    rate = statistics.mean(alone)
    told = [each.rate for each in threads.map(lambda each: each.told(SECONDS), pair)]
    turns = Turns(alone, told, [pair[number % 2].turn(pair[1 - number % 2], threads, rate, times) for number in range(CROWDS)])
    return Finding(
        f"{title}: newcomers to a server with {SHARE:.0%} of a processor, {times:g} × those it answers",
        f"/kpi at {CONNECTED_RATE}/s, connected before",
        turns.found(times, pair[0].at_once),
        f"80 % of the second server's, which answers {LEAST_OF_FEW:.1%} of its own, others 429 or 503 or not taken in, those connected within {PATIENCE:g} s, all after {BACK_SECONDS} s",
        turns.is_met,
    )


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "nothing"


def _counts(statuses: Counter[str]) -> str:
    return ", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items()) if status != "200") or "none"
