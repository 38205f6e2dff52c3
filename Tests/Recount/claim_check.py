#!/usr/bin/env python3
"""Compares a generation of generated claim lines with what their generator planted.

    claim_check.py --expected FILE --mart DIR
"""

import argparse
import json
import sys

from mart import Mart


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--expected", required=True)
    parser.add_argument("--mart", required=True)
    given = parser.parse_args()
    with open(given.expected, encoding="utf-8") as file:
        expected = json.load(file)
    mart = Mart(given.mart)
    rows = mart.rows("SELECT month || ' ' || class AS cell, count(*) AS trips, "
                     "coalesce(sum(paid_cents), 0) AS cents, "
                     "coalesce(sum(miles_hundredths), 0) AS miles FROM trip GROUP BY 1")
    found = {
        "sums": {row["cell"]: [row["trips"], row["cents"], row["miles"]] for row in rows},
        "ledger": {row["term"]: [row["items"], row["cents"]]
                   for row in mart.rows("SELECT term, items, cents FROM ledger_total")}}
    status = 0
    for part, cells in expected.items():
        for key in sorted(set(cells) | set(found[part])):
            ours, theirs = cells.get(key), found[part].get(key)
            if ours != theirs:
                print(f"{part} {key}: planted {ours}, published {theirs}")
                status = 1
    if status == 0:
        trips = sum(cell[0] for cell in expected["sums"].values())
        print(f"PLANTED CASES AGREE: {trips} trips, {expected['ledger']['read'][0]} lines")
    return status


if __name__ == "__main__":
    sys.exit(main())
