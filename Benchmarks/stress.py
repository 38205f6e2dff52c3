#!/usr/bin/env python3
"""Shows what the server does under stress: held connections, slow clients, overload, guesses, races and restarts.

    stress.py [--trips 100000] [--folder DIR] [--write] [ROW…]

Rows: idle, slow, overload, hashing, guesses, refresh, timing, restarts; all of them where none is named. The load comes from this
machine's own addresses and shares its cores with the server, which speaks TLS. Ends with 1 where something is not as it is wanted.
`--write` puts the table into README.md; where rows are named, those of the others stay as they are there. Each says which program
and commit it is of.
"""

from __future__ import annotations

import argparse
import base64
import concurrent.futures
import contextlib
import os
import re
import resource
import secrets
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator

from comparison import load, measure, page
from comparison.engines import BENCHMARKS, REPOSITORY, program, program_version
from comparison.load import Latencies
from comparison.mart import Mart
from comparison.servers import Ours, certificate, find_ours
# Found by the path that comparison.servers knows.
from served import CLIENT, Server, account

HEADER = ["what", "beside it", "found", "wanted", "", "program, commit"]
SECONDS = 10
RATE = 500
IDLE = 10_000
# Connections a second from one address would run out of ports otherwise.
PER_ADDRESS = 500
MEGABYTES = 256
# A tail of a few milliseconds is the machine's: below this, twice as long is not worth a word.
LEAST_TAIL = 5.0
ROUNDS = 1_000
# Seconds in which a replaced token may come again, since requests cross each other, and some more.
GRACE = 25
REPLAYS = 50
GUESSES = 10_000
TIMES = 200
PEAK_CONNECTIONS = 16
OVERLOAD_CONNECTIONS = 2_000
# What whoever waits for an answer has.
PATIENCE_MILLISECONDS = 1_200
CYCLES = 100


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

    @property
    def connections(self) -> int:
        """How many the server has open now."""
        folder = f"/proc/{self.server._process.pid}/fd"
        names = []
        for entry in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):
                names.append(os.readlink(f"{folder}/{entry}"))
        return sum(name.startswith("socket:") for name in names)

    @property
    def megabytes(self) -> float:
        """What the server holds in memory now."""
        with open(f"/proc/{self.server._process.pid}/status", encoding="ascii") as file:
            lines = [line for line in file if line.startswith("VmRSS")]
        return int(lines[0].split()[1]) / 1024


def is_unharmed(before: Latencies, after: Latencies) -> bool:
    """Whether honest requests were answered, and hardly later than without what came beside them."""
    return after.faults == 0 and after.share(0.99) <= max(2 * before.share(0.99), LEAST_TAIL)


def tails(before: Latencies, after: Latencies) -> str:
    return f"p99 {after.share(0.99):.2f} ms ({before.share(0.99):.2f} without), {after.faults} faults"


UNHARMED = f"no faults, 2 × the p99 or {LEAST_TAIL:g} ms"
ASKED = f"/kpi at {RATE}/s"


def idle(one: Stressed) -> Iterator[Finding]:
    """Connections that are open and say nothing, some bare and some after their TLS handshake."""
    before, quiet = one.asked(), one.megabytes
    context = ssl.create_default_context(cafile=one.signed[0])
    for is_secure in [False, True]:
        held: list[socket.socket] = []
        for number in range(IDLE):
            address = (f"127.0.0.{2 + number // PER_ADDRESS}", 0)
            bare = socket.create_connection(("127.0.0.1", one.server.port), timeout=30, source_address=address)
            held.append(context.wrap_socket(bare, server_hostname="127.0.0.1") if is_secure else bare)
        full, kept = one.megabytes, one.connections
        after = one.asked()
        for connection in held:
            connection.close()
        yield Finding(
            f"{IDLE:,} idle connections, {'after' if is_secure else 'before'} their TLS handshake", ASKED,
            f"{kept:,} sockets kept, {full:,.0f} MB ({quiet:,.0f} without), {tails(before, after)}",
            f"{MEGABYTES} MB, {UNHARMED}", full <= MEGABYTES and is_unharmed(before, after),
        )


def slow(one: Stressed) -> Iterator[Finding]:
    """slowhttptest's three ways of taking long: what it sends lasts beyond what is asked beside it."""
    before = one.asked()
    # Bodies go where forms are read: elsewhere they would be refused by their heads.
    modes = {
        "heads that never end": ["-H", "-u", f"{one.ours.base}/openapi.yaml"],
        "forms whose bodies never end": ["-B", "-u", f"{one.ours.base}/token"],
        "readers of a few bytes a second": [
            "-X", "-w", "1", "-y", "2", "-z", "1", "-k", "50", "-u", f"{one.ours.base}/openapi.yaml"],
    }
    for name, mode in modes.items():
        command = ["slowhttptest", "-c", "1000", "-r", "500", "-l", str(SECONDS + 5), "-i", "3", "-p", "3", *mode]
        attack = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = one.asked()
        attack.wait()
        yield Finding(f"1,000 {name}", ASKED, tails(before, after), UNHARMED, is_unharmed(before, after))


