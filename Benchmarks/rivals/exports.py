"""What every rival is told: which exports there are, what their columns are called, what to write."""

from __future__ import annotations

import argparse
import csv
import gzip
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Sequence, TextIO

NATIVE_COLUMNS = [
    "trip_id", "pickup_at", "station", "visn", "provider_npi", "provider_name", "vehicle_id",
    "contract_no", "hcpcs", "modifiers", "loaded_miles", "patient_icn", "billed_amount",
    "paid_amount", "status",
]
LEGACY_COLUMNS = [
    "Trip Number", "Svc Date", "Svc Time", "Facility", "VISN", "Unit", "PO Number", "NPI",
    "Provider", "Proc Code", "Mod 1", "Mod 2", "Miles", "ICN", "Amt Billed", "Amt Paid", "Outcome",
]
OUTCOMES = {"C": "completed", "X": "cancelled", "D": "dry_run", "N": "no_show", "O": "other"}
CUBE_COLUMNS = [
    "month", "trip_type", "region", "trips", "in_house", "contracted", "undetermined",
    "cost_cents", "miles_hundredths",
]
IN_HOUSE_RULES = (3, 4, 15, 18, 19)
# The first day on which the crew counts and not the paint: rules 1 and 2.
CREW_COUNTS_FROM = "2025-10-01"
# Where an instant's station names no zone.
DEFAULT_ZONE = "America/New_York"


@dataclass(frozen=True)
class Order:
    """One job as the rivals get it."""

    job: str
    legacy: list[str]
    native: list[str]
    lookups: Path
    cube: Path
    store: Path
    threads: int

    @property
    def exact(self) -> bool:
        """Whether of several records of one trip the last alone counts."""
        return self.job.endswith("-exact")

    @property
    def stores(self) -> bool:
        """Whether all trips are kept."""
        return self.job.startswith("store")

    @property
    def files(self) -> list[str]:
        """All exports in their order: the day of export stands in the name."""
        return sorted(self.legacy + self.native, key=lambda path: Path(path).name)

    @property
    def runs(self) -> list[tuple[bool, list[str]]]:
        """All exports in their order, as runs of one layout each: whether it is native, its files."""
        native = set(self.native)
        return [(is_native, list(files))
                for is_native, files in itertools.groupby(self.files, native.__contains__)]


def order() -> Order:
    """Reads the command line all rivals share."""
    parser = argparse.ArgumentParser(description="Runs one job as compare.py orders it.")
    parser.add_argument("--job", required=True)
    for name in ("exports", "lookups", "cube", "store"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    words = parser.parse_args()
    legacy, native = by_layout(words.exports)
    return Order(words.job, legacy, native, words.lookups, words.cube, words.store, words.threads)


def by_layout(folder: Path) -> tuple[list[str], list[str]]:
    """Divides a folder's exports by their header into the legacy ones and the native ones."""
    legacy: list[str] = []
    native: list[str] = []
    for path in sorted(folder.glob("claims_*.csv*")):
        with opened(path) as file:
            header = next(csv.reader(file))
        if header == LEGACY_COLUMNS:
            legacy.append(str(path))
        elif header == NATIVE_COLUMNS:
            native.append(str(path))
        else:
            raise SystemExit(f"{path.name}: neither layout has this header")
    return legacy, native


def opened(path: Path | str) -> TextIO:
    """Opens an export as text, packed or not."""
    if str(path).endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return open(path, encoding="utf-8-sig", newline="")


def rules_sql() -> str:
    """The rules as one SQL expression, without its comment."""
    text = (Path(__file__).parent / "rules.sql").read_text()
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))


def write_cube(path: Path, cells: Iterable[Sequence[object]]) -> None:
    """Writes a cube as compare.py reads it."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CUBE_COLUMNS)
        writer.writerows(cells)
