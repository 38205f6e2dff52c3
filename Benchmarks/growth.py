#!/usr/bin/env python3
"""Shows how a run of ours grows: with the trips, the threads, the rules, and the shape of the exports.

    growth.py [--parts size,rules,shapes] [--sizes S,M,L] [--store-up-to L] [--runs 3]
              [--shape-trips 33000000] [--folder DIR] [--write]

`--folder` is where data and stores lie; give it memory or disk of 20 GB for size L and the shapes. Each
line is the median of its runs after one to warm up; lines of one size, and of the rules, take turns. `--write` puts the tables into
README.md and draws growth.svg beside it.
"""

from __future__ import annotations

import argparse
import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Callable, Iterator

from compare import SIZES
from comparison import measure, page
from comparison.data import SEED, Data, Exports
from comparison.engines import BENCHMARKS, PIPELINE, Scratch, engines, program, unique_pipeline
from comparison.measure import Series

HEADER = ["job", "what", "threads", "wall s", "min–max", "CPU s", "cores busy", "peak MB",
          "s per million"]
PARTS = ["size", "rules", "shapes"]
DAYS = 3650


@dataclass(frozen=True)
class Case:
    """One line of a table."""

    job: str
    what: str
    trips: int
    threads: int
    exports: Exports
    # Makes the pipeline in a folder of the run's own; None for the pipeline as it is.
    pipeline: Callable[[Path], Path] | None = unique_pipeline


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", type=lambda text: text.split(","), default=PARTS)
    parser.add_argument("--sizes", type=lambda text: text.split(","), default=["S", "M", "L"])
    parser.add_argument("--store-up-to", choices=list(SIZES), default="L",
                        help="larger sizes are not published: at L that takes minutes")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--shape-trips", type=int, default=33_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


class Growth:
    """One call of the program."""

    def __init__(self, chosen: argparse.Namespace, folder: Path) -> None:
        self.chosen = chosen
        self.folder = folder
        self.scratch = Scratch(folder / "run")
        self.log = folder / "run.log"
        self.program = program()
        self.ours = engines(self.program)[0]

    def measure(self, cases: list[Case]) -> list[tuple[Case, Series]]:
        """Lets the cases take turns."""
        series = [Series() for _ in cases]
        for turn in range(self.chosen.runs + 1):
            for case, own in zip(cases, series, strict=True):
                scratch = self.scratch.cleared()
                pipeline = case.pipeline(scratch.folder / "pipeline") if case.pipeline else PIPELINE
                command = self.ours.run(pipeline, case.exports, scratch, case.threads)
                if case.job == "kpi":
                    command.append("--dry-run")
                usage = measure.run(command, self.log)
                if usage.status not in self.ours.good:
                    raise SystemExit(f"{case.what}: status {usage.status}\n{self.log.read_text()}")
                if turn > 0:
                    own.runs.append(usage)
                print(f"{case.job} {case.what}, {case.threads} threads: {usage.wall:.2f} s",
                      file=sys.stderr, flush=True)
        self.scratch.remove()
        return list(zip(cases, series, strict=True))

    def size(self) -> tuple[str, list[tuple[Case, Series]]]:
        """Trips and threads."""
        results = []
        for size in self.chosen.sizes:
            trips = SIZES[size]
            exports = Data(self.folder, trips, self.program).exports("plain", has_repeats=False)
            what = f"{trips // 1_000_000} million trips"
            kpi = Case("kpi", what, trips, 2, exports)
            cases = [kpi, replace(kpi, threads=1)]
            if trips <= SIZES[self.chosen.store_up_to]:
                cases.append(replace(kpi, job="store", pipeline=None))
            results += self.measure(cases)
        return self.part("With the trips, and with the threads", results), results

    def rules(self) -> str:
        """Twice the rules."""
        trips = SIZES["M"] if "M" in self.chosen.sizes else SIZES[self.chosen.sizes[0]]
        exports = Data(self.folder, trips, self.program).exports("plain", has_repeats=False)
        case = Case("kpi", "20 rules", trips, 2, exports)
        results = self.measure([case, replace(case, what="40 rules", pipeline=doubled_rules)])
        return self.part(f"With the rules, {trips // 1_000_000} million trips", results)

    def shapes(self) -> str:
        """The same trips as monthly and daily exports, as one file, as one gzip member."""
        trips = self.chosen.shape_trips
        monthly = self.folder / "shape-monthly"
        shutil.rmtree(monthly, ignore_errors=True)
        subprocess.run([self.program, "generate", "--out", monthly, "--trips", str(trips),
                        "--months", "24", "--seed", str(SEED), "--layout", "native"],
                       check=True, stdout=subprocess.DEVNULL)
        whole = Exports(monthly, monthly / "reference", Path(), "plain", False)
        results = []
        for name, cut in [("24 monthly files", None), (f"{DAYS} daily files", into_days),
                          ("one file", into_one), ("one gzip member", into_member)]:
            exports = whole
            if cut:
                folder = self.folder / "shape"
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                cut(monthly, folder)
                exports = replace(whole, folder=folder)
            size = f"{exports.size / 1e9:.1f} GB"
            results += self.measure([Case("kpi", f"{name}, {size}", trips, 2, exports)])
        shutil.rmtree(self.folder / "shape")
        shutil.rmtree(monthly)
        return self.part(f"With the shape of the exports, {trips / 1e6:.0f} million trips", results)

    @staticmethod
    def part(heading: str, results: list[tuple[Case, Series]]) -> str:
        table = page.table([row(*result) for result in results], HEADER, words=2)
        return f"### {heading}\n\n{table}"


