"""The nights that crashes.py disturbs: a small pipeline, its exports, and what is done to its mart.

Everything is made from a seed; no person is in it.
"""

import os
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

PIPELINE = """pipeline: crashes
time_zone: America/New_York
sources:
  trips: {files: "trips_*.csv", order: "trips_([0-9]+)"}
fields:
  trip_id: Id
  pickup_at: {from: Pickup, formats: ["yyyy-MM-dd HH:mm"]}
  region: Region
  trip_type: Level
  cost: Paid
  vehicle: Vehicle
  patient: Patient
lookups:
  fleet: {file: vehicles.csv, match: {vehicle: unit}, valid_on: pickup_date}
rules: rules.yaml
kpis: {cost: cost, suppress_below: 11}
checks:
  - {id: rejects, error_if: "reject_pct > 50"}
"""
RULES = """- id: own
  class: in_house
  basis: va_fleet
  when: fleet.owner = 'VA'
  because: The vehicle is on the roster.
- id: vendor
  class: contracted
  basis: contract
  when: fleet.owner = 'VENDOR'
  because: The vehicle is a vendor's.
"""
MORE_RULES = RULES + """- id: unknown-vehicle
  class: contracted
  basis: noncontract_vendor
  when: vehicle IS NOT NULL
  because: The vehicle is on no roster.
"""
HEADER = "Id,Pickup,Region,Level,Paid,Vehicle,Patient\n"
# A day that every kept file is older than: retention judges by the age of files.
LONG_AGO = 1_700_000_000
REQUEST = "4f" * 16


@dataclass(frozen=True)
class Step:
    """One command of the program, begun from one state of a mart."""

    name: str
    # The step whose mart it begins with, after which nothing else was done; none: an empty folder.
    after: str | None
    arguments: list[str]
    # Which exports lie in the landing folder.
    exports: str
    rules: str = RULES
    # Whether it publishes: readers get other numbers afterwards than before.
    publishes: bool = True
    # Whether the exit status speaks of the request, and not of the one command.
    is_queue: bool = False
    prepare: list[str] = field(default_factory=list)


RUN = ["run", "{pipeline}", "--input", "{landing}", "--reference", "{reference}"]
STEPS = [
    Step("first", None, RUN, "first"),
    Step("second", "first", RUN, "second"),
    Step("full", "second", [*RUN, "--full"], "second"),
    Step("rollback", "second", ["rollback", "1"], "second"),
    Step("include", "rollback", [*RUN, "--include", "all"], "second"),
    Step("reclassify", "second",
         ["reclassify", "{pipeline}", "--reference", "{reference}", "--yes"], "second",
         rules=MORE_RULES),
    Step("plan", "second", ["plan", "{pipeline}", "--reference", "{reference}"], "second",
         rules=MORE_RULES, publishes=False),
    Step("worker", "second", ["runs", "work", "{pipeline}", "--reference", "{reference}"],
         "second", rules=MORE_RULES, is_queue=True, prepare=["request"]),
    Step("retention", "include", RUN, "third", prepare=["age"]),
]


class Scenario:
    """The files that every case reads, made once below a folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        units = [f"M{number:02}" for number in range(40)]
        (folder / "reference").mkdir(parents=True)
        (folder / "reference" / "vehicles.csv").write_text("unit,owner,from,to\n" + "".join(
            f"{unit},{'VA' if index % 3 else 'VENDOR'},2020-01-01,\n"
            for index, unit in enumerate(units[:35])))
        for name, rules in [("as-published", RULES), ("edited", MORE_RULES)]:
            pipeline = folder / name
            pipeline.mkdir()
            (pipeline / "pipeline.yaml").write_text(PIPELINE)
            (pipeline / "rules.yaml").write_text(rules)
        months = {month: self.export(units, month) for month in (1, 2, 3, 4, 5)}
        corrected = self.export(units, 2)
        for name, exports in {
            "first": {1: months[1], 2: months[2]},
            # A new month, and an old one sent again under its name.
            "second": {1: months[1], 2: corrected, 3: months[3]},
            "third": {1: months[1], 2: corrected, 3: months[3], 4: months[4], 5: months[5]},
        }.items():
            landing = folder / "landing" / name
            landing.mkdir(parents=True)
            for month, text in exports.items():
                (landing / f"trips_2026{month:02}.csv").write_text(text)

    def export(self, units: list[str], month: int) -> str:
        """One month; some of its records are rejects, versions of others, or equal to them."""
        of = self.random
        lines = []
        for number in range(of.randint(300, 500)):
            paid = of.choice(["", "x", *[f"{of.randint(1, 90_000) / 100:.2f}"] * 18])
            lines.append(
                f"T-{month}-{number // 2 if number % 20 == 0 else number},"
                f"2026-{month:02}-{of.randint(1, 28):02} {of.randint(0, 23):02}:00,"
                f"{of.randint(1, 9):02},{of.choice(['BLS', 'ALS1', 'SCT'])},{paid},"
                f"{of.choice(units)},P{of.randint(0, 120):04}\n")
        return HEADER + "".join(lines + lines[:3])

    def command(self, step: Step, arguments: list[str] | None = None) -> list[str]:
        pipeline = "edited" if step.rules == MORE_RULES else "as-published"
        words = {
            "pipeline": str(self.folder / pipeline),
            "landing": str(self.folder / "landing" / step.exports),
            "reference": str(self.folder / "reference"),
        }
        given = step.arguments if arguments is None else arguments
        return ["triptych", *(word.format(**words) for word in given)]

    @staticmethod
    def prepare(step: Step, mart: Path) -> None:
        """What happened between the step before and this one."""
        if "request" in step.prepare:
            (mart / "queue" / f"{REQUEST}.request").write_text(
                "triptych request 1\nat 1793513640\nby analyst\n")
        if "age" in step.prepare:
            Scenario.age(mart / "generations", "*")

    @staticmethod
    def age(folder: Path, pattern: str) -> None:
        """As if the files lay there for long."""
        for path in folder.glob(pattern):
            os.utime(path, (LONG_AGO, LONG_AGO))

    @staticmethod
    def outcome(mart: Path) -> str | None:
        """What became of the request, where it is over."""
        path = mart / "queue" / f"{REQUEST}.ended"
        lines = path.read_text().splitlines() if path.exists() else []
        return next((line.split(" ", 1)[1] for line in lines if line.startswith("outcome ")), None)

    @staticmethod
    def copy(base: Path | None, case: Path) -> None:
        """A mart with its key, as the step before has left them."""
        case.mkdir(parents=True)
        if base is not None:
            shutil.copytree(base / "mart", case / "mart", symlinks=True)
            shutil.copy2(base / "mart.key", case / "mart.key")
