#!/usr/bin/env python3
"""Writes a pipeline, reference files and exports of odd shapes, always the same for a seed.

    odd_exports.py --seed N --out DIR        DIR/pipeline, DIR/reference, DIR/in

The generator of the product makes exports that look like the field. This one makes exports that
look like trouble: any delimiter, quote, escape, encoding and line end, every type of field, cells
that almost read, ragged and broken lines, gzip members cut anywhere. Nothing here knows what is
right; the program and the recount each say so, and must say the same.
"""

import argparse
import gzip
import os
import random
import sys

COLUMNS = ("Id", "At", "Units", "Place", "Exp", "Count", "Ratio", "Miles", "Cost", "Fee", "Flag",
           "Seen", "Later", "Who", "Npi", "Code", "Mods", "Status", "Raw", "Region", "Extra")
# What a cell holds where nothing odd is wanted.
PLAIN = {"Count": "5", "Ratio": "0.7", "Miles": "3.25", "Cost": "12.00", "Fee": "1", "Flag": "1",
         "Seen": "2026-01-31", "Later": "", "Npi": "", "Code": "A12", "Mods": "", "Status": "C",
         "Region": "R1", "At": "2026-05-05T10:00-04:00", "Extra": "e"}
ODD = {
    "Units": ("A", "B", "A/B", "A / B", "A;;B", "/", "A/", "", "M N", "ö", "A//B", "A/A", " A ",
              "A\u00a0/A", "B/A/B/B", "A-1", "1/A-1", "1-A"),
    "Place": ("A", "a", "B", "C, D", "É", "é", "", "NULL", "null", "N/A", "zz", "Q", " A ",
              "A\u00a0", "\x1fB", "\u00a0"),
    "Exp": ("20260101", "20260102", "", "z"),
    "Count": ("1", "-3", "+4", "0", "", "101", "999", "1001", "x", "1.0", "007", "1,000", " 5",
              "9223372036854775807", "9223372036854775808", "- 5", "--5", "+", "1e2"),
    "Ratio": ("0.5", ".75", "1.", "1e-3", "-2.5E+1", "", "x", "1,5", "nan", "inf", "+0.1", "0x1",
              "1e400", "00.50", "1e", ".", "-.5"),
    "Miles": ("1", "12.5", "0.01", "99.999", "99.990", "100", "100.01", "-1", "", "x", "1,204.25",
              "0.005", "$5", "(5)", "+5", "12.40", "12.5\u00a0"),
    "Flag": ("1", "y", "YES", "t", "True", "0", "N", "no", "F", "false", "", "2", "on", " y "),
    "Seen": ("2026-01-31", "1/2/2026", "01/02/2026", "", "2026-02-30", "31/1/2026", "2026-1-1",
             "2/29/2024"),
    "Later": ("1/2/2026 12:00 AM", "1/2/2026 12:30 pm", "1/2/2026 0:30 AM", "1/2/2026 13:00 PM",
              "", "2026-06-01T00:30Z", "2026-06-01T00:30:01-07:00", "1/2/2026 1:5 AM",
              "1/2/2026 1:05AM", "3/8/2026 2:30 AM"),
    "Who": ("", "P1", "p1", "P2", " P2", "P3"),
    "Npi": ("", "1234567893", "1234567890", "1993999998", "123", "3234567893", "1234567893 ",
            "abcdefghij"),
    "Code": ("A12", "A12x", "A123yz", "a12", "-", "", "A1234", "A12xy", "B99"),
    "Mods": ("", "RHQN", "rh qn", "TQNH", "QN,TQ", "QNT", "R-H", "NULL", "-", " a1;b2 ", "RH  QN",
             "QN+TQ", "é1", "null"),
    "Status": ("C", "C", "C", "X", "", "c", "Z", " C"),
    "Raw": ("", " ", "  x ", "é", '"q"', "it's", "a\\b", "line\nbreak", "a,b;c|d\te", "NULL",
            "\u00a0", "long" * 80, "\\", '\\"'),
    "Region": ("R1", "R2", "R9", "", "ALL", " R1", "All", "R2", "R1", "R9", "all"),
    "Extra": ("",),
}
AMOUNTS = ("", "NULL", "null", "$", "1,2,3", "1,234", "12,34", "1234,567", ".5", "5.", "-", "$-4",
           "-$4.00", "+$4", "($4.00)", "(-4)", "$ 4", "4 ", "1e3", "0.125", "0.120", "(4", "4)",
           "00012.00", "1,234.5", "12.3.4", "-0.00", " 7.10 ", "$1,184.50", "+7", "--7", "()",
           "7$", "USD 7", "-1,234.56", "1.2345", "\u00a04\u00a0")
