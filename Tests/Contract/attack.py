"""All tables that agree with what is shown: what can be worked out from numbers, whatever way they came."""

import itertools
import random
import sqlite3
from math import ceil, floor

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_array

COUNTS = ["trips", "in_house_trips", "contracted_trips", "undetermined_trips"]
COSTED = ["in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips"]
COSTS = ["cost_cents", "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents"]
# What else the cube sums up: which unknown of a cell, and of how many parts its unit is made.
OTHERS = {
    "loaded_miles_hundredths": (9, 100), "costed_miles_hundredths": (10, 100), "cost_with_miles_cents": (11, 100),
    "miles_known_trips": (12, 1), "costed_miles_trips": (13, 1),
}
COLUMNS = [*COUNTS, *COSTED, *COSTS, *OTHERS]
PERCENTS = {"in_house_pct": (1, {1, 2}), "in_house_pct_low": (1, {1, 2, 3}), "in_house_pct_high": (2, {1, 2, 3})}
# A cost that is known as narrowly as this is known.
COST_SHARE = 0.01
SEED = 7
CENTS = 100
# What a solver may be off by.
TINY = 1e-6


class Cube:
    """What the two files of a mart say: the published one and the whole one, by month, type and region; None stands for all."""

    def __init__(self, mart):
        self.threshold, rows = self._read(f"{mart}/kpi.sqlite", "suppress_below")
        _, self.truth = self._read(f"{mart}/triptych.sqlite", "suppress_below")
        self.shown = {key: {name: value for name, value in row.items() if value is not None} for key, row in rows.items()}
        self.months, self.types, self.regions = (sorted({key[place] for key in rows} - {None}) for place in range(3))
        self.listed = {key for key in rows if key[0] is not None and (key[1] is None) != (key[2] is None)}
        self.merged = 0
        for month in self.months:
            self._fill(month)

    @staticmethod
    def _read(path, threshold):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
            rows = file.execute(f"SELECT month, trip_type, region, {', '.join(COLUMNS)} FROM kpi_cube")
            return file.execute(f"SELECT {threshold} FROM generation").fetchone()[0], {
                tuple(None if word == "all" else word for word in row[:3]): dict(zip(COLUMNS, row[3:], strict=True))
                for row in rows
            }

    def _fill(self, month):
        """What has no row has no trips, unless it is one of many that were made one."""
        named = {place: {key[place] for key in self.shown if key[0] == month and None not in key} for place in (1, 2)}
        for kind, region in itertools.product(self.types, self.regions):
            key = (month, kind, region)
            is_listed = {(month, kind, None), (month, None, region)} <= self.listed
            if is_listed and (kind not in named[1] or region not in named[2]):
                self.merged += 1
            elif key not in self.shown:
                self.shown[key] = dict.fromkeys(COLUMNS, 0)

    def groups(self):
        """All of a month that there can be rows of."""
        return list(itertools.product([None, *self.types], [None, *self.regions]))


