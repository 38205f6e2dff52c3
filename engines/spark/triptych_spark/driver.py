"""The program `triptych` on the driver: the steps that need the mart, or the results of all
files."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
import urllib.parse
from pathlib import Path
from typing import Any

from .failures import Failure
from .options import Options
from .storage import Entry


class Driver:
    """Runs `triptych` here, with the folders that were named on the command line."""

    def __init__(self, options: Options, folder: Path) -> None:
        path = shutil.which(options.triptych)
        if path is None:
            raise Failure(
                f"{options.triptych} is no program here: give its path with --triptych.", 69
            )
        self.path = path
        self.key_file = Path(options.key_file)
        if options.dry_run and not (self.key_file.exists() or _has_generations(options.mart)):
            # The first job makes the mart's key. This one leaves nothing behind.
            self.key_file = folder / "key"
        self._options = options

    @staticmethod
    def write_list(entries: list[Entry], contents: dict[str, str], listing: Path) -> None:
        """Writes the list of the files at hand; `contents` are hashes, of what is known."""
        lines = []
        for entry in entries:
            one: dict[str, Any] = {"path": entry.path, "size": entry.size}
            if entry.modified is not None:
                one["modified"] = entry.modified
            if entry.path in contents:
                one["content_hash"] = contents[entry.path]
            lines.append(json.dumps(one, ensure_ascii=False) + "\n")
        listing.write_text("".join(lines), encoding="utf-8")

    def plan(self, listing: Path, plan: Path) -> dict[str, Any]:
        """Writes the plan of the files of a list, and reads it."""
        options = self._options
        words = [
            "shard",
            "plan",
            options.pipeline,
            "--mart",
            options.mart,
            "--key-file",
            str(self.key_file),
            "--files",
            str(listing),
            "--out",
            str(plan),
        ]
        if options.reference is not None:
            words += ["--reference", options.reference]
        for name in options.skip:
            words += ["--skip", name]
        for name in options.accept_smaller:
            words += ["--accept-smaller", name]
        if options.apply_changes:
            words.append("--apply-changes")
        if options.dry_run:
            words.append("--dry-run")
        if options.approved_by is not None:
            words += ["--approved-by", options.approved_by]
        self._run(words)
        found: dict[str, Any] = json.loads(plan.read_bytes())
        return found

    def files(self, plan: Path, results: Path, files: Path) -> None:
        """Decides which files are in force, from the reports and rejects of all of them."""
        self._run(
            ["shard", "files", "--plan", str(plan), "--results", str(results), "--out", str(files)]
        )

    def publish(self, plan: Path, results: Path, uri: str) -> int:
        """Publishes the results, or says what would be published; gives the exit status, 0 and 10
        where a generation was published or already is."""
        options = self._options
        words = [
            "import-cube",
            "--mart",
            options.mart,
            "--plan",
            str(plan),
            "--results",
            str(results),
            "--trips",
            uri,
            "--key-file",
            str(self.key_file),
        ]
        if options.dry_run:
            words.append("--dry-run")
        for name in options.include:
            words += ["--include", name]
        if options.approved_by is not None:
            words += ["--approved-by", options.approved_by]
        return self._status(words)

    def names(self, uri: str) -> bool:
        """Whether a generation that the mart keeps says that its trips lie there."""
        for path in Path(self._options.mart, "generations").glob("*.sqlite"):
            address = f"file:{urllib.parse.quote(str(path.resolve()))}?mode=ro&immutable=1"
            with contextlib.closing(sqlite3.connect(address, uri=True)) as generation:
                try:
                    question = "SELECT 1 FROM trip_location WHERE uri = ?"
                    if generation.execute(question, (uri,)).fetchone():
                        return True
                except sqlite3.DatabaseError:
                    # It has its trips itself, or is the suppressed cube.
                    continue
        return False

    def _run(self, words: list[str]) -> None:
        status = self._status(words)
        # 10: some file is refused, or left aside. Whether that withholds the numbers is decided at
        # the end.
        if status not in (0, 10):
            raise Failure(f"triptych {words[0]} {words[1]} ended with status {status}", status)

    def _status(self, words: list[str]) -> int:
        """Runs the program; gives its exit status, 128 and the number of a signal that ended it."""
        # It says what it has to say to the operator itself.
        sys.stdout.flush()
        status = subprocess.run([self.path, *words], check=False).returncode
        return status if status >= 0 else 128 - status


def _has_generations(mart: str) -> bool:
    return any(Path(mart, "generations").glob("*.sqlite"))
