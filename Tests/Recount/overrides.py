"""Decisions made by hand: one line a trip, in force until the data has outlived its last day."""

import os
import re

from layouts import BLANKS
from records import Dialect, read_export

COLUMNS = ("trip_id", "class", "basis", "author", "reason", "expires")


class Overrides:
    """The list a pipeline names; no lines where it names none."""

    def __init__(self, folder, path):
        self.by_trip = {}
        if path is None:
            return
        with open(os.path.join(folder, path), "rb") as file:
            export = read_export(file.read(), Dialect())
        if sorted(export.header) != sorted(COLUMNS):
            raise ValueError(f"{path}: other columns than {', '.join(COLUMNS)}")
        for record in export.records:
            line = dict(zip(export.header, (cell.strip(BLANKS) for cell in record.cells)))
            if self.by_trip.setdefault(line["trip_id"], line) is not line:
                raise ValueError(f"{path}: line {record.line} repeats a trip")

    def apply(self, accepted):
        """Gives trips of overrides in force their class, basis and rule."""
        through = max((trip.values["pickup_at"][:10] for trip in accepted), default="")
        for trip in accepted:
            line = self.by_trip.get(trip.values["trip_id"])
            if line is None or line["expires"] < through:
                continue
            words = [line["class"]] + ([line["basis"]] if line["basis"] else [])
            trip.values["class"], trip.values["basis"] = line["class"], line["basis"]
            trip.values["rule"] = "override-" + "-".join(map(escaped, words))


def escaped(word):
    """Letters, digits and `_`; any other byte as a point and its two digits."""
    return re.sub(rb"[^A-Za-z0-9_]", lambda one: b".%02x" % one.group()[0], word.encode()).decode()
