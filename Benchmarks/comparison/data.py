"""The exports all engines read: generated once per size, plain and packed, without and with repeats."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from comparison.lookups import prepare as prepare_lookups
from plant_repeats import plant

MONTHS = 24
SEED = 1


@dataclass(frozen=True)
class Exports:
    """One folder of exports with what belongs to it."""

    folder: Path
    reference: Path
    lookups: Path
    form: str
    has_repeats: bool

    @property
    def size(self) -> int:
        """Bytes of the exports as they lie there."""
        return sum(path.stat().st_size for path in self.folder.glob("claims_*.csv*"))


class Data:
    """The exports of one size, made when they are first asked for."""

    def __init__(self, folder: Path, trips: int, program: Path) -> None:
        self.folder = folder / f"trips-{trips}"
        self.trips = trips
        self.program = program

    def exports(self, form: str, has_repeats: bool) -> Exports:
        """The exports in one form, made where they are not there."""
        kind = "repeats" if has_repeats else "unique"
        generated = self.folder / "unique-plain"
        self._once(generated, self._generate)
        if has_repeats:
            self._once(self.folder / "repeats-plain", lambda to: self._plant(generated, to))
        if form == "gzip":
            plain = self.folder / f"{kind}-plain"
            self._once(self.folder / f"{kind}-gzip", lambda to: pack(plain, to))
        self._once(self.folder / "lookups", lambda to: prepare_lookups(generated / "reference", to))
        return Exports(self.folder / f"{kind}-{form}", generated / "reference",
                       self.folder / "lookups", form, has_repeats)

    def _generate(self, to: Path) -> None:
        subprocess.run(
            [self.program, "generate", "--out", to, "--trips", str(self.trips),
             "--months", str(MONTHS), "--seed", str(SEED), "--layout", "mixed"],
            check=True, stdout=subprocess.DEVNULL,
        )

    def _plant(self, source: Path, to: Path) -> None:
        counts = plant(source, to, SEED)
        for kind in ("duplicates", "superseding"):
            share = counts[kind] / counts["records"]
            print(f"{kind} planted: {counts[kind]:,}, {share:.2%}", file=sys.stderr)
            # Small data has fewer than planned by chance; the sizes that are reported have not.
            if share < 0.005 and counts["records"] >= 1_000_000:
                raise SystemExit(f"{kind}: {share:.2%} of the trips, and half a percent is wanted")

    @staticmethod
    def _once(to: Path, make: Callable[[Path], object]) -> None:
        """Makes a folder beside its place and moves it there, so that half a folder is never used."""
        if to.exists():
            return
        draft = to.with_name(to.name + ".draft")
        shutil.rmtree(draft, ignore_errors=True)
        to.parent.mkdir(parents=True, exist_ok=True)
        make(draft)
        draft.rename(to)


def pack(source: Path, to: Path) -> None:
    """Packs the exports of a folder as gzip does by default, two at a time."""
    to.mkdir(parents=True)

    def pack_one(path: Path) -> None:
        with open(to / f"{path.name}.gz", "wb") as packed:
            if shutil.which("gzip"):
                subprocess.run(["gzip", "-6", "-n", "-c", path], check=True, stdout=packed)
            else:
                packed.write(gzip.compress(path.read_bytes(), 6, mtime=0))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(pack_one, sorted(source.glob("claims_*.csv"))))