MOMENTS = ("{i} {h:02}:{n:02}", "{i}T{h:02}:{n:02}+00:00", "{i}T{h:02}:{n:02}:59.999+0530",
           "{i}T{h:02}:{n:02}+13", "{m}/{d}/2026 {h}:{n:02}", "{m:02}/{d:02}/2026 {h:02}:{n:02}",
           "{m:02}/{d:02}/26 {c:02}:{n:02}:09 {a}", "{d} Feb 2026 at {h}.{n:02}",
           "{d} SEP 2026 at {h}.{n:02}", "2026.{m}.{d} {h:02}:{n:02} Z",
           "2026.{m}.{d} {h:02}:{n:02} -0330", "2026.{m}.{d} {h:02}:{n:02} +05:45",
           "2026-02-29T10:00", "2024-02-29T10:00", "2026-03-08T02:30", "2026-11-01T01:30",
           "2026-13-01T00:00", "{i}T24:00", "{i}", "{i}T10:60", "{i}T10:10:60Z", "", "{i}T1:00",
           "12/31/1999 0:00", "{i}T{h:02}:{n:02}-00:00", "{i}  10:00", "{m}/{d}/2026 {h}:5",
           "{i}T10:00:00.Z", "{i}T10:00+1", "{i}T10:00 -05:00", "{i}T10:00+19:00",
           "{i}T10:00+14:00", "{i}T10:00-12:60", "{i}T{h:02}{n:02}")
SITES = """place,from,to,zone,n,amt,ok,code
A,,2026-03-31,America/Chicago,1,"$1,000.00",yes,A12
A,2026-04-01,,America/Los_Angeles,2,12.5,0,A12
B,,,Asia/Kolkata,,,,B12
"C, D",2026-01-01,2026-12-31,,7,(3.00),t,
É,,,Pacific/Auckland,9,0.01,1,
"""
PIPELINE = r"""pipeline: odd
time_zone: {zone}
zone_from: site.zone
sources:
  odd:
    files: "x_*.csv*"
    order: {order}
    replaces: {replaces}
    period: "x_([0-9]{{2}})"
    on_refused_file: skip
    dialect: {{delimiter: "{delimiter}", quote: '{quote}', escape: {escape}}}
    encoding: {encoding}
    line_ends: {line_ends}
    line_breaks_in_quotes: {breaks}
    limits: {{record_lines: {lines}, record_bytes: {bytes}}}
fields:
  trip_id: {{from: [Id, Units], join: "-"}}
  pickup_at:
    from: At
    formats: [iso8601, "M/d/yyyy H:mm", "MM/dd/yy hh:mm:ss a", "d MMM yyyy 'at' H.mm",
              "yyyy.M.d HH:mm Z"]
  unit: {{from: Units, split: "{split}"}}
  place: {{from: Place, upper: true, values: {{"NULL": null, "N/A": null, "ZZ": "A"}}}}
  exported: Exp
  count: {{from: Count, type: integer, range: [-5, 1000]}}
  ratio: {{from: Ratio, type: decimal}}
  miles: {{from: Miles, range: [0, 100]}}
  cost: {{from: Cost, values: {{"NULL": null}}}}
  fee: {{from: Fee, type: money, range: [-10, 5000]}}
  flag: {{from: Flag, type: boolean}}
  seen: {{from: Seen, type: date, formats: [iso8601, "M/d/yyyy"]}}
  later_at: {{from: Later, formats: ["M/d/yyyy h:mm a", iso8601]}}
  who: {{from: Who, type: patient_id}}
  npi: {{from: Npi, type: npi}}
  code: {{from: Code, pattern: "[A-Z]\\d{{2,3}}(x|yz)?", values: {{"-": null}}}}
  mods: {{from: Mods, type: codes, values: {{"NULL": null}}}}
  status: {{from: Status, closed: true, values: {{C: completed, X: cancelled}}}}
  raw: {{from: Raw, trim: false}}
  region: Region
  kind: {{constant: k}}
lookups:
  site:
    file: site.csv
    match: {{place: place}}
    valid_on: pickup_date
    types: {{n: integer, amt: money, ok: boolean}}
  any: {{file: site.csv, match: {{place: place, code: code}}, cardinality: any}}
derived:
  trip_type: >-
    CASE WHEN count > 100 THEN 'BIG' WHEN ratio > 0.5 THEN coalesce(code, 'none')
    ELSE substr(coalesce(raw, 'zz'), 1, 2) END
  twice: count * 2 + coalesce(site.n, 0)
  later_text: coalesce(later_at_utc, 'no') || '|' || coalesce(seen, '-')
rules:
  - {{id: r1, class: in_house, basis: a, when: "site.ok = 1 AND flag = 1", because: x}}
  - id: r2
    class: contracted
    basis: b
    from: 2026-02-10
    to: 2026-10-01
    when: cost_cents > 1000 OR site.amt > cost_cents
    because: x
  - {{id: r3, class: contracted, when: "raw LIKE '%é%' OR any.match_count > 1", because: x}}
  - id: r4
    class: undetermined
    basis: U é-
    when: kind = 'k' AND unit GLOB '[A-M]*' AND strftime('%d', pickup_date) < '20'
    because: x
overrides: by_hand.csv
checks:
  - {{id: rejects, warn_if: "reject_pct > 100"}}
  - {{id: undetermined, warn_if: "undetermined_pct > 100"}}
kpis:
  count_when: "status IS NOT NULL AND region <> 'R9'"
  cost: cost
  measures:
    counts: {{median: count}}
    mean_twice: {{mean: twice, label: Twice, unit: times}}
    fees: {{sum: fee}}
    middle_fee: {{median: fee}}
    far: {{mean: miles}}
    flagged: {{sum: flag}}
    seen_late: {{count: "seen > '2026-01-15'"}}
    odd_cost: {{sum: cost, unit: cents}}
  dimensions: {{spot: place, code: code, text: later_text}}
  fiscal_year: {fiscal_year}
"""


