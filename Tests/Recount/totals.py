"""Classes by the rules' own text in SQLite, and the sums of all eight groupings."""

import sqlite3
from itertools import product

CLASSES = ("undetermined", "in_house", "contracted")
SUMS = (
    "trips", "in_house_trips", "contracted_trips", "undetermined_trips", "cost_cents",
    "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents",
    "in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips",
    "loaded_miles_hundredths", "miles_known_trips", "cost_with_miles_cents",
    "costed_miles_hundredths", "costed_miles_trips",
)
# What a trip without one is counted under, and what rules see: no trip is lost to a blank.
BLANK_DIMENSIONS = {"region": "UNKNOWN", "trip_type": "OTHER"}
AFFINITY = {"text": "TEXT", "npi": "TEXT", "codes": "TEXT", "timestamp": "TEXT", "date": "TEXT",
            "money": "INTEGER", "miles": "INTEGER", "integer": "INTEGER", "boolean": "INTEGER", "decimal": "REAL"}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Classifier:
    """Accepted trips and lookups as tables of one in-memory database.

    Names without a dot are columns of `trip`; `site.region` is a column of the joined table. Each
    expression stands in a subquery over the trip's own row, so that its bare names find the trip
    first although a lookup may have a column of the same name.
    """

    def __init__(self, pipeline, lookups, accepted):
        self.pipeline = pipeline
        self.lookups = lookups
        self.accepted = accepted
        self.database = sqlite3.connect(":memory:")
        self.make_lookups()
        self.make_trips()

    def make_lookups(self):
        for lookup in self.lookups:
            table = quoted("lookup " + lookup.name)
            names = [] if lookup.is_any else lookup.columns
            kinds = [AFFINITY[lookup.types.get(name, "text")] for name in names]
            columns = [f"{quoted(name)} {kind}" for name, kind in zip(names, kinds)]
            columns += ["matched INTEGER", "match_count INTEGER", "lookup_row INTEGER PRIMARY KEY"]
            self.database.execute(f"CREATE TABLE {table}({', '.join(columns)})")
            if lookup.is_any:
                rows = [[int(count > 0), count, count] for count in range(len(lookup.rows))]
            else:
                rows = [[*row, int(number > 0), int(number > 0), number]
                        for number, row in enumerate(lookup.rows)]
            places = ", ".join("?" * len(columns))
            self.database.executemany(f"INSERT INTO {table} VALUES({places})", rows)

    def make_trips(self):
        columns = []
        for name, kind in self.pipeline.fields.items():
            if kind == "patient_id":
                continue
            suffix = {"money": "_cents", "miles": "_hundredths"}.get(kind, "")
            columns.append((name + suffix, AFFINITY[kind]))
            if kind == "timestamp":
                date = (name[:-3] if name.endswith("_at") else name) + "_date"
                columns += [(name + "_utc", "TEXT"), (date, "TEXT")]
        self.names = [name for name, _ in columns]
        columns += [(name, "") for name in self.pipeline.derived]
        links = [(f"row of {lookup.name}", "INTEGER") for lookup in self.lookups]
        declared = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns)
        self.database.execute(f"CREATE TABLE trip(trip_row INTEGER PRIMARY KEY, {declared})")
        declared = ", ".join(f"{quoted(name)} {kind}" for name, kind in links)
        self.database.execute(
            f"CREATE TABLE link(link_row INTEGER PRIMARY KEY{', ' if links else ''}{declared})")
        rows = [[number, *(trip.values[name] for name in self.names),
                 *([None] * len(self.pipeline.derived))]
                for number, trip in enumerate(self.accepted)]
        self.insert("trip", rows)
        self.insert("link", [
            [number, *(self.link(lookup, trip) for lookup in self.lookups)]
            for number, trip in enumerate(self.accepted)])

    def insert(self, table, rows):
        if rows:
            places = ", ".join("?" * len(rows[0]))
            self.database.executemany(f"INSERT INTO {table} VALUES({places})", rows)

    @staticmethod
    def link(lookup, trip):
        return len(lookup.found(trip.values)) if lookup.is_any else lookup.row(trip.values)

    def evaluated(self, expression):
        """The value of one expression for every trip, in order."""
        joins = "".join(
            f" JOIN {quoted('lookup ' + lookup.name)} AS {quoted(lookup.name)}"
            f" ON {quoted(lookup.name)}.lookup_row = link.{quoted('row of ' + lookup.name)}"
            for lookup in self.lookups)
        text = (f"SELECT (SELECT {expression}\n FROM trip WHERE trip.trip_row = link.link_row)"
                f" FROM link{joins} ORDER BY link.link_row")
        return [value for value, in self.database.execute(text)]

    def classify(self):
        """Fills derived fields, region, trip type, class, basis, rule and counted of each trip."""
        for name, expression in self.pipeline.derived.items():
            blank = BLANK_DIMENSIONS.get(name)
            found = [blank if value is None else value
                     for value in self.evaluated(f"({expression}\n)")]
            self.database.executemany(
                f"UPDATE trip SET {quoted(name)} = ? WHERE trip_row = ?",
                [(value, number) for number, value in enumerate(found)])
            for trip, value in zip(self.accepted, found):
                trip.values[name] = value
        decided = self.evaluated(self.ruling()) if self.pipeline.rules else [0] * len(self.accepted)
        counted = [1] * len(self.accepted)
        if self.pipeline.count_when:
            counted = self.evaluated(
                f"CASE WHEN ({self.pipeline.count_when}\n) THEN 1 ELSE 0 END")
        for trip, number, is_counted in zip(self.accepted, decided, counted):
            rule = self.pipeline.rules[number - 1] if number else {}
            known = trip.values
            if "all" in (known.get("region"), known.get("trip_type")):
                raise ValueError("a derived dimension is `all`; the recount does not judge that")
            known["month"] = known["pickup_at"][:7]
            known["class"] = rule.get("class", "undetermined")
            known["basis"] = rule.get("basis", "")
            known["rule"] = rule.get("id")
            known["counted"] = is_counted

    def ruling(self):
        """All rules as one CASE: the first that holds on the day gives its number."""
        arms = []
        for number, rule in enumerate(self.pipeline.rules, 1):
            days = [f"pickup_date {sign} '{rule[word]}'"
                    for word, sign in (("from", ">="), ("to", "<=")) if rule.get(word)]
            arms.append(" AND ".join([*days, f"({rule['when']}\n)"]) + f" THEN {number}")
        return "CASE " + " ".join("WHEN " + arm for arm in arms) + " ELSE 0 END"


