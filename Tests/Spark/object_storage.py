#!/usr/bin/env python3
"""Runs another script of this folder with its exports and trips in object storage: in a bucket of
a server that speaks S3 (moto's, on loopback).

    object_storage.py PYTHON equality.py|faults.py --folder DIR …

PYTHON is one that has moto. What follows the script are its own words.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "engines" / "spark"))

from standalone import free_port  # noqa: E402
from triptych_spark.storage import Storage  # noqa: E402

NAME = "trips"


@dataclass(frozen=True)
class Bucket:
    """A folder of a bucket, by its URI."""

    uri: str

    @classmethod
    def of(cls, name: str | None, folder: Path) -> Bucket | None:
        """That of a case; None without a bucket."""
        return cls(f"s3a://{name}/{folder.name}") if name else None

    def holding(self, folder: Path) -> str:
        """The URI at which a folder's files lie, and no others. What is there already with the same
        size and bytes is left alone, and so is its time."""
        uri = f"{self.uri}/in"
        stored = Storage(uri)
        here = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for entry in stored.list():
            if entry.path not in here:
                stored.files.delete_file(stored.at(entry.path))
            elif stored.read(entry.path) == here[entry.path]:
                del here[entry.path]
        for path, data in here.items():
            with stored.create(path) as stream:
                stream.write(data)
        return uri


@contextlib.contextmanager
def server(python: str, log: Path) -> Iterator[dict[str, str]]:
    """The server with one bucket; gives the environment of those who use it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with open(log, "wb") as file:
        process = subprocess.Popen(
            [str(Path(python).with_name("moto_server")), "-H", "127.0.0.1", "-p", str(port)],
            stdout=file,
            stderr=file,
        )
    try:
        _make_bucket(url, process)
        yield {
            **os.environ,
            "AWS_ENDPOINT_URL": url,
            "AWS_ACCESS_KEY_ID": "triptych",
            "AWS_SECRET_ACCESS_KEY": secrets.token_hex(16),
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
    finally:
        process.kill()
        process.wait()


def _make_bucket(url: str, process: subprocess.Popen[bytes], seconds: int = 60) -> None:
    """Makes the bucket as soon as the server listens."""
    request = urllib.request.Request(f"{url}/{NAME}", method="PUT")
    # No proxy stands before this machine's own address.
    ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    for _ in range(seconds * 10):
        with contextlib.suppress(OSError), ask(request, timeout=10):
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit("the server of S3 does not listen: see its log")


def main() -> int:
    """Starts the server, and the script with it."""
    python, script, *words = sys.argv[1:]
    folder = Path(words[words.index("--folder") + 1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with server(python, folder / "server.log") as environment:
        return subprocess.run(
            [sys.executable, "-B", str(HERE / script), *words, "--bucket", NAME],
            env=environment,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
