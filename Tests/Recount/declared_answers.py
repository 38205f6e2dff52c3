#!/usr/bin/env python3
"""Compares the answers of `triptych kpi` on declared measures and dimensions with the trips.

    declared_answers.py --pipeline DIR --input DIR --reference DIR --mart DIR

For many groupings and filters it takes the median, mean, sum and count of the trips themselves,
as the recount reads them from the exports. Exit 0 and one line, or exit 1 and the differences.
"""

import argparse
import json
import subprocess
import sys

import mart as marts
import recount
from layouts import Pipeline

FIELDS = {"class": "class", "basis": "basis", "trip_type": "trip_type", "region": "region"}


def word(trip, name, start):
    """The value of a trip for one column of a grouping."""
    month = trip.values["month"]
    year, number = int(month[:4]), int(month[5:])
    return {
        "month": month, "year": month[:4],
        "fiscal_year": str(year + (1 if start > 1 and number >= start else 0)),
    }.get(name) or trip.values.get(FIELDS.get(name, name)) or ""


def asked(mart, *flags):
    """The rows of one answer."""
    done = subprocess.run(["triptych", "kpi", "--mart", mart, "--format", "json", *flags],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def compare(pipeline, trips, rows, names, columns, found):
    """One answer against the trips that its filter lets through."""
    groups = {}
    for trip in trips:
        key = tuple(word(trip, columns.get(name, name), pipeline.fiscal_year_start)
                    for name in names)
        groups.setdefault(key, []).append(trip)
    if names:
        groups[tuple("all" for _ in names)] = trips
    answered = {tuple(row[name] for name in names): row for row in rows}
    found.compare(f"groups by {names}", sorted(groups), sorted(answered))
    checked = 0
    for key, own in groups.items():
        row = answered.get(key, {})
        found.compare(f"{key}, trips", len(own), row.get("trips"))
        # Measures are not kept by declared dimensions.
        for measure in pipeline.measures if not columns else ():
            found.compare(f"{key}, {measure.shown}", measure.value(own), row.get(measure.shown))
            if measure.kind != "count":
                found.compare(f"{key}, known {measure.name}", len(measure.known(own)),
                              row.get(f"{measure.name}_known_trips"))
            checked += 1
    return checked


def main(argv):
    """Asks and compares; the exit status says whether everything agrees."""
    parser = argparse.ArgumentParser(prog="declared_answers.py")
    for name in ("pipeline", "input", "reference", "mart"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(argv)
    pipeline = Pipeline(options.pipeline)
    mart = marts.Mart(options.mart)
    known = recount.Recount(pipeline, options.reference,
                            recount.known_contents(pipeline, mart, options.input))
    counted = [trip for trip in known.accepted if trip.values["counted"]]
    months = sorted({trip.values["month"] for trip in counted})
    found = marts.Differences()
    checked = 0
    for names in ((), ("month",), ("year",), ("fiscal_year",), ("region", "trip_type"),
                  ("class",), ("class", "basis"), ("month", "region", "class")):
        flags = ["--by", ",".join(names)] if names else []
        checked += compare(pipeline, counted, asked(options.mart, *flags), names, {}, found)
    if months:
        first, last = months[0], months[len(months) // 2]
        few = [trip for trip in counted if first <= trip.values["month"] <= last]
        checked += compare(
            pipeline, few,
            asked(options.mart, "--month", f"{first}..{last}", "--by", "region"), ("region",), {},
            found)
    for name, column in pipeline.dimensions.items():
        for names in ((name,), ("month", name), ("class", name)):
            compare(pipeline, counted, asked(options.mart, "--by", ",".join(names)), names,
                    {name: column}, found)
    for line in found.lines:
        print(line)
    print(f"{'ANSWERS DIFFER' if found.count else 'ANSWERS AGREE'}: {checked} values of "
          f"{len(pipeline.measures)} measures, {len(pipeline.dimensions)} dimensions")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
