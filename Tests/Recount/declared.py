"""Declared measures and dimensions of `kpis`, from the accepted trips.

Everything is kept by the finest group: month, trip type, region, class and basis. Whatever a
question groups by is added up from there; here it is counted from the trips themselves.
"""

import statistics
from fractions import Fraction

KINDS = ("count", "sum", "mean", "median")
GROUP = ("month", "trip_type", "region", "class", "basis")


class Measure:
    """One entry of `measures`: its kind, and the column of the trips that it reads."""

    def __init__(self, name, given, columns):
        self.name = name
        self.kind = next(kind for kind in KINDS if kind in given)
        of = given[self.kind]
        # The condition of a count is a column under the measure's own name.
        self.column = name if self.kind == "count" else next(
            of + suffix for suffix in ("", "_cents", "_hundredths") if of + suffix in columns)
        self.condition = of if self.kind == "count" else None
        self.amount = "whole"
        if self.kind != "count":
            if self.column.endswith("_cents") or given.get("unit") == "cents":
                self.amount = "cents"
            elif self.column.endswith("_hundredths"):
                self.amount = "hundredths"

    @property
    def shown(self):
        """The name of its column in answers."""
        return self.name + {"whole": "", "cents": "_cents", "hundredths": "_hundredths"}[self.amount]

    def known(self, trips):
        """The values of the trips that have one; of a count, 1 where the condition holds."""
        found = [trip.values[self.column] for trip in trips]
        if self.kind == "count":
            # A condition that is NULL does not hold.
            return [int(value is not None and value != 0) for value in found]
        return [value for value in found if value is not None]

    def value(self, trips):
        """What an answer says of these trips: a number exact to a hundredth, a half rounded up."""
        known = self.known(trips)
        if not known:
            return None
        if self.kind in ("count", "sum"):
            return sum(known)
        exact = Fraction(sum(known), len(known)) if self.kind == "mean" else \
            Fraction(statistics.median([Fraction(value) for value in known]))
        scale = 100 if self.amount == "whole" else 1
        rounded = (2 * exact * scale + 1) // 2
        return rounded / 100 if scale == 100 else int(rounded)


def counts(given):
    """The conditions that counts add to the derived columns, by name."""
    return {name: entry["count"] for name, entry in given.items() if "count" in entry}


def grouped(accepted, further=()):
    """(group, further values…) → the counted trips in it."""
    groups = {}
    for trip in accepted:
        if trip.values["counted"]:
            key = tuple(trip.values[name] for name in GROUP)
            key += tuple(trip.values[name] or "" for name in further)
            groups.setdefault(key, []).append(trip)
    return groups


def measure_sums(accepted, measures):
    """(measure, group) → [trips whose value is known, their sum]."""
    cells = {}
    for key, trips in grouped(accepted).items():
        for measure in measures:
            known = measure.known(trips)
            if known:
                cells[(measure.name, *key)] = [len(known), sum(known)]
    return cells


def measure_values(accepted, measures):
    """(measure, group, value) → trips that have it; of medians alone."""
    cells = {}
    for key, trips in grouped(accepted).items():
        for measure in measures:
            for value in measure.known(trips) if measure.kind == "median" else ():
                cell = (measure.name, *key, value)
                cells[cell] = cells.get(cell, 0) + 1
    return cells


def dimension_trips(accepted, dimensions, cost):
    """(dimension, value, group) → [trips, trips with a known cost, cents]."""
    cells = {}
    for name, column in dimensions.items():
        for (*key, value), trips in grouped(accepted, (column,)).items():
            cents = [trip.values.get(f"{cost}_cents") for trip in trips] if cost else []
            cents = [one for one in cents if one is not None]
            cells[(name, value, *key)] = [len(trips), len(cents), sum(cents)]
    return cells


def compare(mart, pipeline, accepted, differences):
    """What the mart has of them, which is nothing where nothing is declared."""
    tables = {row["name"] for row in mart.rows("SELECT name FROM sqlite_master")}
    group = ", ".join(GROUP)

    def theirs(table, key, values):
        if table not in tables:
            return {}
        names = [name.strip() for name in f"{key}, {values}".split(",")]
        count = len(key.split(","))
        rows = [[row[name] for name in names]
                for row in mart.rows(f"SELECT {key}, {values} FROM {table}")]
        return {tuple(row[:count]): row[count:] for row in rows}

    differences.compare_tables(
        "kpi_measure [known, sum]", measure_sums(accepted, pipeline.measures),
        theirs("kpi_measure", f"measure, {group}", "known_trips, sum"))
    differences.compare_tables(
        "kpi_measure_value", measure_values(accepted, pipeline.measures),
        {key: trips for key, (trips,) in
         theirs("kpi_measure_value", f"measure, {group}, value", "trips").items()})
    differences.compare_tables(
        "kpi_dimension [trips, costed trips, cents]",
        dimension_trips(accepted, pipeline.dimensions, pipeline.cost),
        theirs("kpi_dimension", f"dimension, value, {group}", "trips, costed_trips, cost_cents"))
