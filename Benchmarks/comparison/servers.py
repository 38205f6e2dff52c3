"""Our server and the rival, over the same generation and with the same certificate."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import quote, urlencode

from comparison.engines import BUILT, REPOSITORY
from comparison.mart import Filter, Mart

sys.path.insert(0, str(REPOSITORY / "Tests/Contract"))
from served import Server, account, certify  # noqa: E402

# A token lives ten minutes.
TOKEN_SECONDS = 300


def certificate(folder: Path) -> tuple[str, str]:
    """A certificate for this machine and its key."""
    chain, key = certify(folder)
    return chain, key


def find_ours() -> None:
    """Takes the server that was built, where none is on the path."""
    if shutil.which("triptych-server") is None:
        os.environ["PATH"] = f"{REPOSITORY / BUILT}:{os.environ['PATH']}"


class Ours:
    """Our server over TLS, and somebody who may see trips."""

    title = "triptych-server"

    def __init__(self, mart: Mart, certificate: tuple[str, str]) -> None:
        account(str(mart.folder), "bench", "--role", "analyst")
        self.server = Server(str(mart.folder), certificate=certificate)
        self._signed_in = 0.0
        self._token = ""

    def __enter__(self) -> Ours:
        self.server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.stop()

    @property
    def base(self) -> str:
        return f"https://127.0.0.1:{self.server.port}"

    @property
    def headers(self) -> dict[str, str]:
        """A token that lives longer than a measurement."""
        if time.monotonic() - self._signed_in > TOKEN_SECONDS:
            self._token = self.server.sign_in("bench")["access_token"]
            self._signed_in = time.monotonic()
        return {"authorization": f"Bearer {self._token}"}

    def ask(self, path: str) -> dict:
        answer = self.server.ask(path, headers=self.headers, name=None)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status}, {answer.json.get('detail')}")
        return answer.json

    def kpi(self, filters: list[Filter]) -> list[str]:
        return [f"{self.base}/kpi?{one.query}" for one in filters]


class Datasette:
    """The rival, and what it is asked: a cell of the cube by its primary key, or a query that it was given a name for."""

    title = "Datasette 0.65.5"

    def __init__(self, mart: Mart, certificate: tuple[str, str], folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        program = Path(sys.executable).parent / "datasette"
        with mart.opened() as connection:
            names = [row[1] for row in connection.execute("PRAGMA table_info(kpi_cube)")]
        metadata = folder / "datasette.json"
        metadata.write_text(json.dumps({"databases": {"triptych": {"queries": queries(names)}}}), encoding="utf-8")
        self._command = [
            program, "serve", "-i", mart.folder / "triptych.sqlite", "-p", str(self._port), "-h", "127.0.0.1",
            "--metadata", metadata, "--ssl-certfile", certificate[0], "--ssl-keyfile", certificate[1],
        ]
        self._trusted = ssl.create_default_context(cafile=certificate[0])
        self.headers: dict[str, str] = {}

    def __enter__(self) -> Datasette:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while time.monotonic() < until and self._process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                return self
            time.sleep(0.1)
        raise SystemExit("Datasette did not start")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def ask(self, uri: str) -> list[dict]:
        with urllib.request.urlopen(uri, context=self._trusted) as answer:
            return json.load(answer)

    def cells(self, filters: list[Filter]) -> list[str]:
        """One cell for each question about one month or all: there is nothing it answers with less."""
        keys = [[one.first, one.trip_type, one.region] for one in filters]
        return [
            self._base + "kpi_cube/" + ",".join(quote(value or "all", safe="") for value in key)
            + ".json?_shape=array"
            for key in keys
        ]

    def sums(self, filters: list[Filter]) -> list[str]:
        """One row of sums for each question about several months."""
        return self._named("total", filters)

    def screens(self, filters: list[Filter]) -> list[str]:
        """The total, the series and the parts for each: what our answer has."""
        return self._named("screen", filters)

    @property
    def _base(self) -> str:
        return f"https://127.0.0.1:{self._port}/triptych/"

    def _named(self, name: str, filters: list[Filter]) -> list[str]:
        asked = [
            {"first": one.first, "last": one.last, "trip_type": one.trip_type or "all", "region": one.region or "all"}
            for one in filters
        ]
        return [f"{self._base}{name}.json?{urlencode(each)}&_shape=array" for each in asked]


def queries(columns: list[str]) -> dict[str, dict[str, str]]:
    """The sums over several months as somebody would write them for Datasette, straight from the cube."""
    sums = ", ".join(f"sum({name}) AS {name}" for name in columns if name not in ("month", "trip_type", "region"))
    # `all` comes after every month.
    months = "FROM kpi_cube WHERE month BETWEEN :first AND :last"
    total = f"{months} AND trip_type = :trip_type AND region = :region"
    parts = [
        f"SELECT 'total' AS part, '' AS value, {sums} {total}",
        f"SELECT 'by_month', month, {sums} {total} GROUP BY month",
        f"SELECT 'by_trip_type', trip_type, {sums} {months} AND trip_type <> 'all' "
        "AND :trip_type IN ('all', trip_type) AND region = :region GROUP BY trip_type",
        f"SELECT 'by_region', region, {sums} {months} AND region <> 'all' "
        "AND :region IN ('all', region) AND trip_type = :trip_type GROUP BY region",
    ]
    return {"total": {"sql": f"SELECT {sums} {total}"}, "screen": {"sql": " UNION ALL ".join(parts)}}
