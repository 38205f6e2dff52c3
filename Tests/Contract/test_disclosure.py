"""Tries to work out small counts from everything that a viewer can ask of `/kpi`.

    test_disclosure.py MART

Every combination of month, trip type and region is asked, in every form in which the contract lets it be asked. The
answers of a month are equations between the trips, costs and miles of its cells; shares and averages are bounds, as wide as
their rounding. A small count is found out where a linear programme finds no second table.
"""

import itertools
import random
import sys

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_array

from served import Server, account

COUNTS = ["trips", "in_house_trips", "contracted_trips", "undetermined_trips"]
COSTS = ["cost_cents", "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents"]
PERCENTS = {"in_house_pct": (1, {1, 2}), "in_house_pct_low": (1, {1, 2, 3}), "in_house_pct_high": (2, {1, 2, 3})}
SMALL = range(1, 11)
# A cost that is known as narrowly as this is known.
COST_SHARE = 0.01
SEED = 7
CENTS = 100


class Asked:
    """The numbers that one reader is shown, each by month, type and region; None stands for all."""

    def __init__(self, server, name, lists):
        self._server, self._name = server, name
        self.months, self.types, self.regions = lists
        self.shown = {}
        # The types and regions of a month.
        self.listed = set()
        self.faults = []
        for month, kind, region in itertools.product(*([None, *values] for values in lists)):
            self._ask(month, month, kind, region)
        for first, last in itertools.combinations(range(len(self.months)), 2):
            for kind, region in [*itertools.product([None, *self.types], [None]), *itertools.product([None], self.regions)]:
                self._ask(self.months[first], self.months[last], kind, region)

    def _ask(self, first, last, kind, region):
        chosen = {"from": first, "to": last, "trip_type": kind, "region": region}
        query = "&".join(f"{name}={value}" for name, value in chosen.items() if value is not None)
        answer = self._server.ask(f"/kpi?{query}", name=self._name)
        if answer.status != 200:
            raise SystemExit(f"/kpi?{query}: {answer.status}")
        body = answer.json
        months = (first, last) if first != last else first
        self._learn((months, kind, region), body["total"])
        for one in body["series"]:
            self._learn((one["month"], kind, region), one)
        for one in body["by_trip_type"]:
            self._learn((months, one["trip_type"], region), one)
            if region is None:
                self.listed.add((months, one["trip_type"], None))
        for one in body["by_region"]:
            self._learn((months, kind, one["region"]), one)
            if kind is None:
                self.listed.add((months, None, one["region"]))

    def _learn(self, key, sums):
        """Keeps every number that is shown in any answer: one form may not give what another hides."""
        known = self.shown.setdefault(key, {})
        for name, value in sums.items():
            if name not in COUNTS + COSTS + list(PERCENTS) + [
                "cost_per_trip_cents", "cost_per_mile_cents", "loaded_miles_hundredths",
            ] or value is None:
                continue
            if known.setdefault(name, value) != value:
                self.faults.append(f"{key} {name}: {known[name]} and {value}")

    def ranges_say_no_more(self):
        """Whether each sum over months is that of months that are all shown: then it adds nothing to them."""
        for (months, kind, region), known in self.shown.items():
            if isinstance(months, str):
                continue
            first, last = months if months is not None else (self.months[0], self.months[-1])
            parts = [month for month in self.months if first <= month <= last]
            for name in COUNTS + COSTS + ["loaded_miles_hundredths"]:
                if name not in known:
                    continue
                values = [self.shown.get((part, kind, region), {}).get(name) for part in parts]
                if None in values or sum(values) != known[name]:
                    self.faults.append(f"{months} {kind} {region} {name}: {known[name]} and not {values}")
                    break


class Programme:
    """All tables of one month that agree with what is shown of it."""

    def __init__(self, shown, listed, month, types, regions):
        self._cells = list(itertools.product(types, regions))
        self._groups = list(itertools.product([None, *types], [None, *regions]))
        # Of each cell: trips of three classes, those with a cost, their costs; miles, miles and costs of trips with both.
        self._width = 12
        self._equal, self._at_most = [], []
        for place in range(len(self._cells)):
            base = place * self._width
            for tripclass in range(3):
                # No cost without a trip that has one.
                self._at_most.append(({base + 3 + tripclass: 1, base + tripclass: -1}, 0))
            self._at_most.append(({base + 10: 1, base + 9: -1}, 0))
            self._at_most.append(({base + 11: 1, base + 6: -1, base + 7: -1, base + 8: -1}, 0))
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

    def cost(self, group, which):
        """The same of costs, in dollars."""
        return self._sum(group, range(6, 9) if which == 0 else [5 + which])

    def _learn(self, group, known):
        for which, name in enumerate(COUNTS):
            if name in known:
                self._equal.append((self.count(group, which), known[name]))
        for which, name in enumerate(COSTS):
            if name in known:
                self._equal.append((self.cost(group, which), known[name] / CENTS))
        if "loaded_miles_hundredths" in known:
            self._equal.append((self._sum(group, [9]), known["loaded_miles_hundredths"] / 100))
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
        """Those of some sums, each with how far apart two tables must be, that are the same in all tables."""
        order = random.Random(SEED)
        ranges = {name: [float("inf"), float("-inf")] for name in targets}
        left = set(targets)

        def look(wanted):
            table = self.table(wanted)
            for name in sorted(left):
                row, apart = targets[name]
                value = sum(table[place] * weight for place, weight in row.items())
                ranges[name] = [min(ranges[name][0], value), max(ranges[name][1], value)]
                if ranges[name][1] - ranges[name][0] >= apart * 0.999:
                    left.discard(name)

        # Many at once in a few tables, and one by one what is left.
        for _ in range(6):
            some = [self._times(targets[name][0], order.uniform(-1, 1)) for name in sorted(left)]
            look(self._plus(*some))
        for name in sorted(left):
            for sign in [1, -1]:
                if name in left:
                    look(self._times(targets[name][0], sign))
        return left


