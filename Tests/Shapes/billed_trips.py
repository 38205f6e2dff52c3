#!/usr/bin/env python3
"""Trips whose cost is derived: exports from a seed, and an independent recount.

    billed_trips.py make OUT SEED [TRIPS]     writes the landing folders of two nights, OUT/1 and OUT/2
    billed_trips.py recount OUT MART          compares the mart after both nights; exit 0 or 1

What a trip costs is what was allowed, else what was billed, with its miles at the rate of the day
and the fee of its crew. Planted: either amount or both blank; amounts out of their range, which the
ledger counts as written; amounts, days, miles and levels that cannot be read, of which it cannot
say what the trip would have cost; records without an id, and short ones; several crews in a cell,
one of them listed again; trips sent again as they were and with another amount, in the same and in
a later file; a file that another one replaces.
"""

import csv
import io
import os
import sys
from datetime import datetime

from shape import Account, Dice, compare

HEADERS = {
    "bills": ("Bill", "Day", "Region", "Allowed", "Billed", "Level", "Miles"),
    "crews": ("Call", "Sent", "Region", "Level", "Crews", "Billed", "Allowed", "Miles"),
}
# The order in which fields are read: the first that fails is named.
ORDER = {
    "bills": ("trip_id", "pickup_at", "allowed", "billed", "trip_type", "miles"),
    "crews": ("pickup_at", "trip_type", "billed", "allowed", "miles"),
}
FEES = {"M12": 2505, "V9": 10001, "V2": -333}
OWNERS = {"M6": "county", "M12": "county", "V9": "metro", "V2": "metro"}


def row(dice, kind, number):
    level = dice.of(("ALS", "BLS", "BLS", "SCT", "CCT", ""))
    day = f"2026-05-{1 + dice.below(28):02}"
    allowed = dice.of((f"{dice.below(900)}.{dice.below(100):02}", "", "", "0", "-12.50"))
    billed = dice.of((f"{100 + dice.below(900)}.{dice.below(100):02}", "10.01", ""))
    miles = dice.of((str(dice.below(60)), f"{dice.below(60)}.{dice.below(10)}", ""))
    if dice.hits(17):
        allowed = dice.of(("5000.01", "-100.01", "9000", "free", "1.005"))
    if dice.hits(19):
        billed = dice.of(("free", "12.345", "1e3"))
    if dice.hits(19):
        miles = dice.of(("901", "far", "-3"))
    if dice.hits(23):
        level = dice.of(("als", "B-1"))
    if dice.hits(23):
        day = dice.of(("2026-05-32", "soon", ""))
    number = "" if dice.hits(29) else f"{kind[0].upper()}{number}"
    region = dice.of(("North", "South", ""))
    if kind == "bills":
        return [number, day, region, allowed, billed, level, miles]
    crews = [dice.of(("M6", "m12", "M12", "V9", "V2", "X3")) for _ in range(dice.below(4))]
    return [number, day and f"{day}T{dice.below(24):02}:10", region, level, "; ".join(crews), billed, allowed, miles]


def rows(dice, kind, first, count):
    made = []
    for number in range(first, first + count):
        made.append(row(dice, kind, number))
        if dice.hits(9):
            made.append(list(made[-1]))
        if dice.hits(9):
            made.append([*made[-1][:-1], str(dice.below(40))])
        if dice.hits(31):
            made.append(["short", "2026-05-03", "line"])
    return made


def text(kind, lines):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEADERS[kind], *lines])
    return out.getvalue()


