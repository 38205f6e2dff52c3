"""The jobs by plain Python: the csv module, dictionaries, and sqlite3 to keep trips."""

from __future__ import annotations

import csv
import sqlite3
from datetime import datetime, timezone
from pathlib import Path
from typing import Iterator, NamedTuple
from zoneinfo import ZoneInfo

import exports

Spans = dict[tuple[str, ...], list[tuple[str, str, list[str]]]]
BLANKS = {"", "NULL", "NA"}


class Trip(NamedTuple):
    """One record, typed: days and times as text, money in cents, miles in hundredths."""

    trip_id: str
    pickup_at: str
    station: str
    export_visn: str
    provider_npi: str
    provider_name: str
    vehicle: str
    contract: str
    hcpcs: str
    modifiers: str
    miles: int | None
    patient: str
    billed: int | None
    paid: int | None
    status: str


def word(text: str) -> str:
    return "" if text in BLANKS else text


def hundredths(text: str) -> int | None:
    """Cents of dollars or hundredths of miles, exactly."""
    text = text.replace("$", "").replace(",", "")
    if not text:
        return None
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


class Lookups:
    """The prepared reference files, by key."""

    def __init__(self, folder: Path) -> None:
        def rows(name: str) -> list[list[str]]:
            with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
                return list(csv.reader(file))[1:]

        def spans(name: str, keys: int) -> Spans:
            found: Spans = {}
            for row in rows(name):
                span = (row[keys], row[keys + 1], row[keys + 2:])
                found.setdefault(tuple(row[:keys]), []).append(span)
            return found

        self.site, self.fleet = spans("site", 1), spans("fleet", 1)
        self.provider = spans("provider", 1)
        self.award, self.award_today = spans("award", 2), spans("award_today", 1)
        self.award_ever = {row[0] for row in rows("award_ever")}
        self.level = {code: trip_type for code, trip_type in rows("level")}
        self.zone = {station: ZoneInfo(zone) for station, zone in rows("zone")}


def on_day(spans: Spans, key: tuple[str, ...], day: str) -> list[str] | None:
    for first, last, values in spans.get(key, ()):
        if first <= day <= last:
            return values
    return None


def trips(order: exports.Order, lookups: Lookups) -> Iterator[Trip]:
    native = set(order.native)
    for path in order.files:
        with exports.opened(path) as file:
            reader = csv.reader(file)
            next(reader)
            yield from (native_trip(row, lookups) for row in reader) if path in native else map(
                legacy_trip, reader)


def native_trip(row: list[str], lookups: Lookups) -> Trip:
    (trip_id, at, station, visn, npi, name, vehicle, contract, hcpcs, modifiers, miles, patient,
     billed, paid, status) = row
    station = word(station.upper())
    if at.endswith(("Z", "+00:00")):
        instant = datetime.fromisoformat(at[:19]).replace(tzinfo=timezone.utc)
        zone = lookups.zone.get(station) or ZoneInfo(exports.DEFAULT_ZONE)
        at = instant.astimezone(zone).strftime("%Y-%m-%dT%H:%M:%S")
    return Trip(
        trip_id, at[:10] + " " + at[11:19], station, visn, word(npi), word(name),
        word(vehicle.upper()), word(contract.upper()), word(hcpcs.upper()), modifiers.upper(),
        hundredths(miles), patient.upper(), hundredths(billed), hundredths(paid), status)


def legacy_trip(row: list[str]) -> Trip:
    (trip_id, day, time, station, visn, vehicle, contract, npi, name, hcpcs, first, second, miles,
     patient, billed, paid, outcome) = row
    month, of_month, year = day.split("/")
    return Trip(
        trip_id, f"{year}-{month:0>2}-{of_month:0>2} {time:0>5}:00", word(station.upper()),
        visn, word(npi), word(name), word(vehicle.upper()), word(contract.upper()),
        word(hcpcs.upper()), f"{first} {second}".upper(), hundredths(miles), patient.upper(),
        hundredths(billed), hundredths(paid), exports.OUTCOMES[outcome])


