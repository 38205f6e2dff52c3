"""Which version of each trip stands: order of exports, withdrawn files, duplicates, superseded."""

import values
from layouts import BLANKS, captured, items, stem
from records import Refused, expanded, read_export, sha256
from totals import BLANK_DIMENSIONS


class KnownFile:
    """One content of one path, read and divided into items."""

    def __init__(self, source, path, sequence, raw, cost, latest=None):
        self.source = source
        self.path = path
        self.sequence = sequence
        self.raw_hash = sha256(raw)
        self.raw_size = len(raw)
        content = expanded(raw)
        self.hash = sha256(content)
        self.size = len(content)
        self.order = source.order_key(path)
        self.period = captured(source.period, path) if source.replaces == "period" else ""
        self.export = read_export(content, source.dialect)
        self.layout = source.layout_for(self.export.header)
        if self.layout is None:
            raise Refused("no layout fits the header")
        self.is_current = True
        self.items = self.read_items(cost, latest)

    def read_items(self, cost, latest):
        places = {name: place for place, name in enumerate(self.export.header)}
        return [item for record in self.export.records
                for item in items(record, places, self.layout, cost, latest)]

    @property
    def path_stem(self):
        return stem(self.path)

    @property
    def rank(self):
        """What orders exports: the source's order, then the path without its endings."""
        return (self.order.encode(), stem(self.path).encode(), self.sequence)


class Trip:
    """A valid version of a trip."""

    __slots__ = ("file", "item", "values", "unsure", "patient", "term", "owner")

    def __init__(self, file, item, found, unsure, patient):
        self.file = file
        self.item = item
        self.values = found
        self.unsure = unsure            # names whose value the specification leaves open
        self.patient = patient
        self.term = None
        self.owner = None               # of a line of a claim, the trip it is merged into


def withdraw(files):
    """Marks the files a later one replaced."""
    latest = {}
    for file in files:
        group = {
            "same_path": (file.source.name, stem(file.path)),
            "period": (file.source.name, file.period),
            "nothing": (file.source.name, stem(file.path), file.sequence),
        }[file.source.replaces]
        age = (file.sequence,) if file.source.replaces == "same_path" else file.rank
        if group not in latest or latest[group][0] < age:
            latest[group] = (age, file)
    for file in files:
        file.is_current = False
    for _, file in latest.values():
        file.is_current = True


def trips(files, pipeline, zones):
    """All valid versions of all trips in files that stand, in order of exports."""
    found = []
    for file in files:
        if not file.is_current:
            continue
        found += [trip(file, item, pipeline, zones) for item in file.items
                  if not item.faults and not item.is_repeated]
    order = {source.name: source.order["field"] for source in pipeline.sources
             if isinstance(source.order, dict)}

    def rank(one):
        field = order.get(one.file.source.name)
        key = (one.values.get(field) or "").encode() if field else one.file.order.encode()
        return (key, *one.file.rank[1:], one.item.record.number, one.item.place)

    return sorted(found, key=rank)


def trip(file, item, pipeline, zones):
    """The stored columns of an item under the names that rules use."""
    stored, unsure, patient = {}, set(), None
    zone = zones.of(item.values)
    for name, kind in pipeline.fields.items():
        value = item.values.get(name)
        if kind == "timestamp":
            local = instant = None
            if value is not None:
                local, instant = values.on_clocks(*value, zone)
                day = local.date().isoformat()
                if value[1] is None and not values.is_plain_clock(local, zone(day)):
                    unsure.add(name + "_utc")
            stored[name] = local.isoformat(" ") if local else None
            stored[name + "_utc"] = instant.isoformat(" ") if instant else None
            stored[date_name(name)] = stored[name][:10] if local else None
        elif kind == "money":
            stored[name + "_cents"] = value
        elif kind == "miles":
            stored[name + "_hundredths"] = value
        elif kind == "patient_id":
            # A reference is made of the identifier trimmed and in upper case.
            patient = value.strip(BLANKS).upper() if value is not None else None
            stored[name] = value
        else:
            stored[name] = BLANK_DIMENSIONS.get(name) if value is None else value
    return Trip(file, item, stored, unsure, patient)


def date_name(name):
    return (name[:-3] if name.endswith("_at") else name) + "_date"


def decide(versions):
    """Gives every version that has none its term: accepted, duplicate or superseded."""
    by_id = {}
    for version in versions:
        if version.term is not None:
            continue
        by_id.setdefault(version.values["trip_id"], []).append(version)
    for one_trip in by_id.values():
        runs = []
        for version in one_trip:
            if runs and runs[-1].values == version.values:
                version.term = "duplicate"
            else:
                runs.append(version)
        for version in runs:
            version.term = "superseded"
        runs[-1].term = "accepted"
    return [version for version in versions if version.term == "accepted"]


TERMS = ("read", "accepted", "merged", "duplicate", "superseded", "withdrawn", "rejected")


def ledger(file, versions):
    """The account of one file: term → [items, cents, unpriced]."""
    account = {term: [0, 0, 0] for term in TERMS}
    terms = {(version.item.record.number, version.item.place): version.term
             for version in versions}
    for item in file.items:
        if not file.is_current:
            term = "withdrawn"
        elif item.faults:
            term = "rejected"
        elif item.is_repeated:
            term = "duplicate"
        else:
            term = terms[(item.record.number, item.place)]
        for name in ("read", term):
            account[name][0] += 1
            account[name][1] += item.cents or 0
            account[name][2] += item.unpriced
    return account
