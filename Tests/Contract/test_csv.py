"""Answers as CSV against the same answers as JSON: the same numbers, for every caller, in rows of one kind.

    python test_csv.py MART

MART is a mart with at least one generation; the server is the one on the path.
"""

import csv
import io
import itertools
import re
import sys
import unittest
import urllib.parse

from contract import Contract
from served import Server, account

MART = None
AS_CSV = {"Accept": "text/csv"}
CALLERS = {
    "viewer": ["--role", "viewer"], "counter": ["--role", "administrator"], "runner": ["--role", "analyst"],
    "bound": ["--role", "administrator", "--region", "08", "--region", "10"],
    "national": ["--role", "administrator", "--region", "08", "--national-totals"],
}
# A path, which rows of it, and the list of the answer in JSON that they are.
LISTS = [
    ("/kpi", "", "by_month"), ("/kpi", "by=trip_type", "by_trip_type"), ("/kpi", "by=region", "by_region"),
    ("/months", "", "months"), ("/trip-types", "", "trip_types"), ("/regions", "", "regions"),
    ("/trips", "", "trips"), ("/plans", "", "plans"), ("/runs", "", "runs"),
]


def cell(value):
    """What a cell says of a member of JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list):
        return "; ".join(value)
    return str(value).lower() if isinstance(value, bool) else f"{value:.2f}" if isinstance(value, float) else str(value)


class CSVTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name, options in CALLERS.items():
            account(MART, name, *options)
        cls.server = Server(MART)
        cls.server.__enter__()
        cls.contract = Contract(cls.server.ask("/openapi.yaml").body.decode())

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def answer(self, path, query="", name="viewer", headers=None):
        """A promised answer, whatever its status."""
        answer = self.server.ask(path + (query and "?" + query), headers=headers, name=name)
        self.assertEqual(self.contract.faults(path, "GET", answer), [], f"{name} {path} {query}")
        return answer

    def rows(self, path, query="", name="viewer"):
        """The rows of an answer, each its cells by column."""
        answer = self.answer(path, query, name, AS_CSV)
        self.assertEqual((answer.status, answer.media_type), (200, "text/csv; charset=utf-8; header=present"))
        text = answer.body.decode()
        # Every line has the end of the format, and no other end stands in these marts' texts.
        self.assertEqual(text.count("\r\n"), text.count("\n"))
        self.assertTrue(text.endswith("\r\n"))
        return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))

    def test_rows_are_the_objects_of_the_lists(self):
        spans = ["", "month=" + self.answer("/months").json["months"][-2]["month"], "region=08", "trip_type=BLS"]
        counts = dict.fromkeys(CALLERS, 0)
        for name, (path, by, members) in itertools.product(CALLERS, LISTS):
            for span in spans if path in ("/kpi", "/trips") else [""]:
                json = self.answer(path, span, name)
                if json.status != 200:
                    asked = self.answer(path, span, name, AS_CSV)
                    self.assertEqual((asked.status, asked.body), (json.status, json.body))
                    continue
                rows = self.rows(path, "&".join(filter(None, [span, by])), name)
                self.assertEqual(len(rows), len(json.json[members]), f"{name} {path} {span}")
                for row, one in zip(rows, json.json[members]):
                    # A ref may begin with a mark that a spreadsheet would take for a formula.
                    values = {key: re.sub("^'(?=[=+@-])", "", row[key]) for key in one}
                    self.assertEqual(values, {key: cell(value) for key, value in one.items()})
                    for key in set(row) - set(one):
                        self.assertEqual(row[key], cell(json.json[key]), key)
                counts[name] += len(rows)
        self.assertGreater(min(counts.values()), 50, counts)

    def test_bases_are_for_those_who_see_every_number_of_the_trips(self):
        for name, query, status in [
            ("viewer", "", 403), ("counter", "", 200), ("bound", "", 200), ("national", "", 403), ("national", "&region=08", 200),
        ]:
            asked = self.answer("/kpi", "by=basis" + query, name, AS_CSV)
            self.assertEqual(asked.status, status, f"{name} {query}")
            given = self.answer("/kpi", query.removeprefix("&"), name).json["by_basis"]
            self.assertEqual(given is None, status == 403)
            if given:
                rows = self.rows("/kpi", "by=basis" + query, name)
                found = [[row[key] for key in one] for row, one in zip(rows, given)]
                self.assertEqual((len(rows), found), (len(given), [[cell(value) for value in one.values()] for one in given]))

    def test_a_column_adds_up_to_the_total(self):
        for name, query in [("counter", ""), ("bound", ""), ("counter", "&region=08")]:
            total = self.answer("/kpi", query.removeprefix("&"), name).json["total"]
            for rows in ["month", "trip_type", "region", "basis"]:
                found = self.rows("/kpi", f"by={rows}{query}", name)
                for column in ["trips", "cost_cents"]:
                    self.assertEqual(sum(int(row[column]) for row in found), total[column], f"{name} {rows} {column}")

    def test_trends_have_the_months_of_every_group(self):
        for name, (rows, members) in itertools.product(CALLERS, [("region", "regions"), ("trip_type", "trip_types")]):
            json = self.answer("/kpi/trends", "", name).json
            found = self.rows("/kpi/trends", "by=" + rows, name)
            expected = [
                [one[rows], one["label"], month, cell(month in json["open_months"]), cell(json["goal_pct"][index])]
                + [cell(values[index]) for values in one.values() if isinstance(values, list)]
                for one in json[members] for index, month in enumerate(json["months"])
            ]
            # The last four are whether a number of the row is hidden, and where it comes from.
            self.assertEqual([list(row.values())[:-4] for row in found], expected)
            hidden = {row[rows] for row in found if row["suppressed"] == "true"}
            self.assertEqual(hidden, {one[rows] for one in json[members] if one["suppressed"]})

    def test_parts_are_those_of_both_changes(self):
        months = [one["month"] for one in self.answer("/months").json["months"]]
        span = f"from={months[0]}&to={months[-1]}"
        shown = 0
        for name, rows in itertools.product(CALLERS, ["region", "trip_type"]):
            json = self.answer("/kpi/why", span, name).json
            found = self.rows("/kpi/why", f"{span}&by={rows}", name)
            for measure, column, change in [
                ("in_house", "hundredths", "change_hundredths"), ("contracted_cost", "cents", "change_cents"),
            ]:
                parts = json[measure]["by_" + rows]
                given = {(row[rows], row["kind"]): int(row[column]) for row in found if row[column] not in ("", "0")}
                self.assertEqual(given, {(cell(one[rows]), one["kind"]): one[column] for one in parts or []})
                if parts:
                    self.assertEqual(sum(given.values()), json[measure][change])
                    shown += len(parts)
            is_hidden = None in [json[measure]["by_" + rows] for measure in ["in_house", "contracted_cost"]]
            for row in found:
                self.assertEqual(row["suppressed"] == "true", is_hidden or not row[rows])
        self.assertGreater(shown, 50)

    def test_causes_that_are_not_known_are_one_row_without_numbers(self):
        for name, query in itertools.product(CALLERS, ["", "region=08", "month=2031-01"]):
            changes, found = self.answer("/kpi/changes", query, name).json["changes"], self.rows("/kpi/changes", query, name)
            kinds = ["unknown"] if changes is None else [one["kind"] for one in changes["causes"]]
            self.assertEqual([row["kind"] for row in found], kinds, f"{name} {query}")
            numbers = ["trips", "in_house_hundredths", "cost_cents", "contracted_cost_cents"]
            for row, one in zip(found, changes["causes"] if changes else [dict.fromkeys(numbers)]):
                self.assertEqual([row[number] for number in numbers], [cell(one[number]) for number in numbers])

    def test_pages_of_trips_are_linked(self):
        total = self.answer("/trips", "region=08", "counter").json["total"]
        query, refs = "region=08&limit=50", []
        while query:
            answer = self.answer("/trips", query, "counter", AS_CSV)
            refs += [row["ref"] for row in csv.DictReader(io.StringIO(answer.body.decode(), newline=""))]
            link = answer.headers.get("link")
            query = link and urllib.parse.urlsplit(link[1:link.index(">")]).query
        self.assertEqual((len(refs), len(set(refs))), (total, total))
        self.assertGreater(total, 100)

    def test_a_tag_is_of_one_format(self):
        for path, name in [("/kpi", "viewer"), ("/kpi/trends", "viewer"), ("/months", "viewer"), ("/trips", "counter")]:
            tags = {self.answer(path, "", name, headers).headers["etag"] for headers in [None, AS_CSV]}
            self.assertEqual(len(tags), 2)
            for tag in tags:
                statuses = sorted(
                    self.answer(path, "", name, {**headers, "If-None-Match": tag}).status for headers in [{}, AS_CSV]
                )
                self.assertEqual(statuses, [200, 304], path)

    def test_rows_are_chosen_for_csv_and_an_earlier_generation_for_json(self):
        for path, query, headers, parameter in [
            ("/kpi", "by=region", None, "by"), ("/kpi", "since=1", AS_CSV, "since"), ("/kpi", "by=class", AS_CSV, "by"),
            ("/kpi/trends", "by=region", None, "by"), ("/kpi/trends", "by=basis", AS_CSV, "by"),
            ("/months", "by=month", AS_CSV, "by"),
        ]:
            answer = self.answer(path, query, "viewer", headers)
            self.assertEqual((answer.status, answer.json["parameter"]), (400, parameter), f"{path} {query}")


if __name__ == "__main__":
    MART = sys.argv.pop(1)
    unittest.main(verbosity=1)
