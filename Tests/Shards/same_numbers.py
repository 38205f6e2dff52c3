"""Whether two generations have the same numbers, row by row: same_numbers.py FILE FILE

One may have its trips elsewhere. Left out is what differs between two builds of the same content
(docs/SCHEMA.md), and what only a file with its trips has.
"""

import sqlite3
import sys

LEFT_OUT = {
    "trip_row", "trip", "trip_column", "text_value", "month_range", "trip_version", "patient",
    "trip_location", "trip_location_month", "rejected_correction", "meta", "source", "hold",
}
COLUMNS = {
    "generation": {"number", "published_at", "stale_after"},
    "reject": {"sealed_text"},
}


def rows(file, table):
    names = [row[1] for row in file.execute('PRAGMA table_info("%s")' % table)]
    names = [name for name in names if name not in COLUMNS.get(table, ())]
    columns = ", ".join('"%s"' % name for name in names)
    return sorted(map(repr, file.execute('SELECT %s FROM "%s"' % (columns, table))))


def tables(file):
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    return [name for (name,) in file.execute(sql) if name not in LEFT_OUT]


def corrections(file):
    """The rejects that would have corrected a trip."""
    names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema")]
    if "rejected_correction" in names:
        return [number for (number,) in file.execute("SELECT number FROM rejected_correction")]
    places = "(file_number, record_number) >= (r.file_number, r.record_number)"
    sql = """SELECT number FROM reject AS r WHERE trip_id IS NOT NULL AND reason <> 'orphan_line'
        AND NOT EXISTS(SELECT 1 FROM trip_row WHERE trip_id = r.trip_id AND %s)
        AND NOT EXISTS(SELECT 1 FROM trip_version WHERE trip_id = r.trip_id AND %s)
        ORDER BY number""" % (places, places)
    return [number for (number,) in file.execute(sql)]


def main():
    first, second = (sqlite3.connect("file:%s?mode=ro" % path, uri=True) for path in sys.argv[1:])
    unequal = 0
    names = tables(first)
    if names != tables(second):
        print("other tables:", sorted(set(names) ^ set(tables(second))))
        unequal += 1
    for table in names:
        one, other = rows(first, table), rows(second, table)
        if one != other:
            unequal += 1
            gone = [row for row in one if row not in other]
            come = [row for row in other if row not in one]
            print("%s: %d rows gone, %d come" % (table, len(gone), len(come)))
            for row in gone[:3] + come[:3]:
                print("   ", row[:200])
    if corrections(first) != corrections(second):
        print("rejected corrections differ")
        unequal += 1
    print("%d tables, %d unequal" % (len(names), unequal))
    sys.exit(1 if unequal else 0)


main()
