"""Reference files joined to trips: a LEFT JOIN on one or more keys, on a day where dated."""

import os

import values
from layouts import BLANKS
from records import Dialect, read_export


class Lookup:
    """One lookup with its rows; row 0 stands for a trip that found no match."""

    def __init__(self, name, given, folder):
        self.name = name
        self.file = given["file"]
        self.match = list(given["match"].items())
        # A plain `null` says that rows hold for ever.
        self.valid_on = given.get("valid_on") or None
        self.is_any = given.get("cardinality", "one") == "any"
        self.types = given.get("types") or {}
        with open(os.path.join(folder, self.file), "rb") as file:
            export = read_export(file.read(), Dialect())
        faulty = [record.line for record in export.records if record.faults]
        if faulty:
            raise ValueError(f"{self.file}: line {faulty[0]} is not a record")
        self.columns = export.header
        self.rows = [[None] * len(self.columns)]
        for record in export.records:
            self.rows.append([
                self.typed(name, cell.strip(BLANKS))
                for name, cell in zip(self.columns, record.cells)])
        self.index = {}
        places = [self.columns.index(column) for _, column in self.match]
        spans = [self.columns.index(word) if word in self.columns and self.valid_on else None
                 for word in (given.get("from", "from"), given.get("to", "to"))]
        for number, row in enumerate(self.rows[1:], 1):
            key = tuple(row[place] for place in places)
            if None not in key:
                span = [row[place] if place is not None else None for place in spans]
                self.index.setdefault(key, []).append((number, *span))

    def typed(self, column, text):
        if text == "":
            return None
        match self.types.get(column, "text"):
            case "integer":
                return values.integer(text)
            case "decimal":
                return values.decimal(text)
            case "money":
                return values.money(text)
            case "miles":
                return values.miles(text)
            case "boolean":
                return values.boolean(text)
            case "date":
                return values.day(text, ["iso8601"])
        return text

    def found(self, trip, on_day=None):
        """The numbers of the rows that hold for a trip; `on_day` stands in for its own date."""
        key = tuple(trip.get(field) for field, _ in self.match)
        rows = self.index.get(key, []) if None not in key else []
        if self.valid_on is None:
            return [number for number, _, _ in rows]
        day = on_day or trip.get(self.valid_on)
        if day is None:
            return []
        return [number for number, first, last in rows
                if (first is None or first <= day) and (last is None or day <= last)]

    def row(self, trip, on_day=None):
        """The one row that holds for a trip, 0 for none."""
        rows = self.found(trip, on_day)
        if len(rows) > 1:
            raise ValueError(f"{self.file}: rows {rows} overlap for one key")
        return rows[0] if rows else 0


class Zones:
    """The zone of a trip's place: a column of a lookup, else the pipeline's own."""

    def __init__(self, pipeline, lookups):
        self.otherwise = pipeline.zone
        self.lookup = None
        if pipeline.zone_from:
            name, column = pipeline.zone_from.split(".")
            self.lookup = next(lookup for lookup in lookups if lookup.name == name)
            self.place = self.lookup.columns.index(column)

    def of(self, trip):
        """A function from a local day to the zone's name."""
        def zone(day):
            if self.lookup is None:
                return self.otherwise
            row = self.lookup.row(trip, day)
            return self.lookup.rows[row][self.place] or self.otherwise
        return zone
