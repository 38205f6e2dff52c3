"""Lines of claims joined into trips, as docs/PIPELINE.md says under "Lines of claims"."""

import copy

from layouts import texts
from totals import Classifier

LIMIT = 99_999_999_999
LONG = 2 ** 63 - 1
SUFFIX = {"money": "_cents", "miles": "_hundredths"}


class Definition:
    """The `lines` of one source."""

    def __init__(self, given, fields):
        self.claim = texts(given["claim"])
        self.line = given.get("line")
        self.kind = given["kind"]
        self.kinds = {text: kind for kind in ("base", "mileage", "ancillary")
                      for text in texts(given.get(kind))}
        self.same = [self.stored(name, fields) for name in texts(given.get("same"))]
        self.add = {}
        for name, kinds in given["add"].items():
            kinds = texts(kinds)
            column = self.stored(name, fields)
            self.add[column] = (name, fields[name],
                                {"base", "mileage", "ancillary"} if "all" in kinds else set(kinds))
        frequency = given.get("frequency")
        self.frequency = frequency["field"] if frequency else None
        self.billings = {text: word for word in ("original", "replacement", "void")
                         for text in texts((frequency or {}).get(word))}
        self.replaces = texts(given.get("replaces"))

    @staticmethod
    def stored(name, fields):
        return name + SUFFIX.get(fields[name], "")

    def amount(self, cost):
        """The column whose sign tells that an amount is taken back."""
        if cost and f"{cost}_cents" in self.add:
            return f"{cost}_cents"
        return next((column for column, what in self.add.items() if what[1] == "money"), None)


class Line:
    """One valid line."""

    def __init__(self, trip, place, kind, text, billing, delivery, fields):
        self.trip = trip
        self.place = place                  # its order among all lines
        self.kind = kind
        self.text = text                    # what tells its kind
        self.billing = billing
        self.delivery = delivery
        self.all = {name: trip.values[name] for name in fields}
        self.owner = None                   # the base line that it is merged into

    def of(self, names):
        return [self.trip.values[name] for name in names]


def join(versions, files, pipeline, tables):
    """Versions of trips and lines with their terms; lines that fail are rejects of their items."""
    kept = []
    for source in pipeline.sources:
        own = [version for version in versions if version.file.source is source]
        if source.lines is None:
            kept += own
            continue
        joiner = Joiner(source, Definition(source.lines, pipeline.fields), pipeline, files)
        kept += joiner.join(own, tables)
    return sorted(kept, key=lambda one: (files.index(one.file), one.item.record.number))


def follow(versions):
    """Lines go where their trip goes: another trip of the same id may have replaced it."""
    for version in versions:
        if version.owner is not None and version.owner.term != "accepted":
            version.term = version.owner.term


