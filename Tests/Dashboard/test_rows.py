"""The acceptance list of the dashboard: each row is shown by a test that names it, or has a reason
in docs/DASHBOARD.md.

    python test_rows.py

rows.csv has the rows: D are demands, R rules of the design documents, C rulings where those
contradict each other. A mark says where a row is shown: S by the server, W in the web app, W≈ by
what a web app has in its place, N natively alone, - nowhere.
"""

import ast
import csv
import glob
import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# One row, or several as in D58-D62 and D46–D49.
ROW = re.compile(r"\b([DRC])([1-9]\d{0,2})(?:[-–]\1([1-9]\d{0,2}))?\b")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def named(text):
    """The rows that a text names."""
    return {
        letter + str(number)
        for letter, first, last in ROW.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def notes(path):
    """What the tests of a file say that they show: in Python the notes of tests and of the file, in
    Swift comments."""
    text = read(path)
    if path.endswith(".swift"):
        return "\n".join(re.findall(r"^ *//.*", text, flags=re.M))
    tree = ast.parse(text)
    tests = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")]
    # A script without test functions is one test.
    return "\n".join(ast.get_docstring(each) or "" for each in tests or [tree])


def cited():
    """The rows that tests name, each with the files."""
    found = {}
    patterns = ["Tests/Dashboard/test_*.py", "Tests/Contract/test_*.py", "Tests/CommandTests/*.swift"]
    for path in sorted(each for pattern in patterns for each in glob.glob(pattern, root_dir=ROOT)):
        for row in named(notes(path)):
            found.setdefault(row, []).append(path)
    return found


def section(name):
    """The text of a section of the page for people who use the dashboard."""
    return read("docs/DASHBOARD.md").split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(ROOT, "Tests/Dashboard/rows.csv"), encoding="utf-8", newline="") as file:
            cls.marks = {each["row"]: each["mark"] for each in csv.DictReader(file)}
        cls.cited = cited()
        cls.out_of_reach = named(section("Outside a web app's reach"))
        cls.reasons = cls.out_of_reach | named(section("What the acceptance list asks and no test shows"))

    def test_every_row_is_shown_or_has_a_reason(self):
        """Issue: a test that names it, or a line in the page."""
        missing = [row for row in self.marks if row not in self.cited and row not in self.reasons]
        self.assertEqual(missing, [])

    def test_what_a_web_app_cannot_do_is_named_as_that(self):
        """Issue: rows that only a native program can show."""
        native = {row for row, mark in self.marks.items() if mark.endswith("N")}
        self.assertGreater(len(native), 8)
        self.assertEqual(native - self.out_of_reach, set())

    def test_no_test_and_no_page_names_a_row_that_is_not_there(self):
        """So that a slip of the pen shows nothing."""
        unknown = {row: files for row, files in self.cited.items() if row not in self.marks}
        self.assertEqual(unknown, {})
        self.assertEqual(self.reasons - set(self.marks), set())

    def test_the_list_is_whole(self):
        """108 demands, 38 rules and 16 rulings, each once."""
        numbers = {letter: [int(row[1:]) for row in self.marks if row[0] == letter] for letter in "DRC"}
        self.assertEqual(numbers, {"D": list(range(1, 109)), "R": list(range(1, 39)), "C": list(range(1, 17))})
        self.assertLessEqual(set(self.marks.values()), {"S", "W", "W,S", "S,W", "W≈", "W≈/N", "N", "-"})

    def test_the_pages_about_access_and_style_name_tests_that_are_there(self):
        """D93: the three pages, and every test that they name."""
        scripts = {os.path.basename(each) for each in glob.glob(ROOT + "/Tests/**/*.py", recursive=True)}
        suites = {os.path.basename(each)[:-6] for each in glob.glob(ROOT + "/Tests/**/*.swift", recursive=True)}
        suites |= {os.path.basename(each) for each in glob.glob(ROOT + "/Tests/*Tests")}
        for page in ["ACCESSIBILITY.md", "SECURITY.md", "STYLE_GUIDE.md"]:
            text = read("docs/" + page)
            names = set(re.findall(r"\btest_\w+\.py\b", text))
            self.assertGreater(len(names), 0, page)
            self.assertEqual(names - scripts, set(), page)
            self.assertEqual(set(re.findall(r"`(\w+Tests)`", text)) - suites, set(), page)

    def test_the_release_checklist_has_its_five_rows_and_their_proofs(self):
        """D94: screenshots, accessibility, logs, the kept view, penetration; what it names is run
        by it."""
        checklist = read(".ci/release")
        rows = re.findall(r"^\d\. (.*)$", checklist, flags=re.M)
        self.assertEqual(len(rows), 5)
        run = set(re.search(r"exec \.ci/prove (.*)", checklist)[1].split())
        proofs = set(re.search(r"proofs=\((.*?)\)", read(".ci/prove"), flags=re.S)[1].split())
        self.assertLessEqual(run, proofs)
        for row in rows[1:]:
            self.assertTrue(run & set(re.findall(r"\w+", row)), row)
            for script in re.findall(r"test_\w+\.py", row):
                self.assertTrue(os.path.exists(f"{ROOT}/Tests/Dashboard/{script}"), row)
        self.assertIn("FLAG_SECURE", read("docs/SECURITY.md"))


if __name__ == "__main__":
    # All scripts of the folder are given one with a mart, which is not needed here.
    unittest.main(argv=sys.argv[:1])
