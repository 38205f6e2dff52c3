#!/usr/bin/env python3
"""Compares the server with Datasette over the same generation, and shows how long its answers take under load.

    serve.py [--size M] [--seconds 10] [--rounds 9] [--folder DIR] [--write]

`make bench-serve` starts it with the rival installed. Both speak TLS; ours also reads a token with every request.
The load is thrown from the same machine, whose cores it shares with the server: as fast as answered by h2load, at a rate
by comparison/open_loop.py. `--folder` is where exports and marts lie; what is there is used again. `--write` puts the
tables into README.md.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

from compare import SIZES
from comparison import load, measure, page
from comparison.engines import BENCHMARKS, program, program_version
from comparison.load import Latencies
from comparison.mart import Filter, Mart
from comparison.places import ANYWHERE, DEPTHS, LAST, Places
from comparison.servers import Datasette, Ours, certificate, find_ours

HEADER = ["question", "asked", "offered /s", "answered /s", "p50 ms", "p99 ms", "wanted", "p99.9 ms", "max ms", "faults",
          ""]
RIVAL_HEADER = ["asked", "server", "answers a request with", "requests /s", "min–max", "p50 ms", "p99 ms", "ours ×",
                "wanted"]
LIST_PLACES = {**{depth: f"page {depth:,}" for depth in DEPTHS}, LAST: "last page", ANYWHERE: "anywhere"}
LIST_HEADER = ["/trips by", "lists", *LIST_PLACES.values(), "last number", "wanted", "answered /s", "max ms", "faults", ""]
# How many times as many requests a second as the rival are wanted.
FACTOR = 10
QUESTIONS = 2_000
# As many as keep both servers busy, and no queue of their own making.
CONNECTIONS = 16
# Of so many questions the two servers must say the same before they are measured.
COMPARED = 25
# What nobody may ever wait for an answer.
PATIENCE_MILLISECONDS = 1_200
# Two orders of magnitude less, which nearly everybody waits for at most.
SPARE_MILLISECONDS = PATIENCE_MILLISECONDS / 100
LIST_RATE = 200
LIST_MILLISECONDS = 20


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=list(SIZES), default="M")
    parser.add_argument("--seconds", type=int, default=10, help="of every measurement")
    parser.add_argument("--rounds", type=int, default=9, help="turns of the two servers")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


@dataclass
class Contender:
    """A server that is asked some questions in its own way, and how fast it answered each turn."""

    asked: str
    server: Ours | Datasette
    answer: str
    uris: list[str]
    turns: list[Latencies] = field(default_factory=list)
    # Whether nothing may be asked again within a turn.
    asks_once: bool = False

    def take_turn(self, number: int, seconds: int) -> None:
        """Asks as fast as is answered; the first turn warms up."""
        # A slow server is not through with the list by the end: each turn begins elsewhere.
        start = number * len(self.uris) // 7
        uris = self.uris[start:] + self.uris[:start]
        found = load.as_fast_as_answered(uris, seconds, self.server.headers, CONNECTIONS)
        if found.faults:
            raise SystemExit(f"{self.server.title}: {found.statuses}")
        if self.asks_once and sum(found.statuses.values()) > len(uris):
            raise SystemExit(f"{self.asked}: {len(uris):,} questions are too few for {seconds} s")
        if number > 0:
            self.turns.append(found)

    @property
    def rate(self) -> float:
        return statistics.median(one.rate for one in self.turns)

    def cells(self, ours: Contender) -> list[str]:
        """A line of the table, with how many times as many requests ours answers."""
        rates = [one.rate for one in self.turns]
        half, most = (statistics.median(one.share(part) for one in self.turns) for part in (0.5, 0.99))
        line = [self.asked, self.server.title, self.answer, f"{self.rate:,.0f}", f"{min(rates):,.0f}–{max(rates):,.0f}",
                f"{half:.2f}", f"{most:.2f}"]
        if self is ours:
            return line + ["", ""]
        ratio = ours.rate / self.rate
        return line + [f"{ratio:.1f}", f"{FACTOR}: {'yes' if ratio >= FACTOR else 'NO'}"]


def compared(mart: Mart, ours: Ours, rival: Datasette, chosen: argparse.Namespace) -> list[list[str]]:
    """Both as fast as they answer, one after the other, turn by turn; each pair is asked the same questions."""
    months, ranges = mart.filters()[:QUESTIONS], mart.ranges()
    ranges, once = ranges[:QUESTIONS], ranges[QUESTIONS:]
    agree(ours, rival, months, ranges)
    whole = "total, series, by type, by region, by basis"
    pairs = [
        [Contender("one month, or all", ours, whole, ours.kpi(months)),
         Contender("one month, or all", rival, "total: one cell of the cube", rival.cells(months))],
        [Contender("several months", ours, whole, ours.kpi(ranges)),
         Contender("several months", rival, "total: one row of sums", rival.sums(ranges)),
         Contender("several months", rival, "total, series, by type, by region", rival.screens(ranges))],
        # So many that what is asked again, in another turn, is long out of memory.
        [Contender("several months, none twice", ours, whole, ours.kpi(once), asks_once=True),
         Contender("several months, none twice", rival, "total: one row of sums", rival.sums(once), asks_once=True),
         Contender("several months, none twice", rival, "total, series, by type, by region", rival.screens(once), asks_once=True)],
    ]
    for turn in range(chosen.rounds + 1):
        for pair in pairs:
            for one in pair:
                one.take_turn(turn, chosen.seconds)
    return [one.cells(pair[0]) for pair in pairs for one in pair]


def agree(ours: Ours, rival: Datasette, months: list[Filter], ranges: list[Filter]) -> None:
    """Ends where the two servers do not say the same of some questions."""
    def said(one: Filter) -> dict:
        return ours.ask(f"/kpi?{one.query}")

    def trips(rows: list[dict], key: str) -> dict[str, int]:
        return {row[key]: row["trips"] for row in rows if row["trips"]}

    for one, cell in zip(months[:COMPARED], rival.cells(months)):
        if said(one)["total"]["trips"] != rival.ask(cell)[0]["trips"]:
            raise SystemExit(f"{one}: the two servers do not say the same")
    for one, total, screen in zip(ranges[:COMPARED], rival.sums(ranges), rival.screens(ranges)):
        mine, rows = said(one), rival.ask(screen)
        names = {"by_month": "month", "by_trip_type": "trip_type", "by_region": "region"}
        if any((mine["total"]["trips"] or None) != (row["trips"] or None) for row in [rows[0], *rival.ask(total)]) or any(
                trips(mine[part], key) != trips([row for row in rows if row["part"] == part], "value")
                for part, key in names.items()):
            raise SystemExit(f"{one}: the two servers do not say the same")


def cells(title: str, asked: str, offered: int, found: Latencies, wanted: int) -> list[str]:
    """One line of the table of latencies, with the 99th percentile that is wanted, in milliseconds."""
    half, most, nearly = (found.share(part) for part in (0.5, 0.99, 0.999))
    last = max(found.milliseconds, default=0)
    return [title, asked, f"{offered:,}", f"{found.rate:,.0f}", f"{half:.2f}", f"{most:.2f}", str(wanted), f"{nearly:.2f}",
            f"{last:.2f}", str(found.faults), "yes" if is_met(found, offered, wanted) else "NO"]


def is_met(found: Latencies, offered: int, wanted: int) -> bool:
    """Whether answers came in time, all of them, and as many as were asked for."""
    return (found.share(0.99) <= wanted and found.faults == 0 and found.rate >= 0.98 * offered
            and max(found.milliseconds, default=0) < PATIENCE_MILLISECONDS)


def measured(ours: Ours, places: Places, mart: Mart, chosen: argparse.Namespace) -> Iterator[list[str]]:
    """Everything but lists that is asked at a rate."""
    questions = {"one month, or all": mart.filters(), "several months": mart.ranges()}
    for title, filters in questions.items():
        # No more than can be asked once: what was asked before is answered from memory.
        uris = ours.kpi(filters[:1_000 * chosen.seconds])
        found = load.at_rate(uris, 1_000, chosen.seconds, ours.headers)
        yield cells("/kpi", f"{title}: {len(uris):,} questions", 1_000, found, 5)
    refs = places.refs(500 * chosen.seconds)
    uris = [f"{ours.base}/trip/{ref}" for ref in refs]
    found = load.at_rate(uris, 500, chosen.seconds, ours.headers)
    yield cells("/trip/{id}", f"{len(uris):,} trips from everywhere", 500, found, 5)
    yield besides(ours, mart)


def besides(ours: Ours, mart: Mart) -> list[str]:
    """Sums while a whole run over all exports takes what cores there are, and publishes."""
    rate = 200
    before = ours.ask("/readyz")["generation"]

    def published() -> None:
        status = mart.started("--full").wait()
        if status not in (0, 10):
            raise SystemExit(f"the run beside it ended with {status}")
        until = time.monotonic() + 5
        while ours.ask("/readyz")["generation"] == before and time.monotonic() < until:
            time.sleep(0.1)

    mixed = [one for pair in zip(mart.filters(), mart.ranges()) for one in pair]
    found = load.at_rate_during(published, ours.kpi(mixed), rate, ours.headers)
    if ours.ask("/readyz")["generation"] != before + 1:
        raise SystemExit("the run beside it published nothing that is served")
    return cells("/kpi", "while a full run goes on", rate, found, 100)


def listed(ours: Ours, places: Places, mart: Mart, chosen: argparse.Namespace) -> Iterator[list[str]]:
    """Pages of every combination of filters, at several depths down to the last, and anywhere, none of these twice."""
    for title, filters in mart.lists():
        uris: dict[int, list[str]] = {}
        last = 1
        for one in filters:
            for depth, (number, path) in places.pages(one).items():
                uris.setdefault(depth, []).append(ours.base + path)
                last = max(last, number)
            some = places.anywhere(one, -(-LIST_RATE * chosen.seconds // len(filters)))
            uris.setdefault(ANYWHERE, []).extend(ours.base + path for path in some)
        random.Random(title).shuffle(uris[ANYWHERE])
        if len(uris[ANYWHERE]) < LIST_RATE * chosen.seconds:
            raise SystemExit(f"{title}: there are too few places for {chosen.seconds} s")
        found = {
            depth: load.at_rate(uris[depth], LIST_RATE, chosen.seconds, ours.headers)
            for depth in LIST_PLACES if depth in uris
        }
        tails = [f"{found[depth].share(0.99):.2f}" if depth in found else "" for depth in LIST_PLACES]
        met = all(is_met(one, LIST_RATE, LIST_MILLISECONDS) for one in found.values())
        yield [
            title, str(len(filters)), *tails, f"{last:,}", str(LIST_MILLISECONDS),
            f"{min(one.rate for one in found.values()):,.0f}",
            f"{max(max(one.milliseconds, default=0) for one in found.values()):.2f}",
            str(sum(one.faults for one in found.values())), "yes" if met else "NO",
        ]


def slowest(lines: list[list[str]], lists: list[list[str]]) -> float:
    """The largest of all 99th percentiles at a rate."""
    first = LIST_HEADER.index(LIST_PLACES[DEPTHS[0]])
    cells = [line[HEADER.index("p99 ms")] for line in lines]
    cells += [cell for line in lists for cell in line[first:first + len(LIST_PLACES)] if cell]
    # What was not answered took longer than anything.
    return max(math.inf if cell == "nan" else float(cell) for cell in cells)


def shown(lines: Iterator[list[str]]) -> list[list[str]]:
    """The lines, each said as soon as it is known."""
    kept = []
    for line in lines:
        print(" | ".join(line), file=sys.stderr, flush=True)
        kept.append(line)
    return kept


def main() -> None:
    chosen = words()
    load.available()
    find_ours()
    with contextlib.ExitStack() as stack:
        folder = chosen.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        mart = Mart(folder.resolve(), SIZES[chosen.size])
        signed = certificate(folder)
        ours = stack.enter_context(Ours(mart, signed))
        with Datasette(mart, signed, folder) as rival:
            rivals = shown(iter(compared(mart, ours, rival, chosen)))
        places = Places(mart, ours)
        lists = shown(listed(ours, places, mart, chosen))
        # The last of these publishes another generation.
        lines = shown(measured(ours, places, mart, chosen))
        most = slowest(lines, lists)
        has_spare = most <= SPARE_MILLISECONDS
        origin = measure.origin(folder, f"{program_version(program())}, {Datasette.title}")
    text = [
        f"{origin} {SIZES[chosen.size]:,} stored trips; {chosen.rounds} turns of {chosen.seconds} s, after one to warm up.",
        page.table(rivals, RIVAL_HEADER, words=3),
        f"At a rate, {chosen.seconds} s each, from when each request was due:",
        page.table(lines, HEADER, words=2),
        f"Lists at {LIST_RATE} requests a second, the 99th percentile in ms from when each was due, {chosen.seconds} s for every "
        "number:",
        page.table(lists, LIST_HEADER, words=1),
        f"The largest 99th percentile of both tables is {most:.2f} ms; {SPARE_MILLISECONDS:g} are wanted, which is two orders of "
        f"magnitude less than 1.2 s: {'yes' if has_spare else 'NO'}.",
    ]
    print("\n\n".join(text))
    if chosen.write:
        page.write(BENCHMARKS / "README.md", "serve.py", "\n\n".join(text))
    missed = [line for line in rivals + lines + lists if line[-1].endswith("NO")] + ([] if has_spare else [most])
    if missed:
        raise SystemExit(f"{len(missed)} of what is wanted is missed")


if __name__ == "__main__":
    main()
