"""Requests at a server, and how long they took: at a rate by `open_loop.py`, as fast as answered by h2load."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from comparison.stolen import StolenTime

# More than wait for an answer at once at the rates measured here; should there be none free, the wait is in the times.
CONNECTIONS = 50
# How many share the connections where there are many.
PROCESSES = 16
# Whatever h2load is asked for is over long before.
PATIENCE_SECONDS = 300


@dataclass
class Latencies:
    """How long answers took, in milliseconds, and with which statuses they came."""

    milliseconds: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    # The status and the time of each, in the order in which they ended.
    each: list[tuple[str, float]] = field(default_factory=list)
    # When each of those was due, in seconds from the first, where they come at a rate.
    due: list[float] = field(default_factory=list)
    # Whether each was due near a moment at which the host was found to have taken the machine away.
    is_disturbed: list[bool] = field(default_factory=list)
    seconds: float = 0

    def share(self, part: float) -> float:
        """The time within which a share of the answers came."""
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")

    def note(self, due: float, status: str, milliseconds: float, is_disturbed: bool) -> None:
        """One that came at a rate."""
        self.statuses[status] += 1
        self.each.append((status, milliseconds))
        self.due.append(due)
        self.is_disturbed.append(is_disturbed)
        if status != "none":
            self.milliseconds.append(milliseconds)

    def between(self, since: float, until: float) -> Latencies:
        """Those that were due within some seconds from the first, which came at a rate."""
        return self._where(lambda due, _: since <= due < until, until - since)

    @property
    def undisturbed(self) -> Latencies:
        """Those that were not due near such a moment, which came at a rate."""
        return self._where(lambda _, is_disturbed: not is_disturbed, self.seconds)

    def _where(self, holds: Callable[[float, bool], bool], seconds: float) -> Latencies:
        found = Latencies(seconds=seconds)
        for due, (status, milliseconds), is_disturbed in zip(self.due, self.each, self.is_disturbed):
            if holds(due, is_disturbed):
                found.note(due, status, milliseconds, is_disturbed)
        return found

    def __add__(self, other: Latencies) -> Latencies:
        """Those of both, taken together."""
        return Latencies(
            self.milliseconds + other.milliseconds, self.statuses + other.statuses, self.each + other.each,
            self.due + other.due, self.is_disturbed + other.is_disturbed, self.seconds + other.seconds)

    @property
    def faults(self) -> int:
        """Answers that were none, or not 200."""
        return sum(count for status, count in self.statuses.items() if status != "200")

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.milliseconds) / self.seconds if self.seconds else 0


def available() -> str:
    """The program that asks as fast as it is answered."""
    found = shutil.which("h2load")
    if found is None:
        raise SystemExit("h2load is missing: apt-get install nghttp2-client")
    return found


def at_rate(uris: list[str], rate: int, seconds: int, headers: dict[str, str],
            connections: int = CONNECTIONS) -> Latencies:
    """Requests that come when they are due, one after the other through the list; times from when each was due."""
    return _due(uris, rate, rate * seconds, headers, connections, lambda: None)


def at_rate_during(wait: Callable[[], None], uris: list[str], rate: int, headers: dict[str, str],
                   connections: int = CONNECTIONS) -> Latencies:
    """The same, for as long as a call takes."""
    return _due(uris, rate, None, headers, connections, wait)


def _due(uris: list[str], rate: int, requests: int | None, headers: dict[str, str], connections: int,
         wait: Callable[[], None]) -> Latencies:
    order = {"uris": uris, "rate": rate, "requests": requests, "headers": headers, "connections": connections}
    command = [sys.executable, "-B", Path(__file__).with_name("open_loop.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(json.dumps(order) + "\n")
        process.stdin.flush()
        # Whatever it shall go on beside begins when requests do.
        is_connected = process.stdout.readline() == "connected\n"
        with StolenTime() as stolen:
            if is_connected:
                wait()
            # The sign to stop, where no number of requests is given.
            process.stdin.close()
            text = process.stdout.read()
    if process.returncode != 0:
        raise SystemExit(f"the requests could not be thrown: status {process.returncode}")
    found = Latencies()
    ended = [0.0]
    for due, milliseconds, status in json.loads(text):
        ended.append(due + milliseconds / 1000)
        found.note(due, status, milliseconds, stolen.is_near(due))
    # What it really took: a slow server takes longer for as many.
    found.seconds = max(ended)
    return found


def as_fast_as_answered(uris: list[str], seconds: int, headers: dict[str, str],
                        connections: int) -> Latencies:
    """Each connection asks again as soon as it is answered; times from when each request was sent.

    Each goes through the list from a place of its own, so that none asks what another one just asked. For few connections:
    each has a process of h2load, whose own connections all begin at the same place.
    """
    return _asked(uris, headers, [1] * connections, lambda _: ["-D", str(seconds)])


def all_at_once(uris: list[str], requests: int, headers: dict[str, str], connections: int) -> Latencies:
    """The same of many connections, some of which share a place, until so many requests are answered."""
    shares = [connections // PROCESSES] * PROCESSES
    return _asked(uris, headers, shares, lambda share: ["-n", str(max(requests // PROCESSES, share))])


def _asked(uris: list[str], headers: dict[str, str], shares: list[int],
           options: Callable[[int], list[str]]) -> Latencies:
    """Starts one h2load for each share of the connections, all at once."""
    asked = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    found, begun, ended_at, answers = Latencies(), [], [], []
    with tempfile.TemporaryDirectory() as folder:
        started = []
        for number, share in enumerate(shares):
            questions, log = Path(folder) / f"uris-{number}", Path(folder) / f"log-{number}"
            place = len(uris) * number // len(shares)
            questions.write_text("\n".join(uris[place:] + uris[:place]) + "\n", encoding="utf-8")
            command = [available(), "--h1", "-c", str(share), "-t", "1", "-i", questions, "--log-file", log,
                       *options(share), *asked]
            started.append((log, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)))
        for log, process in started:
            text, fault = process.communicate(timeout=PATIENCE_SECONDS)
            counts = re.search(r"(\d+) errored, (\d+) timeout", text)
            if process.returncode != 0 or counts is None:
                raise SystemExit(f"h2load ended with {process.returncode} and said nothing of what failed: {text}{fault}")
            found.statuses["none"] += sum(map(int, counts.groups()))
            own = []
            for line in log.read_text(encoding="utf-8").splitlines():
                start, status, microseconds = line.split("\t")[:3]
                own.append((int(start) + int(microseconds), status, int(microseconds) / 1000))
            found.statuses.update(status for _, status, _ in own)
            if own:
                begun.append(min(ended - 1000 * took for ended, _, took in own))
                ended_at.append(max(own)[0])
            answers += own
    if not answers or len(begun) < len(shares):
        raise SystemExit("some connections were never answered")
    # What counts is the time in which all of them ask: neither when some begin later, nor when some are through.
    since, until = max(begun), min(ended_at)
    found.each = [(status, took) for ended, status, took in sorted(answers) if since <= ended <= until]
    found.milliseconds = [took for _, took in found.each]
    found.seconds = (until - since) / 1e6
    return found
