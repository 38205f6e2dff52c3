"""Tables of results, and their place in the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from comparison.engines import Engine
from comparison.measure import Series

HEADER = ["job", "exports", "engine", "wall s", "min–max", "CPU s", "peak MB", "× ours", "store MB",
          "bytes/trip"]


@dataclass(frozen=True)
class Result:
    """The series of one engine at one job and form of exports, beside ours."""

    job: str
    form: str
    engine: Engine
    series: Series
    ours: Series | None
    trips: int


def rows(results: list[Result]) -> list[list[str]]:
    """The cells of a table, a row per result."""
    return [row(result) for result in results]


def row(result: Result) -> list[str]:
    start = [result.job, result.form, result.engine.title(result.job)]
    series = result.series
    if series.fault:
        return start + [series.fault] + [""] * (len(HEADER) - 4)
    walls = [run.wall for run in series.runs]
    span = f"{seconds(min(walls))}–{seconds(max(walls))}" if len(walls) > 1 else "one run"
    ours = result.ours
    ratio = f"{series.wall / ours.wall:.2f}" if ours and ours.runs and not ours.fault else ""
    kept = [f"{series.store_bytes / 1e6:,.0f}", f"{series.store_bytes / result.trips:,.0f}"]
    return start + [
        seconds(series.wall), span, seconds(series.cpu), f"{series.peak_bytes / 1e6:,.0f}", ratio,
        *(kept if result.job.startswith("store") else ["", ""]),
    ]


def seconds(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def table(cells: list[list[str]], header: list[str] = HEADER, words: int = 3) -> str:
    """An aligned Markdown table: the first columns hold words and stand to the left."""
    widths = [max(len(line[index]) for line in [header, *cells]) for index in range(len(header))]

    def line(parts: list[str]) -> str:
        padded = [part.ljust(width) if index < words else part.rjust(width)
                  for index, (part, width) in enumerate(zip(parts, widths, strict=True))]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * width if index < words else "-" * (width - 1) + ":"
            for index, width in enumerate(widths)]
    return "\n".join([line(header), line(rule), *(line(row) for row in cells)])


def write(page: Path, writer: str, text: str) -> None:
    """Puts a text between the marks that a page has for its writer."""
    begin, end = (f"<!-- written by {writer}: {word} -->" for word in ("begin", "end"))
    whole = page.read_text(encoding="utf-8")
    before, found, rest = whole.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"{page.name} has no place for the table: {begin} and {end}")
    page.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
