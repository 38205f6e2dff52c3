#!/usr/bin/env python3
"""Makes the synthetic exports in `sample/`: always the same content; no person in them exists.

    python3 pipelines/county/make_sample.py [FOLDER]

Among the ordinary runs stand the cases that an export of this kind must survive: two units in one
cell, words for nothing, credits in parentheses, a revision that drops a run, a pick-up whose UTC
day lies in the next month, a unit that changes hands, duplicates, corrections and broken lines.
"""

import gzip
import os
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

BOARD = ("Run No", "Date", "Time", "Facility", "Units", "Level", "Crew", "Miles", "Billed", "Paid",
         "Member", "Outcome", "Remarks")
DISPATCH = ("Incident", "Pickup (UTC)", "Called", "Site", "Unit(s)", "Svc", "Agreement",
            "Mutual Aid", "Loaded Mi", "Charged", "Paid", "Member ID", "Disposition")
SITES = (("Mayagüez Clinic", "America/Puerto_Rico"), ("Bayamón Clinic", "America/Puerto_Rico"),
         ("Española Clinic", "America/Denver"), ("Peñasco Clinic", "America/Denver"),
         ("Las Cruces Annex", "America/Denver"), ("Unlisted Hall", "America/Denver"))
AGREEMENTS = {"Mayagüez Clinic": "AG-11", "Bayamón Clinic": "ag-11", "Española Clinic": "AG-12",
              "Las Cruces Annex": "AG-13"}
UNITS = ("M1", "M2", "M3", "B1", "B2", "V7", "V7", "V8", "V8", "X4", "Q9")


