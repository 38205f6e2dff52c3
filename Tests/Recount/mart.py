"""The published generation as a reader without our programs sees it, compared with the recount.

Differences name files, records and cells, never a trip id, a patient or a raw text.
"""

import os
import sqlite3
from urllib.parse import quote

from resolution import TERMS
from totals import SUMS

# Reasons that name the same kind of fault from two sides: which of them a broken record gets can
# depend on where reading gave up, and the record rule leaves that open.
FAMILIES = {
    "too_many_fields": "structure", "too_few_fields": "structure", "stray_quote": "structure",
    "unclosed_quote": "structure", "record_too_long": "structure",
    "wrong_type": "value", "wrong_pattern": "value",
}


def family(reason):
    return FAMILIES.get(reason, reason)


class Differences:
    """What does not agree, in the order found."""

    SHOWN = 20

    def __init__(self):
        self.count = 0
        self.lines = []

    def add(self, text):
        self.count += 1
        if len(self.lines) < self.SHOWN:
            self.lines.append(text)

    def compare(self, what, ours, theirs):
        if ours != theirs:
            self.add(f"{what}: recount {ours}, mart {theirs}")

    def compare_tables(self, what, ours, theirs):
        for key in sorted(set(ours) | set(theirs), key=str):
            if ours.get(key) != theirs.get(key):
                self.compare(f"{what} {key}", ours.get(key), theirs.get(key))


class Mart:
    """The generation file that the mart's link points to, or that file itself."""

    def __init__(self, path):
        self.folder = path if os.path.isdir(path) else None
        link = os.path.join(path, "triptych.sqlite") if self.folder else path
        self.path = os.path.realpath(link)
        address = f"file:{quote(self.path)}?mode=ro&immutable=1"
        self.database = sqlite3.connect(address, uri=True)
        self.database.row_factory = sqlite3.Row

    def rows(self, text):
        return [dict(row) for row in self.database.execute(text)]

    def files(self):
        return self.rows("SELECT * FROM source_file ORDER BY number")

    def generation(self):
        return self.rows("SELECT * FROM generation")[0]

    def archived(self, raw_hash):
        """The bytes of a raw file as delivered, or None."""
        shelf = os.path.join(self.folder or "", "archive", raw_hash[:2])
        names = sorted(os.listdir(shelf)) if self.folder and os.path.isdir(shelf) else []
        for name in names:
            if name.split(".")[0] == raw_hash:
                with open(os.path.join(shelf, name), "rb") as file:
                    return file.read()
        return None


def compare_inputs(mart, folders, differences):
    """The folders against the texts the generation says it was made from."""
    for row in mart.rows("SELECT role, path, content FROM generation_input"):
        if row["role"] not in folders:
            continue
        path = os.path.join(folders[row["role"]], row["path"])
        content = row["content"]
        content = content.encode() if isinstance(content, str) else content
        try:
            with open(path, "rb") as file:
                same = file.read() == content
        except OSError:
            same = False
        if not same:
            differences.add(f"{row['role']} file {row['path']} differs from the one published")


def compare_files(mart, files, differences):
    """What is known of each file; `files` stand in the recount's order of exports."""
    known = mart.files()
    differences.compare("order of files", [(file.path, file.sequence) for file in files],
                        [(row["path"], row["sequence"]) for row in known])
    found = {(file.source.name, file.path, file.sequence): file for file in files}
    for row in known:
        file = found.get((row["source"], row["path"], row["sequence"]))
        if file is None:
            differences.add(f"file {row['path']}: the recount cannot read it")
            continue
        ours = {
            "content_hash": file.hash, "archive_hash": file.raw_hash,
            "archive_size": file.raw_size, "expanded_size": file.size,
            "layout": file.layout.name, "record_count": len(file.export.records),
            "line_count": file.export.line_count, "blank_line_count": file.export.blank_count,
            "status": "current" if file.is_current else "withdrawn",
        }
        for name, value in ours.items():
            differences.compare(f"file {row['path']}, {name}", value, row[name])
    return {row["number"]: (row["source"], row["path"], row["sequence"]) for row in known}


def compare_ledgers(mart, accounts, numbers, differences):
    theirs = {}
    for row in mart.rows("SELECT * FROM ledger"):
        key = (*numbers[row["file_number"]], row["term"])
        theirs[key] = [row["items"], row["cents"], row["unpriced"]]
    ours = {(*file, term): account[term] for file, account in accounts.items() for term in TERMS}
    # A term nothing fell under may be left out.
    for key in set(ours) | set(theirs):
        ours.setdefault(key, [0, 0, 0])
        theirs.setdefault(key, [0, 0, 0])
    differences.compare_tables("ledger [items, cents, unpriced]", ours, theirs)


