#!/usr/bin/env python3
"""Boards that list units with their times: exports from a seed, and an independent recount.

    unit_times.py make OUT SEED [CALLS]     writes the landing folder of a night, OUT/1
    unit_times.py recount OUT MART          compares the mart; exit 0 or 1

Planted: calls without a unit on three boards that skip, reject and keep them; units without a time,
with one that is none (the county's have the call's then), and with a blank one; times after midnight; a unit listed again with another
time; amounts that do not divide; a call at the last allowed day whose unit goes out on the next;
calls sent again as they were, and with another amount; times in UTC and with an offset.
"""

import csv
import os
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from shape import Account, Dice, cents, compare

UNITS = ("M6", "M12", "M1", "V9", "V2", "X3")
HEADERS = {
    "fire": ("Incident", "Dispatched", "Units", "Level", "District", "Paid"),
    "metro": ("Call", "Day", "Crews", "Level", "Paid"),
    "county": ("At", "Units", "Level", "District", "Paid"),
}
MARKS = {"fire": (",", "="), "metro": (";", "@"), "county": ("|", " at ")}


def units(dice, board, clock):
    """A cell of units; most have a time soon after the call's."""
    separator, mark = MARKS[board]
    if dice.hits(9):
        return dice.of(("", " ", separator, f" {separator} "))
    found = []
    for _ in range(1 + dice.below(3) + (12 if dice.hits(40) else 0)):
        own = clock + timedelta(seconds=dice.below(2400)) - timedelta(seconds=dice.below(300))
        text = dice.of((f"{own:%H:%M:%S}", f"{own:%H:%M}", f"{own.hour}:{own:%M}"))
        if dice.hits(6):
            text = f"{dice.below(24):02}:{dice.below(60):02}"
        unit = dice.of(UNITS)
        unit = unit.lower() if dice.hits(5) else unit
        if dice.hits(21):
            text = dice.of(("25:10", "soon", "7.30", "12:60", "1:2"))
        if dice.hits(5):
            found.append(unit)
        elif dice.hits(15):
            found.append(unit + mark.rstrip())
        else:
            found.append(unit + mark + text)
    return dice.of((separator, separator + " ")).join(found)


def rows(dice, board, month, count):
    made = []
    for number in range(count):
        clock = datetime(2026, month, 1 + dice.below(28), dice.of((0, 5, 11, 12, 23, 23)),
                         dice.below(60), dice.below(60))
        if dice.hits(30) and month == 6:
            clock = datetime(2026, 6, 30, 23, 50, 1)
        paid = dice.of((f"{50 + dice.below(900)}.{dice.below(100):02}", "10.01", "", "0.02"))
        paid = dice.of(("free", "1.005")) if dice.hits(25) else paid
        cell, level = units(dice, board, clock), dice.of(("BLS", "ALS", ""))
        district = dice.of(("04", "12", ""))
        if board == "fire":
            at = "never" if dice.hits(25) else f"{clock.month}/{clock.day}/2026 {clock:%H:%M:%S}"
            number = "" if dice.hits(40) else f"F-{month}-{number}"
            made.append((number, at, cell, level, district, paid))
        elif board == "metro":
            made.append((f"K{month}{number:04}", f"{clock.month}/{clock.day}/2026", cell, level,
                         paid))
        else:
            at = f"{clock:%Y-%m-%dT%H:%M:%S}" + dice.of(("", "Z", "-05:00", "+02:00"))
            made.append((at, cell, level, district, paid))
    if board == "fire" and made:
        again = list(dice.of(made))
        made.append(tuple(again))
        again[5] = "77.77"
        made.append(tuple(again))
    return made


