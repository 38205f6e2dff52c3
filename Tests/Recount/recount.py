#!/usr/bin/env python3
"""Recounts a published generation from the raw exports, without any code of Triptych.

    recount.py --pipeline DIR --input DIR --reference DIR --mart DIR
    recount.py --pipeline DIR --input DIR --reference DIR --json FILE|-

The first form compares everything with the mart: exit 0 and one line, or exit 1 and at most
twenty differences. The second form writes what the recount itself finds in the input folder.

It was written from the specification (docs/PIPELINE.md, docs/SCHEMA.md) with the standard library
alone, so that an error would have to be made twice, in two languages, to stay unseen. Rules run
through SQLite as they are written. Where the two disagree, one of them is a defect.
"""

import argparse
import json
import os
import sys

import declared
import lines
import mart as marts
import resolution
import totals
from layouts import Pipeline, stem
from lookups import Lookup, Zones
from overrides import Overrides
from records import Refused


class Recount:
    """Everything the recount finds, from the raw files on."""

    def __init__(self, pipeline, reference, contents):
        """Recounts known contents: (source, path, sequence, raw bytes, day taken in) each."""
        self.pipeline = pipeline
        self.refused = []
        self.files = []
        self.last_day = max((content[4] for content in contents if content[4]), default=None)
        for source, path, sequence, raw, day in contents:
            try:
                self.files.append(resolution.KnownFile(
                    source, path, sequence, raw, pipeline.cost, pipeline.latest(day)))
            except Refused as refusal:
                self.refused.append((path, str(refusal)))
        self.files.sort(key=lambda file: (self.place(file.source), *file.rank))
        resolution.withdraw(self.files)
        tables = [Lookup(name, given, reference) for name, given in pipeline.lookups.items()]
        self.versions = resolution.trips(self.files, pipeline, Zones(pipeline, tables))
        if any(source.lines for source in pipeline.sources):
            self.versions = lines.join(self.versions, self.files, pipeline, tables)
        self.accepted = resolution.decide(self.versions)
        lines.follow(self.versions)
        by_file = {file: [] for file in self.files}
        for version in self.versions:
            by_file[version.file].append(version)
        self.accounts = {
            (file.source.name, file.path, file.sequence): resolution.ledger(file, own)
            for file, own in by_file.items()}
        totals.Classifier(pipeline, tables, self.accepted).classify()
        Overrides(pipeline.folder, pipeline.overrides).apply(self.accepted)
        self.cube = totals.cube(self.accepted, pipeline.cost)
        self.basis = totals.basis(self.accepted, pipeline.cost)
        self.bridge = totals.bridge(self.accepted)

    def place(self, source):
        return self.pipeline.sources.index(source)

    def differences(self, mart, folders):
        """Everything in which the mart says something else."""
        found = marts.Differences()
        marts.compare_inputs(mart, folders, found)
        numbers = marts.compare_files(mart, self.files, found)
        marts.compare_ledgers(mart, self.accounts, numbers, found)
        marts.compare_rejects(mart, self.files, numbers, found)
        patients = {name for name, kind in self.pipeline.fields.items() if kind == "patient_id"}
        marts.compare_trips(mart, self.accepted, patients, found)
        marts.compare_versions(mart, self.files, self.versions, numbers, found)
        marts.compare_totals(mart, self.cube, self.basis, self.bridge, found)
        declared.compare(mart, self.pipeline, self.accepted, found)
        marts.compare_through(mart, self.accepted, self.last_day, found)
        return found

    def summary(self):
        items = sum(account["read"][0] for account in self.accounts.values())
        rejected = sum(account["rejected"][0] for account in self.accounts.values())
        return (f"{len(self.files)} files, {items} items, {len(self.accepted)} accepted trips, "
                f"{rejected} rejected, {len(self.cube)} cells")

    def report(self):
        """What was found, for a golden file: sums and places, no trip ids, no texts of records."""
        everything = self.cube.get(("all", "all", "all"), {})
        return {
            "pipeline": self.pipeline.name,
            "accepted": len(self.accepted),
            "counted": everything.get("trips", 0),
            "files": [
                {"path": file.path, "layout": file.layout.name,
                 "status": "current" if file.is_current else "withdrawn",
                 "records": len(file.export.records), "lines": file.export.line_count,
                 "blank_lines": file.export.blank_count,
                 "ledger": {
                     term: dict(zip(("items", "cents", "unpriced"), amounts))
                     for term, amounts in
                     self.accounts[(file.source.name, file.path, file.sequence)].items()}}
                for file in self.files],
            "rejects": [
                {"path": file.path, "record": item.record.number, "line": item.record.line,
                 "reasons": sorted(item.faults)}
                for file in self.files if file.is_current for item in file.items if item.faults],
            "kpi_cube": [
                {"month": key[0], "trip_type": key[1], "region": key[2], **cell}
                for key, cell in sorted(self.cube.items())],
            "kpi_basis": [
                {"month": key[0], "trip_type": key[1], "region": key[2], "class": key[3],
                 "basis": key[4], "trips": cell[0], "costed_trips": cell[1],
                 "cost_cents": cell[2]}
                for key, cell in sorted(self.basis.items())],
        }


