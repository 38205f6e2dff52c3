"""Rows of `stress.py`: more connections and more requests than there should be."""

from __future__ import annotations

import socket
import ssl
import time
from dataclasses import dataclass
from typing import Iterator

from comparison import load
from comparison.load import Latencies
from comparison.stressed import (
    ASKED, ENOUGH_OF_A_SECOND, MEGABYTES, MOST_TRIES, PATIENCE_MILLISECONDS, RATE, SECONDS, UNHARMED, Finding, Stressed, has_enough,
    is_unharmed, tails,
)

IDLE = 10_000
# One after the other: memory that one leaves behind is taken when the next comes.
BURSTS = 3
# Connections a second from one address would run out of ports otherwise.
PER_ADDRESS = 500
# Of the 48 MiB that it may come to.
KEPT_MEGABYTES = 45
PEAK_CONNECTIONS = 16
OVERLOAD_CONNECTIONS = 2_000


def idle(one: Stressed) -> Iterator[Finding]:
    """Connections that are open and say nothing, some bare and some after their TLS handshake."""
    before = one.asked_enough()
    questions = one.ours.kpi(one.mart.ranges())
    for is_secure in [False, True]:
        times = [_idle(one, questions, is_secure) for _ in range(BURSTS)]
        while not has_enough(sum((each.after for each in times), Latencies())) and len(times) < MOST_TRIES:
            times.append(_idle(one, questions, is_secure))
        after, worst = sum((each.after for each in times), Latencies()), max(times, key=lambda each: each.full)
        kept_megabytes = min(each.kept_megabytes for each in times)
        yield Finding(
            f"{IDLE:,} idle connections, {'after' if is_secure else 'before'} their TLS handshake, {len(times)} times", ASKED,
            f"{worst.kept:,} sockets kept, {worst.full:,.0f} MB ({worst.quiet:,.0f} without, {worst.kept_megabytes:.0f} of them answers), "
            f"{tails(before, after)}",
            f"{MEGABYTES} MB beside all answers it may keep, {UNHARMED}",
            worst.full <= MEGABYTES and kept_megabytes > KEPT_MEGABYTES and is_unharmed(before, after),
        )


@dataclass(frozen=True)
class Held:
    """What came of connections held once."""

    quiet: float
    kept_megabytes: float
    full: float
    kept: int
    after: Latencies


def _idle(one: Stressed, questions: list[str], is_secure: bool) -> Held:
    """One burst of connections, beside answers that are kept: held while the server is asked, then closed."""
    context = ssl.create_default_context(cafile=one.signed[0])
    # The answers that are kept take nearly all the room there is for them: when it is full, half of them go.
    while one.kept_megabytes <= KEPT_MEGABYTES:
        if not questions:
            raise SystemExit("there are too few questions to fill what the server keeps of answers")
        load.at_rate(questions[:RATE], RATE, 1, one.ours.headers)
        del questions[:RATE]
    quiet, kept_megabytes = one.megabytes, one.kept_megabytes
    one.forget_most()
    held: list[socket.socket] = []
    for number in range(IDLE):
        address = (f"127.0.0.{2 + number // PER_ADDRESS}", 0)
        bare = socket.create_connection(("127.0.0.1", one.server.port), timeout=30, source_address=address)
        held.append(context.wrap_socket(bare, server_hostname="127.0.0.1") if is_secure else bare)
    kept, after = one.connections, one.asked()
    full = one.most_megabytes
    for connection in held:
        connection.close()
    return Held(quiet, kept_megabytes, full, kept, after)


def overload(one: Stressed) -> Iterator[Finding]:
    """Overload by connected clients: many more than can be answered at once, each of which asks again once it is answered.

    A connected client has one request under way, so this is the most that so many of them can offer: each request waits for as
    long as all of them take. Then nothing out of the usual is offered.
    """
    before = one.asked_enough()
    pages = [f"{one.ours.base}/trips?limit=50&{each.query}" for each in one.mart.filters()[:200]]
    for title, uris in {"/kpi": one.uris, "/trips": pages}.items():
        peak = load.as_fast_as_answered(uris, SECONDS, one.ours.headers, PEAK_CONNECTIONS)
        # As many as should be answered in the time.
        over = load.all_at_once(uris, round(peak.rate * SECONDS), one.ours.headers, OVERLOAD_CONNECTIONS)
        good = sum(
            status == "200" and milliseconds <= PATIENCE_MILLISECONDS
            for status, milliseconds in over.each) / over.seconds
        began, back = time.monotonic(), None
        while back is None and time.monotonic() < began + 10 * SECONDS:
            after = one.asked(seconds=1)
            if is_unharmed(before, after, enough=ENOUGH_OF_A_SECOND):
                back = time.monotonic() - began
        others = {status: count for status, count in over.statuses.items() if status not in ("200", "none") and count}
        unanswered = over.statuses["none"]
        yield Finding(
            f"{title}: {OVERLOAD_CONNECTIONS:,} connections that ask without pause ({PEAK_CONNECTIONS} get {peak.rate:,.0f}/s)",
            "then " + ASKED,
            f"{good:,.0f}/s within {PATIENCE_MILLISECONDS / 1000:g} s ({100 * good / peak.rate:.0f} %), "
            f"p99 {over.share(0.99):,.0f} ms, others {others or 'none'}, {unanswered} unanswered; as before after "
            + ("never" if back is None else f"{back:.1f} s"),
            "80 %, others 429 or 503, all answered, 5 s",
            good >= 0.8 * peak.rate and set(others) <= {"429", "503"} and unanswered == 0 and back is not None and back <= 5,
        )
