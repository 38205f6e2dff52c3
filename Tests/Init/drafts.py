#!/usr/bin/env python3
"""Gives exports of odd forms to `triptych init`, runs what it wrote, and judges by own counts.

    drafts.py --folder DIR [--seed N] [--records N] [--only WORD] [--program FILE]

DIR must not exist. For each kind of odd_forms.py and odd_values.py, `init` writes a pipeline
folder, and a run publishes a mart with it. Then

* the exit of `init` is the one that is right for the file, and what it leaves undecided is exactly
  what nothing in the file decides;
* the run ends with 0 or 10, or, where a question has to be answered first, with 78;
* trips and dollars of each month are those of the generator, and each rejected record is one that
  no run can take for a trip;
* no text of a patient stands in what was printed or written, or in the trips of the mart.

The last file has a million records, or as many as are asked for: its time and memory are printed.
Prints a line for each file. Ends with 1 where one is not right.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import odd_forms  # noqa: F401, its kinds are in the list
from odd_files import KINDS, Odd
from odd_values import a_million_records

# A run of 1 November 2026, so that open months and the future do not depend on the day.
NOW = "2026-11-01T06:14:00Z"
# A beginning of 64 MiB and its distinct texts, and a dry run of the whole file.
MEMORY_MAX = 1 << 30


@dataclass
class Answer:
    """What a command did."""

    status: int
    text: str
    seconds: float
    memory: int


class Judge:
    """One file in a folder of its own."""

    def __init__(self, program: str, folder: Path, odd: Odd) -> None:
        self.program, self.folder, self.odd = program, folder, odd
        (folder / "in").mkdir(parents=True)
        (folder / "in" / odd.name).write_bytes(odd.data)
        self.faults: list[str] = []
        self.printed = ""
        self.asked = ""
        self.run_status: int | None = None
        self.trips_right: bool | None = None
        self.dollars_right: bool | None = None
        self.largest = 0
        self.seconds = 0.0

    def command(self, *words: str, cwd: Path | None = None) -> Answer:
        """Runs the program; all that it prints is kept."""
        environment = {**os.environ, "TRIPTYCH_NOW": NOW, "LC_ALL": "C.UTF-8"}
        started = time.monotonic()
        with open(self.folder / "printed", "wb+") as file:
            process = subprocess.Popen([self.program, *words], cwd=cwd or self.folder, stdout=file,
                                       stderr=subprocess.STDOUT, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            file.seek(0)
            text = file.read().decode()
        self.printed += text
        return Answer(process.returncode, text, time.monotonic() - started, usage.ru_maxrss << 10)

    def wants(self, holds: bool, fault: str) -> None:
        if not holds:
            self.faults.append(fault)

    def judge(self) -> None:
        odd = self.odd
        # A name that begins with a dash is given as people give it: inside its folder, after `--`.
        self.init = self.command("init", "--out", "../out", "--", odd.name, cwd=self.folder / "in")
        self.largest, self.seconds = self.init.memory, self.init.seconds
        for words in odd.says:
            self.wants(words in self.init.text, f"init does not say `{words}`")
        if odd.refused is not None:
            self.wants(self.init.status == odd.refused, f"init {self.init.status}")
            self.wants(not (self.folder / "out").exists(), "a refused file left a folder")
        elif (self.folder / "out" / "pipeline.yaml").exists():
            self.judge_questions()
            self.judge_run()
        else:
            self.wants(False, f"init {self.init.status} wrote nothing")
        self.judge_private()

    def judge_questions(self) -> None:
        odd = self.odd
        block = self.init.text.partition("Not decided; the file says TO ANSWER there:\n")[2]
        names = re.findall(r"^  ([a-z_]+): ", block.partition("\n\n")[0], re.MULTILINE)
        self.asked = " ".join(names)
        self.wants(sorted(names) == sorted(odd.asked), f"asks {names}, not {list(odd.asked)}")
        wanted = 10 if odd.asked else 0
        self.wants(self.init.status == wanted, f"init {self.init.status}, not {wanted}")
        written = (self.folder / "out" / "pipeline.yaml").read_text()
        count = len(re.findall(r"# TO ANSWER: (?!no column says by its values)", written))
        self.wants(count == len(odd.asked), f"the file asks {count} times")

    def judge_run(self) -> None:
        odd = self.odd
        run = self.command("run", "out", "--mart", "mart", "--input", "in")
        self.run_status = run.status
        self.largest = max(self.largest, run.memory)
        if not odd.runs:
            self.wants(run.status == 78, f"run {run.status}, not 78")
            return
        self.wants(run.status in (0, 10), f"run {run.status}")
        if run.status not in (0, 10):
            return
        kpi = self.command("kpi", "--mart", "mart", "--by", "month", "--format", "csv").text
        rows = list(csv.DictReader(io.StringIO(kpi)))
        found = {row["month"]: (int(row["trips"]), int(row["cost_cents"] or 0)) for row in rows}
        wanted = odd.months
        self.trips_right = ({month: one[0] for month, one in found.items()}
                            == {month: one[0] for month, one in wanted.items()})
        self.dollars_right = ({month: one[1] for month, one in found.items()}
                              == {month: one[1] for month, one in wanted.items()})
        self.wants(found == wanted, f"months {found}, not {wanted}")
        if odd.is_classed:
            own = sum(trip.owner == "VA" for trip in odd.trips)
            classed = sum(int(row["in_house_trips"]) for row in rows)
            self.wants(classed == own, f"{classed} trips in-house, not {own}")
        listed = self.command("rejects", "list", "--mart", "mart", "--format", "csv").text
        rejects = sum(int(row["rejects"]) for row in csv.DictReader(io.StringIO(listed)))
        self.wants(rejects == odd.rejects, f"{rejects} rejects, not {odd.rejects}")

    def judge_private(self) -> None:
        """No text of a patient stands in what was printed, in the folder, or in the trips."""
        texts = [self.printed]
        texts += [path.read_text() for path in (self.folder / "out").glob("**/*") if path.is_file()]
        if (self.folder / "mart" / "triptych.sqlite").exists() and self.odd.private:
            database = sqlite3.connect(f"file:{self.folder}/mart/triptych.sqlite?mode=ro", uri=True)
            texts += map(repr, database.execute("SELECT * FROM trip"))
            database.close()
        for word in self.odd.private:
            shown = any(word in text for text in texts)
            self.wants(not shown, f"a text of a patient is shown: {word}")

    def line(self, title: str) -> str:
        def word(value: bool | None) -> str:
            return "-" if value is None else "yes" if value else "NO"
        return (f"{'right' if not self.faults else 'WRONG'}  {title:38} init {self.init.status:2}  "
                f"run {'-' if self.run_status is None else self.run_status!s:3} "
                f"trips {word(self.trips_right):4}dollars {word(self.dollars_right):4}"
                f"asks {self.asked or '-'}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--records", type=int, default=1_000_000, help="of the largest file")
    parser.add_argument("--only", default="", help="only the kinds whose name holds this")
    parser.add_argument("--program", default="triptych")
    options = parser.parse_args()
    program = shutil.which(options.program) or sys.exit(f"there is no {options.program}")
    program = os.path.abspath(program)
    options.folder.mkdir()
    makes = {**KINDS, "a million records": lambda rng: a_million_records(rng, options.records)}
    wrong = count = 0
    largest = ""
    for title, make in makes.items():
        if options.only not in title:
            continue
        # Each kind has its own numbers, so that a new kind changes no other.
        odd = make(random.Random(f"{options.seed} {title}"))
        judge = Judge(program, options.folder / title.replace(" ", "-"), odd)
        judge.judge()
        count += 1
        if len(odd.trips) >= 100_000:
            judge.wants(judge.largest < MEMORY_MAX, f"{judge.largest >> 20} MiB of memory")
            largest = (f", {len(odd.trips):,} records in {judge.seconds:.0f} s "
                       f"and {judge.largest >> 20} MiB")
        wrong += bool(judge.faults)
        print(judge.line(title))
        for fault in judge.faults:
            print(f"       {fault}")
        sys.stdout.flush()
    print(f"{count - wrong} of {count} files right{largest}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