def small_targets(programme, truth, month, groups):
    """The counts of 1 to 10 and what they cost, with how far apart second tables must be."""
    targets = {}
    for group in groups:
        known = truth.get((month, *group), {})
        for which, (count, cost) in enumerate(zip(COUNTS, COSTS, strict=True)):
            if known.get(count) not in SMALL:
                continue
            targets[f"{month} {group} {count} = {known[count]}"] = (programme.count(group, which), 1)
            if known.get(cost):
                dollars = known[cost] / CENTS
                targets[f"{month} {group} {cost} = {dollars}"] = (programme.cost(group, which), dollars * COST_SHARE)
    return targets


def hidden_alone(truth):
    """What would be shown if small counts were hidden and nothing else: what the attack must find out."""
    return {
        key: {name: value for name, value in known.items() if name in COUNTS and value not in SMALL}
        for key, known in truth.items()
    }


def some_regions_say_no_more(server, viewer, regions):
    """What somebody is shown who sees two regions, and totals over all: sums of what every viewer is shown, and nothing else."""
    faults, own, compared = [], regions[:2], 0
    for name, national in [("attack-regional", []), ("attack-national", ["--national-totals"])]:
        account(server.mart, name, "--role", "viewer", *(part for region in own for part in ("--region", region)), *national)
        for month, kind in itertools.product([None, *viewer.months], [None, *viewer.types]):
            chosen = {"from": month, "to": month, "trip_type": kind}
            query = "&".join(f"{key}={value}" for key, value in chosen.items() if value is not None)
            answer = server.ask(f"/kpi?{query}", name=name)
            # What has no trip for them is no value of theirs.
            if answer.status == 400:
                continue
            body = answer.json
            parts = [viewer.shown.get((month, kind, region), {}) for region in own]
            whole = viewer.shown.get((month, kind, None), {})
            for field in COUNTS + COSTS:
                value = body["total"][field]
                values = [whole.get(field)] if national else [part.get(field) for part in parts]
                # A region that is not listed at all has nothing there.
                values = [0 if one is None and part == {} and not national else one for one, part in zip(values, parts, strict=False)]
                compared += value is not None
                if value is not None and (None in values or sum(values) != value):
                    faults.append(f"{name} {month} {kind} {field}: {value} is shown, of {values}")
            if {one["region"] for one in body["by_region"]} - set(own):
                faults.append(f"{name} {month} {kind}: other regions are listed")
    return faults if compared > 20 else [*faults, f"{compared} numbers of some regions were compared"]


def main():
    mart = sys.argv[1]
    account(mart, "attack-analyst", "--role", "analyst")
    with Server(mart) as server:
        lists = [
            [one["month"] for one in server.ask("/months").json["months"]],
            [one["trip_type"] for one in server.ask("/trip-types").json["trip_types"]],
            [one["region"] for one in server.ask("/regions").json["regions"]],
        ]
        viewer = Asked(server, "viewer", lists)
        regional = some_regions_say_no_more(server, viewer, lists[2])
        truth = Asked(server, "attack-analyst", lists).shown
    viewer.ranges_say_no_more()
    faults = viewer.faults + regional
    months, types, regions = lists
    groups = list(itertools.product([None, *types], [None, *regions]))
    for key, known in viewer.shown.items():
        for name, value in known.items():
            # Where nothing is, a viewer may be shown a row all the same: that it is there says nothing.
            true = truth[key].get(name) if key in truth else 0
            if true != value:
                faults.append(f"{key} {name}: {value} is shown, {true} is true")
            if name in COUNTS and value in SMALL:
                faults.append(f"{key} {name}: {value} is shown")
    tried = 0
    for month in months:
        programme = Programme(viewer.shown, viewer.listed, month, types, regions)
        targets = small_targets(programme, truth, month, groups)
        tried += len(targets)
        faults += [f"{name} is found out" for name in sorted(programme.found_out(targets))]
    bare = Programme(hidden_alone(truth), viewer.listed, months[0], types, regions)
    targets = small_targets(bare, truth, months[0], groups)
    control = bare.found_out({name: one for name, one in targets.items() if "_trips" in name or " trips" in name})
    if not control:
        faults.append("the attack finds nothing out where small counts alone are hidden")
    for fault in faults[:40]:
        print(fault)
    print(f"{tried} small counts and costs, {len(faults)} faults; {len(control)} found out in one month where they alone are hidden")
    sys.exit(1 if faults or not tried else 0)


main()
