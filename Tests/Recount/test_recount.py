"""Tests of the recount itself: `python3 -m unittest discover -s Tests/Recount`.

A referee that never objects proves nothing, so every kind of difference is planted in a mart made
for the purpose and must be found.
"""

import contextlib
import io
import json
import os
import sqlite3
import sys
import tempfile
import unittest
from datetime import datetime, timedelta

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
sys.path.insert(0, FOLDER)
# The tests leave no compiled files in the folders they read.
sys.dont_write_bytecode = True

import declared
import plain_yaml
import recount
import records
import values
from layouts import Pipeline, glob_pattern


def recounted(pipeline):
    folder = os.path.join(ROOT, "pipelines", pipeline)
    definition = Pipeline(folder)
    contents = [(source, path, 1, recount.read_bytes(folder, "sample", path), None)
                for source, path in recount.delivered(definition, os.path.join(folder, "sample"))]
    return folder, recount.Recount(definition, os.path.join(folder, "reference"), contents)


def fake_mart(path, found):
    """A file with the tables of docs/SCHEMA.md that says what the recount says."""
    database = sqlite3.connect(path)

    def table(name, columns, rows):
        named = ", ".join(f'"{column}"' for column in columns)
        database.execute(f"CREATE TABLE {name}({named})")
        places = ", ".join("?" * len(columns))
        database.executemany(f"INSERT INTO {name} VALUES({places})", rows)

    numbers = {file: number for number, file in enumerate(found.files, 1)}
    table("generation", ("number", "data_through"),
          [(1, max(trip.values["pickup_at"][:10] for trip in found.accepted))])
    table("generation_input", ("role", "path", "content"), [])
    table("source_file",
          ("number", "source", "path", "sequence", "content_hash", "archive_hash", "archive_size",
           "expanded_size", "layout", "record_count", "line_count", "blank_line_count", "status"),
          [(number, file.source.name, file.path, file.sequence, file.hash, file.raw_hash,
            file.raw_size, file.size, file.layout.name, len(file.export.records),
            file.export.line_count, file.export.blank_count,
            "current" if file.is_current else "withdrawn") for file, number in numbers.items()])
    table("ledger", ("file_number", "term", "items", "cents", "unpriced"),
          [(numbers[file], term, *amounts) for file in found.files for term, amounts in
           found.accounts[(file.source.name, file.path, file.sequence)].items()])
    table("reject", ("file_number", "record_number", "line_number", "byte_offset", "byte_size",
                     "item_count", "reason", "amount_cents", "unpriced"),
          [(numbers[file], item.record.number, item.record.line, item.record.offset,
            item.record.size, 1, min(item.faults), item.cents, item.unpriced)
           for file in found.files if file.is_current for item in file.items if item.faults])
    names = [name for name in found.accepted[0].values if name != "patient"]
    people = {}
    table("trip", (*names, "source_file", "record_number", "line_number", "patient_ref"),
          [(*(trip.values[name] for name in names), trip.file.path, trip.item.record.number,
            trip.item.record.line,
            people.setdefault(trip.patient, len(people)) if trip.patient else None)
           for trip in found.accepted])
    table("trip_version", ("file_number", "record_number", "term"),
          [(numbers[version.file], version.item.record.number, version.term)
           for version in found.versions if version.term != "accepted"]
          + [(numbers[file], item.record.number, "duplicate") for file in found.files
             if file.is_current for item in file.items if item.is_repeated and not item.faults])
    table("kpi_cube", ("month", "trip_type", "region", *recount.totals.SUMS),
          [(*key, *cell.values()) for key, cell in found.cube.items()])
    table("kpi_basis", ("month", "trip_type", "region", "class", "basis", "trips",
                        "costed_trips", "cost_cents"),
          [(*key, *cell) for key, cell in found.basis.items()])
    table("bridge", ("status", "counted", "trips"),
          [(*key, trips) for key, trips in found.bridge.items()])
    database.commit()
    return database


