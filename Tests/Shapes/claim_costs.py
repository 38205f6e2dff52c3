#!/usr/bin/env python3
"""Lines of claims whose cost is derived: what each line costs, added up by file and term.

    claim_costs.py IN MART     compares the mart of claims-837 with
                               `derived: {total: coalesce(paid_cents, 0) + coalesce(charge_cents, 0)}`
                               and `kpis: {cost: total}`; exit 0 or 1

What became of a line is read from the mart, where other recounts check it; what it costs is read
from the export. A line costs what it was paid and charged, a blank being nothing; what it costs is
not known where one of the two cannot be read.
"""

import csv
import gzip
import os
import sqlite3
import sys
from collections import defaultdict


def cents(text):
    """An amount of two decimals at most; 0 where it is blank, None where it is none."""
    if not text.strip():
        return 0
    plain = text.strip().removeprefix("-")
    whole, _, rest = plain.partition(".")
    if not whole.isdigit() or not (rest + "0").isdigit() or len(rest) > 2 or len(whole) > 9:
        return None
    value = int(whole) * 100 + int((rest + "00")[:2])
    return -value if text.strip().startswith("-") else value


def costs(path):
    """Per record of an export, its cost; None where it is not known."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", newline="") as file:
        header, *lines = csv.reader(file)
    found = {}
    for number, line in enumerate(lines, 1):
        amounts = [cents(dict(zip(header, line))[name]) for name in ("paid", "charge")] \
            if len(line) == len(header) else [None]
        found[number] = None if None in amounts else sum(amounts)
    return found


def main(folder, mart):
    link = os.path.join(mart, "triptych.sqlite")
    served = sqlite3.connect(f"file:{link}?mode=ro", uri=True)
    differences, lines = [], 0
    bases = defaultdict(int)
    for number, path in served.execute("SELECT number, path FROM source_file").fetchall():
        known = costs(os.path.join(folder, path))
        lines += len(known)
        places = [("accepted", record, 1) for (record,) in served.execute(
            "SELECT record_number FROM trip_row WHERE file_number = ?", (number,))]
        places += served.execute(
            "SELECT term, record_number, 1 FROM trip_version WHERE file_number = ?", (number,)).fetchall()
        places += served.execute(
            "SELECT 'rejected', record_number, 1 FROM reject WHERE file_number = ?", (number,)).fetchall()
        if sorted(record for _, record, _ in places) != sorted(known):
            differences.append(f"{path}: not each line has one term")
        ours = defaultdict(lambda: [0, 0, 0])
        for term, record, items in places:
            cost = known[record]
            for side in ("read", term):
                ours[side][0] += items
                ours[side][1] += cost or 0
                ours[side][2] += int(cost is None)
            bases[term] += cost or 0
        for term, *amounts in served.execute(
                "SELECT term, items, cents, unpriced FROM ledger WHERE file_number = ?", (number,)):
            if ours[term] != amounts:
                differences.append(f"{path}, {term}: {ours[term]} in the recount, {amounts} in the mart")
    trips, total, apart = served.execute(
        "SELECT count(*), sum(total), sum(coalesce(paid_cents, 0) + coalesce(charge_cents, 0)) FROM trip").fetchone()
    whole = served.execute("SELECT cost_cents FROM kpi_cube WHERE month = 'all' AND trip_type = 'all' "
                           "AND region = 'all'").fetchone()[0]
    if not total == apart == whole == bases["accepted"] + bases["merged"]:
        differences.append(f"trips cost {total}, their fields {apart}, the cube {whole}, their lines "
                           f"{bases['accepted'] + bases['merged']}")
    for line in differences[:20]:
        print(line)
    if differences:
        sys.exit(1)
    print(f"equal: {trips} trips, {lines} lines")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
