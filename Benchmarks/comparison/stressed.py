"""What every row of `stress.py` has: a server of its own, what is asked of it beside, and what came of it."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass

from comparison import load
from comparison.load import Latencies
from comparison.mart import Mart
from comparison.servers import Ours
# Found by the path that comparison.servers knows.
from served import Server

SECONDS = 10
RATE = 500
# What the server may take, whatever comes.
MEGABYTES = 256
# What whoever waits for an answer has.
PATIENCE_MILLISECONDS = 1_200
# What ten seconds have: of so many, 50 are above their p99, and one stall of 50 ms is half of those.
ENOUGH = 5_000
# What a second has to have of those, where a p99 is looked at again and again until it is as before.
ENOUGH_OF_A_SECOND = 250
# After so many tries the machine is too busy with others.
MOST_TRIES = 9


@dataclass(frozen=True)
class Finding:
    """What came of one kind of stress."""

    what: str
    beside: str
    found: str
    wanted: str
    is_met: bool

    def cells(self, built: str) -> list[str]:
        """A line of the table, with the version and the commit it was found with."""
        return [self.what, self.beside, self.found, self.wanted, "yes" if self.is_met else "NO", built]


class Stressed:
    """A server of one row's own, and what is asked of it meanwhile."""

    def __init__(self, mart: Mart, signed: tuple[str, str]) -> None:
        self.mart, self.signed = mart, signed

    def __enter__(self) -> Stressed:
        self.ours = Ours(self.mart, self.signed).__enter__()
        self.server: Server = self.ours.server
        self.uris = self.ours.kpi(self.mart.filters())
        return self

    def __exit__(self, *_: object) -> None:
        self.ours.__exit__()

    def asked(self, seconds: int = SECONDS) -> Latencies:
        """Honest requests at a rate that is nothing to the server."""
        return load.at_rate(self.uris, RATE, seconds, self.ours.headers)

    def asked_enough(self) -> Latencies:
        """The same, until there are enough of them while the machine was not taken away."""
        found = self.asked()
        for _ in range(MOST_TRIES - 1):
            if has_enough(found):
                break
            found += self.asked()
        return found

    @property
    def process_id(self) -> int:
        return self.server.number

    @property
    def connections(self) -> int:
        """How many the server has open now."""
        folder = f"/proc/{self.process_id}/fd"
        names = []
        for entry in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):
                names.append(os.readlink(f"{folder}/{entry}"))
        return sum(name.startswith("socket:") for name in names)

    def _figure(self, name: str) -> int:
        """What it says of itself."""
        figures = self.server.ask("/metrics", name=None).body.decode("ascii")
        found = re.search(rf"^{name} (\d+)$", figures, re.MULTILINE)
        if found is None:
            raise SystemExit(f"the server does not say {name}")
        return int(found[1])

    @property
    def kept_megabytes(self) -> float:
        """What the answers that it keeps take of that."""
        return self._figure("triptych_kept_answer_bytes") / (1 << 20)

    @property
    def megabytes(self) -> float:
        """What the server holds in memory now."""
        return self._memory("VmRSS")

    @property
    def most_megabytes(self) -> float:
        """The most that it held since it was told to forget what it held before."""
        return self._memory("VmHWM")

    def forget_most(self) -> None:
        with open(f"/proc/{self.process_id}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def _memory(self, name: str) -> float:
        with open(f"/proc/{self.process_id}/status", encoding="ascii") as file:
            lines = [line for line in file if line.startswith(name)]
        return int(lines[0].split()[1]) / 1024


def has_enough(*sides: Latencies) -> bool:
    """Whether their p99 says something."""
    return all(len(each.undisturbed.milliseconds) >= ENOUGH for each in sides)


def is_unharmed(before: Latencies, after: Latencies, enough: int = ENOUGH) -> bool:
    """Whether honest requests were all answered in time, and hardly later than without what came beside them.

    The p99 is that of requests that were due while the machine was not taken away, which costs whoever waits milliseconds
    whatever the server does. Of those there have to be enough.
    """
    own, others = before.undisturbed, after.undisturbed
    return (
        has_enough(before) and len(others.milliseconds) >= enough
        and after.faults == 0 and max(after.milliseconds) <= PATIENCE_MILLISECONDS
        and others.share(0.99) <= 2 * own.share(0.99)
    )


def p99(found: Latencies) -> str:
    """That of those which count, and beside it that of all with how many do not, where some do not."""
    disturbed = sum(found.is_disturbed)
    own = f"{found.undisturbed.share(0.99):.2f}"
    return f"{own} [{found.share(0.99):.2f}, {100 * disturbed / len(found.due):.0f} %]" if disturbed else own


def tails(before: Latencies, after: Latencies) -> str:
    return f"p99 {p99(after)} ms ({p99(before)} without), {max(after.milliseconds, default=float('nan')):.0f} ms at most, {after.faults} faults"


UNHARMED = "no faults, 2 × the p99"
ASKED = f"/kpi at {RATE}/s"