def run(folder, mart):
    """The exit status and the lines of one recount of a sample."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = recount.main(["--pipeline", folder, "--input", os.path.join(folder, "sample"),
                               "--reference", os.path.join(folder, "reference"), "--mart", mart])
    return status, said.getvalue().splitlines()


class ComparingTests(unittest.TestCase):
    """The county's sample against marts that agree and marts that do not."""

    PLANTED = (
        "UPDATE trip SET class = 'undetermined' WHERE rowid = 3",
        "UPDATE trip SET rule = 'vendor-unit' WHERE rule = 'county-unit'",
        "UPDATE trip SET region = 'PR' WHERE region = 'UNKNOWN'",
        "UPDATE trip SET month = '2026-04' WHERE month = '2026-03' AND pickup_at > '2026-03-31'",
        "UPDATE trip SET counted = 1 - counted WHERE rowid = 1",
        "UPDATE trip SET paid_cents = paid_cents + 1 WHERE paid_cents IS NOT NULL",
        "UPDATE trip SET pickup_at_utc = datetime(pickup_at_utc, '+1 hour') WHERE rowid = 7",
        "UPDATE trip SET record_number = record_number + 1 WHERE rowid = 5",
        "UPDATE trip SET patient_ref = 99 WHERE rowid = 2",
        "DELETE FROM trip WHERE rowid = 4",
        "INSERT INTO trip(trip_id, source_file) VALUES('SYN-more', 'none')",
        "UPDATE kpi_cube SET cost_cents = cost_cents - 1 WHERE month = 'all'",
        "DELETE FROM kpi_cube WHERE month = 'all' AND region = 'PR'",
        "UPDATE kpi_cube SET costed_miles_hundredths = 0 WHERE region = 'all'",
        "UPDATE kpi_basis SET trips = trips + 1 WHERE rowid = 1",
        "UPDATE ledger SET cents = cents + 1 WHERE term = 'rejected' AND file_number = 3",
        "UPDATE ledger SET unpriced = 0 WHERE term = 'read'",
        "DELETE FROM reject WHERE rowid = 1",
        "UPDATE reject SET byte_offset = byte_offset + 1 WHERE rowid = 2",
        "UPDATE reject SET reason = 'missing_value' WHERE reason = 'too_few_fields'",
        "UPDATE trip_version SET term = 'superseded' WHERE term = 'duplicate'",
        "UPDATE source_file SET status = 'current'",
        "UPDATE source_file SET line_count = line_count + 1 WHERE number = 2",
        "UPDATE bridge SET trips = trips + 1 WHERE counted = 0",
        "UPDATE generation SET data_through = '2026-12-31'",
        "INSERT INTO generation_input VALUES('pipeline', 'rules.yaml', 'rules: []')",
    )

    @classmethod
    def setUpClass(cls):
        cls.folder, found = recounted("county")
        cls.scratch = tempfile.TemporaryDirectory()
        cls.mart = os.path.join(cls.scratch.name, "fair.sqlite")
        fake_mart(cls.mart, found).close()

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_fair_mart_agrees(self):
        status, lines = run(self.folder, self.mart)
        self.assertEqual((status, len(lines)), (0, 1), lines)

    def test_every_planted_difference_is_found(self):
        for place, statement in enumerate(self.PLANTED):
            path = os.path.join(self.scratch.name, f"{place}.sqlite")
            with open(self.mart, "rb") as fair, open(path, "wb") as copy:
                copy.write(fair.read())
            with contextlib.closing(sqlite3.connect(path)) as database:
                changed = database.execute(statement).rowcount
                database.commit()
            with self.subTest(statement):
                self.assertGreater(changed, 0)
                status, lines = run(self.folder, path)
                self.assertEqual(status, 1)
                self.assertLessEqual(len(lines), 21)

    def test_no_identifier_is_printed(self):
        path = os.path.join(self.scratch.name, "empty.sqlite")
        with open(self.mart, "rb") as fair, open(path, "wb") as copy:
            copy.write(fair.read())
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE trip SET patient_ref = rowid, class = NULL")
            database.commit()
        text = "\n".join(run(self.folder, path)[1])
        self.assertNotIn("SYN-", text)


class GoldenTests(unittest.TestCase):
    """What the samples come to, as reviewed: `expected/<pipeline>.json`."""

    def test_samples_come_to_what_was_reviewed(self):
        for pipeline in ("county", "minimal"):
            expected = json.loads(recount.read_bytes(FOLDER, "expected", pipeline + ".json"))
            with self.subTest(pipeline):
                self.assertEqual(recounted(pipeline)[1].report(), expected)

    def test_county_sample_is_made_again(self):
        county = os.path.join(ROOT, "pipelines", "county")
        sample = os.path.join(county, "sample")
        sys.path.insert(0, county)
        import make_sample
        with tempfile.TemporaryDirectory() as folder:
            make_sample.main(folder)
            for name in os.listdir(folder):
                # Expanded: versions of Python differ in one byte of gzip's header.
                self.assertEqual(records.expanded(recount.read_bytes(folder, name)),
                                 records.expanded(recount.read_bytes(sample, name)), name)


