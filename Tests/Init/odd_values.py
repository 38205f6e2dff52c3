"""Files of odd values: days and times, money, ids, persons; and of odd size and name."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta

from odd_files import (HEADER, SURNAMES, Odd, Trip, changed, dollars, kind, plain, some, table,
                       usual)

# The day that spreadsheets count as 0.
EPOCH = datetime(1899, 12, 30)


# Days and times


def dated(name: str, rng: random.Random, text: Callable[[Trip], str], **more: object) -> Odd:
    trips = some(rng)
    return Odd(name, plain(trips, row=changed(1, text)), trips, **more)


@kind
def days_of_digits_and_times_of_four(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[trip.id, f"{trip.at:%Y%m%d}", f"{trip.at:%H%M}", *usual(trip)[2:]] for trip in trips]
    header = ("Trip Number", "Pickup Date", "Pickup Time", *HEADER[2:])
    return Odd("digits.csv", table(header, rows).encode(), trips)


@kind
def times_that_lost_their_zero(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[trip.id, f"{trip.at:%m/%d/%Y}", str(int(f"{trip.at:%H%M}")), *usual(trip)[2:]]
            for trip in trips]
    header = ("Trip Number", "Pickup Date", "Pickup Time", *HEADER[2:])
    return Odd("zeros.csv", table(header, rows).encode(), trips)


@kind
def times_that_are_blank_here_and_there(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[trip.id, f"{trip.at:%m/%d/%Y}", "" if place % 9 == 0 else f"{trip.at:%H:%M}",
             *usual(trip)[2:]] for place, trip in enumerate(trips)]
    header = ("Trip Number", "Pickup Date", "Pickup Time", *HEADER[2:])
    return Odd("blanks.csv", table(header, rows).encode(), trips)


@kind
def serial_numbers_of_a_spreadsheet(rng: random.Random) -> Odd:
    def serial(trip: Trip) -> str:
        return f"{(trip.at - EPOCH) / timedelta(days=1):.4f}"
    return dated("serial.csv", rng, serial, asked=("pickup_at",), runs=False, says=("spreadsheet",))


@kind
def serial_numbers_beside_other_days(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[*changed(1, lambda trip: str((trip.at - EPOCH).days))(trip), f"{trip.at:%m/%d/%Y}"]
            for trip in trips]
    return Odd("beside.csv", table((*HEADER, "Created Date"), rows).encode(), trips,
               asked=("pickup_at",), says=("spreadsheet",))


@kind
def months_as_words(rng: random.Random) -> Odd:
    return dated("words.csv", rng, lambda trip: f"{trip.at:%d-%b-%y %H:%M}".upper())


@kind
def weekdays_before_days(rng: random.Random) -> Odd:
    return dated("week.csv", rng, lambda trip: f"{trip.at:%a %m/%d/%Y %H:%M}")


@kind
def long_days(rng: random.Random) -> Odd:
    return dated("long_days.csv", rng, lambda trip: f"{trip.at:%A, %B %-d, %Y %-I:%M %p}",
                 asked=("pickup_at",), runs=False)


@kind
def years_of_two_digits(rng: random.Random) -> Odd:
    return dated("short.csv", rng, lambda trip: f"{trip.at:%-m/%-d/%y %-I:%M %p}")


@kind
def two_layouts_of_days_in_one_column(rng: random.Random) -> Odd:
    def mixed(trip: Trip) -> str:
        return f"{trip.at:%m/%d/%Y %H:%M}" if trip.cents % 3 else f"{trip.at:%Y-%m-%d %H:%M:%S}"
    return dated("mixed.csv", rng, mixed)


@kind
def a_day_alone(rng: random.Random) -> Odd:
    return dated("days.csv", rng, lambda trip: f"{trip.at:%m/%d/%Y}")


# Money


def priced(name: str, rng: random.Random, text: Callable[[Trip], str], **more: object) -> Odd:
    trips = some(rng)
    return Odd(name, plain(trips, row=changed(4, text)), trips, **more)


def grouped(cents: int) -> str:
    return f"{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def refunds(trips: list[Trip]) -> list[Trip]:
    for trip in trips[::6]:
        trip.cents = -trip.cents
    return trips


@kind
def dollars_and_parentheses(rng: random.Random) -> Odd:
    trips = refunds(some(rng))
    row = changed(4, lambda trip: f"(${grouped(trip.cents)})" if trip.cents < 0
                  else f"${grouped(trip.cents)}")
    return Odd("dollars.csv", plain(trips, row=row), trips)


@kind
def minus_after_the_amount(rng: random.Random) -> Odd:
    trips = refunds(some(rng))
    row = changed(4, lambda trip: dollars(abs(trip.cents)) + ("-" if trip.cents < 0 else ""))
    return Odd("minus.csv", plain(trips, row=row), trips, has_money=False, asked=("cost",))


@kind
def decimal_commas(rng: random.Random) -> Odd:
    def european(trip: Trip) -> str:
        return grouped(trip.cents).translate(str.maketrans(",.", ".,"))
    return priced("commas.csv", rng, european, has_money=False, asked=("cost",))


@kind
def three_decimals(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = []
    for trip in trips:
        mills = rng.randrange(10)
        rows.append(changed(4, lambda trip: dollars(trip.cents) + str(mills))(trip))
        trip.cents += mills >= 5
    return Odd("three.csv", table(HEADER, rows).encode(), trips, asked=("cost",),
               says=("round: nearest",))


@kind
def no_region_no_type_no_money(rng: random.Random) -> Odd:
    trips = some(rng)
    rows = [[*usual(trip)[:2], "yes"] for trip in trips]
    return Odd("bare.csv", table(("Run Number", "Dispatched", "Answered"), rows).encode(), trips,
               has_money=False, asked=("region", "trip_type"))


# Ids and persons


@kind
def ids_with_leading_zeros(rng: random.Random) -> Odd:
    trips = some(rng, first="000{}")
    return Odd("zero_ids.csv", plain(trips), trips)


@kind
def ids_that_a_spreadsheet_shortened(rng: random.Random) -> Odd:
    trips = some(rng)
    row = changed(0, lambda trip: f"2.0{trip.id[1:]}E+11")
    return Odd("shortened.csv", plain(trips, row=row), trips, asked=("trip_id",),
               says=("spreadsheet",))


@kind
def trips_sent_again(rng: random.Random) -> Odd:
    trips = some(rng, 200)
    again = trips[3], trips[70], trips[150]
    rows = [usual(trip) for trip in trips]
    for trip in again:
        trip.cents += 500
        rows.append(usual(trip))
    return Odd("again.csv", table(HEADER, rows).encode(), trips)


@kind
def yes_and_no(rng: random.Random) -> Odd:
    trips = some(rng)
    row = changed(5, lambda trip: "Y" if trip.owner == "VA" else "N")
    return Odd("flags.csv", plain(trips, (*HEADER[:5], "VA Owned"), row), trips, is_classed=True)


@kind
def patients_beside_ids(rng: random.Random) -> Odd:
    trips = some(rng)
    header = (*HEADER, "Passenger", "Rider Name", "Client", "Member Last 4", "Responsible Party",
              "Resident", "Pt", "Emergency Contact", "DOB/Age", "Unit", "Crew 1")
    rows = []
    for trip in trips:
        one = rng.choice(SURNAMES)
        rows.append([*usual(trip), f"{one}, Ada", f"Ada {one}", one, "7315", one, f"{one} A", one,
                     one, "03/02/1951", "M7", "Crew 4"])
    return Odd("with names.csv", table(header, rows).encode(), trips,
               private=[*SURNAMES, "7315", "1951"])


@kind
def patients_and_no_ids(rng: random.Random) -> Odd:
    """A composed id must not be made of a patient: it is stored as it is."""
    trips = some(rng)
    header = ("LASTNAME", "Who", "Caller's Word", "Whom", *HEADER[1:])
    rows = [[rng.choice(SURNAMES), f"{rng.choice(SURNAMES)}, Ada", rng.choice(SURNAMES),
             f"Ada {rng.choice(SURNAMES)}", *usual(trip)[1:]] for trip in trips]
    return Odd("no_ids.csv", table(header, rows).encode(), trips, asked=("trip_id",),
               private=list(SURNAMES))


@kind
def names_in_codes(rng: random.Random) -> Odd:
    """Few patients, each often: their names look like codes where only the values are asked."""
    trips = some(rng)
    header = ("Trip Number", "Pickup", "County", "Service Level", "Amount Paid", "Type", "Status",
              "Customer", "Account")
    rows = [[*usual(trip)[:5], "R", "C", rng.choice(SURNAMES), rng.choice(SURNAMES)]
            for trip in trips]
    return Odd("accounts.csv", table(header, rows).encode(), trips, private=list(SURNAMES))


# Size and names


@kind
def one_record(rng: random.Random) -> Odd:
    trips = some(rng, 1)
    # No other day could tell whether the month comes first.
    asked = ("pickup_at",) if trips[0].at.day <= 12 else ()
    return Odd("one.csv", plain(trips), trips, asked=asked)


@kind
def name_with_a_dash_and_blanks(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("-Fahrten März (1) it's 2026.csv", plain(trips), trips)


@kind
def lines_that_end_with_cr(rng: random.Random) -> Odd:
    trips = some(rng)
    return Odd("mac.csv", plain(trips).replace(b"\n", b"\r"), trips)


def a_million_records(rng: random.Random, count: int) -> Odd:
    trips = some(rng, count)
    return Odd("million.csv", plain(trips), trips)
