"""What is kept: one folder for each plan, committed once, and imported into the mart.

OUT/PLAN/trips/month=2026-01/trips-00001.parquet
OUT/PLAN/set_aside/part-00003.parquet
OUT/PLAN/_results/   files.json  file-00012.report.json  file-00012.rejects.jsonl  part-00003.…
OUT/PLAN/_manifest.json    last: a folder without it is none
OUT/PLAN/_imported.json    when the mart has taken it in
OUT/_mart.json             whose trips these are
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from .driver import Driver
from .failures import Failure, say
from .kept import KeptPlans
from .results import Results, by_month
from .storage import Storage

_MANIFEST, _IMPORTED, _MART = "_manifest.json", "_imported.json", "_mart.json"
FORM = "triptych trips 1"
# What to do where a folder is damaged that has trips of generations.
_ELSEWHERE = "give the trips another folder with --out"
# The exit statuses of `import-cube` where a generation is published, or was.
PUBLISHED = (0, 10)
# A plan's name is a SHA-256 in hexadecimal.
_HASH = re.compile(r"[0-9a-f]{64}")
# The time at which a plan is made, and the days that follow from it.
_TIMES = {"hash", "now", "today", "taken_in"}
# What a plan has of the mart, which is another when the results are published.
_MART_STATE = {"served", "known"}


def can_be_imported_later(status: int) -> bool:
    """Whether `import-cube` ended for the machine's sake, or by a signal, and not for that of the
    results."""
    return 70 <= status <= 75 or status > 128


class Committed:
    """The folders of plans below the output folder."""

    def __init__(self, out: Storage, driver: Driver, plans: KeptPlans) -> None:
        self._out = out
        self._driver = driver
        self._plans = plans

    def claim(self, plan: dict[str, Any], writes: bool) -> None:
        """Refuses a folder of another mart or of something else, of which something might be
        removed here; says whose a new one is."""
        wanted = {name: plan[name] for name in ("pipeline", "key_check")}
        if not self._out.exists(_MART):
            ours = {_MART + ".tmp"}
            # A dry run that was killed has staged, and claims nothing.
            if all(_HASH.fullmatch(name) for name in self._out.below("_staging").names()):
                ours.add("_staging")
            if others := [name for name in self._out.names() if name not in ours]:
                raise Failure(
                    f"{self._out.uri} has something else in it ({others[0]}), and no {_MART}: give"
                    " the trips a folder of their own with --out.",
                    78,
                )
            if writes:
                self._out.write(_MART, json.dumps(wanted).encode() + b"\n")
        elif (found := self._said(_MART, _ELSEWHERE)) != wanted:
            raise Failure(
                f"{self._out.uri} has the trips of another mart (pipeline {found.get('pipeline')}):"
                " give each mart an --out of its own.",
                78,
            )

    def _said(self, path: str, otherwise: str) -> dict[str, Any]:
        """What a file of our own says; `otherwise` is what to do where it is damaged and there is
        no copy of it."""
        try:
            found = json.loads(self._out.read(path))
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Failure(
                f"{self._out.uri}/{path} is not what a job wrote. Restore it from a backup, or"
                f" {otherwise}.",
                78,
            )
        return found

    def remove_staging(self) -> None:
        """Removes what tasks of this run, or of one that was killed, left behind."""
        self._out.remove("_staging")

    def remove_trial(self, plans: list[str]) -> None:
        """Removes what tasks of a dry run staged by these plans, and nothing of another job."""
        for plan in plans:
            self._out.remove(f"_staging/{plan}")
        if not self._out.below("_staging").names():
            self._out.remove("_staging")

    def uri(self, plan: str) -> str:
        """Where the trips of a plan lie."""
        return f"{self._out.uri}/{plan}/trips"

    def commit(
        self, work: dict[str, Any], listing: str, commit: dict[str, Any], results: Results
    ) -> None:
        """Gives what was staged by the plan `work` its names, and writes the manifest last."""
        plan = work["hash"]
        staging = f"_staging/{plan}"
        moves = []
        files = []
        for group in commit["groups"]:
            for one in group["files"]:
                month, number = one["month"], one["number"]
                further = f"-{number}" if number else ""
                path = f"trips/month={month}/trips-{group['group']:05d}{further}.parquet"
                source = f"{staging}/{group['folder']}/{month}-{number}.parquet"
                moves.append((source, f"{plan}/{path}"))
                files.append({"path": path, "month": month, "trips": one["trips"]})
        set_aside = []
        for part in commit["parts"]:
            path = f"set_aside/part-{part['part']:05d}.parquet"
            moves.append((f"{staging}/{part['folder']}/set_aside.parquet", f"{plan}/{path}"))
            set_aside.append({"path": path, "versions": part["set_aside"]})
        self._plans.keep(plan, results.plan.read_bytes())
        self._out.move(moves)
        manifest = {
            "manifest": FORM,
            "plan": plan,
            "listing": listing,
            # The exports by their indexes, as the versions that were set aside name them.
            "exports": [file["path"] for file in work["files"]],
            "trips": sum(file["trips"] for file in files),
            "months": by_month(files),
            "files": files,
            "set_aside": set_aside,
        }
        text = json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"
        self._out.move(
            [(f"{staging}/{source}", f"{plan}/_results/{name}") for source, name in results.moves]
        )
        self._out.write(f"{plan}/_results/{results.files.name}", results.files.read_bytes())
        self._out.write(f"{plan}/{_MANIFEST}", text)

    def publish(self, plan: str, folder: Path) -> tuple[int, bool]:
        """Imports a committed folder whose results lie here; gives the exit status, and whether
        that is the job's: the mart has the results, or they wait for another attempt.

        A folder that the mart refuses is removed: its trips are those of no generation.
        """
        uri = self.uri(plan)
        status = self._driver.publish(self._plans.path(plan), folder, uri)
        if self._driver.names(uri):
            self._imported(plan, status)
            return status, True
        if can_be_imported_later(status):
            say(
                f"triptych import-cube ended with status {status}. Nothing was published, and what"
                f" was read stays at {self._out.uri}/{plan}: the same command again publishes it,"
                " and reads nothing. To read all files again, remove that folder first."
            )
            return status, True
        self._remove(plan)
        return status, False

    def _imported(self, plan: str, status: int) -> None:
        self._out.write(f"{plan}/{_IMPORTED}", json.dumps({"status": status}).encode() + b"\n")
        self._plans.forget(plan)

    def _remove(self, plan: str) -> None:
        self._out.remove(plan)
        self._plans.forget(plan)

    def finish_earlier(self, plan: dict[str, Any], listing: str, scratch: Path) -> int | None:
        """Imports what an earlier job of the same files and the same plan has committed; gives the
        exit status of this job, None where all is still to be done.

        Results of any other plan are removed, and folders without a manifest: they were never
        committed.
        """
        folders = [name for name in self._out.folders() if _HASH.fullmatch(name)]
        self._plans.forget_others(folders)
        for name in folders:
            if self._out.exists(f"{name}/{_IMPORTED}"):
                continue
            if not self._out.exists(f"{name}/{_MANIFEST}"):
                self._remove(name)
                continue
            is_named = self._driver.names(self.uri(name))
            earlier = self._plans.read(name)
            again = f"move {self._out.uri}/{name} away: all files are then read again"
            manifest = self._said(f"{name}/{_MANIFEST}", _ELSEWHERE if is_named else again)
            left_out = _TIMES | _MART_STATE if is_named else _TIMES
            if (
                earlier is not None
                and manifest.get("listing") == listing
                and _without(left_out, earlier) == _without(left_out, plan)
            ):
                status, is_final = self.publish(name, self._fetched(name, scratch))
                # A generation that is no longer served, as after a rollback, settles nothing.
                if is_final and (status in PUBLISHED or not is_named):
                    return status
            elif is_named:
                self._imported(name, 0)
            else:
                self._remove(name)
                say(
                    f"An earlier job left results at {self._out.uri}/{name} that were not"
                    " published: its files, the pipeline, the options or the mart were others than"
                    " now, or its plan is gone. They were removed, and all files are read again."
                )
        return None

    def _fetched(self, plan: str, scratch: Path) -> Path:
        folder = scratch / plan
        folder.mkdir(parents=True)
        held = self._out.below(f"{plan}/_results")
        held.fetch([(entry.path, folder / entry.path) for entry in held.list()])
        return folder


def _without(names: set[str], plan: dict[str, Any]) -> dict[str, Any]:
    """A plan without some of its members, and of those of its files."""
    found = {name: value for name, value in plan.items() if name not in names}
    found["files"] = [
        {name: value for name, value in file.items() if name not in names} for file in plan["files"]
    ]
    return found
