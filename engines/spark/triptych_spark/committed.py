"""What is kept: one folder for each plan, committed once, and imported into the mart.

OUT/PLAN/trips/month=2026-01/trips-00001.parquet
OUT/PLAN/set_aside/part-00003.parquet
OUT/PLAN/_results/   plan.json  files.json  file-00012.report.json  file-00012.rejects.jsonl
part-00003.…
OUT/PLAN/_manifest.json    last: a folder without it is none
OUT/PLAN/_imported.json    when the mart has taken it in
OUT/_mart.json             whose trips these are
"""

from __future__ import annotations

import collections
import datetime
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .accepted import Decision, Staged
from .driver import Driver
from .failures import Failure
from .storage import Storage

_MANIFEST, _IMPORTED, _MART = "_manifest.json", "_imported.json", "_mart.json"
FORM = "triptych trips 1"
# A plan's name is a SHA-256 in hexadecimal.
_HASH_LENGTH = 64
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
        expected = _months(month for one in sums for month in one["months"])
        months = _months(
            {"month": month, "trips": trips}
            for group in written
            for month, trips in group["months"].items()
        )
        if months != expected:
            raise Failure(
                f"the accepted trips by month are {expected}, and {months} were written: nothing is published."
            )


@dataclass
class Earlier:
    """What an earlier job had left to import."""

    has_imported: bool = False
    # The exit status, where that was of the very files that are there now: nothing more is to be
    # done.
    status: int | None = None


class Committed:
    """The folders of plans below the output folder."""

    def __init__(self, out: Storage, driver: Driver) -> None:
        self._out = out
        self._driver = driver

    def claim(self, pipeline: str, key_check: str) -> None:
        """Refuses the folder of another mart, of which something might be removed here."""
        wanted = {"pipeline": pipeline, "key_check": key_check}
        if not self._out.exists(_MART):
            self._out.write(_MART, json.dumps(wanted).encode() + b"\n")
        elif (found := json.loads(self._out.read(_MART))) != wanted:
            raise Failure(
                f"{self._out.uri} has the trips of another mart (pipeline {found.get('pipeline')}):"
                " give each mart an --out of its own.",
                78,
            )

    def remove_staging(self) -> None:
        """Removes what tasks of this run, or of one that was killed, left behind."""
        self._out.remove("_staging")

    def commit(self, plan: str, listing: str, commit: dict[str, Any], results: Results) -> None:
        """Gives what was staged its names, and writes the manifest last."""
        staging = f"_staging/{plan}"
        moves = []
        files = []
        for group in commit["groups"]:
            for month, rows in group["months"].items():
                path = f"trips/month={month}/trips-{group['group']:05d}.parquet"
                moves.append((f"{staging}/{group['folder']}/{month}.parquet", f"{plan}/{path}"))
                files.append({"path": path, "month": month, "trips": rows})
        set_aside = []
        for part in commit["parts"]:
            path = f"set_aside/part-{part['part']:05d}.parquet"
            moves.append((f"{staging}/{part['folder']}/set_aside.parquet", f"{plan}/{path}"))
            set_aside.append({"path": path, "versions": part["set_aside"]})
        self._out.move(moves)
        manifest = {
            "manifest": FORM,
            "plan": plan,
            "listing": listing,
            "trips": sum(file["trips"] for file in files),
            "months": _months(files),
            "files": files,
            "set_aside": set_aside,
        }
        text = json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"
        self._out.move(
            [(f"{staging}/{source}", f"{plan}/_results/{name}") for source, name in results.moves]
        )
        for path in (results.plan, results.files):
            self._out.write(f"{plan}/_results/{path.name}", path.read_bytes())
        self._out.write(f"{plan}/{_MANIFEST}", text)

    def publish(self, plan: str, results: Results) -> tuple[int, bool]:
        """Imports a committed folder; gives the exit status, and whether a generation names it now.

        A folder that the mart did not take in is removed: its trips are those of no generation.
        """
        uri = f"{self._out.uri}/{plan}/trips"
        status = self._driver.publish(results.plan, results.folder, uri)
        is_named = self._driver.names(uri)
        if is_named:
            self._out.write(f"{plan}/{_IMPORTED}", json.dumps({"status": status}).encode() + b"\n")
        elif status >= 0:
            self._out.remove(plan)
        return (status if status >= 0 else 128 - status), is_named

    def finish_earlier(self, listing: str, scratch: Path) -> Earlier:
        """Imports what a driver committed before it was killed.

        Folders without a manifest were never committed: they are removed.
        """
        found = Earlier()
        for plan in self._out.folders():
            if len(plan) != _HASH_LENGTH or self._out.exists(f"{plan}/{_IMPORTED}"):
                continue
            if not self._out.exists(f"{plan}/{_MANIFEST}"):
                self._out.remove(plan)
                continue
            manifest = json.loads(self._out.read(f"{plan}/{_MANIFEST}"))
            folder = scratch / plan
            folder.mkdir(parents=True)
            held = self._out.below(f"{plan}/_results")
            held.fetch([(entry.path, folder / entry.path) for entry in held.list()])
            status, is_named = self.publish(plan, Results(folder, folder / "plan.json"))
            if is_named:
                found.has_imported = True
                found.status = status if manifest["listing"] == listing else None
        return found


def _months(counts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Trips by month, in order of time."""
    sums: collections.Counter[str] = collections.Counter()
    for one in counts:
        sums[one["month"]] += one["trips"]
    return [{"month": month, "trips": trips} for month, trips in sorted(sums.items())]