class ReadingTests(unittest.TestCase):
    """Hand-made cases of each reader, judged by hand."""

    def faults(self, content, **marks):
        export = records.read_export(content, records.Dialect(**marks))
        return [(record.line, ", ".join(record.faults) or record.cells)
                for record in export.records]

    def test_stray_quote_costs_its_own_line(self):
        self.assertEqual(self.faults(b'a,b\n1,"x"y\n2,z\n3,"p\nq"\n'),
                         [(2, "stray_quote"), (3, ["2", "z"]), (4, ["3", "p\nq"])])

    def test_unclosed_quote_costs_its_first_line(self):
        self.assertEqual(self.faults(b'a,b\n1,"x\n2,y\n3,z'),
                         [(2, "unclosed_quote"), (3, ["2", "y"]), (4, ["3", "z"])])

    def test_ragged_blank_header_and_nul_lines_are_judged_alone(self):
        self.assertEqual(self.faults(b"a,b\r\n\r\n1\r\n1,2,3\r\na,b\r\n1,\x002\r\n1,\xff\r\n5,6"), [
            (3, "too_few_fields"), (4, "too_many_fields"), (5, "repeated_header"), (6, "nul_byte"),
            (7, "invalid_encoding"), (8, ["5", "6"])])

    def test_a_header_is_repeated_in_whatever_quotes(self):
        self.assertEqual(
            self.faults(b'a,b\n"a",b\n\xef\xbb\xbfa,"b"\n"a ",b\n'),
            [(2, "repeated_header"), (3, "repeated_header"), (4, ["a ", "b"])])

    def test_money_is_exact_or_refused(self):
        for text, cents in (("$1,184.50", 118450), ("(12.00)", -1200), ("1184.5", 118450),
                            ("-12", -1200), ("0.100", 10), (".5", 50), ("($1,000)", -100000)):
            self.assertEqual(values.money(text), cents, text)
        for text in ("1,18.50", "12.345", "1e3", "$", "--1", "(-1)", "1 2", "1,184,50", "٣"):
            with self.assertRaises(values.Unreadable, msg=text):
                values.money(text)

    def test_odd_cents_go_to_the_first(self):
        self.assertEqual(values.shares(1001, 3), [334, 334, 333])
        self.assertEqual(values.shares(-1001, 2), [-501, -500])

    def test_check_digit_decides_npi(self):
        self.assertEqual(values.npi("1234567893"), "1234567893")
        for text in ("1234567890", "3234567893", "123456789"):
            with self.assertRaises(values.Unreadable):
                values.npi(text)

    def test_codes_are_two_characters(self):
        for text, read in {"RHQN": "RH QN", "tqnh": "TQ NH", "RH, QN": "RH QN", "-": ""}.items():
            self.assertEqual(values.codes(text), read)
        for text in ("RHQ", "R HQN", "R-H", "RH+QN", "RÉ"):
            with self.assertRaises(values.Unreadable, msg=text):
                values.codes(text)

    def test_clock_rules(self):
        noon = datetime(2026, 4, 1, 3, 40)
        denver = lambda day: "America/Denver"
        self.assertEqual(values.on_clocks(noon, timedelta(), denver)[0],
                         datetime(2026, 3, 31, 21, 40))
        self.assertEqual(values.on_clocks(noon, timedelta(hours=-4), denver),
                         (noon, datetime(2026, 4, 1, 7, 40)))
        self.assertEqual(values.on_clocks(noon, None, denver), (noon, datetime(2026, 4, 1, 9, 40)))

    def test_formats_read_what_they_say(self):
        for text, form, read in (
                ("3/7/2026 4:05 PM", "M/d/yyyy h:mm a", datetime(2026, 3, 7, 16, 5)),
                ("12/31/2026 12:00 am", "M/d/yyyy h:mm a", datetime(2026, 12, 31)),
                ("7 Mar 26 at 23:59", "d MMM yy 'at' H:mm", datetime(2026, 3, 7, 23, 59)),
                ("2026-10-31 22:15:07.25", "iso8601", datetime(2026, 10, 31, 22, 15, 7))):
            self.assertEqual(values.moment(text, [form]), (read, None), text)
        for text in ("2/30/2026 1:00 PM", "3/7/2026 13:05 PM", "3/7/2026 4:60 PM", "3/7/2026"):
            with self.assertRaises(values.Unreadable, msg=text):
                values.moment(text, ["M/d/yyyy h:mm a"])

    def test_globs_do_not_cross_folders(self):
        import re
        self.assertTrue(re.fullmatch(glob_pattern("claims_*.csv*"), "claims_1.csv.gz"))
        self.assertFalse(re.fullmatch(glob_pattern("claims_*.csv*"), "claims_x/1.csv"))
        self.assertTrue(re.fullmatch(glob_pattern("**/*.csv"), "a/b/1.csv"))
        self.assertTrue(re.fullmatch(glob_pattern("**/*.csv"), "1.csv"))

    def test_yaml_keeps_texts_as_written(self):
        self.assertEqual(
            plain_yaml.parse('a: {b: NO, "c d": [007, "x: # y", \'it\'\'s\']}   # note\n'
                             "e: >-\n  one\n  two\nf:\n- g: 1\n  h:\n    - {i: j}\n- k\nl:\n"),
            {"a": {"b": "NO", "c d": ["007", "x: # y", "it's"]}, "e": "one two",
             "f": [{"g": "1", "h": [{"i": "j"}]}, "k"], "l": plain_yaml.NULL})
        with self.assertRaises(plain_yaml.YAMLError):
            plain_yaml.parse("a: 1\na: 2\n")


