"""Reference files as the rivals get them: prepared outside their time, in their favour.

Blank days become the bounds below, so that BETWEEN does. Rows of one key that follow each other
without a gap and say the same become one. The contracts are given three times, as the pipeline asks
for them: by number and station, by number, and by number at any time.
"""

from __future__ import annotations

import csv
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

FIRST_DAY = date(1900, 1, 1)
LAST_DAY = date(2199, 12, 31)

Span = tuple[date, date, tuple[str, ...]]


def prepare(reference: Path, folder: Path) -> None:
    """Writes the prepared files of one reference folder."""
    folder.mkdir(parents=True, exist_ok=True)
    stations = _rows(reference / "stations.csv")
    contracts = _rows(reference / "contracts.csv")
    dated = {
        "site": (stations, ["station"], ["region"]),
        "fleet": (_rows(reference / "vehicles.csv"), ["unit"], ["owner", "crew_employer"]),
        "provider": (_rows(reference / "providers.csv"), ["npi"], ["owner", "kind"]),
        "award": (contracts, ["contract_no", "station"], []),
        "award_today": (contracts, ["contract_no"], []),
    }
    for name, (rows, keys, values) in dated.items():
        _write(folder / f"{name}.csv", [*keys, "from", "to", *values], _merged(rows, keys, values))
    _write(folder / "award_ever.csv", ["contract_no"],
           sorted({(row["contract_no"],) for row in contracts}))
    _write(folder / "level.csv", ["code", "trip_type"],
           [(row["code"], row["trip_type"]) for row in _rows(reference / "hcpcs.csv")])
    zones = sorted({(row["station"], row["time_zone"]) for row in stations})
    if len(zones) != len({station for station, _ in zones}):
        raise SystemExit("a station changes its time zone: the rivals do not know of that")
    _write(folder / "zone.csv", ["station", "time_zone"], zones)
    _write(folder / "zone_span.csv", ["time_zone", "from_utc", "to_utc", "minutes"],
           [span for zone in sorted({zone for _, zone in zones}) for span in _offsets(zone)])


def _merged(rows: list[dict[str, str]], keys: list[str], values: list[str]) -> list[tuple]:
    """The rows' spans by key, those that overlap or touch and say the same made one."""
    spans: dict[tuple[str, ...], list[Span]] = {}
    for row in rows:
        first = date.fromisoformat(row["from"]) if row["from"] else FIRST_DAY
        last = date.fromisoformat(row["to"]) if row["to"] else LAST_DAY
        key = tuple(row[name] for name in keys)
        spans.setdefault(key, []).append((first, last, tuple(row[name] for name in values)))
    found: list[tuple] = []
    for key, of_key in sorted(spans.items()):
        merged: list[Span] = []
        for first, last, said in sorted(of_key):
            if merged and merged[-1][2] == said and first <= merged[-1][1] + timedelta(days=1):
                merged[-1] = (merged[-1][0], max(merged[-1][1], last), said)
            else:
                merged.append((first, last, said))
        found += [(*key, first, last, *said) for first, last, said in merged]
    return found


def _offsets(name: str) -> list[tuple[str, str, str, int]]:
    """How many minutes a zone's clocks are from UTC, by spans of UTC."""
    zone = ZoneInfo(name)
    start = datetime(2020, 1, 1, tzinfo=timezone.utc)
    end = datetime(2031, 1, 1, tzinfo=timezone.utc)
    spans: list[tuple[str, str, str, int]] = []
    day = start
    while day < end:
        minutes = _minutes(start, zone)
        day += timedelta(days=1)
        if day < end and _minutes(day, zone) == minutes:
            continue
        # Clocks change on the hour of UTC in all zones of these stations.
        at = day - timedelta(days=1)
        while at < day and _minutes(at, zone) == minutes:
            at += timedelta(hours=1)
        spans.append((name, f"{start:%Y-%m-%d %H:%M:%S}", f"{at:%Y-%m-%d %H:%M:%S}", minutes))
        start = at
    return spans


def _minutes(at: datetime, zone: ZoneInfo) -> int:
    offset = at.astimezone(zone).utcoffset()
    assert offset is not None, "a time in a zone has an offset"
    return int(offset.total_seconds()) // 60


def _rows(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return [{name: cell.strip() for name, cell in row.items()} for row in csv.DictReader(file)]


def _write(path: Path, header: list[str], rows: list[tuple]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