def make(out, seed, count):
    dice = Dice(seed)
    os.makedirs(f"{out}/1")
    earlier = []
    for board, header in HEADERS.items():
        for month in (5, 6):
            made = rows(dice, board, month, count)
            if board == "fire":
                made += earlier[:5]
                earlier = made
            with open(f"{out}/1/{board}_2026-{month:02}.csv", "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([header, *made])


def time_of_day(text):
    parts = text.split(":")
    if not (2 <= len(parts) <= 3 and all(part.isascii() and part.isdigit() for part in parts)
            and 1 <= len(parts[0]) <= 2 and all(len(part) == 2 for part in parts[1:])):
        return None
    hour, minute, second = (int(part) for part in [*parts, "0"][:3])
    return timedelta(hours=hour, minutes=minute, seconds=second) \
        if hour < 24 and minute < 60 and second < 60 else None


def listed(cell, board):
    """The units of a cell in order, each once: [[unit, time text or None, times listed]]."""
    separator, mark = MARKS[board]
    found = []
    for text in cell.split(separator):
        unit, between, time = text.strip().rpartition(mark)
        if not between:
            unit, time = text.strip(), ""
        unit = unit.strip().upper() if board == "fire" else unit.strip()
        if not unit:
            continue
        known = next((one for one in found if one[0] == unit), None)
        if known:
            known[2] += 1
        else:
            found.append([unit, time.strip() or None, 1])
    return found


def moment(text, board):
    """The time as written, and its offset: None local, else minutes."""
    try:
        if board == "fire":
            return datetime.strptime(text, "%m/%d/%Y %H:%M:%S"), None
        if board == "metro":
            return datetime.strptime(text, "%m/%d/%Y"), None
    except ValueError:
        return None
    for ending, offset in (("Z", 0), ("-05:00", -300), ("+02:00", 120)):
        if text.endswith(ending):
            return datetime.fromisoformat(text.removesuffix(ending)), offset
    return datetime.fromisoformat(text), None


def local(at, offset):
    if offset == 0:
        zone = ZoneInfo("America/New_York")
        return at.replace(tzinfo=ZoneInfo("UTC")).astimezone(zone).replace(tzinfo=None)
    return at


def record(row, number, path, board, account, rejects):
    """The trips of one record; what is set aside goes to `rejects`."""
    values = dict(zip(HEADERS[board], (cell.strip() for cell in row)))
    paid, key = values["Paid"], values.get("Incident", values.get("Call"))
    amount = cents(paid) if paid else None
    unpriced = bool(paid) and amount is None
    cell = row[HEADERS[board].index("Crews" if board == "metro" else "Units")]
    found = listed(cell, board)
    count = max(1, len(found))
    items = max(1, sum(one[2] for one in found))

    def reject(field, reason, items, cents):
        account.add("rejected", items, cents or 0, items if unpriced else 0)
        rejects.append((path, 1, number, field, reason, items, cents))
        return []

    if not found and board == "fire":
        return reject("unit", "no_unit", 1, amount)
    at = moment(values["Dispatched" if board == "fire" else "Day" if board == "metro" else "At"],
                board)
    if at is None:
        return reject("pickup_at", "wrong_type", items, amount)
    if unpriced:
        return reject("cost", "wrong_type", items, amount)
    if not found and board == "metro":
        return reject("unit", "missing_value", 1, amount)
    latest = timedelta(hours={"fire": 12, "metro": 6, "county": 24}[board])
    trips = []
    for index, (unit, time, times) in enumerate(found or [[None, None, 1]]):
        share = None if amount is None else amount // count + (index < amount % count)
        if key == "":
            reject("trip_id", "missing_value", times, share)
            continue
        own = at[0]
        if time is not None:
            clock = time_of_day(time)
            if clock is None and board != "county":
                reject("unit", "wrong_type", times, share)
                continue
            if clock is not None:
                own = datetime(at[0].year, at[0].month, at[0].day) + clock
                if own < at[0] - latest:
                    own += timedelta(days=1)
        if board == "fire" and own >= datetime(2026, 7, 1):
            reject("pickup_at", "out_of_range", times, share)
            continue
        account.add("duplicate", times - 1, 0)
        name, when = path.removesuffix(".csv"), local(own, at[1])
        letter = unit[0].upper() if unit else None
        # The fleet changed hands at the end of May.
        owner = {"M": "fire department", "V": "acme rescue" if when < datetime(2026, 6, 1)
                 else "metro rescue"}.get(letter)
        ending = f":{unit}" if unit else ""
        trips.append({
            "trip_id": f"{name}:{number}{ending}" if board == "county" else f"{key}-{unit}",
            "pickup_at": f"{when:%Y-%m-%d %H:%M:%S}", "unit": unit, "fleet_code": letter,
            "owner": owner,
            "region": "09" if board == "metro" else values["District"] or "UNKNOWN",
            "trip_type": values["Level"] or "OTHER", "cost_cents": share,
            "class": "undetermined" if not owner else
                     "in_house" if letter == "M" else "contracted",
            "counted": 1, "source_file": path, "record_number": number})
    return trips


def recount(out, mart):
    versions, accounts, rejects = {}, {}, []
    for file in sorted(os.listdir(f"{out}/1")):
        board = file.split("_")[0]
        account = accounts[file, 1] = Account()
        with open(f"{out}/1/{file}", newline="") as text:
            for number, row in enumerate(list(csv.reader(text))[1:], 1):
                for trip in record(row, number, file, board, account, rejects):
                    versions.setdefault(trip["trip_id"], []).append(trip)
    fields = ("pickup_at", "unit", "fleet_code", "owner", "region", "trip_type", "cost_cents")
    trips = []
    for known in versions.values():
        first = known[0]
        for trip in known[1:]:
            account = accounts[trip["source_file"], 1]
            if all(trip[name] == first[name] for name in fields):
                account.add("duplicate", 1, trip["cost_cents"] or 0)
                continue
            accounts[first["source_file"], 1].add("superseded", 1, first["cost_cents"] or 0)
            first = trip
        accounts[first["source_file"], 1].add("accepted", 1, first["cost_cents"] or 0)
        trips.append(first)
    compare(mart, accounts, trips, rejects, fields)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 150)
    else:
        recount(sys.argv[2], sys.argv[3])