class DeclaredTests(unittest.TestCase):
    """Declared measures and dimensions: what a mart says of them is compared, cell by cell."""

    PLANTED = (
        "UPDATE kpi_measure SET sum = sum + 1 WHERE rowid = 1",
        "UPDATE kpi_measure SET known_trips = 0 WHERE rowid = 2",
        "DELETE FROM kpi_measure WHERE rowid = 1",
        "UPDATE kpi_measure_value SET trips = trips + 1 WHERE rowid = 1",
        "UPDATE kpi_measure_value SET value = value + 1 WHERE rowid = 2",
        "DELETE FROM kpi_dimension WHERE rowid = 1",
        "UPDATE kpi_dimension SET cost_cents = cost_cents + 1 WHERE rowid = 2",
        "INSERT INTO kpi_dimension SELECT dimension, 'more', month, trip_type, region, class, "
        "basis, trips, costed_trips, cost_cents FROM kpi_dimension WHERE rowid = 1",
        "DROP TABLE kpi_measure_value",
    )

    class Mart:
        """The three tables as the recount has them, open for changes."""

        def __init__(self, accepted, pipeline):
            self.database = sqlite3.connect(":memory:")
            self.database.row_factory = sqlite3.Row
            group = declared.GROUP
            self.table("kpi_measure", ("measure", *group, "known_trips", "sum"),
                       declared.measure_sums(accepted, pipeline.measures))
            values = declared.measure_values(accepted, pipeline.measures)
            self.table("kpi_measure_value", ("measure", *group, "value", "trips"),
                       {key: [trips] for key, trips in values.items()})
            self.table(
                "kpi_dimension",
                ("dimension", "value", *group, "trips", "costed_trips", "cost_cents"),
                declared.dimension_trips(accepted, pipeline.dimensions, pipeline.cost))

        def table(self, name, columns, cells):
            self.database.execute(f"CREATE TABLE {name}({', '.join(columns)})")
            places = ", ".join("?" * len(columns))
            self.database.executemany(f"INSERT INTO {name} VALUES({places})",
                                      [(*key, *values) for key, values in cells.items()])

        def rows(self, text):
            return [dict(row) for row in self.database.execute(text)]

    @classmethod
    def setUpClass(cls):
        _, cls.found = recounted("county")
        cls.pipeline = cls.found.pipeline
        columns = set(cls.found.accepted[0].values)
        cls.pipeline.measures = [
            declared.Measure("paid_middle", {"median": "paid"}, columns),
            declared.Measure("far", {"mean": "miles"}, columns)]
        cls.pipeline.dimensions = {"letter": "unit_letter"}

    def compared(self, planted=None):
        mart = self.Mart(self.found.accepted, self.pipeline)
        if planted:
            mart.database.execute(planted)
        differences = recount.marts.Differences()
        declared.compare(mart, self.pipeline, self.found.accepted, differences)
        return differences.count

    def test_a_mart_of_the_same_cells_agrees(self):
        self.assertEqual(self.compared(), 0)

    def test_every_planted_difference_is_found(self):
        for planted in self.PLANTED:
            with self.subTest(planted):
                self.assertGreater(self.compared(planted), 0)

    def test_medians_and_means_are_exact(self):
        class Trip:
            def __init__(self, value):
                self.values = {"c": value}

        trips = [Trip(value) for value in (1, 2, 4, None, 9)]
        self.assertEqual(declared.Measure("m", {"median": "c"}, {"c"}).value(trips), 3)
        self.assertEqual(declared.Measure("m", {"mean": "c"}, {"c"}).value(trips), 4)
        below = [Trip(-1), Trip(0), Trip(0)]
        self.assertEqual(declared.Measure("m", {"mean": "c"}, {"c"}).value(below), -0.33)
        cents = declared.Measure("m", {"median": "c", "unit": "cents"}, {"c"})
        self.assertEqual(cents.value([Trip(-1), Trip(-2)]), -1)
        self.assertIsNone(cents.value([Trip(None)]))


if __name__ == "__main__":
    unittest.main()