def groups(trip):
    """The eight cells a trip falls into."""
    return product(*((trip.values[name], "all") for name in ("month", "trip_type", "region")))


def cube(accepted, cost):
    """(month, trip type, region) → sums by name, over counted trips."""
    cells = {}
    for trip in accepted:
        if not trip.values["counted"]:
            continue
        word = trip.values["class"]
        cents = trip.values.get(f"{cost}_cents") if cost else None
        miles = trip.values.get("miles_hundredths")
        for key in groups(trip):
            cell = cells.setdefault(key, dict.fromkeys(SUMS, 0))
            cell["trips"] += 1
            cell[f"{word}_trips"] += 1
            if cents is not None:
                cell["cost_cents"] += cents
                cell[f"{word}_cost_cents"] += cents
                cell[f"{word}_costed_trips"] += 1
            if miles is not None:
                cell["loaded_miles_hundredths"] += miles
                cell["miles_known_trips"] += 1
            if cents is not None and miles is not None:
                cell["cost_with_miles_cents"] += cents
                cell["costed_miles_hundredths"] += miles
                cell["costed_miles_trips"] += 1
    return cells


def basis(accepted, cost):
    """(month, trip type, region, class, basis) → [trips, costed trips, cents]."""
    cells = {}
    for trip in accepted:
        if not trip.values["counted"]:
            continue
        cents = trip.values.get(f"{cost}_cents") if cost else None
        for key in groups(trip):
            cell = cells.setdefault((*key, trip.values["class"], trip.values["basis"]), [0, 0, 0])
            cell[0] += 1
            if cents is not None:
                cell[1] += 1
                cell[2] += cents
    return cells


def bridge(accepted):
    """(status, counted) → trips: from accepted to the cube's `all` cell."""
    steps = {}
    for trip in accepted:
        key = (trip.values.get("status") or "", trip.values["counted"])
        steps[key] = steps.get(key, 0) + 1
    return steps
