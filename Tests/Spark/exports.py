"""Exports for the comparison of both ways to run: generated ones with faults, corrected, sent
again, withdrawn."""

from __future__ import annotations

import csv
import gzip
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYOUTS = ("native", "mixed", "legacy")


@dataclass(frozen=True)
class Case:
    """A pipeline with its exports."""

    name: str
    pipeline: Path
    input: Path
    reference: Path | None
    # What arrives before each further night, a day later each.
    later: tuple[Callable[[], None], ...] = ()


def generated(folder: Path, seed: int, triptych: str, trips: int = 3000) -> Case:
    """Exports of a seed: gzip or plain, with files sent again, corrections in later files, and
    overrides.

    In every second one a month's file is withdrawn by a revision of another name.
    """
    source = random.Random(seed)
    target = folder / "in"
    words = [
        "generate",
        "--out",
        str(target),
        "--trips",
        str(trips),
        "--months",
        "8",
        "--seed",
        str(seed),
        "--faults",
        "--layout",
        LAYOUTS[seed % 3],
    ]
    subprocess.run(
        [triptych, *words, *(["--gzip"] if seed % 2 else [])], check=True, stdout=subprocess.DEVNULL
    )
    # Sent again under its own name: it takes the old one's place.
    for path in sorted((target / "resent").glob("claims_*")):
        shutil.copy(path, target)
    pipeline = folder / "pipeline"
    shutil.copytree(ROOT / "pipelines" / "ambulance", pipeline)
    files = sorted(target.glob("claims_*"))
    _correct(source, files)
    if seed % 2 == 0:
        _revise(source, files, pipeline)
    _decide(source, files, pipeline)
    return Case(f"seed {seed}", pipeline, target, target / "reference")


def sample(name: str, scratch: Path) -> Case:
    """The sample of one of the other pipelines; `unique` is that of `minimal`, whose trips occur
    once."""
    folder = ROOT / "pipelines" / name
    if name == "unique":
        folder = scratch / "pipeline"
        shutil.copytree(ROOT / "pipelines" / "minimal", folder)
        path = folder / "pipeline.yaml"
        path.write_text(
            path.read_text().replace("pipeline: mine\n", "pipeline: mine\ntrip_ids: unique\n")
        )
    reference = folder / "reference"
    return Case(name, folder, folder / "sample", reference if reference.exists() else None)


def nights(folder: Path, first_day: int) -> Case:
    """Nights of November 2026 with files of `minimal` whose pick-ups are judged by the day on which
    their content was taken in: one is corrected to the same size, one is compressed."""
    target = folder / "in"
    target.mkdir(parents=True)

    def put_trips(name: str, numbers: range, *days: int) -> None:
        text = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner\n"
        for number in numbers:
            day = days[number - numbers.start] if number - numbers.start < len(days) else 1
            owner = "VA" if number % 3 else "Vendor"
            text += f"T-{number:03d},11/{day:02d}/2026 8:00,08,BLS,{number}.00,{owner}\n"
        put(target / name, [text.encode()])

    def corrected() -> None:
        # Of the same size, and two of its pick-ups are of the new day.
        put_trips("a.csv", range(100, 140), first_day + 1, first_day + 1)
        # A known content under another name: its pick-ups of that day stay rejects.
        put(target / "c.csv.gz", lines(target / "c.csv"))
        (target / "c.csv").unlink()

    def arrived() -> None:
        put_trips("d.csv", range(400, 420), first_day + 2)

    put_trips("a.csv", range(100, 140), first_day, first_day)
    put_trips("b.csv", range(200, 220))
    put_trips("c.csv", range(300, 320), first_day + 1)
    return Case("nights", ROOT / "pipelines" / "minimal", target, None, (corrected, arrived))


def many(folder: Path, seed: int, triptych: str, files: int) -> Case:
    """Exports of a seed without faults, divided into about so many small gzip files."""
    target = folder / "in"
    months = 6
    words = ["generate", "--out", str(target), "--trips", str(6 * files)]
    words += ["--months", str(months), "--seed", str(seed)]
    subprocess.run([triptych, *words], check=True, stdout=subprocess.DEVNULL)
    for path in sorted(target.glob("claims_*.csv")):
        header, *rest = lines(path)
        parts = -(-files // months)
        for part in range(parts):
            begin, end = (len(rest) * (part + more) // parts for more in (0, 1))
            put(path.with_name(f"{path.stem}_{part:04d}.csv.gz"), [header, *rest[begin:end]])
        path.unlink()
    return Case(f"{files} files", ROOT / "pipelines" / "ambulance", target, target / "reference")


def two_files(folder: Path, seed: int, triptych: str, trips: int) -> Case:
    """Exports of a seed without faults, in two gzip files."""
    target = folder / "in"
    words = ["generate", "--out", str(target), "--trips", str(trips), "--gzip"]
    words += ["--months", "2", "--seed", str(seed)]
    subprocess.run([triptych, *words], check=True, stdout=subprocess.DEVNULL)
    return Case(f"{trips} trips", ROOT / "pipelines" / "ambulance", target, target / "reference")


def lines(path: Path) -> list[bytes]:
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).splitlines(keepends=True)


def put(path: Path, content: list[bytes]) -> None:
    data = b"".join(content)
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def _correct(source: random.Random, files: list[Path]) -> None:
    """Sends records of an earlier file again in a later one of its form, some changed."""
    for later in files[2:4]:
        earlier = next(
            (file for file in files if file < later and lines(file)[0] == lines(later)[0]), None
        )
        if earlier is None:
            continue
        plain = [
            line for line in lines(earlier)[1:] if b'"' not in line and line.count(b"A042") == 1
        ]
        chosen = source.sample(plain, min(20, len(plain)))
        changed = [
            line if source.random() < 0.5 else line.replace(b"A0428", b"A0429") for line in chosen
        ]
        held = lines(later)
        if not held[-1].endswith(b"\n"):
            held[-1] += b"\n"
        put(later, held + changed)


def _revise(source: random.Random, files: list[Path], pipeline: Path) -> None:
    """A revision of a month under another name, without some of its records: the month's first file
    is withdrawn."""
    text = (pipeline / "pipeline.yaml").read_text()
    text = text.replace(
        "    replaces: same_path ", '    replaces: period\n    period: "claims_(\\\\d{6})"\n    # '
    )
    (pipeline / "pipeline.yaml").write_text(text)
    file = files[source.randrange(1, len(files) - 1)]
    held = lines(file)
    kept = held[:1] + [line for line in held[1:] if b'"' in line or source.random() > 0.1]
    put(file.with_name(file.name.replace("03.csv", "17.csv")), kept)


def _decide(source: random.Random, files: list[Path], pipeline: Path) -> None:
    """Some trips are decided by hand, for a time that has passed or has not."""
    held = next(csv.reader([lines(files[0])[0].decode()]))
    place = next(
        index
        for index, name in enumerate(held)
        if name.lower().replace(" ", "_") in ("trip_id", "trip_number")
    )
    names = sorted(
        {
            row[place]
            for row in csv.reader(line.decode("utf-8", "replace") for line in lines(files[0])[1:])
            if len(row) == len(held) and row[place].startswith("SYN-")
        }
    )
    path = pipeline / "overrides.csv"
    with path.open("a", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        for number, name in enumerate(source.sample(names, 12)):
            given = ("contracted", "contract") if number % 3 else ("in_house", "va_fleet")
            writer.writerow(
                [
                    name,
                    *given,
                    "fleet office",
                    "by hand",
                    "2027-03-31" if number % 4 else "2026-01-15",
                ]
            )
