"""Files of odd form: lines that are no records, headers, marks, encodings."""

from __future__ import annotations

import csv
import random

from odd_files import HEADER, SURNAMES, Odd, changed, dollars, kind, plain, some, table, usual

# Lines that are no records


@kind
def totals_at_the_end(rng: random.Random) -> Odd:
    trips = some(rng)
    total = dollars(sum(trip.cents for trip in trips))
    text = plain(trips) + f"Total,,,,{total},\nPrinted 11/01/2026,page 1\n".encode()
    return Odd("trips_oct.csv", text, trips, rejects=2, is_classed=True)


@kind
def second_header_in_the_middle(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("both.csv", plain(trips[:40]) + plain(trips[40:]), trips, rejects=1)


@kind
def lines_of_commas_at_the_end(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("sheet.csv", plain(trips) + b",,,,,\n" * 60, trips, rejects=60)


@kind
def ragged_lines(rng: random.Random) -> Odd:
    trips = some(rng)
    lines = plain(trips).decode().splitlines()
    for place in (9, 33, 51):
        lines.insert(place, rng.choice(("T9,10/01/2026 10:00", "T8,a,b,c,d,e,f,g")))
    return Odd("ragged.csv", "\n".join(lines).encode(), trips, rejects=3)


@kind
def line_that_names_the_delimiter(rng: random.Random) -> Odd:
    trips = some(rng)
    text = "sep=;\r\n" + table(HEADER, map(usual, trips), ";", "\r\n")
    return Odd("excel.csv", text.encode("utf-8-sig"), trips)


# Headers


@kind
def quoted_header_with_line_breaks(rng: random.Random) -> Odd:
    trips = some(rng)
    header = ("Trip\nNumber", "Pickup\nDate/Time", "County", "Service\nLevel", "Amount\nPaid",
              "Owner")
    return Odd("wrapped.csv", plain(trips, header), trips)


@kind
def spanish_names(rng: random.Random) -> Odd:
    trips = some(rng)
    header = ("Número de Viaje", "Fecha y Hora de Recogida", "Condado", "Nivel de Servicio",
              "Importe", "Nombre del Paciente", "Fecha de Nacimiento", "Dirección")
    people = [rng.choice(SURNAMES) for _ in trips]
    rows = [[*changed(1, lambda trip: f"{trip.at:%d/%m/%Y %H:%M}")(trip)[:5], person, "02/03/1951",
             f"Calle {person} 7"] for trip, person in zip(trips, people)]
    return Odd("viajes_2026-10.csv", table(header, rows).encode(), trips, has_money=False,
               asked=("trip_id", "region", "trip_type", "cost"), private=[*SURNAMES, "1951"],
               says=("`Condado`", "`Importe`"))


@kind
def short_names_of_an_old_system(rng: random.Random) -> Odd:
    trips = some(rng)
    header = ("RUNNO", "PUDATE", "PUTIME", "CNTY", "LOS", "AMTPAID", "PTNAME", "PTDOB")
    rows = [[trip.id, f"{trip.at:%Y%m%d}", f"{trip.at:%H%M}", trip.county, trip.level,
             dollars(trip.cents), rng.choice(SURNAMES), "19510302"] for trip in trips]
    return Odd("RUNS.TXT", table(header, rows, "|").encode(), trips,
               private=[*SURNAMES, "1951"])


@kind
def units_in_names(rng: random.Random) -> Odd:
    trips = some(rng)
    header = ("Trip #", "Pickup (local)", "County/Region", "Level (HCPCS)", "Paid ($)", "Owner",
              "Miles (loaded)")
    rows = [[*usual(trip), f"{rng.randrange(400) / 10}"] for trip in trips]
    return Odd("units.csv", table(header, rows).encode(), trips)


@kind
def column_twice_and_one_without_a_name(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[*usual(trip), trip.county, "x"] for trip in trips]
    return Odd("twice.csv", table((*HEADER, "County", ""), rows).encode(), trips)


@kind
def two_hundred_columns(rng: random.Random) -> Odd:
    trips = some(rng)
    names = [f"Attribute {number}" for number in range(194)]
    rows = [[*usual(trip), *(str(rng.randrange(90)) for _ in names)] for trip in trips]
    return Odd("wide.csv", table((*HEADER, *names), rows).encode(), trips)


@kind
def no_header(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[*usual(trip), f"{rng.choice(SURNAMES)}, Ada"] for trip in trips]
    text = table(rows[0], rows[1:]).encode()
    return Odd("bare_lines.csv", text, trips, has_money=False, private=list(SURNAMES),
               asked=("trip_id", "region", "trip_type", "cost", "columns"))


@kind
def no_header_and_days_that_cannot_be_read(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[f"{rng.choice(SURNAMES)}, Ada", f"{trip.at:%A, %B %-d, %Y}", *usual(trip)[2:]]
            for trip in trips]
    text = table(rows[0], rows[1:]).encode()
    return Odd("lines.csv", text, trips, runs=False, private=list(SURNAMES),
               asked=("trip_id", "pickup_at", "region", "trip_type", "cost", "columns"))


# Marks


@kind
def vertical_bars_in_a_text_file(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("trips.txt", table(HEADER, map(usual, trips), "|", "\r\n").encode(), trips)


@kind
def delimiter_at_the_end_of_every_line(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("tail.csv", plain(trips).replace(b"\n", b",\n"), trips)


@kind
def delimiter_at_the_end_of_records_alone(rng: random.Random) -> Odd:
    trips = some(rng)
    head, rest = plain(trips).split(b"\n", 1)
    return Odd("tails.csv", head + b"\n" + rest.replace(b"\n", b",\n"), trips)


@kind
def byte_order_mark_with_crlf(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("mark.csv", table(HEADER, map(usual, trips), end="\r\n").encode("utf-8-sig"), trips)


@kind
def utf_16(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("unicode.txt", table(HEADER, map(usual, trips), "\t").encode("utf-16"), trips,
               refused=65, says=("UTF-16", "iconv"))


@kind
def all_cells_in_quotes(rng: random.Random) -> Odd:
    trips = some(rng)
    text = table(HEADER, map(usual, trips), quoting=csv.QUOTE_ALL)
    return Odd("quotes.csv", text.encode(), trips)


@kind
def a_very_long_cell(rng: random.Random) -> Odd:
    trips = some(rng)
    # The first is longer than a record may be, the second is not.
    texts = ["long " * 90_000, "long " * 50_000, *[""] * (len(trips) - 2)]
    rows = [[*usual(trip), text] for trip, text in zip(trips, texts)]
    return Odd("long.csv", table((*HEADER, "Narrative"), rows).encode(), trips[1:], rejects=1)


@kind
def words_for_nothing(rng: random.Random) -> Odd:
    trips = some(rng)
    words = ("NULL", "N/A", "-", r"\N")
    rows = [usual(trip) for trip in trips]
    for number, (cells, trip) in enumerate(zip(rows, trips)):
        if number % 3 == 0:
            cells[4], trip.cents = rng.choice(words), 0
        if number % 5 == 0:
            cells[2] = rng.choice(words)
    return Odd("nothing.csv", table(HEADER, rows).encode(), trips)