def overload(one: Stressed) -> Iterator[Finding]:
    """Many more connections than can be answered at once, each of which asks again once it is answered; then nothing
    out of the usual.

    So many requests wait at any time, and no more: each waits for as long as all of them take.
    """
    before = one.asked()
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
            if is_unharmed(before, after):
                back = time.monotonic() - began
        others = {status: count for status, count in over.statuses.items() if status not in ("200", "none") and count}
        yield Finding(
            f"{title}: {OVERLOAD_CONNECTIONS:,} connections that ask without pause ({PEAK_CONNECTIONS} get {peak.rate:,.0f}/s)",
            "then " + ASKED,
            f"{good:,.0f}/s within {PATIENCE_MILLISECONDS / 1000:g} s ({100 * good / peak.rate:.0f} %), "
            f"p99 {over.share(0.99):,.0f} ms, others {others or 'none'}; as before after "
            + ("never" if back is None else f"{back:.1f} s"),
            "80 %, others 429 or 503, 5 s",
            good >= 0.8 * peak.rate and set(others) <= {"429", "503"} and back is not None and back <= 5,
        )


def hashing(one: Stressed) -> Iterator[Finding]:
    """Passwords, each of which costs 128 MiB and some tenths of a second, from many at once."""
    before, statuses, ends = one.asked(), [], threading.Event()

    def guess() -> None:
        while not ends.is_set():
            statuses.append(one.server.code("n" + secrets.token_hex(8), "v" * 43, "wrong " * 4).status)

    with concurrent.futures.ThreadPoolExecutor(200) as threads:
        for _ in range(200):
            threads.submit(guess)
        after = one.asked()
        full = one.megabytes
        ends.set()
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    yield Finding(
        "200 who sign in without pause", ASKED, f"{tails(before, after)}, {full:,.0f} MB; of the sign-ins {counts}",
        "no faults; two at once, the others 503", after.faults == 0 and set(counts) <= {403, 503},
    )


def guesses(one: Stressed) -> Iterator[Finding]:
    """As many passwords for one name as there is time for; and whether times tell who has an account."""
    account(str(one.mart.folder), "target", "--role", "viewer")
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(
            lambda _: one.server.code("target", "v" * 43, "a wrong password").status, range(GUESSES)))
    looked_at = answers.count(403)
    yield Finding(f"{GUESSES:,} guesses at one name, eight at once", "", f"{looked_at} looked at", "at most 100",
                  0 < looked_at <= 100)
    for number in range(40):
        account(str(one.mart.folder), f"known{number}", "--role", "viewer")
    names = {True: [f"known{number}" for number in range(40)], False: [f"other{number}" for number in range(40)]}

    def tried(is_known: bool, number: int) -> None:
        one.server.code(names[is_known][number % 40], "v" * 43, "a wrong password")

    yield told_apart("whether a name is known, by the time a guess takes", tried)


