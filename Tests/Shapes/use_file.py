#!/usr/bin/env python3
"""A vendor's use file without header, with a preamble and days alone: exports and a recount.

    use_file.py make OUT SEED [TICKETS]   writes the landing folders of two nights, OUT/1 and OUT/2
    use_file.py recount OUT MART          compares the mart after both nights; exit 0 or 1

Planted: a preamble whose lines look like records, with a quote that is not closed; tickets with and
without zeros before the number, which are one trip; days of service that are blank or no day, with
and without a day of billing; leap days; amounts of three decimals on both sides of half a cent,
negative ones too; facilities without a network; short lines; a file sent again.
"""

import gzip
import os
import re
import sys
from datetime import date

from shape import Account, Dice, cents, compare

FIELDS = 8
PREAMBLE = ('Vehicle use, all "stations\n', "U-1\t2026-01-03\t\t08/516\tAMB\t1\t1.00\tVA\n")


def day(dice, month):
    text = date(2024 if month == 2 else 2026, month, 1 + dice.below(29 if month == 2 else 30))
    return text.isoformat() if dice.hits(2) else f"{text.month}/{text.day}/{text.year}"


def ticket(dice, month, number):
    service = "" if dice.hits(6) else day(dice, month)
    billing = "" if dice.hits(4) else day(dice, month)
    if dice.hits(12):
        service = dice.of(("2026-02-30", "13/1/2026", "unknown", "2026-1-1"))
    amount = f"{dice.below(900)}.{dice.below(1000):03}"
    amount = dice.of((amount, amount, f"-{amount}", f"{dice.below(900)}.{dice.of(('005', '015', '994', '995'))}",
                      f"{dice.below(90)}", "", "free" if dice.hits(4) else ""))
    facility = dice.of(("8/516", "08/0516", "10/642", "7/508", "516"))
    zeros = "0" * dice.below(4)
    name = dice.of((f"U-{zeros}{number}",) * 20 + (f"{number}", f"U-{number}A", ""))
    return [name, service, billing, facility, dice.of(("amb", "AMB", "Ambulette", "als1", "")),
            dice.of((f"{dice.below(80)}", f"{dice.below(80)}.{dice.below(10)}", "", "near" if dice.hits(5) else "3")),
            amount, dice.of(("VA", "va", "Metro", "metro", ""))]


def rows(dice, month, first, count):
    out = []
    for index in range(count):
        row = ticket(dice, month, first + index)
        out.append(row)
        if dice.hits(9):
            out.append(list(row))
        if dice.hits(10):
            out.append([f"U-{first + dice.below(index + 1)}", *row[1:]])
        if dice.hits(25):
            out.append(row[:3])
    return out


def write(path, lines, month, compressed):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    end = "\r\n" if month % 2 else "\n"
    text = "".join(PREAMBLE) + f"Printed 2026-{month:02}-30\n" + "".join("\t".join(row) + end for row in lines)
    data = text.encode()
    with open(path + (".gz" if compressed else ""), "wb") as file:
        file.write(gzip.compress(data, mtime=0) if compressed else data)


