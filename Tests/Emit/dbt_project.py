#!/usr/bin/env python3
"""Lets dbt build what `triptych emit --dbt` writes, on DuckDB, and compares the models.

    dbt_project.py PIPELINE REFERENCE MART

`dbt build` loads the seeds, makes the models and runs the tests of schema.yml. The models are
compared with the generation, every trip and every cell.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile

import duckdb

from pipeline import compare, tables

PROJECT = "name: emitted\nversion: '1.0'\nconfig-version: 2\nprofile: emitted\n"
PROFILE = "emitted:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: FILE, schema: main}\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    pipeline, reference, mart = sys.argv[1:]
    command = [*os.environ.get("TRIPTYCH", "triptych").split(), "emit", pipeline]
    command += ["--reference", reference, "--dialect", "duckdb", "--out"]
    generation = sqlite3.connect(f"file:{os.path.realpath(mart)}/triptych.sqlite?mode=ro", uri=True)
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run([*command, f"{folder}/plain"], **quiet)
        subprocess.run([*command, f"{folder}/project", "--dbt"], **quiet)
        file = f"{folder}/warehouse.duckdb"
        with open(f"{folder}/project/dbt_project.yml", "w") as out:
            out.write(PROJECT)
        with open(f"{folder}/project/profiles.yml", "w") as out:
            out.write(PROFILE.replace("FILE", file))
        found = tables(f"{folder}/plain")
        connection = duckdb.connect(file)
        connection.execute("CREATE SCHEMA triptych")
        for table in [one for one in ("trip", "generation") if one in found]:
            quoted = ", ".join(f'"{name}" {type}' for name, type in found[table])
            connection.execute(f"CREATE TABLE triptych.{table} ({quoted})")
            names = ", ".join(f'"{name}"' for name, _ in found[table])
            marks = ", ".join("?" * len(found[table]))
            rows = generation.execute(f"SELECT {names} FROM {table}").fetchall()
            connection.executemany(f"INSERT INTO triptych.{table} VALUES({marks})", rows)
        connection.close()
        dbt = os.path.join(os.path.dirname(sys.executable), "dbt")
        built = subprocess.run(
            [dbt, "--no-use-colors", "build", "--project-dir", f"{folder}/project",
             "--profiles-dir", f"{folder}/project", "--no-send-anonymous-usage-stats"],
            cwd=folder, capture_output=True, text=True,
        )
        if built.returncode != 0 or "Done. PASS=" not in built.stdout:
            sys.exit(built.stdout[-4000:] + built.stderr[-2000:])
        connection = duckdb.connect(file)
        faults, counts = [], []
        for model, table, key in [("trip_class", "trip", 1), ("kpi", "kpi_cube", 3)]:
            answer = connection.execute(f"SELECT * FROM {model}")
            found = [column[0] for column in answer.description]
            names = ", ".join(f'"{name}"' for name in found)
            ours = generation.execute(f"SELECT {names} FROM {table}").fetchall()
            place = found.index("trip_id") if key == 1 else 0
            rows = answer.fetchall()
            counts.append(f"{len(rows)} rows of {model}")
            faults += compare(model, ours, rows, lambda row: row[place : place + key])
    for fault in faults[:10]:
        print(fault)
    done = [line for line in built.stdout.split("\n") if "Done. PASS=" in line][-1]
    print(f"{', '.join(counts)}, {len(faults)} differ; dbt: {done[done.index('PASS='):]}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
