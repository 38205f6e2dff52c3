#!/usr/bin/env python3
"""Compares the server with Datasette over the same generation, and shows how long its answers take under load.

    serve.py [--size M] [--seconds 10] [--rounds 3] [--folder DIR] [--write]

`make bench-serve` starts it with the rival installed. Both speak TLS; ours also reads a token with every request.
The load is thrown by h2load on the same machine, whose cores it shares with the server. `--folder` is where
exports and marts lie; what is there is used again. `--write` puts the tables into README.md.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator
from urllib.parse import quote, urlencode

from compare import SIZES
from comparison import load, measure, page
from comparison.data import SEED, Data
from comparison.engines import BENCHMARKS, PIPELINE, REPOSITORY, program, program_version
from comparison.load import Latencies

sys.path.insert(0, str(REPOSITORY / "Tests/Contract"))
from served import Server, account  # noqa: E402

HEADER = ["question", "asked", "offered /s", "answered /s", "p50 ms", "p99 ms", "wanted", "p99.9 ms", "max ms", "faults", ""]
RIVAL_HEADER = ["server", "answers a request", "requests /s", "min–max", "p50 ms", "p99 ms", "× Datasette", "wanted"]
# How many times as many requests a second as the rival are wanted.
FACTOR = 10
QUESTIONS = 2_000
# As many as keep both servers busy, and no queue of their own making.
CONNECTIONS = 16
DEPTHS = [1, 100, 1_000]
PAGE = 50
# A token lives ten minutes.
TOKEN_SECONDS = 300


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=list(SIZES), default="M")
    parser.add_argument("--seconds", type=int, default=10, help="of every measurement")
    parser.add_argument("--rounds", type=int, default=3, help="turns of the two servers")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


@dataclass(frozen=True)
class Filter:
    """A month, a trip type and a region, each given or not."""

    month: str | None
    trip_type: str | None
    region: str | None

    def query(self, ranged: bool) -> str:
        """As our server reads it: a range of months for sums, one month for lists."""
        months = {"from": self.month, "to": self.month} if ranged else {"month": self.month}
        chosen = {**months, "trip_type": self.trip_type, "region": self.region}
        return urlencode({name: value for name, value in chosen.items() if value is not None})

    @property
    def title(self) -> str:
        names = [name for name, value in vars(self).items() if value is not None]
        return ", ".join(names).replace("_", " ") or "everything"


class Mart:
    """The generation that is served, made where it is not there."""

    def __init__(self, folder: Path, trips: int) -> None:
        self.exports = Data(folder, trips, program()).exports("plain", has_repeats=False)
        self.folder = folder / f"trips-{trips}" / "mart"
        if not (self.folder / "kpi.sqlite").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.run()

    def run(self, *options: str) -> None:
        """One whole run over all exports."""
        self.started(*options).wait()
        if not (self.folder / "kpi.sqlite").exists():
            raise SystemExit("the mart could not be made")

    def started(self, *options: str) -> subprocess.Popen[bytes]:
        """The same, while it goes on."""
        command = [program(), "run", PIPELINE, "--mart", self.folder, "--input", self.exports.folder,
                   "--reference", self.exports.reference, *options]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def filters(self) -> list[Filter]:
        """Questions as people ask them, each of which has trips: of every value and of all, in an order that is no order."""
        with contextlib.closing(sqlite3.connect(self.folder / "triptych.sqlite")) as connection:
            keys = connection.execute("SELECT month, trip_type, region FROM kpi_cube ORDER BY 1, 2, 3").fetchall()
        every = [Filter(*(None if value == "all" else value for value in key)) for key in keys]
        random.Random(SEED).shuffle(every)
        return every[:QUESTIONS]


class Ours:
    """Our server over TLS, and somebody who may see trips."""

    title = "triptych-server"
    answer = "total, series, by type, by region"

    def __init__(self, mart: Mart, certificate: tuple[str, str]) -> None:
        account(str(mart.folder), "bench", "--role", "analyst")
        self._server = Server(str(mart.folder), certificate=certificate)
        self._signed_in = 0.0
        self._token = ""

    def __enter__(self) -> Ours:
        self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    @property
    def base(self) -> str:
        return f"https://127.0.0.1:{self._server.port}"

    @property
    def headers(self) -> dict[str, str]:
        """A token that lives longer than a measurement."""
        if time.monotonic() - self._signed_in > TOKEN_SECONDS:
            self._token = self._server.sign_in("bench")["access_token"]
            self._signed_in = time.monotonic()
        return {"authorization": f"Bearer {self._token}"}

    def ask(self, path: str) -> dict:
        answer = self._server.ask(path, headers=self.headers, name=None)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status}")
        return answer.json

    def kpi(self, filters: list[Filter]) -> list[str]:
        return [f"{self.base}/kpi?{one.query(ranged=True)}" for one in filters]


class Datasette:
    """The rival: one cell of the cube for each request, by its primary key."""

    title = "Datasette 0.65.5"
    answer = "one cell of the cube"

    def __init__(self, mart: Mart, certificate: tuple[str, str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        program = Path(sys.executable).parent / "datasette"
        self._command = [
            program, "serve", "-i", mart.folder / "triptych.sqlite", "-p", str(self._port), "-h", "127.0.0.1",
            "--ssl-certfile", certificate[0], "--ssl-keyfile", certificate[1],
        ]
        self.headers: dict[str, str] = {}

    def __enter__(self) -> Datasette:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while time.monotonic() < until and self._process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                return self
        raise SystemExit("Datasette did not start")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def kpi(self, filters: list[Filter]) -> list[str]:
        base = f"https://127.0.0.1:{self._port}/triptych/kpi_cube/"
        keys = [[one.month, one.trip_type, one.region] for one in filters]
        return [
            base + ",".join(quote(value or "all", safe="") for value in key) + ".json?_shape=array"
            for key in keys
        ]


def certificate(folder: Path) -> tuple[str, str]:
    """A certificate for this machine and its key."""
    chain, key = folder / "server.pem", folder / "server.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
         "-out", chain, "-keyout", key],
        check=True, capture_output=True,
    )
    key.chmod(0o600)
    return str(chain), str(key)


def cells(title: str, asked: str, offered: int, found: Latencies, wanted: int) -> list[str]:
    """One line of the table of latencies, with the 99th percentile that is wanted, in milliseconds."""
    half, most, nearly = (found.share(part) for part in (0.5, 0.99, 0.999))
    last = max(found.milliseconds, default=0)
    # What is answered late, asks its next question late: a server that falls behind shows in the rate.
    is_met = most <= wanted and found.faults == 0 and found.rate >= 0.98 * offered and last < 1_200
    return [title, asked, f"{offered:,}", f"{found.rate:,.0f}", f"{half:.2f}", f"{most:.2f}", str(wanted), f"{nearly:.2f}",
            f"{last:.2f}", str(found.faults), "yes" if is_met else "NO"]


def compared(mart: Mart, servers: list[Ours | Datasette], chosen: argparse.Namespace) -> list[list[str]]:
    """Both as fast as they answer, one after the other, turn by turn."""
    filters = mart.filters()
    rounds: list[list[Latencies]] = [[] for _ in servers]
    for turn in range(chosen.rounds + 1):
        for server, own in zip(servers, rounds, strict=True):
            found = load.as_fast_as_answered(server.kpi(filters), chosen.seconds, server.headers, CONNECTIONS)
            if found.faults:
                raise SystemExit(f"{server.title}: {found.statuses}")
            # The first turn warms up.
            if turn > 0:
                own.append(found)
    middle = [statistics.median(one.rate for one in own) for own in rounds]
    lines = []
    for server, own, rate in zip(servers, rounds, middle, strict=True):
        rates = [one.rate for one in own]
        lines.append([
            server.title, server.answer, f"{rate:,.0f}", f"{min(rates):,.0f}–{max(rates):,.0f}",
            f"{statistics.median(one.share(0.5) for one in own):.2f}",
            f"{statistics.median(one.share(0.99) for one in own):.2f}", f"{rate / middle[1]:.1f}",
            f"{FACTOR}: {'yes' if rate >= FACTOR * middle[1] else 'NO'}" if own is rounds[0] else "",
        ])
    return lines


def trips(ours: Ours, mart: Mart, chosen: argparse.Namespace, rate: int) -> Iterator[list[str]]:
    """Pages of every combination of filters, at several depths."""
    # The value of most trips and the one of fewest: an index is long in one, and skips in the other.
    months, types, regions = (frequent(mart, name) for name in ["month", "trip_type", "region"])
    for given in itertools.product([False, True], repeat=3):
        pages: dict[int, list[str]] = {}
        for extreme in [0, -1]:
            one = Filter(*(values[extreme] if is_given else None
                           for is_given, values in zip(given, [months, types, regions], strict=True)))
            for depth, path in deepened(ours, one):
                pages.setdefault(depth, []).append(ours.base + path)
        for depth, uris in sorted(pages.items()):
            found = load.at_rate(uris, rate, chosen.seconds, ours.headers)
            yield cells(f"/trips, page {depth:,}", one.title, rate, found, 20)


def frequent(mart: Mart, name: str) -> list[str]:
    """The values of a dimension, those of most trips first."""
    keys = ["month", "trip_type", "region"]
    others = " AND ".join(f"{key} = 'all'" for key in keys if key != name)
    with contextlib.closing(sqlite3.connect(mart.folder / "triptych.sqlite")) as connection:
        return [row[0] for row in connection.execute(
            f"SELECT {name} FROM kpi_cube WHERE {name} <> 'all' AND {others} ORDER BY trips DESC")]


def deepened(ours: Ours, one: Filter) -> Iterator[tuple[int, str]]:
    """The paths of the first page and of deep ones, as far as the list goes."""
    query = one.query(ranged=False)
    path = f"/trips?limit={PAGE}" + (f"&{query}" if query else "")
    here = path
    for number in range(1, max(DEPTHS) + 1):
        if number in DEPTHS:
            yield number, here
        following = ours.ask(here)["next"]
        if following is None:
            return
        here = f"{path}&cursor={quote(following)}"


def single(ours: Ours, chosen: argparse.Namespace, rate: int) -> list[str]:
    """Trips by their reference, each another one."""
    refs: list[str] = []
    path = "/trips?limit=200"
    while len(refs) < QUESTIONS:
        answer = ours.ask(path)
        refs += [trip["ref"] for trip in answer["trips"]]
        if answer["next"] is None:
            break
        path = f"/trips?limit=200&cursor={quote(answer['next'])}"
    uris = [f"{ours.base}/trip/{ref}" for ref in refs]
    return cells("/trip/{id}", f"{len(uris):,} trips", rate, load.at_rate(uris, rate, chosen.seconds, ours.headers), 5)


def besides(ours: Ours, mart: Mart, chosen: argparse.Namespace, rate: int) -> list[str]:
    """Sums while a whole run over all exports takes what cores there are, and publishes."""
    uris = ours.kpi(mart.filters())
    whole = Latencies()
    before = ours.ask("/readyz")["generation"]
    running = mart.started("--full")
    while running.poll() is None:
        whole.add(load.at_rate(uris, rate, min(2, chosen.seconds), ours.headers))
    until = time.monotonic() + 5
    while ours.ask("/readyz")["generation"] == before and time.monotonic() < until:
        time.sleep(0.1)
    if running.returncode not in (0, 10) or ours.ask("/readyz")["generation"] != before + 1:
        raise SystemExit(f"the run beside it published nothing: {running.returncode}")
    return cells("/kpi", "while a full run goes on", rate, whole, 100)


def main() -> None:
    chosen = words()
    load.available()
    if shutil.which("triptych-server") is None:
        os.environ["PATH"] = f"{REPOSITORY / '.build/release'}:{os.environ['PATH']}"
    with contextlib.ExitStack() as stack:
        folder = chosen.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        mart = Mart(folder.resolve(), SIZES[chosen.size])
        signed = certificate(folder)
        ours = stack.enter_context(Ours(mart, signed))
        rival = stack.enter_context(Datasette(mart, signed))
        origin = measure.origin(folder, f"{program_version(program())}, {Datasette.title}")
        text = [f"{origin} {SIZES[chosen.size]:,} stored trips; {chosen.rounds} turns of {chosen.seconds} s, after one to warm up."]
        rivals = compared(mart, [ours, rival], chosen)
        text.append(page.table(rivals, RIVAL_HEADER, words=2))
        print("\n".join(text), flush=True)
        lines = []
        for line in measured(ours, mart, chosen):
            print(" ".join(line), file=sys.stderr, flush=True)
            lines.append(line)
    text.append(page.table(lines, HEADER, words=2))
    print(text[-1])
    if chosen.write:
        page.write(BENCHMARKS / "README.md", "serve.py", "\n\n".join(text))
    missed = [line for line in rivals + lines if line[-1].endswith("NO")]
    if missed:
        raise SystemExit(f"{len(missed)} of what is wanted is missed")


def measured(ours: Ours, mart: Mart, chosen: argparse.Namespace) -> Iterator[list[str]]:
    """Everything that is asked at a rate."""
    sums = ours.kpi(mart.filters())
    yield cells("/kpi", f"{len(sums):,} filters", 1_000, load.at_rate(sums, 1_000, chosen.seconds, ours.headers), 5)
    yield from trips(ours, mart, chosen, rate=200)
    yield single(ours, chosen, rate=500)
    yield besides(ours, mart, chosen, rate=200)


if __name__ == "__main__":
    main()