class Dice:
    """A linear congruential generator: the same on every machine and version."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def of(self, values):
        return values[self.below(len(values))]


def twelve_hours(moment):
    return f"{(moment.hour + 11) % 12 + 1}:{moment.minute:02} {'AM' if moment.hour < 12 else 'PM'}"


def us_date(moment):
    return f"{moment.month}/{moment.day}/{moment.year}"


def dollars(dice, cents):
    """One of the ways this county writes an amount."""
    plain = f"{cents // 100}.{cents % 100:02}"
    grouped = f"{cents // 100:,}.{cents % 100:02}"
    return dice.of((plain, "$" + grouped, grouped, "$" + plain))


def run(dice, year, month, number):
    """What both layouts say of one run, in the county's own words."""
    site, zone = dice.of(SITES[:5]) if dice.below(12) else SITES[5]
    unit = dice.of(UNITS)
    units = unit if dice.below(5) else unit + dice.of(("/", " / ")) + dice.of(("M3", "B2", "Q8"))
    cents = 18_000 + dice.below(140_000)
    is_own = unit[0] in "MB"
    is_billed = unit != "Q9" or dice.below(2) == 0
    paid = dollars(dice, cents * 3 // 4) if is_billed and (not is_own or not dice.below(8)) else ""
    return {
        "number": f"SYN-{year % 100:02}{month:02}-{number:03}", "site": site, "zone": zone,
        "at": datetime(year, month, 1 + dice.below(27), dice.below(24), dice.below(60)),
        "units": units, "level": dice.of(("B1", "B2", "A1", "a2", "CC", "WC", "NULL")),
        "crew": dice.of(("Co", "Co", "", "Ven" if unit == "M3" else "NA")),
        "miles": dice.of((f"{2 + dice.below(60)}.{dice.below(10)}", str(dice.below(40)), "NA")),
        "billed": dollars(dice, cents) if is_billed else "NULL",
        "paid": dice.of((paid, paid, paid, paid or "NULL")),
        "member": f"SYN-P-{dice.below(40):04}", "aid": "Yes" if unit == "X4" else "No",
        "outcome": dice.of("TTTTTTTCDN"),
    }


def board_row(one):
    return (one["number"], us_date(one["at"]), twelve_hours(one["at"]), one["site"], one["units"],
            one["level"], one["crew"], one["miles"], one["billed"], one["paid"], one["member"],
            one["outcome"], "said \"all well\"" if one["outcome"] == "T" else "")


def dispatch_row(one):
    instant = one["at"].replace(tzinfo=ZoneInfo(one["zone"])).astimezone(ZoneInfo("UTC"))
    called = one["at"] - timedelta(minutes=25)
    words = {"T": "Transported", "C": "Cancelled", "D": "No transport", "N": "No show"}
    return (one["number"], instant.strftime("%Y-%m-%dT%H:%M:%SZ"),
            f"{us_date(called)} {twelve_hours(called)}", one["site"], one["units"], one["level"],
            AGREEMENTS.get(one["site"], "NULL") if one["units"][0] == "V" else "NULL", one["aid"],
            one["miles"], one["billed"], one["paid"], one["member"], words[one["outcome"]])


def month(dice, year, number, count):
    return [run(dice, year, number, place) for place in range(1, count + 1)]


def changed(row, **places):
    """A copy of a row with some cells, by place `c3`, written otherwise."""
    cells = list(row)
    for name, text in places.items():
        cells[int(name[1:])] = text
    return tuple(cells)


def exports():
    """File name → lines, each a tuple of cells or a text as it stands."""
    dice = Dice(20_251_201)
    december = [board_row(one) for one in month(dice, 2025, 12, 14)]
    january = [board_row(one) for one in month(dice, 2026, 1, 14)]
    february = [board_row(one) for one in month(dice, 2026, 2, 12)]
    march = [dispatch_row(one) for one in month(dice, 2026, 3, 16)]
    april = [dispatch_row(one) for one in month(dice, 2026, 4, 14)]
    # The revision corrects an amount, adds a credit and no longer contains the fourth run.
    revised = december[:3] + december[4:]
    revised[1] = changed(revised[1], c9="$2,310.00")
    revised.append(changed(december[4], c0="SYN-2512-090", c9="(12.00)", c11="T"))
    february[0] = changed(february[0], c4="M3", c6="Ven", c11="T")
    january += [
        changed(january[0], c0="SYN-2601-091", c1="13/45/2026"),
        changed(january[1], c0="SYN-2601-092", c11="Z"),
        "SYN-2601-093\tonly two cells", "",
        changed(january[2], c0="SYN-2601-094", c2="12:00 AM", c1="1/31/2026"),
        changed(january[3], c0="SYN-2601-095", c7="NA", c9="twelve"),
        changed(january[4], c0="SYN-2601-096", c4="M1 / V8/ B2", c9="$1,000.00", c11="T"),
        changed(january[5], c0="SYN-2601-097", c4="Q9", c8="NA", c9="NA", c11="T"),
    ]
    # 23:40 on the last of March, on both clocks, is April in UTC.
    march += [
        changed(march[0], c0="SYN-2603-091", c1="2026-04-01T03:40:00Z", c3="Mayagüez Clinic"),
        changed(march[1], c0="SYN-2603-092", c1="2026-04-01T05:40:00Z", c3="Española Clinic"),
        changed(march[2], c0="SYN-2603-093", c1="2026-03-08T09:30:00Z", c3="Peñasco Clinic"),
        changed(march[3], c0="SYN-2603-094", c4="M2", c1="2026-03-16T05:30:00Z",
                c3="Española Clinic"),
        changed(march[4], c0="", c1="2026-03-20T15:00:00Z"),
        DISPATCH,
    ]
    # One run again as it was, one with a corrected amount, one moved into another month.
    april += [march[5], changed(march[6], c10="1,010.05"),
              changed(march[7], c1="2026-04-02T17:00:00Z")]
    return {
        "runs_2025-12_r1.tsv": (BOARD, december), "runs_2025-12_r2.tsv": (BOARD, revised),
        "runs_2026-01_r1.tsv": (BOARD, january), "runs_2026-02_r1.tsv": (BOARD, february),
        "runs_2026-03_r1.tsv": (DISPATCH, march), "runs_2026-04_r1.tsv.gz": (DISPATCH, april),
    }


def main(folder):
    for name, (header, rows) in exports().items():
        lines = [row if isinstance(row, str) else "\t".join(row) for row in [header, *rows]]
        content = "".join(line + "\r\n" for line in lines).encode("latin-1")
        if name.endswith(".gz"):
            # Level 0 stores the bytes, which every version of zlib does alike.
            content = gzip.compress(content, compresslevel=0, mtime=0)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sample")
    main(sys.argv[1] if len(sys.argv) > 1 else beside)
