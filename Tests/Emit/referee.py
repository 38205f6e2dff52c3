#!/usr/bin/env python3
"""Gives emitted expressions to the engines they are written for, and compares every value.

    referee.py PAIRS ENGINE…        ENGINE: duckdb, spark or sqlite

PAIRS comes from Tests/TripRulesTests/Emission: a table of trips, and expressions with their SQL and
the value of each trip. A query has many expressions, a column each. An expression that an engine
ends with an error is asked alone, trip by trip: only the errors that emitted SQL raises itself are
no fault, and they are counted. An engine that comes later is not asked for these trips again: put
DuckDB before Spark. The last line says what was compared.
"""

import json
import math
import sys

RAISED = "is not written"    # what every error says that emitted SQL raises
TYPES = {
    "duckdb": {"TEXT": "VARCHAR", "INTEGER": "BIGINT", "REAL": "DOUBLE"},
    "spark": {"TEXT": "STRING", "INTEGER": "BIGINT", "REAL": "DOUBLE"},
    "sqlite": {"TEXT": "TEXT", "INTEGER": "INTEGER", "REAL": "REAL"},
}


def value(text):
    """A value as the pairs write it."""
    if text is None or text[0] == "t":
        return text and text[1:]
    if text[0] == "i":
        return int(text[1:])
    return float(text[1:])


def equal(ours, theirs):
    """Whether two values are the same, of the same type."""
    if isinstance(theirs, bool):
        theirs = int(theirs)
    return type(ours) is type(theirs) and ours == theirs


class DuckDB:
    batch = 400

    def __init__(self, names, types, rows):
        import duckdb
        self.connection = duckdb.connect()
        columns = ", ".join(f'"{name}" {type}' for name, type in zip(names, types))
        self.connection.execute(f"CREATE TABLE trip(id INTEGER, {columns})")
        marks = ", ".join("?" * (len(names) + 1))
        self.connection.executemany(f"INSERT INTO trip VALUES({marks})", rows)

    def ask(self, sql):
        return self.connection.execute(sql).fetchall()


class SQLite(DuckDB):
    batch = 400

    def __init__(self, names, types, rows):
        import sqlite3
        self.connection = sqlite3.connect(":memory:")
        columns = ", ".join(f'"{name}" {type}' for name, type in zip(names, types))
        self.connection.execute(f"CREATE TABLE trip(id INTEGER, {columns})")
        marks = ", ".join("?" * (len(names) + 1))
        self.connection.executemany(f"INSERT INTO trip VALUES({marks})", rows)


class Spark:
    batch = 40

    def __init__(self, names, types, rows):
        from pyspark.sql import SparkSession
        session = SparkSession.builder.master("local[2]").appName("referee")
        for key, setting in {
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1",
            "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.driver.memory": "3g", "spark.sql.debug.maxToStringFields": "5",
        }.items():
            session = session.config(key, setting)
        self.session = session.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        schema = ", ".join(f"`{name}` {type}" for name, type in zip(names, types))
        frame = self.session.createDataFrame(rows, f"id INT, {schema}").coalesce(1).cache()
        frame.createOrReplaceTempView("trip")

    def ask(self, sql):
        return [tuple(row) for row in self.session.sql(sql).collect()]


ENGINES = {"duckdb": DuckDB, "spark": Spark, "sqlite": SQLite}


