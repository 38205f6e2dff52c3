#!/usr/bin/env python3
"""What `duckdb -json -c SQL` and `duckdb -c SQL` do, by the library alone: the shell of DuckDB is no
package of Python. Texts are printed as the shell prints them, and its exit status is kept.
"""

import json
import sys

import duckdb


def main():
    words = sys.argv[1:]
    is_json = words[:1] == ["-json"]
    if len(words) != 2 + is_json or words[-2] != "-c":
        sys.exit("duckdb_shell.py [-json] -c SQL")
    try:
        answer = duckdb.connect().execute(words[-1])
        names = [column[0] for column in answer.description]
        rows = answer.fetchall()
    except duckdb.Error as error:
        sys.exit(str(error))
    if is_json:
        # Like the shell: a row that has a NULL says so.
        print(json.dumps([dict(zip(names, row)) for row in rows]) if rows else "[]")
    else:
        print(len(rows), "rows")


if __name__ == "__main__":
    main()
