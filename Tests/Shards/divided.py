"""A run divided over its files, on one machine: what a cluster does, one step after the other.

    divided.py PIPELINE --input DIR --mart DIR --work DIR [--parts N] [--reference DIR] [FLAGS]

Plans, maps every file, decides which are in force, divides the rows by trip, resolves every part and
imports the result. FLAGS go to `import-cube`. The exit status is that of the first step that fails.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys

import frames


def step(arguments, data=None, shows=False):
    done = subprocess.run(["triptych"] + arguments, input=data, capture_output=not shows)
    if done.returncode not in (0, 10) or shows:
        if not shows:
            sys.stderr.buffer.write(done.stdout + done.stderr)
        if done.returncode or shows:
            sys.exit(done.returncode)
    return done.stdout


def listed(folder, contents):
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(root, name)
            entry = {"path": os.path.relpath(path, folder), "size": os.path.getsize(path)}
            if entry["path"] in contents:
                entry["content_hash"] = contents[entry["path"]]
            yield entry


def mapped(plan, file, options):
    """Maps one file; returns the row frames of its versions, and its report."""
    with open(os.path.join(options.input, file["listed"]), "rb") as source:
        output = step(["map", "--plan", plan, "--file", str(file["index"])] + options.key + ["-"],
                      source.read())
    name = os.path.join(options.work, "results", "file-%05d" % file["index"])
    versions, rejects, report = [], b"", None
    for header, body in frames.read(output):
        if header["frame"] == "versions":
            versions.append((header, body))
        elif header["frame"] == "rejects":
            rejects += body
        elif header["frame"] == "report":
            report = body
    with open(name + ".report.json", "wb") as out:
        out.write(report)
    with open(name + ".rejects.jsonl", "wb") as out:
        out.write(rejects)
    report = json.loads(report)
    return [] if report["refusal"] else versions, report


def resolved(plan, part, all_frames, options):
    """Resolves the rows of one part, whose frames come in another order than they were written."""
    rows, data = 0, b""
    for header, body in reversed(all_frames):
        kind, parts = frames.column(header, body, "ref")
        own = [
            row for row in range(header["rows"])
            if frames.part_of(frames.value(kind, parts, row), options.parts) == part
        ]
        data += frames.write(*frames.chosen(header, body, own))
        rows += len(own)
    files = os.path.join(options.work, "results", "files.json")
    output = step(
        ["resolve", "--plan", plan, "--files", files, "--part", str(part),
         "--parts", str(options.parts), "-"],
        data + frames.end(rows))
    name = os.path.join(options.work, "results", "part-%05d" % part)
    cells, report = b"", b""
    for header, body in frames.read(output):
        if header["frame"] == "cells":
            cells += body
        elif header["frame"] == "report":
            report = body
    with open(name + ".report.json", "wb") as out:
        out.write(report)
    with open(name + ".cells.jsonl", "wb") as out:
        out.write(cells)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pipeline")
    parser.add_argument("--input", required=True)
    parser.add_argument("--mart", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--reference")
    parser.add_argument("--plan-flags", default="")
    options, options.flags = parser.parse_known_args()
    options.key = ["--key-file", options.mart + ".key"]
    plan, versions, again = planned_and_mapped(options, {})
    if again:
        # Their contents were known only now, and with them the days they were taken in.
        plan, versions, _ = planned_and_mapped(options, again)
    results = os.path.join(options.work, "results")
    step(["shard", "files", "--plan", plan, "--results", results,
          "--out", os.path.join(results, "files.json")])
    with open(plan) as text:
        compares = json.load(text)["compares_versions"]
    if compares:
        for part in range(options.parts):
            resolved(plan, part, versions, options)
    step(["import-cube", "--plan", plan, "--results", results, "--trips", "s3://trips/2026",
          "--mart", options.mart] + options.flags, shows=True)


def planned_and_mapped(options, contents):
    """The plan's path, the row frames of all files, and the contents of those to be mapped again."""
    results = os.path.join(options.work, "results")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    plan, list_path = os.path.join(options.work, "plan.json"), os.path.join(options.work, "list")
    with open(list_path, "w") as out:
        for entry in listed(options.input, contents):
            print(json.dumps(entry), file=out)
    reference = ["--reference", options.reference] if options.reference else []
    step(["shard", "plan", options.pipeline, "--files", list_path, "--out", plan,
          "--mart", options.mart] + reference + options.plan_flags.split())
    with open(plan) as text:
        planned = json.load(text)
    versions, again = [], {}
    for file in planned["files"]:
        rows, report = mapped(plan, file, options)
        versions += rows
        if report["is_misjudged"]:
            again[file["listed"]] = report["content_hash"]
    return plan, versions, again


main()