class Joiner:
    def __init__(self, source, definition, pipeline, files):
        self.source = source
        self.definition = definition
        self.pipeline = pipeline
        self.files = files
        self.amount = definition.amount(pipeline.cost)

    def join(self, versions, tables):
        versions = sorted(versions, key=lambda one: (self.files.index(one.file),
                                                     one.item.record.number))
        claims, names = {}, {}
        for line, claim, named in self.lines(versions, tables):
            claims.setdefault(claim, []).append(line)
            names[line] = named
        states = {claim: self.fold(lines, names) for claim, lines in claims.items()}
        fates = self.fates(states)
        for claim, (state, _, orphans, _) in states.items():
            if claim in fates:
                for line in state:
                    line.trip.term = fates[claim]
            else:
                orphans = orphans + self.trips(state)
            for line in orphans:
                line.trip.item.faults.add("orphan_line")
        return [version for version in versions if not version.item.faults]

    def lines(self, versions, tables):
        """The valid lines, each with its claim and the claim that it replaces."""
        given = self.definition
        kinds = self.kinds(versions, tables)
        deliveries = self.deliveries()
        fields = list(versions[0].values) if versions else []
        for place, (version, kind_text) in enumerate(zip(versions, kinds)):
            values = version.values
            claim = tuple(values[name] for name in given.claim)
            billing = "original"
            fault = None
            if None in claim:
                fault = "missing_value"
            elif kind_text is None:
                fault = "missing_value"
            elif kind_text not in given.kinds:
                fault = "unknown_value"
            elif given.frequency and values[given.frequency] is not None:
                billing = given.billings.get(values[given.frequency])
                fault = None if billing else "unknown_value"
            if fault:
                version.item.faults.add(fault)
                continue
            named = tuple(values[name] for name in given.replaces)
            if not named or None in named or (given.frequency and billing == "original"):
                named = None
            yield (Line(version, place, given.kinds[kind_text], kind_text, billing,
                        deliveries[version.file], fields), claim, named)

    def kinds(self, versions, tables):
        if self.definition.kind in self.pipeline.fields:
            return [version.values[self.definition.kind] for version in versions]
        copies = [copy.copy(version) for version in versions]
        for one in copies:
            one.values = dict(one.values)
        Classifier(self.pipeline, tables, copies).classify()
        return [one.values[self.definition.kind] for one in copies]

    def deliveries(self):
        """Files of one `order` are one delivery, unless a path comes twice; else each is one."""
        found, current, number = {}, None, 0
        for file in self.files:
            if file.source is not self.source or not file.is_current:
                continue
            is_named = isinstance(self.source.order, str)
            if current is None or not is_named or current[0] != file.order or \
                    file.path_stem in current[1]:
                number += 1
                current = (file.order, set())
            current[1].add(file.path_stem)
            found[file] = number
        return found

    # The versions of a claim.

    def versions(self, lines):
        """Lists of lines in order of exports."""
        order = self.source.order["field"] if isinstance(self.source.order, dict) else None
        made = []
        for line in lines:
            key = (line.delivery, line.billing, line.trip.values[order] if order else None)
            last = next((one for one in reversed(made) if one[0] == key), None)
            number = line.trip.values[self.definition.line] if self.definition.line else None
            if last is not None and (number is None or number not in last[2]):
                last[1].append(line)
            else:
                last = (key, [line], set())
                made.append(last)
            last[2].add(number)
        made.sort(key=lambda one: (one[0][2] or "").encode())
        return [(key[1], members) for key, members, _ in made]

    def fold(self, lines, names):
        """What is in force, the claims that are replaced, the orphans, and the last line."""
        in_force, links, orphans, before, last = [], [], [], None, None
        for billing, members in self.versions(lines):
            own = []
            for line in members:
                if any(line.all == one.all for one in own):
                    line.trip.term = "duplicate"
                else:
                    own.append(line)
            if before is not None and same_lines(own, before):
                mark(own, "duplicate")
                continue
            named = [(names[line], billing == "void") for line in own if names[line]]
            if billing == "void":
                mark(in_force + own, "withdrawn")
                in_force, links = [], links + named
            elif any(self.takes_back(line) for line in own):
                in_force, links = in_force + own, links + named
            elif any(line.kind == "base" for line in own):
                mark(in_force, "superseded")
                in_force, links = own, named
            else:
                for line in own:
                    if any(line.all == one.all for one in in_force):
                        line.trip.term = "duplicate"
                    else:
                        orphans.append(line)
                continue
            before, last = own, own[-1].place
        return in_force, links, orphans, last

    @staticmethod
    def fates(states):
        """The claims that another one takes out, with the term of their lines."""
        links = {claim: {} for claim in states}
        for claim, state in states.items():
            for name, is_void in state[1]:
                if name != claim:
                    links[claim][name] = links[claim].get(name, False) or is_void

        def reaches(claim, goal):
            seen, ahead = set(), [claim]
            while ahead:
                here = ahead.pop()
                if here == goal:
                    return True
                if here not in seen:
                    seen.add(here)
                    ahead += links.get(here, {})
            return False

        found = {}
        for claim, named in links.items():
            for other, is_void in named.items():
                if other not in states:
                    continue
                # In a circle, the last claim stays.
                if reaches(other, claim) and (states[claim][3] or -1) < (states[other][3] or -1):
                    continue
                if is_void or other not in found:
                    found[other] = "withdrawn" if is_void else "superseded"
        return found

    # The trips of a claim.

    def takes_back(self, line):
        return self.amount is not None and (line.trip.values[self.amount] or 0) < 0

    def service(self, line):
        return (line.text, line.of(self.definition.same))

    def exchanged(self, line, sign):
        """The numbers that a line and what takes it back have in common."""
        found = []
        for column in self.definition.add:
            value = line.trip.values[column]
            found.append(value if value is None else
                         sign * value if column == self.amount else abs(value))
        return found

    def trips(self, state):
        """Joins the lines in force; gives back those without a base line."""
        gone = []
        for line in state:
            if not self.takes_back(line):
                continue
            for other in state:
                if (not self.takes_back(other) and other not in gone
                        and self.service(other) == self.service(line)
                        and self.exchanged(other, 1) == self.exchanged(line, -1)):
                    gone += [other, line]
                    break
        left = [line for line in state if line not in gone]
        for line in list(left):
            if line in gone or not self.takes_back(line):
                continue
            group = [one for one in left if self.service(one) == self.service(line)]
            total = sum(one.trip.values[self.amount] or 0 for one in group)
            if total == 0 and not all(self.takes_back(one) for one in group):
                gone += group
        mark(gone, "withdrawn")
        left = [line for line in left if line not in gone]
        bases = [line for line in left if line.kind == "base" and not self.takes_back(line)]
        orphans, taken = [], {}
        members = {base: [] for base in bases}
        for line in left:
            if line in bases:
                continue
            if line.kind == "base":
                fitting = [base for base in bases if self.service(base) == self.service(line)][:1]
            else:
                fitting = [base for base in bases if all(
                    mine is None or mine == its for mine, its in
                    zip(line.of(self.definition.same), base.of(self.definition.same)))]
            if not fitting:
                orphans.append(line)
                continue
            key = repr(self.service(line))
            number = taken.get(key, 0)
            taken[key] = number + 1
            members[fitting[min(number, len(fitting) - 1)]].append(line)
        for base, lines in members.items():
            self.add(base, lines)
        return orphans

    def add(self, base, lines):
        """Adds up a trip; a line with which a sum would be too great is out of range."""
        kept = [base]
        for line in lines:
            fits = True
            for column, (_, kind, _) in self.definition.add.items():
                total = sum(one.trip.values[column] or 0 for one in kept + [line])
                fits = fits and abs(total) <= (LONG if kind == "integer" else LIMIT)
            if fits:
                kept.append(line)
                line.trip.term, line.trip.owner = "merged", base.trip
            else:
                line.trip.item.faults.add("out_of_range")
        sums = {}
        for column, (_, _, kinds) in self.definition.add.items():
            known = [line.trip.values[column] for line in kept
                     if line.kind in kinds and line.trip.values[column] is not None]
            sums[column] = sum(known) if known else None
        base.trip.values.update(sums)


def same_lines(left, right):
    """Whether two versions have equal lines, in any order."""
    return len(left) == len(right) and all(
        any(one.all == other.all for other in right) for one in left)


def mark(lines, term):
    for line in lines:
        line.trip.term = term