def row(case: Case, series: Series) -> list[str]:
    walls = [run.wall for run in series.runs]
    return [
        case.job, case.what, str(case.threads), page.seconds(series.wall),
        f"{page.seconds(min(walls))}–{page.seconds(max(walls))}", page.seconds(series.cpu),
        f"{series.cpu / series.wall:.2f}", f"{series.peak_bytes / 1e6:,.0f}",
        f"{series.wall / case.trips * 1e6:.2f}",
    ]


def doubled_rules(copy: Path) -> Path:
    """Every rule once more, in front, with a condition of its own that hardly any trip meets."""
    unique_pipeline(copy)
    path = copy / "rules.yaml"
    head, *rules = re.split(r"(?m)^(?=- id: )", path.read_text(encoding="utf-8"))
    twins = []
    for number, rule in enumerate(rules):
        said = re.search(r"(?ms)^  when: (?:>-\n)?(.*?)^  because: ", rule)
        if not said:
            raise SystemExit("a rule has no condition")
        condition = " ".join(said[1].split()).strip('"')
        named = rule.split("\n", 1)[0] + "-again\n"
        rest = rule[:said.start()].split("\n", 1)[1]
        twins.append(f"{named}{rest}  when: >-\n    ({condition}) AND miles_hundredths > "
                     f"{490_000 + number}\n  because: A twin of a rule, for far journeys.\n\n")
    path.write_text(head + "".join(twins) + "".join(rules), encoding="utf-8")
    return copy


def lines(folder: Path) -> Iterator[bytes]:
    """The header once, and then the records of all exports."""
    for index, path in enumerate(sorted(folder.glob("claims_*.csv"))):
        with open(path, "rb") as file:
            header = file.readline()
            if index == 0:
                yield header
            yield from file


def into_days(monthly: Path, folder: Path) -> None:
    records = lines(monthly)
    header = next(records)
    count = sum(1 for _ in lines(monthly)) - 1
    first = date(2016, 1, 1)
    for day in range(DAYS):
        name = f"claims_{first + timedelta(days=day):%Y%m%d}.csv"
        with open(folder / name, "wb") as file:
            file.write(header)
            for _ in range(count * (day + 1) // DAYS - count * day // DAYS):
                file.write(next(records))


def into_one(monthly: Path, folder: Path) -> None:
    with open(folder / "claims_20260101.csv", "wb", buffering=1 << 20) as file:
        file.writelines(lines(monthly))


def into_member(monthly: Path, folder: Path) -> None:
    with gzip.open(folder / "claims_20260101.csv.gz", "wb", compresslevel=6) as file:
        file.writelines(lines(monthly))


def draw(results: list[tuple[Case, Series]], path: Path) -> None:
    """Seconds and memory over trips."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "triptych"
    from matplotlib import pyplot

    figure, (times, peaks) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    lines_by_name: dict[str, list[tuple[float, float, float]]] = {}
    for case, series in results:
        name = f"{case.job}, {case.threads} thread" + ("s" if case.threads > 1 else "")
        lines_by_name.setdefault(name, []).append(
            (case.trips / 1e6, series.wall, series.peak_bytes / 1e6))
    for name, points in lines_by_name.items():
        trips, walls, sizes = zip(*points)
        times.plot(trips, walls, marker="o", label=name)
        peaks.plot(trips, sizes, marker="o", label=name)
    for axes, word in [(times, "seconds"), (peaks, "peak memory, MB")]:
        axes.set(xlabel="million trips", ylabel=word, xlim=(0, None), ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    chosen = words()
    with tempfile.TemporaryDirectory(prefix="triptych-growth-") as temporary:
        folder = chosen.folder.resolve() if chosen.folder else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        growth = Growth(chosen, folder)
        parts = [measure.origin(folder, growth.ours.version) +
                 f" Medians of {chosen.runs}, after one run each to warm up."]
        if "size" in chosen.parts:
            text, results = growth.size()
            parts.append(text + "\n\n![Seconds and memory over trips](growth.svg)")
            if chosen.write:
                draw(results, BENCHMARKS / "growth.svg")
        if "rules" in chosen.parts:
            parts.append(growth.rules())
        if "shapes" in chosen.parts:
            parts.append(growth.shapes())
        print("\n\n".join(parts), flush=True)
        if chosen.write:
            page.write(BENCHMARKS / "README.md", "growth.py", "\n\n".join(parts))
        growth.log.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