def make(out, seed, count):
    dice = Dice(seed)
    for night in (1, 2):
        os.makedirs(f"{out}/{night}")
    for kind in HEADERS:
        first = rows(dice, kind, 0, count)
        later = [list(dice.of(first)) for _ in range(count // 5)] + rows(dice, kind, count, count)
        for line in later[:9]:
            if len(line) == len(HEADERS[kind]):
                line[HEADERS[kind].index("Billed")] = "77.77"
        again = first[:1] + first[3:] + rows(dice, kind, 3 * count, 4)
        for night, name, lines in ((1, "2026-05", first), (1, "2026-06", later),
                                   (2, "2026-05", again), (2, "2026-06", later)):
            with open(f"{out}/{night}/{kind}_{name}.csv", "w") as file:
                file.write(text(kind, lines))


def number(text):
    """A number of two decimals at most, in hundredths; None where it is none."""
    plain = text.removeprefix("-")
    whole, _, rest = plain.partition(".")
    if not whole.isdigit() or not (rest + "0").isdigit() or len(rest) > 2:
        return None
    value = int(whole) * 100 + int((rest + "00")[:2])
    return -value if text.startswith("-") else value


def field(values, name):
    """The value of a field and why it fails; a value out of its range is read all the same."""
    if name == "trip_id":
        return values["Bill"] or None, None if values["Bill"] else "missing_value"
    if name == "pickup_at":
        written = values.get("Day", values.get("Sent"))
        if not written:
            return None, "missing_value"
        try:
            return datetime.fromisoformat(written), None
        except ValueError:
            return None, "wrong_type"
    if name == "trip_type":
        level = values["Level"]
        right = not level or level.isalpha() and level.isupper()
        return (level or None, None) if right else (None, "wrong_pattern")
    written = values[{"allowed": "Allowed", "billed": "Billed", "miles": "Miles"}[name]]
    if not written:
        return None, None
    value = number(written)
    if value is None:
        return None, "wrong_type"
    low, high = {"allowed": (-10000, 500000), "billed": (-10**12, 10**12), "miles": (0, 90000)}[name]
    return value, None if low <= value <= high else "out_of_range"


def truncated(value, divisor):
    return abs(value) // divisor * (1 if value >= 0 else -1)


def cost(trip):
    """What a trip costs, by the words of the pipeline."""
    service = trip["billed_cents"] if trip["allowed_cents"] is None else trip["allowed_cents"]
    if service is None:
        return None
    day = trip["pickup_at"]
    rates = {"BLS": 733, "ALS": 950 if day and day < datetime(2026, 5, 16) else 1125 if day else None, "SCT": 0}
    rate = rates.get(trip["trip_type"])
    mileage = 0 if trip["miles_hundredths"] is None or rate is None \
        else truncated(trip["miles_hundredths"] * rate, 100)
    return service + mileage + FEES.get(trip["unit"], 0)


def share(amount, index, count):
    if amount is None:
        return None
    sign = 1 if amount >= 0 else -1
    return sign * (abs(amount) // count + (index < abs(amount) % count))


def record(kind, cells):
    """The trips of a record as (trip, times listed), each rejected part as (field, reason, items,
    cents, unpriced)."""
    if len(cells) != len(HEADERS[kind]):
        return [], [(None, "too_few_fields", 1, None, 1)]
    values = dict(zip(HEADERS[kind], cells))
    units = {}
    for unit in values.get("Crews", "").upper().split(";"):
        if unit.strip():
            units[unit.strip()] = units.get(unit.strip(), 0) + 1
    read = {name: field(values, name) for name in ORDER[kind]}
    fault = next(((name, why) for name, (_, why) in read.items() if why), None)
    # What the cost depends on, and lacks or cannot be read; an amount out of its range can.
    is_unknown = any(why and why != "out_of_range"
                       for name, (_, why) in read.items() if name != "trip_id")
    trips = []
    for index, (unit, times) in enumerate(list(units.items()) or [(None, 1)]):
        count = max(1, len(units))
        trip = {
            "trip_id": values["Bill"] if kind == "bills" else f"{values['Call']}-{unit}",
            "pickup_at": read["pickup_at"][0], "unit": unit,
            "region": values["Region"] or "UNKNOWN", "trip_type": read["trip_type"][0] or "OTHER",
            "allowed_cents": share(read["allowed"][0], index, count),
            "billed_cents": share(read["billed"][0], index, count),
            "miles_hundredths": read["miles"][0], "counted": 1}
        trip["total"] = trip["cost_cents"] = cost(trip)
        trips.append((trip, times))
    if fault:
        costs = [trip["total"] for trip, _ in trips if trip["total"] is not None]
        amount = None if is_unknown or not costs else sum(costs)
        return [], [(*fault, sum(times for _, times in trips), amount, int(is_unknown))]
    if kind == "crews" and (not units or not values["Call"]):
        return [], [("trip_id", "missing_value", times, trip["total"], 0) for trip, times in trips]
    for trip, _ in trips:
        owner = OWNERS.get(trip["unit"])
        service = trip["billed_cents"] if trip["allowed_cents"] is None else trip["allowed_cents"]
        trip["class"] = "in_house" if owner == "county" \
            else "contracted" if owner or service is not None and service > 0 else "undetermined"
        trip["pickup_at"] = f"{trip['pickup_at']:%Y-%m-%d %H:%M:%S}"
    return trips, []


def recount(out, mart):
    contents = {}
    for night in ("1", "2"):
        for file in sorted(os.listdir(f"{out}/{night}")):
            with open(f"{out}/{night}/{file}", newline="") as source:
                lines = list(csv.reader(source))[1:]
            known = contents.setdefault(file, [])
            if not known or known[-1] != lines:
                known.append(lines)
    rejects, accounts, versions = [], {}, {}
    for path in sorted(contents):
        for sequence, lines in enumerate(contents[path], 1):
            account = accounts[path, sequence] = Account()
            for place, cells in enumerate(lines, 1):
                trips, parts = record(path.split("_")[0], cells)
                is_gone = sequence < len(contents[path])
                for name, reason, items, amount, unpriced in parts:
                    account.add("withdrawn" if is_gone else "rejected", items, amount or 0, items * unpriced)
                    if not is_gone:
                        rejects.append((path, sequence, place, name, reason, items, amount))
                for trip, times in trips:
                    account.add("withdrawn" if is_gone else "duplicate", times - 1, 0)
                    if is_gone:
                        account.add("withdrawn", 1, trip["total"] or 0)
                    else:
                        trip.update(source_file=path, record_number=place)
                        versions.setdefault(trip["trip_id"], []).append((trip, account))
    kept = []
    fields = ("pickup_at", "region", "trip_type", "allowed_cents", "billed_cents", "miles_hundredths", "unit")
    for found in versions.values():
        run = None
        for trip, account in found:
            if run and all(run[0][name] == trip[name] for name in fields):
                account.add("duplicate", 1, trip["total"] or 0)
                continue
            if run:
                run[1].add("superseded", 1, run[0]["total"] or 0)
            run = (trip, account)
        run[1].add("accepted", 1, run[0]["total"] or 0)
        kept.append(run[0])
    compare(mart, accounts, kept, rejects, (*fields, "total"))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 150)
    else:
        recount(sys.argv[2], sys.argv[3])
