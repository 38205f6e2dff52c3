"""The change between two months taken apart, from a mart's file and over fractions: what `/kpi/why` has to answer.

Kitagawa's decomposition as docs/WHY.md writes it down, rounded one step at a time.
"""

import math
import sqlite3
from fractions import Fraction

HALF = Fraction(1, 2)


class Cube:
    """The sums of a file, of some regions or of all."""

    def __init__(self, path, scope=None):
        rows = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True).execute(
            """SELECT month, trip_type, region, in_house_trips, contracted_trips, contracted_costed_trips, contracted_cost_cents
            FROM kpi_cube"""
        )
        self._cells = {tuple(row[:3]): row[3:] for row in rows}
        self._scope = scope

    def total(self, month, kind, region):
        """The sums of a group; None where one of them is hidden, zeros where there is no row."""
        regions = [region] if region != "all" or not self._scope else self._scope
        cells = [self._cells.get((month, kind, one), (0, 0, 0, 0)) for one in regions]
        return [None if None in column else sum(column) for column in zip(*cells)]

    def groups(self, key, month, kind, region):
        """The sums of every value of `trip_type` or `region`, within a filter."""
        index = 1 if key == "trip_type" else 2
        values = {cell[index] for cell in self._cells if cell[index] != "all"}
        if key == "region" and self._scope:
            values &= set(self._scope)
        chosen = kind if key == "trip_type" else region
        values = values if chosen == "all" else values & {chosen}
        return {
            one: self.total(month, *((one, region) if key == "trip_type" else (kind, one))) for one in values
        }

    def parts(self, measure, key, months, kind="all", region="all"):
        """The parts of a change, the largest first; None where a number of a total is hidden."""
        groups = [
            {one: _measured(measure, sums) for one, sums in self.groups(key, month, kind, region).items()}
            for month in months
        ]
        totals = [_measured(measure, self.total(month, kind, region)) for month in months]
        if None in totals:
            return None
        ends = [_published(measure, self.total(month, kind, region), total) for month, total in zip(months, totals)]
        if None in ends:
            return []
        shown = {one: (groups[0][one], groups[1][one]) for one in groups[0] if None not in (groups[0][one], groups[1][one])}
        # What is hidden, taken together.
        shown["all"] = tuple(
            tuple(total[side] - sum(pair[month][side] for pair in shown.values()) for side in (0, 1))
            for month, total in enumerate(totals)
        )
        exact = {}
        for one in sorted(shown):
            for name, value in zip(["rate", "mix"], _exact(measure, shown[one], totals)):
                exact[one, name] = value
        return _rounded(exact, ends[1] - ends[0])


def _measured(measure, sums):
    """How many trips count, and what is measured of them."""
    in_house, contracted, costed, cents = sums
    if measure == "in_house":
        return None if None in (in_house, contracted) else (in_house + contracted, in_house)
    return None if None in (contracted, costed, cents) else (costed, cents)


def _published(measure, sums, total):
    """The published value: hundredths of a percent, half up, or cents; None where there is none."""
    trips, amount = total
    if measure == "in_house":
        return math.floor(Fraction(10_000 * amount, trips) + HALF) if trips else None
    return amount if sums[2] * 100 >= sums[1] * 80 else None


def _exact(measure, pair, totals):
    """What a group contributed by its rate and by its mix."""
    (trips, amount), (new_trips, new_amount) = pair
    if not trips and not new_trips:
        return 0, 0
    rate = Fraction(amount, trips) if trips else Fraction(new_amount, new_trips)
    new_rate = Fraction(new_amount, new_trips) if new_trips else rate
    if measure == "contracted_cost":
        return HALF * (trips + new_trips) * (new_rate - rate), HALF * (rate + new_rate) * (new_trips - trips)
    share, new_share = Fraction(trips, totals[0][0]), Fraction(new_trips, totals[1][0])
    mean = sum(Fraction(amount, count) for count, amount in totals) * HALF
    return (
        10_000 * HALF * (share + new_share) * (new_rate - rate),
        10_000 * (HALF * (rate + new_rate) - mean) * (new_share - share),
    )


def _rounded(exact, change):
    """Whole numbers that sum to a change: the nearest ones, and then one step at a time what is furthest off."""
    whole = {one: math.floor(abs(value) + HALF) * (1 if value > 0 else -1) for one, value in exact.items()}
    order = sorted(exact, key=lambda one: (one[0].encode(), one[1] == "mix"))
    while (missing := change - sum(whole.values())) != 0:
        step = 1 if missing > 0 else -1
        furthest = max(order, key=lambda one: step * (exact[one] - whole[one]))
        whole[furthest] += step
    parts = [(one if one != "all" else None, kind, whole[one, kind]) for one, kind in order if whole[one, kind]]
    return sorted(parts, key=lambda part: -abs(part[2]))