def told_apart(what: str, ask: Callable[[bool, int], None]) -> Finding:
    """Whether times tell two kinds of requests apart, which come in turn."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415

    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(TIMES):
        # Neither always comes first.
        for kind in [True, False] if number % 2 else [False, True]:
            began = time.perf_counter()
            ask(kind, number)
            times[kind].append(time.perf_counter() - began)
    found = mannwhitneyu(times[True], times[False]).pvalue
    return Finding(what, "", f"p = {found:.2f} (Mann–Whitney, {TIMES} of each, in turn)", "p > 0.05", found > 0.05)


def timing(one: Stressed) -> Iterator[Finding]:
    """Whether times tell a trip of another region, or a number of one, from what does not exist."""
    regions = [each["region"] for each in one.ours.ask("/regions")["regions"]]
    account(str(one.mart.folder), "regional", "--role", "administrator", "--region", regions[0])
    own = {"authorization": "Bearer " + one.server.sign_in("regional")["access_token"]}
    elsewhere = one.ours.ask(f"/trips?limit={TIMES}&region={regions[1]}")["trips"]
    connection = one.server.connection()

    def answered(path: str) -> tuple[int, bytes]:
        connection.request("GET", path, headers=own)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def opened(is_there: bool, number: int) -> None:
        ref = elsewhere[number % len(elsewhere)]["ref"]
        # As well-formed: what is no reference at all tells nothing.
        size = len(base64.urlsafe_b64decode(ref + "=="))
        made_up = base64.urlsafe_b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        assert answered("/trip/" + (ref if is_there else made_up))[0] == 404

    def filtered(is_there: bool, number: int) -> None:
        region = regions[1 + number % (len(regions) - 1)] if is_there else f"{number % 90 + 100}"
        assert answered(f"/kpi?region={region}")[0] == 400

    yield told_apart("whether a trip of another region is there", opened)
    yield told_apart("whether another region is there", filtered)
    connection.close()


def refresh(one: Stressed) -> Iterator[Finding]:
    """The same refresh token eight times at once, again and again; then many that were replaced long ago."""
    locked = 0

    def renewed(token: str) -> object:
        fields = {**CLIENT, "grant_type": "refresh_token", "refresh_token": token}
        return one.server.send("/token", fields)

    old = [one.server.sign_in("bench")["refresh_token"] for _ in range(REPLAYS)]
    new = [renewed(token).json["refresh_token"] for token in old]
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        token, began, count = one.server.sign_in("bench")["refresh_token"], time.monotonic(), 0
        while count < ROUNDS or time.monotonic() < began + GRACE:
            count += 1
            answers = list(threads.map(lambda _, token=token: renewed(token), range(8)))
            locked += sum(answer.status != 200 for answer in answers)
            token = answers[0].json["refresh_token"]
    yield Finding(f"a refresh token eight times at once, {count:,} times", "", f"{locked} locked out", "0", locked == 0)
    refused = sum(renewed(token).status == 400 for token in old)
    ended = sum(renewed(token).status == 400 for token in new)
    yield Finding(
        f"{REPLAYS} refresh tokens that were replaced before", "", f"{refused} refused, {ended} of their sessions ended",
        "all of both", refused == ended == REPLAYS,
    )


def restarts(one: Stressed) -> Iterator[Finding]:
    """Stopped and killed again and again while it is asked."""
    ending = subprocess.run(
        [sys.executable, "-B", REPOSITORY / "Tests/Contract/test_restarts.py", one.mart.folder,
         "--cycles", str(CYCLES), "--limits"],
        capture_output=True, text=True, check=False,
    )
    yield Finding(
        f"{CYCLES} stops, every fourth a kill", "eight who ask without pause",
        re.sub(r"^\d+ cycles, ", "", ending.stdout.strip()) or "it did not run",
        "0 faults, ready within 1 s, stopped within 10 s", ending.returncode == 0,
    )


ROWS: dict[str, Callable[[Stressed], Iterator[Finding]]] = {
    "idle": idle, "slow": slow, "overload": overload, "hashing": hashing, "guesses": guesses, "refresh": refresh,
    "timing": timing, "restarts": restarts,
}


def written() -> list[list[str]]:
    """The lines of the table as they stand in the page."""
    text = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    text = text.partition("written by stress.py: begin")[2].partition("written by stress.py: end")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def merged(old: list[list[str]], new: list[list[str]]) -> list[list[str]]:
    """The old lines with the new ones in their places, or behind them."""
    def mark(line: list[str]) -> str:
        # The same kind of stress, whatever came of it.
        return re.sub(r"[\d,.]+", "#", line[0])

    places = {mark(line): line for line in new}
    kept = [places.pop(mark(line), line) for line in old]
    return kept + list(places.values())


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", choices=[*ROWS, []], metavar="ROW")
    parser.add_argument("--trips", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main() -> int:
    chosen = words()
    load.available()
    find_ours()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    findings: list[Finding] = []
    with contextlib.ExitStack() as stack:
        folder = chosen.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        mart = Mart(folder.resolve(), chosen.trips)
        signed = certificate(folder)
        version = program_version(program())
        # As it stands in each line: lines of other programs may stand beside it.
        built = re.sub(r"triptych (\S+) \(commit (.*)\)", r"\1, \2", version)
        origin = f"{measure.origin(folder, version)} {chosen.trips:,} stored trips."
        for name in chosen.rows or ROWS:
            with Stressed(mart, signed) as one:
                for finding in ROWS[name](one):
                    print(" | ".join(finding.cells(built)), flush=True)
                    findings.append(finding)
    if chosen.write:
        lines = merged(written() if chosen.rows else [], [finding.cells(built) for finding in findings])
        page.write(BENCHMARKS / "README.md", "stress.py", f"{origin}\n\n{page.table(lines, HEADER, words=len(HEADER))}")
    return 0 if all(finding.is_met for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