class Programme:
    """All tables of one month that agree with what is shown of it."""

    def __init__(self, shown, listed, month, types, regions):
        self._cells = list(itertools.product(types, regions))
        self._groups = list(itertools.product([None, *types], [None, *regions]))
        # Of each cell: trips of three classes, those with a cost, their costs; miles, miles and costs of trips with both;
        # trips whose miles are known, and those with both.
        self._width = 14
        self._equal, self._at_most = [], []
        for place in range(len(self._cells)):
            base = place * self._width
            for tripclass in range(3):
                # No cost without a trip that has one.
                self._at_most.append(({base + 3 + tripclass: 1, base + tripclass: -1}, 0))
            self._at_most.append(({base + 10: 1, base + 9: -1}, 0))
            self._at_most.append(({base + 11: 1, base + 6: -1, base + 7: -1, base + 8: -1}, 0))
            # Each of the four kinds by what is known is none or more.
            costed = {base + 3 + tripclass: 1 for tripclass in range(3)}
            trips = {base + tripclass: -1 for tripclass in range(3)}
            self._at_most.append(({base + 13: 1, base + 12: -1}, 0))
            self._at_most.append(({base + 13: 1, **self._times(costed, -1)}, 0))
            self._at_most.append(({base + 12: 1, **costed, base + 13: -1, **trips}, 0))
        for kind, region in self._groups:
            if (month, kind, region) in listed:
                # Whatever is listed has a trip.
                self._at_most.append((self._times(self.count((kind, region), 0), -1), -1))
            self._learn((kind, region), shown.get((month, kind, region), {}))
        self._equations = self._matrix(self._equal)
        self._bounds = self._matrix(self._at_most)

    def _sum(self, group, offsets):
        kind, region = group
        return {
            place * self._width + offset: 1.0
            for place, cell in enumerate(self._cells)
            if kind in (None, cell[0]) and region in (None, cell[1])
            for offset in offsets
        }

    @staticmethod
    def _times(row, factor):
        return {place: value * factor for place, value in row.items()}

    @staticmethod
    def _plus(*rows):
        whole = {}
        for row in rows:
            for place, value in row.items():
                whole[place] = whole.get(place, 0) + value
        return whole

    def count(self, group, which):
        """All trips of a group, or those of one class."""
        return self._sum(group, range(3) if which == 0 else [which - 1])

    def costed(self, group, which):
        """Those whose cost is known."""
        return self._sum(group, range(3, 6) if which == 0 else [2 + which])

    def uncosted(self, group, which):
        """Those whose cost is not known."""
        return self._plus(self.count(group, which), self._times(self.costed(group, which), -1))

    def known(self, group, cost, miles):
        """The trips of a group whose cost and whose miles are known, or are not; None where it does not matter."""
        if cost is None:
            known = self._sum(group, [12])
            return known if miles else self._plus(self.count(group, 0), self._times(known, -1))
        both = self._sum(group, [13])
        if cost and miles:
            return both
        if cost:
            return self._plus(self.costed(group, 0), self._times(both, -1))
        without = self._plus(self._sum(group, [12]), self._times(both, -1))
        return without if miles else self._plus(self.uncosted(group, 0), self._times(without, -1))

    def cost_by_miles(self, group, miles):
        """What the trips of a group cost whose miles are known, or are not, in dollars."""
        known = self._sum(group, [11])
        return known if miles else self._plus(self.cost(group, 0), self._times(known, -1))

    def cost(self, group, which):
        """What trips of a group, or of one class, cost, in dollars."""
        return self._sum(group, range(6, 9) if which == 0 else [5 + which])

    def _learn(self, group, known):
        for which, name in enumerate(COUNTS):
            if name in known:
                self._equal.append((self.count(group, which), known[name]))
        for which, name in enumerate(COSTS):
            if name in known:
                self._equal.append((self.cost(group, which), known[name] / CENTS))
        for which, name in enumerate(COSTED, start=1):
            if name in known:
                self._equal.append((self.costed(group, which), known[name]))
        for name, (offset, unit) in OTHERS.items():
            if name in known:
                self._equal.append((self._sum(group, [offset]), known[name] / unit))
        for name, (last, whole) in PERCENTS.items():
            if name not in known:
                continue
            part = self._sum(group, [0] if last == 1 else [0, 2])
            self._ratio(part, self._sum(group, [which - 1 for which in whole]), known[name] / 100, 0.005 / 100)
        if "cost_per_trip_cents" in known:
            average = known["cost_per_trip_cents"] / CENTS
            self._ratio(self.cost(group, 0), self._sum(group, range(3, 6)), average, 0.5 / CENTS)
        if "cost_per_mile_cents" in known:
            average = known["cost_per_mile_cents"] / CENTS
            self._ratio(self._sum(group, [11]), self._sum(group, [10]), average, 0.5 / CENTS)

    def _ratio(self, part, whole, value, rounding):
        """A quotient that was rounded to the nearest."""
        self._at_most.append((self._plus(part, self._times(whole, -(value + rounding))), 0))
        self._at_most.append((self._plus(self._times(whole, value - rounding), self._times(part, -1)), 0))

    def _matrix(self, rows):
        places = [(number, place, value) for number, (row, _) in enumerate(rows) for place, value in row.items()]
        numbers, columns, values = zip(*places)
        matrix = csr_array((values, (numbers, columns)), shape=(len(rows), len(self._cells) * self._width))
        return matrix, numpy.array([right for _, right in rows], dtype=float)

    def table(self, wanted):
        """The table in which a sum is least."""
        objective = numpy.zeros(len(self._cells) * self._width)
        for place, weight in wanted.items():
            objective[place] += weight
        found = linprog(
            objective, A_eq=self._equations[0], b_eq=self._equations[1], A_ub=self._bounds[0], b_ub=self._bounds[1],
            # Enough for any cell, so that there is always a least table.
            bounds=(0, 1e7), method="highs",
        )
        if found.status != 0:
            raise SystemExit(f"no table agrees with what is shown: {found.message}")
        return found.x

    def found_out(self, targets):
        """Those of some sums that are the same in all tables.

        Of a cost it is said how far apart two tables must be; counts are whole, so that there must be two whole numbers
        in between.
        """
        order = random.Random(SEED)
        ranges = {name: [float("inf"), float("-inf")] for name in targets}
        left = set(targets)

        def look(wanted):
            table = self.table(wanted)
            for name in sorted(left):
                row, apart = targets[name]
                value = sum(table[place] * weight for place, weight in row.items())
                low, high = ranges[name] = [min(ranges[name][0], value), max(ranges[name][1], value)]
                if floor(high + TINY) > ceil(low - TINY) if apart is None else high - low >= apart * 0.999:
                    left.discard(name)

        # Many at once in a few tables, and one by one what is left.
        for _ in range(6):
            some = [self._times(targets[name][0], order.uniform(-1, 1) / (targets[name][1] or 1)) for name in sorted(left)]
            look(self._plus(*some))
        for name in sorted(left):
            for sign in [1, -1]:
                if name in left:
                    look(self._times(targets[name][0], sign))
        return left