def compare_rejects(mart, files, numbers, differences):
    """Each record set aside: its place, how many items, and the kind of reason."""
    ours = {}
    for file in files:
        if not file.is_current:
            continue
        for item in file.items:
            if item.faults:
                record = item.record
                key = (file.source.name, file.path, file.sequence, record.number)
                entry = ours.setdefault(
                    key, {"line": record.line, "offset": record.offset, "size": record.size,
                          "items": 0, "cents": 0, "unpriced": 0, "reasons": set()})
                entry["items"] += 1
                entry["cents"] += item.cents or 0
                entry["unpriced"] += item.unpriced
                entry["reasons"] |= item.faults
    theirs = {}
    for row in mart.rows("SELECT * FROM reject"):
        key = (*numbers[row["file_number"]], row["record_number"])
        entry = theirs.setdefault(
            key, {"line": row["line_number"], "offset": row["byte_offset"],
                  "size": row["byte_size"], "items": 0, "cents": 0, "unpriced": 0,
                  "reasons": set()})
        entry["items"] += row["item_count"]
        entry["cents"] += row["amount_cents"] or 0
        entry["unpriced"] += row["item_count"] if row["unpriced"] else 0
        entry["reasons"].add(row["reason"])
    for key in sorted(set(ours) | set(theirs)):
        left, right = ours.get(key), theirs.get(key)
        if left is None or right is None:
            who, entry = ("the mart", right) if left is None else ("the recount", left)
            differences.add(f"reject {key}: only {who} has it, {sorted(entry['reasons'])}")
            continue
        for name in ("line", "offset", "size", "items", "cents", "unpriced"):
            differences.compare(f"reject {key}, {name}", left[name], right[name])
        # One record can have several faults; the first one found is reported.
        if not {family(x) for x in right["reasons"]} <= {family(x) for x in left["reasons"]}:
            differences.compare(f"reject {key}, reason", sorted(left["reasons"]),
                                sorted(right["reasons"]))


def compare_trips(mart, accepted, patient_names, differences):
    """Every accepted trip, all its columns, and which patient it belongs to."""
    ours = {trip.values["trip_id"]: trip for trip in accepted}
    references, patients = {}, {}
    seen = 0
    for row in mart.rows("SELECT * FROM trip"):
        trip = ours.get(row["trip_id"])
        if trip is None:
            differences.add(f"trip of {row['source_file']}, record {row['record_number']}: "
                            "only the mart has it")
            continue
        seen += 1
        file, record = trip.file, trip.item.record
        place = f"trip of {file.path}, record {record.number}"
        differences.compare(f"{place}, source", (file.path, record.number, record.line),
                            (row["source_file"], row["record_number"], row["line_number"]))
        for name, value in trip.values.items():
            if name in row and name not in trip.unsure:
                differences.compare(f"{place}, {name}", value, row[name])
        compare_patient(trip, row["patient_ref"], references, patients, place, differences)
    if seen < len(ours):
        differences.add(f"{len(ours) - seen} accepted trips are missing from the mart")
    there = {row["name"] for row in mart.rows("PRAGMA table_info(trip)")}
    missing = set().union(*(trip.values for trip in accepted)) - there - patient_names
    differences.compare("columns the view trip lacks", [], sorted(missing))


def compare_patient(trip, reference, references, patients, place, differences):
    """One reference per identifier and one identifier per reference."""
    identifier = trip.patient
    if (identifier is None) != (reference is None):
        differences.add(f"{place}: patient known to one side only")
    elif identifier is not None:
        if references.setdefault(identifier, reference) != reference:
            differences.add(f"{place}: one patient under two references")
        if patients.setdefault(reference, identifier) != identifier:
            differences.add(f"{place}: two patients under one reference")


def compare_versions(mart, files, versions, numbers, differences):
    def counted(keys):
        found = {}
        for key in keys:
            found[key] = found.get(key, 0) + 1
        return found

    ours = counted([(version.file.path, version.file.sequence, version.item.record.number,
                    version.term) for version in versions if version.term != "accepted"]
                   + [(file.path, file.sequence, item.record.number, "duplicate")
                      for file in files if file.is_current for item in file.items
                      if item.is_repeated and not item.faults])
    theirs = counted((*numbers[row["file_number"]][1:], row["record_number"], row["term"])
                     for row in mart.rows("SELECT * FROM trip_version"))
    differences.compare_tables("version", ours, theirs)


def compare_totals(mart, cube, basis, bridge, differences):
    keys = "month, trip_type, region"
    theirs = {}
    for row in mart.rows("SELECT * FROM kpi_cube"):
        key = (row["month"], row["trip_type"], row["region"])
        theirs[key] = {name: row[name] for name in SUMS if name in row}
    # The last two go beyond the contract; they are compared where they are there.
    ours = {key: {name: value for name, value in cell.items()
                  if name in theirs.get(key, SUMS)} for key, cell in cube.items()}
    for key in sorted(set(ours) | set(theirs)):
        left, right = ours.get(key), theirs.get(key)
        if left is None or right is None:
            differences.compare(f"kpi_cube {key}", left and left["trips"], right and right["trips"])
            continue
        for name in SUMS[:14]:
            differences.compare(f"kpi_cube {key}, {name}", left[name], right.get(name))
        for name in SUMS[14:]:
            differences.compare(f"kpi_cube {key}, {name}", left.get(name), right.get(name))
    differences.compare_tables("kpi_basis [trips, costed trips, cents]", basis, {
        (row["month"], row["trip_type"], row["region"], row["class"], row["basis"]):
            [row["trips"], row["costed_trips"], row["cost_cents"]]
        for row in mart.rows(f"SELECT {keys}, class, basis, trips, costed_trips, cost_cents"
                             " FROM kpi_basis")})
    differences.compare_tables("bridge", bridge, {
        (row["status"], row["counted"]): row["trips"] for row in mart.rows("SELECT * FROM bridge")})


def compare_through(mart, accepted, last_day, differences):
    """The last day of the data; days after the last one a file was taken in on show nothing."""
    days = (trip.values["pickup_at"][:10] for trip in accepted)
    last = max((day for day in days if last_day is None or day <= last_day), default=None)
    differences.compare("data through", last, mart.generation()["data_through"])
