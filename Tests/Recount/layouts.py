"""A pipeline folder as the recount reads it, and the items of each record by its fields."""

import os
import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import declared
import plain_yaml
import values
from plain_yaml import NULL
from records import Dialect, Refused

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
          "october", "november", "december")

KNOWN_TYPES = {
    "trip_id": "text", "pickup_at": "timestamp", "cost": "money", "paid": "money",
    "billed": "money", "miles": "miles", "patient": "patient_id", "provider_npi": "npi",
}
ENCODINGS = {"utf-8": "utf-8", "latin-1": "latin-1", "iso-8859-1": "latin-1",
             "windows-1252": "cp1252"}
# What is dropped around a cell: blanks of every kind, ASCII controls, and what no terminal shows.
UNSEEN = [
    (0x00, 0x20), (0x7F, 0x7F), (0x85, 0x85), (0xA0, 0xA0), (0xAD, 0xAD), (0x34F, 0x34F),
    (0x61C, 0x61C), (0x115F, 0x1160), (0x1680, 0x1680), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F), (0x2800, 0x2800), (0x3000, 0x3000),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]
BLANKS = "".join(chr(code) for first, last in UNSEEN for code in range(first, last + 1))


SHORTENED = re.compile(r"\d+([.,]\d*)?[eE]\+\d{2,3}", re.ASCII)


class Shortened(Exception):
    """A number that a spreadsheet shortened, such as 1.23457E+11."""


def texts(value):
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def truth(value, otherwise):
    return otherwise if value is None else value in ("true", "yes")