def targets(programme, cube, month):
    """The small counts of a month, and what they cost, with how far apart second tables must be."""
    found = {}

    def count(name, value, row):
        if 1 <= value < cube.threshold:
            found[f"{name} = {value}"] = (row, None)
        return 1 <= value < cube.threshold

    for group in cube.groups():
        known = cube.truth.get((month, *group))
        if known is None:
            continue
        costed = [sum(known[name] for name in COSTED), *(known[name] for name in COSTED)]
        for which, (trips, cost) in enumerate(zip(COUNTS, COSTS, strict=True)):
            name = f"{month} {group} {trips}"
            count(name, known[trips], programme.count(group, which))
            count(f"{name} of unknown cost", known[trips] - costed[which], programme.uncosted(group, which))
            is_small = count(f"{name} of known cost", costed[which], programme.costed(group, which))
            if is_small and known[cost]:
                dollars = known[cost] / CENTS
                found[f"{month} {group} {cost} = {dollars}"] = (programme.cost(group, which), dollars * COST_SHARE)
        miles, both = known["miles_known_trips"], known["costed_miles_trips"]
        by_known = {
            (None, True): miles, (None, False): known["trips"] - miles, (True, True): both, (True, False): costed[0] - both,
            (False, True): miles - both, (False, False): known["trips"] - costed[0] - miles + both,
        }
        for (cost, has_miles), value in by_known.items():
            name = f"{month} {group} cost known {cost}, miles known {has_miles}"
            is_small = count(name, value, programme.known(group, cost, has_miles))
            cents = known["cost_with_miles_cents"]
            dollars = (cents if has_miles else known["cost_cents"] - cents) / CENTS
            if is_small and cost and dollars:
                found[f"{name} = {dollars}"] = (programme.cost_by_miles(group, has_miles), abs(dollars) * COST_SHARE)
    return found


def found_out(cube, shown, months=None):
    """What follows of some months from what is shown of them; and of how much that was tried."""
    found, tried = [], 0
    for month in months or cube.months:
        programme = Programme(shown, cube.listed, month, cube.types, cube.regions)
        wanted = targets(programme, cube, month)
        tried += len(wanted)
        found += sorted(programme.found_out(wanted)) if wanted else []
    return found, tried


def hidden_alone(cube):
    """What would be shown if small counts and their costs were hidden and nothing else: what the attack must find out."""
    shown = {}
    for key, known in cube.truth.items():
        behind = dict(zip(COSTS, [sum(known[name] for name in COSTED), *(known[name] for name in COSTED)], strict=True))
        shown[key] = {
            name: value for name, value in known.items()
            if name in [*COUNTS, *COSTED, *COSTS] and not 1 <= behind.get(name, value) < cube.threshold
        }
    return shown
