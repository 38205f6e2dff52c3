"""Requests at a server, thrown by h2load, and how long they took."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

# At the rates measured here each is due a request every 50 ms or less often: an answer delays the next request of its
# connection where it takes longer than that, and no other.
CONNECTIONS = 50


@dataclass
class Latencies:
    """How long answers took, in milliseconds, and with which statuses they came."""

    milliseconds: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    # The status and the time of each, in the order in which they ended.
    each: list[tuple[str, float]] = field(default_factory=list)
    seconds: float = 0

    def add(self, other: Latencies) -> None:
        """Takes in what was measured elsewhere."""
        self.milliseconds += other.milliseconds
        self.statuses += other.statuses
        self.each += other.each
        self.seconds += other.seconds

    def share(self, part: float) -> float:
        """The time within which a share of the answers came."""
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")

    @property
    def faults(self) -> int:
        """Answers that were none, or not 200."""
        return sum(count for status, count in self.statuses.items() if status != "200")

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.milliseconds) / self.seconds if self.seconds else 0


def available() -> str:
    """The program that throws requests."""
    found = shutil.which("h2load")
    if found is None:
        raise SystemExit("h2load is missing: apt-get install nghttp2-client")
    return found


def at_rate(uris: list[str], rate: int, seconds: int, headers: dict[str, str],
            connections: int = CONNECTIONS) -> Latencies:
    """Requests that come when they are due, but for those of a connection that still waits for the answer before.

    The connections begin one after the other, so that their requests are spread evenly and come in no bursts.
    """
    options = ["--rps", f"{rate / connections:g}", "-n", str(rate * seconds),
               "-r", "1", "--rate-period", f"{1000 // rate}ms"]
    return _run(uris, seconds, headers, connections, options)


def as_fast_as_answered(uris: list[str], seconds: int, headers: dict[str, str],
                        connections: int) -> Latencies:
    """Each connection asks again as soon as it is answered."""
    return _run(uris, seconds, headers, connections, ["-D", str(seconds)])


def more_than_can_be_answered(uris: list[str], rate: int, seconds: int, headers: dict[str, str],
                              connections: int) -> Latencies:
    """Requests due at a rate beyond what is answered, from all connections at once."""
    return _run(uris, seconds, headers, connections, ["--rps", f"{rate / connections:g}", "-D", str(seconds)])


def _run(uris: list[str], seconds: int, headers: dict[str, str], connections: int,
         options: list[str]) -> Latencies:
    with tempfile.TemporaryDirectory() as folder:
        questions, log = Path(folder) / "uris", Path(folder) / "log"
        questions.write_text("\n".join(uris) + "\n", encoding="utf-8")
        asked = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
        ended = subprocess.run(
            [available(), "--h1", "-c", str(connections), "-t", "1",
             "-i", questions, "--log-file", log, *options, *asked],
            check=True, capture_output=True, text=True,
        )
        found = Latencies()
        begun, ended_at = [], []
        for line in log.read_text(encoding="utf-8").splitlines():
            start, status, microseconds = line.split("\t")[:3]
            begun.append(int(start))
            ended_at.append(int(start) + int(microseconds))
            found.milliseconds.append(int(microseconds) / 1000)
            found.statuses[status] += 1
            found.each.append((status, int(microseconds) / 1000))
        # What it really took: a slow server takes longer for as many.
        found.seconds = (max(ended_at) - min(begun)) / 1e6 if begun else seconds
    counts = re.search(r"(\d+) errored, (\d+) timeout", ended.stdout)
    if counts is None:
        raise SystemExit(f"h2load said nothing of what failed: {ended.stdout}")
    found.statuses["none"] = sum(map(int, counts.groups()))
    return found