class Field:
    """One declared field of a layout."""

    def __init__(self, name, given):
        given = {"from": given} if isinstance(given, str) else given
        self.name = name
        self.forms = texts(given.get("formats"))
        implied = "timestamp" if self.forms else "text"
        self.type = given.get("type") or KNOWN_TYPES.get(name) or implied
        self.columns = texts(given.get("from"))
        self.constant = given.get("constant")
        self.join = given.get("join", " ")
        self.required = truth(given.get("required"), name in ("trip_id", "pickup_at"))
        self.trim = truth(given.get("trim"), True)
        self.upper = truth(given.get("upper"), False)
        self.split = given.get("split")
        self.pattern = re.compile(given["pattern"], re.ASCII) if "pattern" in given else None
        self.values = given.get("values") or {}
        self.day_alone = truth(given.get("day_alone"), False)
        self.allows_future = truth(given.get("allow_future"), False)
        self.closed = truth(given.get("closed"), False)
        self.range = None
        if "range" in given:
            low, high = given["range"]
            read = self.parsed
            if self.type == "timestamp":
                # The first and the last day, as written, on whatever clock.
                def read(text):
                    return values.day(text, ["iso8601"])
            self.range = (read(low), read(high))
        self.forms = self.forms or ["iso8601"]

    def text(self, parts):
        """The text of the field's cells: joined, trimmed, made upper, replaced.

        Returns None for NULL. Raises KeyError where a closed value map does not list the text.
        """
        if self.constant is not None:
            return self.constant
        # An id with a part missing could be another trip's: it counts as blank.
        if self.name == "trip_id" and any(not part.strip(BLANKS) for part in parts):
            return None
        # So does an id of which a spreadsheet left a few digits: it is named for that.
        if self.name == "trip_id" and any(SHORTENED.fullmatch(x.strip(BLANKS)) for x in parts):
            raise Shortened
        text = self.join.join(parts)
        if len(parts) > 1 and (self.name == "trip_id" or self.type == "patient_id"):
            text = self.identifier(parts)
        if self.trim:
            text = text.strip(BLANKS)
        if self.upper:
            text = "".join(x.upper() if x.isascii() else x for x in text)
        if text in self.values:
            mapped = self.values[text]
            return None if mapped is NULL or mapped == "" else mapped
        if text == "":
            return None
        if self.closed:
            raise KeyError(self.name)
        return text

    def identifier(self, parts):
        """Parts joined so that no others give the same text.

        They are joined plainly where that can be divided again from its end, and no part has a
        backslash; else every backslash and every letter of the mark between them gets a backslash.
        """
        escape = next((mark for mark in "\\^~" if mark not in self.join), "%")
        if self.trim:
            parts = [parts[0].lstrip(BLANKS), *parts[1:-1], parts[-1].rstrip(BLANKS)]

        def meant(texts):
            return [text.strip(BLANKS) if self.trim else text for text in texts]

        plain = self.join.join(parts)
        if escape not in plain and meant(plain.rsplit(self.join, len(parts) - 1)) == meant(parts):
            return plain
        return self.join.join(
            "".join(escape + x if x == escape or x in self.join else x for x in part)
            for part in parts)

    def meaning(self, parts):
        """The text, listed by a closed value map or not."""
        closed, self.closed = self.closed, False
        try:
            return self.text(parts)
        except Shortened:
            return None
        finally:
            self.closed = closed

    def parsed(self, text):
        match self.type:
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
                return values.day(text, self.forms)
            case "timestamp":
                try:
                    return values.moment(text, self.forms)
                except values.Unreadable:
                    if not self.day_alone:
                        raise
                return datetime.fromisoformat(values.day(text, self.forms)), None
            case "npi":
                return values.npi(text)
            case "text" | "patient_id" | "codes":
                return text
        raise ValueError(f"the type {self.type} is not known to the recount")

    def value(self, parts):
        """The typed value and the fault, one of them None; both None for NULL."""
        try:
            text = self.text(parts)
        except KeyError:
            return None, "unknown_value"
        except Shortened:
            return None, "wrong_pattern"
        if self.type == "codes" and text is not None:
            try:
                text = values.codes(text) or None
            except values.Unreadable:
                return None, "wrong_type"
        if text is None:
            return None, "missing_value" if self.required else None
        if self.pattern and not self.pattern.fullmatch(text):
            return None, "wrong_pattern"
        try:
            value = self.parsed(text)
        except values.Unreadable:
            return None, "wrong_type"
        except values.Implausible:
            return None, "out_of_range"
        bounded = value[0].date().isoformat() if self.type == "timestamp" else value
        if self.range and not self.range[0] <= bounded <= self.range[1]:
            return value, "out_of_range"
        if self.name in ("region", "trip_type") and value == "all":
            return value, "reserved_word"
        return value, None


class Layout:
    """A name and its fields."""

    def __init__(self, name, fields, ignored):
        self.name = name
        self.fields = [Field(key, given) for key, given in fields.items()]
        self.ignored = set(ignored)
        self.split = next((field for field in self.fields if field.split is not None), None)

    def fits(self, header, unknown_refused):
        needed = {column for field in self.fields for column in field.columns}
        if not needed <= set(header) or len(set(header)) != len(header):
            return False
        return not unknown_refused or set(header) <= needed | self.ignored


class Item:
    """One item of the ledger: the values by field name, or the faults that set it aside."""

    __slots__ = ("record", "place", "values", "faults", "cents", "unpriced", "is_repeated")

    def __init__(self, record, place, found, faults, cents, unpriced):
        self.record = record
        self.place = place
        self.values = found
        self.faults = faults
        self.cents = cents
        self.unpriced = unpriced
        # Whether its record listed its unit before.
        self.is_repeated = False

    def again(self):
        """The item of a unit that is listed once more: no trip, and no share of an amount."""
        item = Item(self.record, self.place, self.values, self.faults, None, self.unpriced)
        item.is_repeated = True
        return item


