#!/usr/bin/env python3
"""Call logs without header and ids: exports from a seed, and an independent recount.

    call_log.py make OUT SEED [CALLS]     writes the landing folders of two nights, OUT/1 and OUT/2
    call_log.py recount OUT MART          compares the mart after both nights; exit 0 or 1

Planted: lines that read alike, in one file and in two; files of one name in two folders; a folder
with a colon and one with a backslash in its name; short and blank lines; times, amounts and miles
that are none; quoted line breaks; a log sent again compressed; one sent again with a call inserted
in its middle, and one with a call mended that was set aside.
"""

import csv
import gzip
import io
import os
import sys

from shape import Account, Dice, cents, compare

FOLDERS = ("north/", "south/", "", "east:2/", "west\\3/")


def call(dice, month):
    level = dice.of(("B", "A", "b", "CCT", ""))
    fee = dice.of((f"{100 + dice.below(900)}.{dice.below(100):02}", str(dice.below(400)), "", "waived"))
    time = f"{dice.below(24)}:{dice.below(60):02}"
    miles = dice.of((str(dice.below(60)), f"{dice.below(60)}.{dice.below(10)}", ""))
    if dice.hits(17):
        time = dice.of(("24:10", "8.15", "", "noon"))
    if dice.hits(19):
        fee = dice.of(("unknown", "12.345", "1e3"))
    if dice.hits(23):
        miles = dice.of(("901", "far", "-3"))
    remarks = dice.of(("", "", "second call", "stairs,\ntwo floors", 'crew says "ready"'))
    return [f"{month}/{1 + dice.below(28)}/2026", time, dice.of(("M1", "m1", "007", "V9", "")),
            dice.of(("County", "co", "Metro", "CO", "metro", "-", "")), dice.of(("Station 4", "Station 12", "HQ")
            if dice.hits(9) else ("Station 4", "Station 12")), level, miles, fee, remarks]


def text(rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        if row is None:
            out.write("\n")
        else:
            writer.writerow(row)
    return out.getvalue().encode()


def log(dice, month, count):
    rows = []
    for _ in range(count):
        rows.append(call(dice, month))
        if dice.hits(8):
            rows.append(list(rows[-1]))
        if dice.hits(25):
            rows.append(["short", "line"])
        if dice.hits(30):
            rows.append(None)
    return rows


def write(path, rows, compressed=False):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = text(rows)
    with open(path + (".gz" if compressed else ""), "wb") as file:
        file.write(gzip.compress(data, mtime=0) if compressed else data)


def make(out, seed, count):
    dice = Dice(seed)
    logs = {f"{folder}calls_2026-{month:02}.csv": log(dice, month, count)
            for folder in FOLDERS for month in (1, 2, 3) if folder in FOLDERS[:2] or dice.hits(2)}
    # Two sites that logged the same calls: other paths, so other trips.
    logs["south/calls_2026-02.csv"] = [row and list(row) for row in logs["north/calls_2026-02.csv"]]
    late = "north/calls_2026-03.csv"
    names = sorted(logs)
    for name in names:
        if name != late:
            write(f"{out}/1/{name}", logs[name], compressed=dice.hits(4))
    again = logs["north/calls_2026-01.csv"]
    again.insert(dice.below(len(again)), call(dice, 1))
    mended = logs["south/calls_2026-01.csv"]
    for index, row in enumerate(mended):
        if row and len(row) == 9 and cents(row[7] or "0") is None and row[7] != "waived":
            mended[index] = [*row[:7], "55", row[8]]
            break
    for name in names:
        write(f"{out}/2/{name}", logs[name], compressed=dice.hits(3))


def identity(path):
    path = path[:-3] if path.endswith(".gz") else path
    return path[:-4] if path.endswith(".csv") else path


def escaped(part):
    return part.replace("\\", "\\\\").replace(":", "\\:")


def reading(row):
    """The trip of a record, or the first field that fails with its reason."""
    date, time, unit, owner, station, level, miles, fee, _ = (cell.strip() for cell in row)
    hour, _, minute = time.partition(":")
    if not (hour.isdigit() and len(hour) < 3 and minute.isdigit() and len(minute) == 2
            and int(hour) < 24 and int(minute) < 60):
        return None, ("pickup_at", "wrong_type")
    month, day, year = date.split("/")
    number = station.removeprefix("Station ")
    if not (station.startswith("Station ") and number.isdigit()):
        return None, ("region", "wrong_pattern")
    kind = {"B": "BLS", "A": "ALS", "": "OTHER"}.get(level.upper(), level.upper())
    plain = miles.removeprefix("-")
    if plain and cents(plain) is None:
        return None, ("miles", "wrong_type")
    if plain and (miles != plain or cents(plain) > 90_000):
        return None, ("miles", "out_of_range")
    if fee not in ("", "waived") and cents(fee) is None:
        return None, ("cost", "wrong_type")
    owner = {"-": "", "CO": "CO"}.get(owner.upper(), owner.upper())
    return {
        "pickup_at": f"{year}-{int(month):02}-{int(day):02} {int(hour):02}:{minute}:00",
        "region": number.zfill(2), "trip_type": kind,
        "unit": (unit.upper().lstrip("0") or "0") if unit else None, "owner": owner or None,
        "miles_hundredths": cents(plain) if plain else None,
        "cost_cents": None if fee in ("", "waived") else cents(fee),
        "class": "undetermined" if not owner else
                 "in_house" if owner in ("COUNTY", "CO") else "contracted", "counted": 1,
    }, None


def records(path):
    with open(path, "rb") as file:
        data = file.read()
    data = gzip.decompress(data) if path.endswith(".gz") else data
    return [row for row in csv.reader(io.StringIO(data.decode(), newline="")) if row], data


def recount(out, mart):
    contents = {}
    for night in ("1", "2"):
        for folder, _, files in os.walk(f"{out}/{night}"):
            for file in files:
                path = os.path.relpath(os.path.join(folder, file), f"{out}/{night}")
                rows, data = records(os.path.join(folder, file))
                known = contents.setdefault(identity(path), [])
                if not known or known[-1][2] != data:
                    known.append((path, rows, data))
    trips, rejects, accounts = [], [], {}
    for name, versions in contents.items():
        for sequence, (path, rows, _) in enumerate(versions, 1):
            account = accounts[path, sequence] = Account()
            for number, row in enumerate(rows, 1):
                whole = len(row) == 9
                trip, fault = reading(row) if whole else (None, (None, "too_few_fields"))
                fee = row[7].strip() if whole else "?"
                amount = None if fee in ("", "waived") else cents(fee)
                unpriced = int(fee not in ("", "waived") and amount is None)
                # All of a content that was sent again is withdrawn, what was set aside too.
                is_current = sequence == len(versions)
                account.add("withdrawn" if not is_current else "rejected" if fault else "accepted",
                            1, amount or 0, unpriced)
                if not is_current:
                    continue
                if fault:
                    rejects.append((path, sequence, number, *fault, 1, amount))
                else:
                    trip.update(trip_id=f"{escaped(name)}:{number}", source_file=path,
                                record_number=number)
                    trips.append(trip)
    compare(mart, accounts, trips, rejects,
            ("pickup_at", "region", "trip_type", "unit", "owner", "miles_hundredths", "cost_cents"))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 120)
    else:
        recount(sys.argv[2], sys.argv[3])
