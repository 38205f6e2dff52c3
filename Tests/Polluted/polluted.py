#!/usr/bin/env python3
"""Damages exports in every way of kinds.py, gives them to several readers, and judges by position.

    polluted.py --folder DIR [--seed N] [--files N] [--readers triptych,duckdb,…] [--write]

DIR must not exist. Of every kind N files are made, always the same for a seed. A file is

* right: every clean record is there with its values, and each damaged line was set aside, or what
  cannot be read line by line was refused as a whole;
* lost: clean records are missing, or a damaged line is gone, without a word;
* wrong: a row is there that was not sent, without a word;
* refused: nothing was read though only some lines are damaged.

Of ours more is asked: each row at its line, each damage by its line, column and reason, every line
accounted for, and a file refused wherever it should be. Where one file is not right the program
ends with status 1. A rival that is right everywhere would mean that the judge sees nothing: that is
an error too. --write puts the table into docs/POLLUTED.md.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

from exports import Draft, Export
from kinds import KINDS, title
from readers import READERS, Reading, Triptych

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "POLLUTED.md"
VERDICTS = ("right", "lost", "wrong", "refused")
Verdict = tuple[str, str]


def judged(export: Export, reading: Reading | None) -> Verdict:
    """What a reader made of an export, judged by what came of it."""
    if reading is None:
        return "refused", "no answer"
    truth = set(export.rows.values())
    undone = {planted.or_row for planted in export.planted.values() if planted.or_row}
    got = {tuple(row) for row in reading.rows}
    refusal = "right" if export.wanted != "rows" else "refused"
    if reading.refused is not None:
        return refusal, reading.refused
    strange = got - truth - undone
    if len(strange) > reading.warned:
        return "wrong", f"{len(strange)} strange rows, such as {min(strange, key=repr)}"
    if missing := truth - got:
        if not got and reading.set_aside:
            return refusal, "every row was set aside"
        return "lost", f"{len(missing)} rows are missing, such as {min(missing, key=repr)}"
    if export.wanted == "rows" and export.planted and not undone & got:
        if reading.set_aside + reading.warned == 0:
            return "lost", "a damaged line is gone without a word"
    return "right", ""


def judged_by_line(export: Export, reading: Reading) -> Verdict:
    """What ours made of it: besides, where everything is, and what is said of it."""
    verdict = judged(export, reading)
    if verdict[0] != "right" or reading.refused is not None:
        return verdict
    if reading.line_count == -1:
        return "lost", reading.named[0][0]
    if export.wanted == "refuse":
        return "wrong", f"taken in: {len(reading.rows)} rows, {reading.set_aside} rejects"
    if export.wanted == "either":
        return verdict
    found = dict(zip(reading.lines, (tuple(row) for row in reading.rows), strict=True))
    undone = {line: planted.or_row for line, planted in export.planted.items()
              if planted.or_row and line in found}
    if found != {**export.rows, **undone}:
        return "wrong", "rows stand at other lines"
    if set(reading.named) != set(export.planted) - set(undone):
        return "lost", f"rejects at {sorted(reading.named)}, damages at {sorted(export.planted)}"
    for line, (reason, column) in reading.named.items():
        planted = export.planted[line]
        if reason not in planted.reasons:
            return "lost", f"line {line} is {reason}, not {' or '.join(sorted(planted.reasons))}"
        if planted.field and column != planted.field:
            return "lost", f"line {line}: {column} is named, not {planted.field}"
    if reading.line_count != export.line_count:
        return "lost", f"{reading.line_count} lines counted of {export.line_count}"
    return verdict


class Polluted:
    """The exports of one seed, and what became of them."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.folder = Path(chosen.folder).resolve()
        self.exports: dict[str, Export] = {}
        self.kinds = [kind for kinds in KINDS.values() for kind in kinds]
        for kind in self.kinds:
            for number in range(chosen.files):
                name = f"{kind.__name__}-{number}"
                export = kind(Draft(f"{chosen.seed} {name}"))
                self.exports[name] = export
                path = self.folder / "in" / name / export.name
                path.parent.mkdir(parents=True)
                path.write_bytes(export.data)
        # By reader and kind.
        self.counts: dict[tuple[str, str], collections.Counter[str]] = {}
        self.faults: list[str] = []

    def read(self, reader: str) -> dict[str, Verdict]:
        if reader == "triptych":
            ours = Triptych()
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                readings = pool.map(lambda name: ours.read(
                    self.folder / "in" / name / self.exports[name].name), self.exports)
                return {name: judged_by_line(self.exports[name], reading)
                        for name, reading in zip(self.exports, readings, strict=True)}
        log = self.folder / f"{reader}.log"
        with open(log, "w") as errors:
            ending = subprocess.run(
                [sys.executable, "-B", str(HERE / "readers.py"), reader, str(self.folder / "in")],
                stdout=subprocess.PIPE, stderr=errors, text=True, timeout=3600)
        answers = dict(json.loads(line) for line in ending.stdout.splitlines())
        if not answers:
            raise SystemExit(f"{reader} cannot be started:\n{log.read_text()[-2000:]}")
        for answer in answers.values():
            answer["rows"] = [tuple(row) for row in answer["rows"]]
        return {name: judged(export, Reading(**answers[name]) if name in answers else None)
                for name, export in self.exports.items()}

    def run(self) -> int:
        for reader in self.chosen.readers:
            verdicts = self.read(reader)
            for name, (verdict, why) in verdicts.items():
                kind = name.rpartition("-")[0]
                self.counts.setdefault((reader, kind), collections.Counter())[verdict] += 1
                if reader == "triptych" and verdict != "right":
                    self.faults.append(f"{name}: {verdict}: {why}")
                elif verdict != "right" and self.chosen.all:
                    print(f"{reader} {name}: {verdict}: {why}")
            total = self.total(reader)
            if reader != "triptych" and not total["wrong"] + total["lost"]:
                self.faults.append(f"{reader} is never wrong: does the judge see anything?")
        print(self.table())
        for fault in self.faults[:40]:
            print(fault)
        if self.chosen.write:
            self.write()
        print(self.summary())
        return 1 if self.faults else 0

    def total(self, reader: str) -> collections.Counter[str]:
        return sum((count for (name, _), count in self.counts.items() if name == reader),
                   collections.Counter())

    def summary(self) -> str:
        """The last line: the figure of the proof."""
        parts = []
        for reader in self.chosen.readers:
            total = self.total(reader)
            parts.append(f"{READERS[reader].title} {total['right']:,} right, "
                         f"{total['wrong']:,} wrong, {total['lost']:,} lost")
        return f"{len(self.exports):,} files, seed {self.chosen.seed}: " + "; ".join(parts)

    def table(self) -> str:
        titles = [READERS[reader].title for reader in self.chosen.readers]
        lines = [f"| kind | {' | '.join(titles)} |", "|---" * (len(titles) + 1) + "|"]
        for group, kinds in KINDS.items():
            lines.append(f"| **{group}** |" + " |" * len(titles))
            for kind in kinds:
                cells = (text(self.counts[reader, kind.__name__]) for reader in self.chosen.readers)
                lines.append(f"| {title(kind)} | {' | '.join(cells)} |")
        lines.append("| **all** | " + " | ".join(
            text(self.total(reader)) for reader in self.chosen.readers) + " |")
        return "\n".join(lines)

    def write(self) -> None:
        sys.path.insert(0, str(HERE.parent.parent / "Benchmarks"))
        from comparison import page
        versions = ", ".join(f"{READERS[reader].title} {READERS[reader]().version}"
                             for reader in self.chosen.readers)
        head = (f"{date.today()}: {len(self.exports):,} files, {self.chosen.files} of each kind, "
                f"seed {self.chosen.seed}. {versions}.")
        page.write(PAGE, "polluted.py", f"{head}\n\n{self.table()}")


def text(counts: collections.Counter[str]) -> str:
    return ", ".join(f"{counts[word]:,} {word}" for word in VERDICTS if counts[word])


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="polluted.py", description=__doc__.split("\n")[0])
    parser.add_argument("--folder", required=True, help="a folder that does not exist yet")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=1, help="how many of each kind")
    parser.add_argument("--readers", type=lambda words: words.split(","), default=list(READERS))
    parser.add_argument("--all", action="store_true", help="name what rivals make of each file")
    parser.add_argument("--write", action="store_true", help="put the table into docs/POLLUTED.md")
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.setdefault("TRIPTYCH_NOW", "2026-11-01T06:14:00Z")
    sys.exit(Polluted(words()).run())
