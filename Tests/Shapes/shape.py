"""What the recounts of single shapes share: seeded dice, and the comparison with a mart.

A shape is one form of export with its pipeline folder, such as `pipelines/call-log`. Its script
makes exports with planted cases from a seed, and counts them again with the standard library alone,
written from docs/PIPELINE.md and not from the program.
"""

import os
import sqlite3
import sys
from collections import Counter, defaultdict

TERMS = ("read", "accepted", "merged", "duplicate", "superseded", "withdrawn", "rejected")


class Dice:
    """A linear congruential generator: the same on every machine and version."""

    def __init__(self, seed):
        self.state = seed * 2654435761 + 12345

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def of(self, values):
        return values[self.below(len(values))]

    def hits(self, one_in):
        return self.below(one_in) == 0


class Account:
    """The ledger of one content of one file, and what was set aside of it."""

    def __init__(self):
        self.terms = {term: [0, 0, 0] for term in TERMS}

    def add(self, term, items, cents, unpriced=0):
        for side in ("read", term):
            for index, amount in enumerate((items, cents, unpriced)):
                self.terms[side][index] += amount


def cents(text):
    """A plain amount such as `12.5` in cents; None where it is none."""
    whole, _, rest = text.partition(".")
    if not whole.isdigit() or len(whole) > 9 or not (rest + "0").isdigit() or len(rest) > 2:
        return None
    return int(whole) * 100 + int((rest + "00")[:2])


def compare(mart, accounts, trips, rejects, fields):
    """Compares a recount with the served generation; prints differences and exits with 1.

    accounts: {(path, sequence): Account}; trips: [{field: value}] with trip_id, source_file and
    record_number; rejects: [(path, sequence, record, field, reason, items, cents)]; fields: the
    columns of `trip` to compare.
    """
    link = os.path.join(mart, "triptych.sqlite")
    served = sqlite3.connect(f"file:{link}?mode=ro", uri=True)
    columns = ["trip_id", "source_file", "record_number", "class", "counted", *fields]
    ours = Counter(tuple(trip.get(name) for name in columns) for trip in trips)
    theirs = Counter(served.execute(f"SELECT {', '.join(columns)} FROM trip").fetchall())
    differences = [f"trip only in the recount: {row}" for row in (ours - theirs)]
    differences += [f"trip only in the mart: {row}" for row in (theirs - ours)]
    found = defaultdict(dict)
    for path, sequence, term, *amounts in served.execute(
            "SELECT path, sequence, term, items, cents, unpriced FROM ledger "
            "JOIN source_file ON source_file.number = file_number"):
        found[path, sequence][term] = amounts
    for key in sorted(set(found) | set(accounts)):
        mine = accounts[key].terms if key in accounts else None
        if found.get(key) != mine:
            differences.append(f"ledger of {key}: {mine} in the recount, {found.get(key)}")
    mine = Counter(rejects)
    theirs = Counter(served.execute(
        "SELECT path, sequence, record_number, field, reason, item_count, amount_cents FROM reject "
        "JOIN source_file ON source_file.number = file_number").fetchall())
    differences += [f"reject only in the recount: {row}" for row in (mine - theirs)]
    differences += [f"reject only in the mart: {row}" for row in (theirs - mine)]
    differences += cube(served, trips)
    for line in differences[:20]:
        print(line)
    if differences:
        print(f"{len(differences)} differences")
        sys.exit(1)
    total = sum(account.terms["read"][0] for account in accounts.values())
    print(f"equal: {len(trips)} trips, {len(rejects)} rejects, {total} items read")


def cube(served, trips):
    """The differences of the cube from the counted trips, in trips and cents."""
    sums = defaultdict(lambda: [0, 0, 0, 0, 0])
    for trip in trips:
        if not trip["counted"]:
            continue
        month = trip["pickup_at"][:7]
        place = ("in_house", "contracted", "undetermined").index(trip["class"])
        for months in (month, "all"):
            for kind in (trip["trip_type"], "all"):
                for region in (trip["region"], "all"):
                    row = sums[months, kind, region]
                    row[0] += 1
                    row[1 + place] += 1
                    row[4] += trip["cost_cents"] or 0
    theirs = {tuple(row[:3]): list(row[3:]) for row in served.execute(
        "SELECT month, trip_type, region, trips, in_house_trips, contracted_trips, "
        "undetermined_trips, cost_cents FROM kpi_cube")}
    return [f"cell {key}: {sums.get(key)} in the recount, {theirs.get(key)}"
            for key in sorted(set(sums) | set(theirs)) if sums.get(key) != theirs.get(key)]