class Referee:
    def __init__(self, dialect, table, expressions, ended):
        self.dialect = dialect
        self.ended = ended
        self.count = len(table[0][2])
        types = [TYPES[dialect][type] for _, type, _ in table]
        columns = [[value(cell) for cell in cells] for _, _, cells in table]
        rows = [(row,) + tuple(column[row] for column in columns) for row in range(self.count)]
        self.engine = ENGINES[dialect]([name for name, _, _ in table], types, rows)
        self.pairs = self.raised = self.nulls = 0
        self.faults = []
        self.refused = [one for one in expressions if one[dialect] is None]
        self.expressions = [one for one in expressions if one[dialect] is not None]

    def compare(self, expression, row, theirs):
        ours = value(expression["values"][row])
        self.pairs += 1
        self.nulls += ours is None
        if not equal(ours, theirs):
            self.faults.append(
                f"{expression['text']}\n  {expression[self.dialect]}\n"
                f"  trip {row}: {ours!r} here, {theirs!r} in {self.dialect}"
            )

    def play(self, batch):
        columns = ", ".join(f"{one[self.dialect]} AS c{n}" for n, one in enumerate(batch))
        try:
            rows = self.engine.ask(f"SELECT id, {columns} FROM trip ORDER BY id")
        except Exception as error:
            if len(batch) > 1:
                middle = len(batch) // 2
                self.play(batch[:middle])
                self.play(batch[middle:])
            else:
                self.trip_by_trip(batch[0], error)
            return
        for row in rows:
            for expression, theirs in zip(batch, row[1:]):
                self.compare(expression, row[0], theirs)

    def trip_by_trip(self, expression, error):
        if RAISED not in str(error):
            first = str(error).split("\n")[0]
            self.faults.append(
                f"{expression['text']}\n  {expression[self.dialect]}\n  error: {first}"
            )
            return
        ended = self.ended.setdefault(expression["text"], set())
        for row in range(self.count):
            try:
                self.compare(expression, row, self.one(expression, row))
            except Exception as error:
                if RAISED not in str(error):
                    raise
                self.raised += 1
                ended.add(row)

    def one(self, expression, row):
        sql = f"SELECT {expression[self.dialect]} FROM trip WHERE id = {row}"
        return self.engine.ask(sql)[0][0]

    def without_ended(self, expression):
        """The expression, asked of the trips alone for which another engine gave no error."""
        rows = self.ended.get(expression["text"])
        if not rows:
            return expression
        sql = expression[self.dialect]
        sql = f"CASE WHEN id NOT IN ({', '.join(map(str, sorted(rows)))}) THEN {sql} END"
        values = [None if row in rows else one for row, one in enumerate(expression["values"])]
        return {**expression, self.dialect: sql, "values": values}

    def run(self):
        for start in range(0, len(self.expressions), self.engine.batch):
            batch = self.expressions[start : start + self.engine.batch]
            self.play([self.without_ended(one) for one in batch])
        # What ended with an error elsewhere does so here too, or has the right value; some is asked.
        ended = [one for one in self.expressions if self.raised == 0 and self.ended.get(one["text"])]
        for expression in ended[:20]:
            row = min(self.ended[expression["text"]])
            try:
                self.compare(expression, row, self.one(expression, row))
            except Exception as error:
                if RAISED not in str(error):
                    raise
        return not self.faults

    def summary(self):
        share = len(self.refused) / max(1, len(self.refused) + len(self.expressions))
        return (
            f"{self.dialect}: {self.pairs} pairs of {len(self.expressions)} expressions, "
            f"{self.nulls} NULL, {self.raised} ended with an error of their own, "
            f"{100 * share:.1f} % of expressions refused, {len(self.faults)} differ"
        )


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        table = json.loads(file.readline())
        expressions = [json.loads(line) for line in file]
    holds = True
    summaries = []
    ended = {}    # the trips of an expression for which emitted SQL raised an error
    for dialect in sys.argv[2:]:
        referee = Referee(dialect, table, expressions, ended)
        holds = referee.run() and holds
        for fault in referee.faults[:20]:
            print(fault)
        reasons = {}
        for one in referee.refused:
            reason = one["refusal"].split(":")[0]
            reasons[reason] = reasons.get(reason, 0) + 1
        for reason, count in sorted(reasons.items(), key=lambda item: -item[1]):
            print(f"  refused {count}: {reason}")
        summaries.append(referee.summary())
    print("; ".join(summaries))
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
