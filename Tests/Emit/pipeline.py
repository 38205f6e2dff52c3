#!/usr/bin/env python3
"""Classifies the trips of a generation again by emitted SQL, and compares every trip and cell.

    pipeline.py PIPELINE REFERENCE MART ENGINE… [--trip-refs]    ENGINE: duckdb, spark or sqlite

`triptych emit` (TRIPTYCH, if set) writes the SQL into a folder of its own. The table of trips is the
view `trip` of the served generation, and reference tables are the files that emit writes; DuckDB
reads them by the statement of docs/EMIT.md. With --trip-refs trips have references. What the generation
says of each trip (class, basis, rule, counted, month and derived fields), and its cube,
must come out again, row by row.
"""

import csv
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NUMBERS = {"BIGINT": int, "INTEGER": int, "DOUBLE": float, "REAL": float}


def tables(folder):
    """The tables that the SQL reads, by name: columns and types."""
    found = {}
    with open(f"{folder}/tables.sql", encoding="utf-8") as file:
        text = file.read()
    for name, body in re.findall(r"CREATE TABLE (\S+) \(\n(.*?)\n\);", text, re.S):
        columns = [line.strip().rstrip(",").rsplit(" ", 1) for line in body.split("\n")]
        found[name.strip('"`')] = [(column.strip('"`'), type) for column, type in columns]
    return found


def seed(path, columns):
    """The rows of a reference table; an empty cell is not known."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        assert next(reader) == [name for name, _ in columns], path
        types = [NUMBERS.get(type, str) for _, type in columns]
        return [
            tuple(None if cell == "" else type(cell) for type, cell in zip(types, row))
            for row in reader
        ]


def documented_copy(name, path):
    """The statement by which docs/EMIT.md fills a table, for another table and file."""
    with open(f"{ROOT}/docs/EMIT.md", encoding="utf-8") as file:
        (statement,) = re.findall(r"^ +(COPY (?:.|\n)*?;)$", file.read(), re.M)
    table, source = re.match(r"COPY (\S+) FROM ('[^']+')", statement).groups()
    return statement.replace(table, f'"{name}"', 1).replace(source, f"'{path}'", 1)


def read(column):
    """A column of the generation's view of trips; a reference is any other word for an id."""
    return "'ref-' || trip_id" if column == "trip_ref" else f'"{column}"'


class Tables:
    """An engine that has tables."""

    def fill(self, name, columns, path):
        """Makes a reference table of a file."""
        self.create(name, columns, seed(path, columns))

    def create(self, name, columns, rows):
        quoted = ", ".join(f'"{column}" {type}' for column, type in columns)
        self.connection.execute(f'CREATE TABLE "{name}" ({quoted})')
        marks = ", ".join("?" * len(columns))
        if rows:
            self.connection.executemany(f'INSERT INTO "{name}" VALUES({marks})', rows)

    def view(self, sql):
        self.connection.execute(f"CREATE TEMP VIEW trip_class AS {sql}")

    def ask(self, sql):
        answer = self.connection.execute(sql)
        return [column[0] for column in answer.description], answer.fetchall()


class SQLite(Tables):
    def __init__(self):
        self.connection = sqlite3.connect(":memory:")


class DuckDB(Tables):
    def __init__(self):
        import duckdb
        self.connection = duckdb.connect()

    def create(self, name, columns, rows):
        # One by one, DuckDB takes a thousand rows a second.
        with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_NOTNULL if hasattr(csv, "QUOTE_NOTNULL")
                                else csv.QUOTE_MINIMAL)
            writer.writerows([["" if cell is None else cell for cell in row] for row in rows])
            file.flush()
            super().create(name, columns, [])
            self.connection.execute(
                f"COPY \"{name}\" FROM '{file.name}' (HEADER false, NULLSTR '', DELIMITER ',', "
                "QUOTE '\"', ESCAPE '\"')"
            )

    def fill(self, name, columns, path):
        super().create(name, columns, [])
        self.connection.execute(documented_copy(name, path))


class Spark(Tables):
    def __init__(self):
        from pyspark.sql import SparkSession
        session = SparkSession.builder.master("local[2]").appName("emit")
        for key, setting in {
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2",
            "spark.driver.memory": "3g",
        }.items():
            session = session.config(key, setting)
        self.session = session.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def create(self, name, columns, rows):
        schema = ", ".join(f"`{column}` {type}" for column, type in columns)
        self.session.createDataFrame(rows, schema).createOrReplaceTempView(name)

    def view(self, sql):
        self.session.sql(f"CREATE OR REPLACE TEMP VIEW trip_class AS {sql}")

    def ask(self, sql):
        frame = self.session.sql(sql)
        return frame.columns, [tuple(row) for row in frame.collect()]


ENGINES = {"duckdb": DuckDB, "spark": Spark, "sqlite": SQLite}


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def compare(what, ours, theirs, key):
    """The differences between two sets of rows, by their key."""
    ours, theirs = {key(row): row for row in ours}, {key(row): row for row in theirs}
    faults = [f"{what}: {one} is missing" for one in ours.keys() - theirs.keys()]
    faults += [f"{what}: {one} is too much" for one in theirs.keys() - ours.keys()]
    for one in ours.keys() & theirs.keys():
        if ours[one] != theirs[one] or [*map(type, ours[one])] != [*map(type, theirs[one])]:
            faults.append(f"{what}: {ours[one]} in the mart, {theirs[one]} by SQL")
    return faults


def check(pipeline, reference, mart, dialect, flags):
    engine = ENGINES[dialect]()
    with tempfile.TemporaryDirectory() as folder:
        command = os.environ.get("TRIPTYCH", "triptych").split()
        subprocess.run(
            [*command, "emit", pipeline, "--reference", reference, "--dialect", dialect,
             "--out", folder, *flags],
            check=True, stdout=subprocess.DEVNULL,
        )
        found = tables(folder)
        generation = sqlite3.connect(f"file:{os.path.realpath(mart)}/triptych.sqlite?mode=ro", uri=True)
        for name, columns in found.items():
            if name in ("trip", "generation"):
                names = ", ".join(read(column) for column, _ in columns)
                rows = generation.execute(f"SELECT {names} FROM {name}").fetchall()
                engine.create(name, columns, rows)
            else:
                engine.fill(name, columns, f"{folder}/seeds/{name}.csv")
        engine.view(text(f"{folder}/trip_class.sql"))
        columns, theirs = engine.ask("SELECT * FROM trip_class")
        names = ", ".join(map(read, columns))
        ours = generation.execute(f"SELECT {names} FROM trip").fetchall()
        place = columns.index("trip_ref" if "--trip-refs" in flags else "trip_id")
        faults = compare("trip", ours, theirs, lambda row: row[place])
        columns, theirs = engine.ask(text(f"{folder}/kpi.sql"))
        cube = generation.execute(f"SELECT {', '.join(columns)} FROM kpi_cube").fetchall()
        faults += compare("cell", cube, theirs, lambda row: row[:3])
    if not ours or not cube:
        faults.append("nothing was compared")
    for fault in faults[:10]:
        print(fault)
    print(f"{dialect}: {len(ours)} trips and {len(cube)} cells compared, {len(faults)} differ")
    return not faults


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    pipeline, reference, mart, *words = sys.argv[1:]
    flags = [word for word in words if word.startswith("--")]
    dialects = [word for word in words if word not in flags]
    sys.exit(0 if all([check(pipeline, reference, mart, one, flags) for one in dialects]) else 1)


if __name__ == "__main__":
    main()
