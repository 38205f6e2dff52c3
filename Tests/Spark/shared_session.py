"""One session of Spark for many jobs: it and its workers start once."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from real_job import ENGINE

sys.path.insert(0, str(ENGINE))

from triptych_spark import cluster, session  # noqa: E402


@contextlib.contextmanager
def one_session(folder: Path) -> Iterator[None]:
    """Jobs start no session where there is one, and leave it to the next job."""
    folder.mkdir(parents=True, exist_ok=True)
    started = session.started
    held: list[Any] = []

    def start(conf: dict[str, str], master: str | None, name: str, _: Path) -> Any:
        if not held:
            held.append(started(conf, master, name, folder))
        return held[0]

    with (
        mock.patch.object(session, "started", start),
        mock.patch.object(cluster.Cluster, "stop", lambda cluster: None),
    ):
        try:
            yield
        finally:
            for one in held:
                one.stop()