def items(record, header_places, layout, cost, latest=None):
    """The items of a record: one, or as many as the units in the cell that is split.

    `latest` is the last moment that a pick-up may have, as written and in UTC; None is any.
    """
    if record.faults:
        return [Item(record, 0, None, set(record.faults), None, 1 if cost else 0)]
    cells = dict(header_places)
    for name, place in header_places.items():
        cells[name] = record.cells[place]
    if layout.split is None:
        return [item(record, 0, 1, cells, layout, cost, None, latest)]
    found = units(cells, layout) or [("", "", 1)]
    made = []
    for place, (written, meant, times) in enumerate(found):
        one = item(record, place, len(found), cells, layout, cost, (written, meant), latest)
        made += [one] + [one.again() for _ in range(times - 1)]
    return made


def units(cells, layout):
    """The units of a record: what is written, what it stands for, and how often it is listed.

    Two are one where they stand for the same text, or lead to the same trip id.
    """
    found, ids = {}, {}
    trip_id = next(field for field in layout.fields if field.name == "trip_id")
    for written in cells[layout.split.columns[0]].split(layout.split.split):
        written = written.strip(BLANKS)
        meant = layout.split.meaning([written]) if written else None
        if meant is None:
            continue
        made = trip_id.meaning(parts(trip_id, cells, layout, (written, meant)))
        first = meant if meant in found else ids.get(made) if made is not None else None
        if first is not None:
            found[first][1] += 1
            continue
        found[meant] = [written, 1]
        if made is not None:
            ids[made] = meant
    return [(written, meant, times) for meant, (written, times) in found.items()]


def parts(field, cells, layout, unit):
    """The cells of a field; the unit stands for its cell in its own field and in the trip id."""
    own = {"trip_id": unit[1], layout.split.name: unit[0]} if unit else {}
    return [own[field.name] if field.name in own and column == layout.split.columns[0]
            else cells[column] for column in field.columns]


def is_future(moment, latest):
    """Whether a time stamp lies after the day its file was taken in."""
    naive, offset = moment
    if offset is None:
        return naive > latest[0]
    return naive - offset > latest[1]


def item(record, place, count, cells, layout, cost, unit, latest):
    """One of the `count` items of a record; every amount of money is divided between them."""
    found, faults = {}, set()
    cents, unpriced = None, 0
    for field in layout.fields:
        value, fault = field.value(parts(field, cells, layout, unit))
        if (field.name == "pickup_at" and fault is None and value is not None and latest
                and not field.allows_future and is_future(value, latest)):
            fault = "out_of_range"
        if field.type == "money" and value is not None:
            value = values.shares(value, count)[place]
        if field.name == cost:
            cents = value
            unpriced = 1 if fault not in (None, "missing_value", "out_of_range") else 0
        if fault:
            faults.add(fault)
        found[field.name] = value
    return Item(record, place, found, faults, cents, unpriced)


class Source:
    """Where exports come from."""

    def __init__(self, name, given, layouts):
        self.name = name
        self.globs = texts(given["files"])
        self.layouts = layouts
        self.order = given.get("order")
        self.lines = given.get("lines")
        self.replaces = given.get("replaces", "same_path")
        self.period = given.get("period")
        self.unknown_refused = given.get("unknown_columns", "ignore") == "refuse"
        self.dialect = self.read_dialect(given)

    @staticmethod
    def read_dialect(given):
        inner = given.get("dialect", {})
        limits = given.get("limits", {})

        def mark(text):
            return b"\t" if text == "tab" else text.encode()

        quote = inner.get("quote", '"')
        escape = inner.get("escape", "doubled")
        return Dialect(
            delimiter=mark(inner.get("delimiter", ",")),
            quote=None if quote is NULL or quote == "none" else mark(quote),
            escape=None if escape == "doubled" else mark(escape),
            line_ends=given.get("line_ends", "any"),
            encoding=ENCODINGS[given.get("encoding", "utf-8")],
            breaks_in_quotes=truth(given.get("line_breaks_in_quotes"), True),
            columns=inner.get("columns"),
            lines_max=int(limits.get("record_lines", 100)),
            bytes_max=int(limits.get("record_bytes", 256 * 1024)))

    def matches(self, path):
        """A pattern claims a compressed file by its plain name as well."""
        plain = path.removesuffix(".gz")
        return any(re.fullmatch(glob_pattern(glob), name) for glob in self.globs for name in (path, plain))

    def order_key(self, path):
        """The text that says which export is later."""
        if not isinstance(self.order, str):
            return stem(path)
        return captured(self.order, path)

    def layout_for(self, header):
        """The one layout that fits a header, or None."""
        fitting = [layout for layout in self.layouts if layout.fits(header, self.unknown_refused)]
        return fitting[0] if len(fitting) == 1 else None