# What the rules give, and an override may.
GROUNDS = (("in_house", "a"), ("contracted", "b"), ("contracted", ""), ("undetermined", "U é-"),
           ("undetermined", ""))


class OddExports:
    """One seed's pipeline and exports."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        of = self.random.choice
        self.delimiter = of((",", ";", "\t", "|"))
        self.quote = of(('"', '"', "'", None))
        self.escape = of((None, None, "\\")) if self.quote else None
        self.encoding = of(("utf-8", "latin-1", "windows-1252"))
        self.line_ends = of(("any", "lf", "crlf"))
        self.rows = []
        self.pipeline = PIPELINE.format(
            zone=of(("America/New_York", "America/Denver", "Asia/Kolkata", "UTC")),
            order=of(('"x_([0-9]+)"', '"x_[0-9]+_([0-9])"', "{field: exported}")),
            replaces=of(("same_path", "nothing", "period")),
            delimiter="tab" if self.delimiter == "\t" else self.delimiter,
            quote={None: "none", "'": "''"}.get(self.quote, self.quote),
            escape='"\\\\"' if self.escape else "doubled", encoding=self.encoding,
            fiscal_year=("october", "july", "january", "december")[seed % 4],
            line_ends=self.line_ends, breaks=of(("true", "false")), lines=of((2, 3, 100)),
            bytes=of((300, 262144)), split=of(("/", ";;", " ")))

    def cell(self, column):
        of = self.random.choice
        if column == "Id":
            common = tuple(f"T{self.random.randrange(60)}" for _ in range(30))
            return of(("", "é1", " T5 ", "T5-1", "1.23457E+11", "2E+15 ", *common))
        if column in ("Cost", "Fee"):
            cents = self.random.randrange(-50_000, 900_000)
            size = f"{abs(cents) // 100}.{abs(cents) % 100:02}"
            return of((of(AMOUNTS), size, f"({size})", "-" + size, "$" + size))
        if column == "At":
            month, day = self.random.randrange(1, 13), self.random.randrange(1, 29)
            hour, minute = self.random.randrange(24), self.random.randrange(60)
            form = of((of(MOMENTS), "{i}T{h:02}:{n:02}:00-05:00", "{i}T{h:02}:{n:02}:07Z"))
            return form.format(
                i=f"2026-{month:02}-{day:02}", m=month, d=day, h=hour, n=minute,
                c=(hour + 11) % 12 + 1, a="AM" if hour < 12 else "pm")
        return of(ODD[column])

    def row(self):
        if self.rows and self.random.random() < 0.15:
            return self.random.choice(self.rows)
        odd = set(self.random.sample(COLUMNS, self.random.choice((0, 1, 1, 2, 3))))
        odd |= set(COLUMNS) - set(PLAIN)
        self.rows.append({column: self.cell(column) if column in odd else PLAIN[column]
                          for column in COLUMNS})
        return self.rows[-1]

    def written(self, text, quoted=False):
        """A cell in the dialect."""
        quote = self.quote
        if not quote or not (quoted or self.delimiter in text or quote in text or "\n" in text):
            return text
        if self.escape:
            return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote
        return quote + text.replace(quote, quote + quote) + quote

    def broken(self, line, headers):
        """A line, now and then spoilt."""
        chance, place = self.random.random(), self.random.randrange(len(line) + 1)
        spoilt = (line.replace(self.delimiter, "", 1), line + self.delimiter,
                  line[:place] + (self.quote or "") + line[place:], "", self.random.choice(headers),
                  line[:place] + "\0" + line[place:], "   ", line[:place],
                  line[:place] + "\r" + line[place:])
        return self.random.choice(spoilt) if chance < 0.15 else line

    def export(self):
        """The bytes of one file."""
        columns = self.random.sample(COLUMNS, len(COLUMNS))
        header = self.delimiter.join(self.written(column) for column in columns)
        headers = [header, self.delimiter.join(
            self.written(column, self.random.random() < 0.5) for column in columns)]
        lines = [header]
        for _ in range(self.random.choice((30, 60))):
            row = self.row()
            line = self.delimiter.join(
                self.written(row[column], self.random.random() < 0.1) for column in columns)
            lines.append(self.broken(line, headers))
        encoding = {"windows-1252": "cp1252"}.get(self.encoding, self.encoding)
        mark = b"\xef\xbb\xbf" if encoding == "utf-8" and self.random.random() < 0.2 else b""
        parts = [mark]
        for number, line in enumerate(lines):
            if self.line_ends == "crlf":
                line = line.replace("\n", "\r\n")
            content = line.encode(encoding, "replace")
            if number and self.random.random() < 0.02:
                content = b"\x81\xff" + content
            ends = {"any": ("\n", "\r\n"), "lf": ("\n",), "crlf": ("\r\n",)}[self.line_ends]
            parts += [content, self.random.choice(ends).encode()]
        return b"".join(parts if self.random.random() < 0.7 else parts[:-1])

    def overrides(self):
        """Decisions made by hand: of some trips, some of which have expired, and of no trip."""
        of = self.random.choice
        lines = ["expires,trip_id,class,basis,author,reason"]
        ids = {f"T{self.random.randrange(60)}-{unit}" for unit in "ABMN" for _ in range(30)}
        for trip_id in sorted(ids | {"é1-ö", "T5-A"}):
            day = of(("2026-01-31", "2026-12-15", "2026-12-28", "2027-12-31"))
            lines.append(f'{day},"{trip_id}",{",".join(of(GROUNDS))},o,"why, \n not"'
                         if self.random.random() < 0.1
                         else f"{day},{trip_id} ,{','.join(of(GROUNDS))},o,why")
        return "\n".join(lines) + "\n"

    def write(self, folder):
        for name in ("pipeline", "reference", "in"):
            os.makedirs(os.path.join(folder, name))
        put(self.pipeline.encode(), folder, "pipeline", "pipeline.yaml")
        put(self.overrides().encode(), folder, "pipeline", "by_hand.csv")
        put(SITES.encode(), folder, "reference", "site.csv")
        for number in range(self.random.choice((2, 3, 4))):
            name = f"x_{self.random.randrange(10, 13)}_{number}.csv"
            content = self.export()
            if self.random.random() < 0.3:
                cut = self.random.randrange(len(content))
                members = [gzip.compress(part, mtime=0) for part in (content[:cut], content[cut:])]
                content = b"".join(members) + b"\0" * self.random.choice((0, 0, 9))
                name += ".gz"
            put(content, folder, "in", name)


def put(content, *path):
    with open(os.path.join(*path), "wb") as file:
        file.write(content)


def main(argv):
    """Writes the files of one seed."""
    parser = argparse.ArgumentParser(prog="odd_exports.py", description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True, help="a folder that does not exist yet")
    options = parser.parse_args(argv)
    OddExports(options.seed).write(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
