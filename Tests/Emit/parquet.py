#!/usr/bin/env python3
"""Writes the trips of a divided run as Parquet, a folder for each month, as the job on a cluster does.

    parquet.py PLAN INPUT KEY OUT

`triptych map` reads the files of the plan below INPUT; every trip that it gives is written, and no
version is set aside: the exports have each trip once.
"""

import json
import os
import struct
import subprocess
import sys

import duckdb

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Shards"))
import frames  # noqa: E402  (its folder has just been named)

TYPES = {
    "int32": "INTEGER", "int64": "BIGINT", "float64": "DOUBLE", "utf8": "VARCHAR",
    "binary": "BLOB", "bool": "BOOLEAN", "date32": "DATE", "timestamp_s": "TIMESTAMP",
}
# A day and a time stamp are given as numbers; DuckDB makes them from these.
MADE = {
    "date32": "DATE '1970-01-01' + CAST(? AS INTEGER)",
    "timestamp_s": "make_timestamp(CAST(? AS BIGINT) * 1000000)",
}


def value(kind, parts, row):
    """One value; None where it is null."""
    if parts[0] and not frames.bit(parts[0], row):
        return None
    if kind == "bool":
        return bool(frames.bit(parts[2], row))
    data = frames.value(kind, parts, row)
    if kind == "utf8":
        return data.decode()
    if kind == "binary":
        return data
    form = {"float64": "<d", "int64": "<q", "timestamp_s": "<q"}.get(kind, "<i")
    return struct.unpack(form, data)[0]


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    plan, source, key, out = sys.argv[1:]
    connection = duckdb.connect()
    with open(plan, encoding="utf-8") as file:
        files = json.load(file)["files"]
    for one in files:
        with open(os.path.join(source, one["listed"]), "rb") as export:
            done = subprocess.run(
                ["triptych", "map", "--plan", plan, "--file", str(one["index"]), "--key-file", key, "-"],
                stdin=export, capture_output=True, check=True,
            )
        for header, buffers in frames.read(done.stdout):
            if header["frame"] != "trips":
                continue
            columns = [(column["name"], column["type"]) for column in header["columns"]]
            declared = ", ".join(f'"{name}" {TYPES[kind]}' for name, kind in columns)
            connection.execute(f"CREATE TABLE IF NOT EXISTS trip ({declared})")
            marks = ", ".join(MADE.get(kind, "?") for _, kind in columns)
            for row in range(header["rows"]):
                values = [value(kind, parts, row) for (_, kind), parts in zip(columns, buffers)]
                connection.execute(f"INSERT INTO trip VALUES({marks})", values)
    for (month,) in connection.execute("SELECT DISTINCT month FROM trip").fetchall():
        folder = os.path.join(out, f"month={month}")
        os.makedirs(folder)
        path = os.path.join(folder, "trips.parquet").replace("'", "''")
        connection.execute(f"COPY (FROM trip WHERE month = '{month}') TO '{path}' (FORMAT parquet)")


if __name__ == "__main__":
    main()
