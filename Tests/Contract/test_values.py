"""What answers say is what the mart's tables say: sums, labels, marks, bases, and every value of a trip.

    python test_values.py MART
"""

import contextlib
import datetime
import os
import random
import re
import sqlite3
import sys
import unittest

from contract import Contract
from served import Server, account

MART = None


class Values(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        account(MART, "values", "--role", "analyst")
        cls.server = Server(MART)
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.stop)
        cls.contract = Contract(cls.server.ask("/openapi.yaml", name=None).body.decode())

    def rows(self, question, values=(), name="triptych"):
        """What SQLite reads of the mart's file, each row by its columns."""
        with contextlib.closing(sqlite3.connect(f"file:{MART}/{name}.sqlite?mode=ro", uri=True)) as file:
            file.row_factory = sqlite3.Row
            return [dict(row) for row in file.execute(question, values)]

    def ask(self, path, name="values"):
        answer = self.server.ask(path, name=name)
        self.assertEqual(answer.status, 200, path)
        template = re.sub("^/trip/.*", "/trip/{id}", path.partition("?")[0])
        self.assertEqual(self.contract.faults(template, "GET", answer), [], path)
        return answer.json

    def test_every_answer_says_of_what_it_is(self):
        """C15: generation, freshness, open months and the mark of generated data."""
        generation = self.rows("SELECT * FROM generation")[0]
        open_months = [row["month"] for row in self.rows("SELECT month FROM month WHERE month_open ORDER BY 1")]
        months = [row["month"] for row in self.rows("SELECT month FROM month ORDER BY 1")]
        # Some are open and some are not.
        self.assertTrue(open_months and set(open_months) < set(months), open_months)
        self.assertEqual(generation["synthetic"], 1)
        ref = self.ask("/trips?limit=1")["trips"][0]["ref"]
        for path in ["/kpi", "/kpi?region=10", "/trips?limit=1", "/trip/" + ref]:
            said = self.ask(path)
            self.assertEqual(said["generation"], generation["number"])
            self.assertEqual(said["data_through"], generation["data_through"])
            self.assertIs(said["synthetic"], True)
            self.assertEqual(said["open_months"], open_months)
        series = self.ask("/kpi")["by_month"]
        self.assertEqual([one["month"] for one in series], months)
        self.assertEqual([one["month"] for one in series if one["month_open"]], open_months)

    def test_filters_have_the_words_of_the_tables(self):
        for path, name, table in [("/months", "months", "month"), ("/trip-types", "trip_types", "trip_type"),
                                  ("/regions", "regions", "region")]:
            said = self.ask(path)[name]
            stored = self.rows(f"SELECT * FROM {table} ORDER BY 1")
            for row in stored:
                if "month_open" in row:
                    row["month_open"] = bool(row["month_open"])
            self.assertEqual(said, stored)
            labels = {row[table]: row["label"] for row in stored}
            if name != "months":
                for one in self.ask("/kpi")["by_" + table]:
                    self.assertEqual(one["label"], labels[one[table]])

    def test_sums_by_basis_are_those_of_their_table(self):
        cells = self.rows("SELECT month, trip_type, region FROM kpi_cube ORDER BY 1, 2, 3")
        several = 0
        for cell in random.Random(7).sample(cells, 200):
            chosen = {"from": cell["month"], "to": cell["month"], "trip_type": cell["trip_type"], "region": cell["region"]}
            query = "&".join(f"{name}={value}" for name, value in chosen.items() if value != "all")
            stored = self.rows(
                "SELECT class, basis, trips, costed_trips, cost_cents FROM kpi_basis "
                "WHERE month = ? AND trip_type = ? AND region = ?", list(cell.values()))
            said = self.ask("/kpi?" + query)["by_basis"]
            self.assertCountEqual(said, stored, query)
            several += len(stored) > 1
        self.assertGreater(several, 20)

    def test_what_is_hidden_is_marked_in_every_list(self):
        hidden = 0
        names = {"by_month": "month", "by_trip_type": "trip_type", "by_region": "region"}
        for month in [row["month"] for row in self.rows("SELECT month FROM month")]:
            said = self.ask(f"/kpi?month={month}", name="viewer")
            stored = self.rows("SELECT * FROM kpi_cube WHERE month = ?", [month], name="kpi")
            for part, name in names.items():
                others = {"month", "trip_type", "region"} - {"month", name}
                known = {row[name]: row for row in stored if all(row[other] == "all" for other in others)}
                for one in said[part]:
                    row = known[one[name]]
                    hidden += one["suppressed"]
                    self.assertEqual(one["suppressed"], None in row.values(), (month, one))
                    # What a class costs is not shown where too few of its costs are known.
                    costs = {"in_house_cost_cents", "contracted_cost_cents"}
                    for column in one.keys() & row.keys():
                        if column not in costs or one[column] is not None:
                            self.assertEqual(one[column], row[column], (month, one, column))
        self.assertGreater(hidden, 10)

    def trips(self):
        """All trips of the list, and those of the file, both in the order of the list."""
        said, cursor = [], ""
        while cursor is not None:
            page = self.ask("/trips?limit=200" + cursor)
            said += page["trips"]
            cursor = page["next"] and "&cursor=" + page["next"]
        return said, self.rows("SELECT * FROM trip WHERE counted ORDER BY trip_number DESC")

    def test_trips_have_the_values_of_their_rows(self):
        said, stored = self.trips()
        columns = {"pickup_date": "pickup_date", "month": "month", "trip_type": "trip_type", "region": "region", "class": "class",
                   "basis": "basis", "provider": "provider_name", "loaded_miles_hundredths": "miles_hundredths"}
        for one, row in zip(said, stored, strict=True):
            self.assertEqual({name: one[name] for name in columns}, {name: row[column] for name, column in columns.items()})
        for name in columns:
            self.assertGreater(len({one[name] for one in said}), 1, name)
        self.assertEqual([one["pickup_date"] for one in said], sorted((one["pickup_date"] for one in said), reverse=True))

    def test_a_class_has_its_trips_and_no_others(self):
        for name in ["in_house", "contracted", "undetermined"]:
            page, count = self.ask("/trips?limit=200&class=" + name), 0
            total = page["total"]
            self.assertEqual(total, self.ask("/kpi")["total"][name + "_trips"], name)
            self.assertGreater(total, 0, name)
            while True:
                self.assertEqual({one["class"] for one in page["trips"]}, {name})
                count += len(page["trips"])
                if page["next"] is None:
                    break
                page = self.ask(f"/trips?limit=200&class={name}&cursor=" + page["next"])
            self.assertEqual(count, total, name)

    def test_a_trip_has_the_values_of_its_row(self):
        said, stored = self.trips()
        because = {row["id"]: row["because"] for row in self.rows("SELECT id, because FROM rule")}
        versions = {row["trip_id"]: row["count"] for row in
                    self.rows("SELECT trip_id, count(*) AS count FROM trip_version GROUP BY trip_id")}
        columns = {"month": "month", "trip_type": "trip_type", "region": "region", "class": "class",
                   "basis": "basis", "provider": "provider_name", "loaded_miles_hundredths": "miles_hundredths"}
        rules, counts, offsets = set(), set(), set()
        for number, (one, row) in enumerate(zip(said, stored, strict=True)):
            if number % 11 > 0 and row["trip_id"] not in versions:
                continue
            trip = self.ask("/trip/" + one["ref"])
            self.assertEqual({name: trip[name] for name in columns}, {name: row[column] for name, column in columns.items()})
            at = datetime.datetime.fromisoformat(trip["picked_up_at"])
            self.assertEqual(at.strftime("%Y-%m-%d %H:%M:%S"), row["pickup_at"])
            self.assertEqual(at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S"), row["pickup_at_utc"])
            offsets.add(at.utcoffset())
            self.assertIs(trip["counted"], True)
            self.assertEqual(trip["other_versions"], versions.get(row["trip_id"], 0))
            rule = row["rule"] and {"id": row["rule"], "because": because[row["rule"]]}
            self.assertEqual(trip["rule"], rule)
            rules.add(row["rule"])
            counts.add(trip["other_versions"])
        self.assertGreater(len(rules), 5)
        self.assertGreater(len(counts), 1)
        self.assertGreater(len(offsets), 1)


if __name__ == "__main__":
    MART = os.path.abspath(sys.argv.pop())
    unittest.main()
