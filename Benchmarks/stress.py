#!/usr/bin/env python3
"""Shows what the server does under stress: held connections, slow clients, overload, guesses and races.

    stress.py [--trips 100000] [--folder DIR] [--write] [ROW…]

Rows: idle, slow, overload, hashing, guesses, refresh; all of them where none is named. The load comes from this machine's own
addresses and shares its cores with the server, which speaks TLS. `--write` puts the table into README.md.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import os
import resource
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Callable

from comparison import load, page
from comparison.engines import BENCHMARKS, REPOSITORY
from comparison.load import Latencies
from serve import CONNECTIONS, Mart, Ours, certificate

sys.path.insert(0, str(REPOSITORY / "Tests/Contract"))
from served import CLIENT, Server, account  # noqa: E402

HEADER = ["what", "how", "found", "wanted"]
SECONDS = 10
RATE = 500
IDLE = 10_000
# Connections a second from one address would run out of ports otherwise.
PER_ADDRESS = 500
ROUNDS = 1_000
# Seconds in which a replaced token may come again, since requests cross each other, and some more.
GRACE = 25
GUESSES = 10_000


class Stressed:
    """A server of one row's own, and what is asked of it meanwhile."""

    def __init__(self, mart: Mart, signed: tuple[str, str]) -> None:
        self.mart, self.signed = mart, signed

    def __enter__(self) -> Stressed:
        self.ours = Ours(self.mart, self.signed).__enter__()
        self.server: Server = self.ours._server
        self.uris = self.ours.kpi(self.mart.filters())
        return self

    def __exit__(self, *_: object) -> None:
        self.ours.__exit__()

    def asked(self) -> Latencies:
        """Honest requests at a rate that is nothing to the server."""
        return load.at_rate(self.uris, RATE, SECONDS, self.ours.headers)

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


def idle(one: Stressed) -> list[list[str]]:
    """Connections that are open and say nothing, some bare and some after their TLS handshake."""
    before, quiet = one.asked(), one.megabytes
    context = ssl.create_default_context(cafile=one.signed[0])
    lines = []
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
        kind = "after the handshake" if is_secure else "before it"
        lines.append([
            f"{IDLE:,} idle connections, {kind}",
            f"/kpi at {RATE}/s beside them",
            f"{kept:,} kept, {full:,.0f} MB ({quiet:,.0f} without), p99 {after.share(0.99):.2f} ms "
            f"({before.share(0.99):.2f} without), {after.faults} faults",
            "256 MB, 2 × the p99",
        ])
        print(" | ".join(lines[-1]), file=sys.stderr, flush=True)
    return lines


def slow(one: Stressed) -> list[list[str]]:
    """slowhttptest's three ways of taking long."""
    before = one.asked()
    lines = []
    modes = {"heads": ["-H"], "bodies": ["-B"], "readers": ["-X", "-w", "1", "-y", "2", "-z", "1", "-k", "3"]}
    for name, mode in modes.items():
        command = ["slowhttptest", "-c", "1000", "-r", "500", "-l", str(SECONDS + 5), "-i", "3", "-p", "3", *mode,
                   "-u", one.uris[0]]
        attack = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = one.asked()
        attack.wait()
        lines.append([
            f"1,000 slow {name}", f"/kpi at {RATE}/s beside them",
            f"p99 {after.share(0.99):.2f} ms ({before.share(0.99):.2f} without), {after.faults} faults", "2 × the p99",
        ])
        print(" | ".join(lines[-1]), file=sys.stderr, flush=True)
    return lines


def overload(one: Stressed) -> list[list[str]]:
    """A hundred times the connections that keep it busy, each asking again at once."""
    peak = load.as_fast_as_answered(one.uris, SECONDS, one.ours.headers, CONNECTIONS)
    over = load.as_fast_as_answered(one.uris, SECONDS, one.ours.headers, 100 * CONNECTIONS)
    began = time.monotonic()
    after = one.asked()
    return [[
        f"{100 * CONNECTIONS:,} connections that never pause", f"beside {CONNECTIONS}",
        f"{over.rate:,.0f}/s ({peak.rate:,.0f}), {over.faults} faults; then p99 {after.share(0.99):.2f} ms within "
        f"{time.monotonic() - began:.0f} s",
        "80 % of the requests",
    ]]