def stem(path):
    """What a path stands for: the export, plain or compressed."""
    return path.removesuffix(".gz").removesuffix(".csv")


def glob_pattern(glob):
    marks = {"**/": "(?:[^/]+/)*", "*": "[^/]*", "?": "[^/]"}
    return "".join(marks.get(part) or re.escape(part)
                   for part in re.findall(r"\*\*/|\*|\?|[^*?]+", glob))


def captured(pattern, path):
    """What the first group of a pattern finds in a file's name."""
    match = re.search(pattern, os.path.basename(path), re.ASCII)
    if match is None:
        raise Refused("the name does not fit the pattern")
    return match.group(1) if match.groups() else match.group(0)


class Pipeline:
    """What decides the numbers; checks and the rhythm of nights are left out."""

    def __init__(self, folder):
        given = plain_yaml.read(os.path.join(folder, "pipeline.yaml"))
        self.name = given["pipeline"]
        self.zone = given.get("time_zone", "UTC")
        self.zone_from = given.get("zone_from")
        self.derived = given.get("derived") or {}
        self.lookups = given.get("lookups") or {}
        rules = given.get("rules") or []
        if isinstance(rules, str):
            rules = plain_yaml.read(os.path.join(folder, rules))
        self.rules = rules
        self.folder = folder
        self.overrides = given.get("overrides") or None
        self.sources = []
        for name, source in given["sources"].items():
            files = texts(source.get("layout", source.get("layouts")))
            layouts = [Layout("", given["fields"], [])] if not files else [
                Layout(read["layout"], read["fields"], texts(read.get("ignore")))
                for read in (plain_yaml.read(os.path.join(folder, file)) for file in files)]
            self.sources.append(Source(name, source, layouts))
        kpis = given.get("kpis") or {}
        self.count_when = kpis.get("count_when")
        self.cost = self.cost_field(kpis)
        given_measures = kpis.get("measures") or {}
        # Counts are columns as well, after the derived ones.
        self.derived = {**self.derived, **declared.counts(given_measures)}
        self.dimensions = kpis.get("dimensions") or {}
        self.fiscal_year_start = MONTHS.index(kpis.get("fiscal_year", "october")) + 1
        self.fields = {}
        for layout in (x for source in self.sources for x in source.layouts):
            for field in layout.fields:
                self.fields.setdefault(field.name, field.type)
        suffixes = {"money": "_cents", "miles": "_hundredths"}
        columns = {name + suffixes.get(kind, "") for name, kind in self.fields.items()}
        self.measures = [declared.Measure(name, entry, columns | set(self.derived))
                         for name, entry in given_measures.items()]

    def latest(self, day):
        """The last moment of a day, as stations may write it and in UTC; None where it is None.

        Where stations have clocks of their own, they may be a day ahead.
        """
        if day is None:
            return None
        end = datetime.combine(datetime.fromisoformat(day), time(23, 59, 59))
        utc = end.replace(tzinfo=ZoneInfo(self.zone)).astimezone(values.UTC).replace(tzinfo=None)
        return end + timedelta(days=1 if self.zone_from else 0), utc

    def cost_field(self, kpis):
        """The money field that is summed: as told, else `cost` where it is declared."""
        if "cost" in kpis:
            return None if kpis["cost"] is NULL else kpis["cost"]
        names = {field.name for source in self.sources for layout in source.layouts
                 for field in layout.fields}
        return "cost" if "cost" in names else None
