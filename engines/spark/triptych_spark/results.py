"""What the tasks of a job found, on the driver."""

from __future__ import annotations

import collections
import datetime
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .accepted import Decision, Staged
from .failures import Failure
from .storage import Storage

_TERMS = ("accepted", "superseded", "duplicate")


class Results:
    """The results of tasks, in a folder of this machine, as `triptych import-cube` reads them."""

    def __init__(self, folder: Path, plan: Path) -> None:
        self.folder = folder
        self.plan = plan
        # Where each staged file of results goes.
        self.moves: list[tuple[str, str]] = []
        self._files: list[dict[str, Any]] = []
        self._parts: list[dict[str, Any]] = []
        # Items of each file and term.
        self._terms: collections.Counter[tuple[int, str]] = collections.Counter()

    @property
    def files(self) -> Path:
        """Which files are in force."""
        return self.folder / "files.json"

    def take_files(self, staging: Storage, read: list[dict[str, Any]]) -> None:
        """Fetches what the tasks of files wrote."""
        self._fetch(
            staging,
            [
                (f"{one['folder']}/{name}", f"file-{one['file']:05d}.{name}")
                for one in read
                for name in ("report.json", "rejects.jsonl")
            ],
        )
        self._files = [self._json(f"file-{one['file']:05d}.report.json") for one in read]

    def take_parts(self, staging: Storage, parts: list[dict[str, Any]]) -> None:
        """Fetches what the tasks of parts wrote."""
        self._fetch(
            staging,
            [
                (f"{one['folder']}/{name}", f"part-{one['part']:05d}.{name}")
                for one in parts
                for name in ("report.json", "cells.jsonl")
            ],
        )
        self._parts = [self._json(f"part-{one['part']:05d}.report.json") for one in parts]
        for part in self._parts:
            for account in part["accounts"]:
                for term in _TERMS:
                    self._terms[account["file"], term] += account[term]["items"]

    def misjudged(self) -> dict[int, str]:
        """The content of each file whose pick-ups were judged by the day of another content."""
        return {
            index: report["content_hash"]
            for index, report in enumerate(self._files)
            if report["is_misjudged"]
        }

    def _fetch(self, staging: Storage, moves: list[tuple[str, str]]) -> None:
        staging.fetch([(source, self.folder / name) for source, name in moves])
        self.moves += moves

    def _json(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / name).read_bytes())
        return found

    def set_aside(self, file: int) -> int:
        """How many trips of a file were superseded or are duplicates."""
        return self._terms[file, "superseded"] + self._terms[file, "duplicate"]

    def accepted(self, file: int) -> int:
        """How many trips of a file are accepted."""
        if not self._parts:
            return int(self._files[file]["valid"]["items"])
        return self._terms[file, "accepted"]

    def decisions(self, overrides: list[dict[str, Any]]) -> dict[int, list[Decision]]:
        """By file, the decisions made by hand that are in force: those that end no earlier than the
        data."""
        ends = [
            part["last_pickup_within"]
            for part in self._parts
            if part["last_pickup_within"] is not None
        ]
        if not ends:
            return {}
        through = (
            datetime.date(1970, 1, 1) + datetime.timedelta(days=max(ends) // 86400)
        ).isoformat()
        found: dict[int, list[Decision]] = collections.defaultdict(list)
        for trip in (trip for part in self._parts for trip in part["overridden"]):
            given = overrides[trip["override"]]
            if through <= given["expires"]:
                found[trip["file"]].append(
                    Decision(
                        trip["record"], trip["ref"], given["class"], given["basis"], given["rule"]
                    )
                )
        return found

    def compare(self, staged: list[Staged], written: list[dict[str, Any]]) -> None:
        """Refuses to go on where other trips were written than were accepted."""
        found = {int(file): rows for group in written for file, rows in group["accepted"].items()}
        for file in staged:
            if found.get(file.file) != self.accepted(file.file):
                raise Failure(
                    f"file {file.file}: {self.accepted(file.file)} trips are accepted, and"
                    f" {found.get(file.file)} were written: nothing is published."
                )
        sums = [one["sums"] for one in self._parts or [self._files[file.file] for file in staged]]
        expected = by_month(month for one in sums for month in one["months"])
        months = by_month(one for group in written for one in group["files"])
        if months != expected:
            raise Failure(
                f"the accepted trips by month are {expected}, and {months} were written: nothing is published."
            )


def by_month(counts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Trips by month, in order of time."""
    sums: collections.Counter[str] = collections.Counter()
    for one in counts:
        sums[one["month"]] += one["trips"]
    return [{"month": month, "trips": trips} for month, trips in sorted(sums.items())]