def hashing(one: Stressed) -> list[list[str]]:
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
    return [[
        "200 who sign in without pause", f"/kpi at {RATE}/s beside them",
        f"p99 {after.share(0.99):.2f} ms ({before.share(0.99):.2f} without), {after.faults} faults, {full:,.0f} MB; "
        f"of the sign-ins {counts}",
        "no faults",
    ]]


def guesses(one: Stressed) -> list[list[str]]:
    """As many passwords for one name as there is time for; and whether times tell who has an account."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415

    account(str(one.mart.folder), "target", "--role", "viewer")
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(
            lambda _: one.server.code("target", "v" * 43, "a wrong password").status, range(GUESSES)))
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(40):
        account(str(one.mart.folder), f"known{number}", "--role", "viewer")
    for _ in range(5):
        for number in range(40):
            for is_known in [True, False]:
                name = f"known{number}" if is_known else f"other{number}"
                began = time.perf_counter()
                one.server.code(name, "v" * 43, "a wrong password")
                times[is_known].append(time.perf_counter() - began)
    found = mannwhitneyu(times[True], times[False]).pvalue
    return [
        [f"{GUESSES:,} guesses at one name", "eight at once", f"{answers.count(403)} looked at", "at most 100"],
        ["whether a name is known, by time", "200 guesses each, in turn", f"p = {found:.2f} (Mann–Whitney)", "p > 0.05"],
    ]


def refresh(one: Stressed) -> list[list[str]]:
    """The same refresh token eight times at once, again and again; then one that was replaced long ago."""
    locked, replayed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        tokens = one.server.sign_in("bench")
        old, began, count = tokens["refresh_token"], time.monotonic(), 0
        while count < ROUNDS or time.monotonic() < began + GRACE:
            count += 1
            fields = {**CLIENT, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
            answers = list(threads.map(lambda _, fields=fields: one.server.send("/token", fields), range(8)))
            locked += sum(answer.status != 200 for answer in answers)
            tokens = answers[0].json
        fields = {**CLIENT, "grant_type": "refresh_token"}
        replayed += one.server.send("/token", {**fields, "refresh_token": old}).status == 400
        ended = one.server.send("/token", {**fields, "refresh_token": tokens["refresh_token"]}).status == 400
    return [[
        f"a refresh token eight times at once, {count:,} times", "then the first one again",
        f"{locked} locked out; the old one {'refused' if replayed else 'taken'}, its session "
        f"{'ended' if ended else 'goes on'}",
        "0; the session ended",
    ]]


ROWS: dict[str, Callable[[Stressed], list[list[str]]]] = {
    "idle": idle, "slow": slow, "overload": overload, "hashing": hashing, "guesses": guesses, "refresh": refresh,
}


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", choices=[*ROWS, []], metavar="ROW")
    parser.add_argument("--trips", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main() -> None:
    chosen = words()
    load.available()
    if shutil.which("triptych-server") is None:
        os.environ["PATH"] = f"{REPOSITORY / '.build/release'}:{os.environ['PATH']}"
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    lines: list[list[str]] = []
    with contextlib.ExitStack() as stack:
        folder = chosen.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        mart = Mart(folder.resolve(), chosen.trips)
        signed = certificate(folder)
        for name in chosen.rows or ROWS:
            with Stressed(mart, signed) as one:
                found = ROWS[name](one)
            for line in found:
                print(" | ".join(line), flush=True)
            lines += found
    if chosen.write:
        page.write(BENCHMARKS / "README.md", "stress.py", page.table(lines, HEADER, words=4))


if __name__ == "__main__":
    main()