def classified(trip: Trip, lookups: Lookups) -> tuple[str, str, int | None]:
    """Region, trip type, and the number of the rule that decides."""
    day = trip.pickup_at[:10]
    site = on_day(lookups.site, (trip.station,), day)
    trip_type = lookups.level.get(trip.hcpcs, "OTHER")
    fleet, crew = on_day(lookups.fleet, (trip.vehicle,), day) or ("", "")
    owner, kind = on_day(lookups.provider, (trip.provider_npi,), day) or ("", "")
    award = on_day(lookups.award, (trip.contract, trip.station), day) is not None
    rule: int | None = None
    if fleet == "VA":
        if crew == "VENDOR" and day >= exports.CREW_COUNTS_FROM:
            rule = 1 if award else 2
        else:
            rule = 4
    elif fleet == "VENDOR" and crew == "VA":
        rule = 3
    elif trip_type in ("FW", "RW"):
        rule = 5 if award else 6
    elif fleet == "VENDOR":
        rule = 7 if award else 8
    elif award and owner in ("", "VENDOR"):
        rule = 9
    elif kind == "community":
        rule = 10
    elif owner == "VENDOR":
        today = on_day(lookups.award_today, (trip.contract,), day) is not None
        rule = 11 if today else 12 if trip.contract in lookups.award_ever else 13
    elif owner == "VA":
        rule = 14 if "QM" in trip.modifiers or award else 15
    else:
        rule = weak_rule(trip)
    return site[0] if site else "UNKNOWN", trip_type, rule


def weak_rule(trip: Trip) -> int | None:
    """Rules 16 to 20: where neither vehicle nor provider is on a roster."""
    if trip.provider_npi and (trip.paid or 0) > 0:
        return 16
    if "QM" in trip.modifiers:
        return 17
    if "QN" in trip.modifiers and not trip.contract:
        return 18
    is_medical_center = trip.provider_name.startswith("VAMC ")
    if is_medical_center and not trip.provider_npi and not trip.contract and trip.paid is None:
        return 19
    name = trip.provider_name.lower()
    is_vendor = "ambulance" in name or name.endswith(" ems")
    if not trip.provider_npi and is_vendor and not is_medical_center:
        return 20
    return None


def main() -> None:
    order = exports.order()
    lookups = Lookups(order.lookups)
    found: Iterator[Trip] = trips(order, lookups)
    if order.exact:
        # A later record takes the place of an earlier one.
        found = iter({trip.trip_id: trip for trip in found}.values())
    cells: dict[tuple[str, str, str], list[int]] = {}

    def rows() -> Iterator[tuple[object, ...]]:
        for trip in found:
            region, trip_type, rule = classified(trip, lookups)
            if trip.status == "completed":
                cell = cells.setdefault((trip.pickup_at[:7], trip_type, region), [0, 0, 0, 0, 0, 0])
                cell[0] += 1
                cell[3 if rule is None else 1 if rule in exports.IN_HOUSE_RULES else 2] += 1
                cell[4] += trip.paid or 0
                cell[5] += trip.miles or 0
            yield (*trip, region, trip_type, rule)

    if order.stores:
        database = sqlite3.connect(order.store / "trips.sqlite")
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        columns = [*Trip._fields, "region", "trip_type", "rule_number"]
        database.execute(f"CREATE TABLE trip ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        database.executemany(f"INSERT INTO trip VALUES ({marks})", rows())
        database.execute("CREATE INDEX trip_by_id ON trip (trip_id)")
        database.execute("CREATE INDEX trip_by_pickup ON trip (pickup_at)")
        database.commit()
        database.close()
    else:
        for _ in rows():
            pass
    exports.write_cube(order.cube, ((*key, *cell) for key, cell in cells.items()))


if __name__ == "__main__":
    main()