def make(out, seed, count):
    dice = Dice(seed)
    files = {month: rows(dice, month, 1 + (month - 1) * count * 3 // 4, count) for month in (1, 2, 3)}
    for month in (1, 2):
        write(f"{out}/1/use_2026-{month:02}.txt", files[month], month, dice.hits(2))
    again = files[1]
    del again[dice.below(len(again))]
    again.insert(dice.below(len(again)), ticket(dice, 1, 3))
    for month in (1, 2, 3):
        write(f"{out}/2/use_2026-{month:02}.txt", files[month], month, dice.hits(2))


def read_day(text):
    """A day as `yyyy-MM-dd` or `M/d/yyyy`; None where it is none."""
    try:
        if "/" in text:
            month, number, year = text.split("/")
            return date(int(year), int(month), int(number)).isoformat()
        year, month, number = text.split("-")
        return date(int(year), int(month), int(number)).isoformat()
    except ValueError:
        return None


def rounded(text):
    """An amount in cents, halves away from zero; None where it is none."""
    plain = text.removeprefix("-")
    whole, _, rest = plain.partition(".")
    if not whole.isdigit() or not (rest + "0").isdigit():
        return None
    thousandths = int(whole) * 1000 + int((rest + "000")[:3])
    value = (thousandths + 5) // 10
    return -value if text.startswith("-") else value


def reading(row):
    """The trip of a record, or the first field that fails with its reason."""
    name, service, billing, facility, mode, miles, amount, provider = row
    if not name:
        return None, ("trip_id", "missing_value")
    found = re.search("U-0*([0-9]+)", name)
    if not found:
        return None, ("trip_id", "wrong_pattern")
    days = [text for text in (service, billing) if text]
    if not days:
        return None, ("pickup_at", "missing_value")
    picked = [read_day(text) for text in days if read_day(text)]
    if not picked:
        return None, ("pickup_at", "wrong_type")
    parts = facility.split("/")
    if miles and cents(miles) is None:
        return None, ("miles", "wrong_type")
    if amount and rounded(amount) is None:
        return None, ("cost", "wrong_type")
    mode = mode.upper()
    provider = provider.lower()
    return {
        "trip_id": found[1], "pickup_at": f"{picked[0]} 00:00:00", "region": parts[0].zfill(2),
        "facility": parts[-1].lstrip("0"), "trip_type": {"AMB": "BLS", "AMBULETTE": "WCV", "": "OTHER"}.get(mode, mode),
        "miles_hundredths": cents(miles) if miles else None, "cost_cents": rounded(amount) if amount else None,
        "provider": provider or None, "counted": 1,
        "class": "undetermined" if not provider else "in_house" if provider == "va" else "contracted",
    }, None


def records(path):
    with open(path, "rb") as file:
        data = file.read()
    data = gzip.decompress(data) if path.endswith(".gz") else data
    lines = data.decode().replace("\r\n", "\n").split("\n")[3:]
    return [line.split("\t") for line in lines if line], data


def recount(out, mart):
    contents = {}
    for night in ("1", "2"):
        for file in sorted(os.listdir(f"{out}/{night}")):
            lines, data = records(f"{out}/{night}/{file}")
            known = contents.setdefault(file.removesuffix(".gz"), [])
            if not known or known[-1][2] != data:
                known.append((file, lines, data))
    rejects, accounts, versions = [], {}, {}
    for name in sorted(contents):
        for sequence, (path, lines, _) in enumerate(contents[name], 1):
            account = accounts[path, sequence] = Account()
            for number, row in enumerate(lines, 1):
                whole = len(row) == FIELDS
                trip, fault = reading(row) if whole else (None, (None, "too_few_fields"))
                amount = rounded(row[6]) if whole and row[6] else None
                unpriced = int(not whole or bool(row[6]) and amount is None)
                if sequence < len(contents[name]):
                    account.add("withdrawn", 1, amount or 0, unpriced)
                elif fault:
                    account.add("rejected", 1, amount or 0, unpriced)
                    rejects.append((path, sequence, number, *fault, 1, amount))
                else:
                    trip.update(source_file=path, record_number=number)
                    versions.setdefault(trip["trip_id"], []).append((trip, account, amount or 0))
    trips = []
    place = ("source_file", "record_number")
    for found in versions.values():
        run = None
        for trip, account, amount in found:
            value = {key: trip[key] for key in trip if key not in place}
            if run and run[0] == value:
                account.add("duplicate", 1, amount)
                continue
            if run:
                run[2].add("superseded", 1, run[3])
            run = (value, trip, account, amount)
        run[2].add("accepted", 1, run[3])
        trips.append(run[1])
    compare(mart, accounts, trips, rejects,
            ("pickup_at", "region", "facility", "trip_type", "miles_hundredths", "cost_cents", "provider"))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 120)
    else:
        recount(sys.argv[2], sys.argv[3])