def reviewable(report):
    """A report as JSON with one row per line, so that a change can be read as a difference."""
    parts = []
    for key, value in report.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)
            text = f"[\n  {rows}\n ]"
        parts.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def delivered(pipeline, folder):
    """The export files below the input folder: (source, path) in order of paths."""
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")
            if name.startswith(".") or name.endswith((".part", ".tmp")):
                continue
            source = next((one for one in pipeline.sources if one.matches(path)), None)
            if source is not None:
                found.append((source, path))
    return sorted(found, key=lambda pair: pair[1].encode())


def read_bytes(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def known_contents(pipeline, mart, folder):
    """Every content the mart knows, from the input folder where it still lies there."""
    sources = {source.name: source for source in pipeline.sources}
    contents = []
    for row in mart.files():
        path = os.path.join(folder, row["path"])
        raw = read_bytes(path) if os.path.isfile(path) else None
        if raw is None or resolution.sha256(raw) != row["archive_hash"]:
            raw = mart.archived(row["archive_hash"])
        if raw is None:
            raise SystemExit(f"the raw bytes of {row['path']} are neither in the input folder "
                             "nor in the archive")
        contents.append((sources[row["source"]], row["path"], row["sequence"], raw,
                         row.get("taken_in")))
    return contents


def unknown_files(pipeline, mart, folder):
    """Readable exports in the input folder that the mart does not know under their path."""
    known = {(stem(row["path"]), row["content_hash"]) for row in mart.files()}
    unknown = []
    for source, path in delivered(pipeline, folder):
        try:
            file = resolution.KnownFile(source, path, 1, read_bytes(folder, path), pipeline.cost)
        except Refused:
            continue
        if (stem(path), file.hash) not in known:
            unknown.append(path)
    return unknown


def main(argv):
    """Runs one recount; the exit status says whether everything agrees."""
    parser = argparse.ArgumentParser(prog="recount.py", description=__doc__.split("\n")[0])
    parser.add_argument("--pipeline", required=True, help="the pipeline folder")
    parser.add_argument("--input", required=True, help="the base of the source globs")
    parser.add_argument("--reference", required=True, help="the folder of the reference files")
    parser.add_argument("--mart", help="the mart folder, or one generation file")
    parser.add_argument("--json", help="write the recount itself to a file, `-` for stdout")
    options = parser.parse_args(argv)
    if (options.mart is None) == (options.json is None):
        parser.error("give either --mart or --json")
    pipeline = Pipeline(options.pipeline)
    if options.json is not None:
        contents = [(source, path, 1, read_bytes(options.input, path), None)
                    for source, path in delivered(pipeline, options.input)]
        recount = Recount(pipeline, options.reference, contents)
        text = reviewable(recount.report())
        if options.json == "-":
            sys.stdout.write(text)
        else:
            with open(options.json, "w", encoding="utf-8") as file:
                file.write(text)
        return 0
    mart = marts.Mart(options.mart)
    recount = Recount(pipeline, options.reference,
                      known_contents(pipeline, mart, options.input))
    found = recount.differences(
        mart, {"pipeline": options.pipeline, "override": options.pipeline,
               "reference": options.reference})
    for path, reason in recount.refused:
        found.add(f"file {path}: refused by the recount, {reason}")
    for path in unknown_files(pipeline, mart, options.input):
        found.add(f"file {path}: readable, but unknown to the mart")
    number = mart.generation()["number"]
    if found.count:
        for line in found.lines:
            print(line)
        print(f"RECOUNT DIFFERS from generation {number} in {found.count} places "
              f"({len(found.lines)} shown)")
        return 1
    print(f"RECOUNT AGREES with generation {number}: {recount.summary()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
