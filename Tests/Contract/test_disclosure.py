"""C3: tries to work out small counts, and what they cost, from everything that a viewer can ask of `/kpi`.

    test_disclosure.py MART [--quick]

Every combination of month, trip type and region is asked, and ranges of months, with one end and with both, the trends of
each, and `kpi.sqlite` is read beside it. What they say of a month are equations between the trips, costs and miles of its cells; shares
and averages are bounds, as wide as their rounding. A small count, or what its trips cost, is found out where a linear programme
finds no second table. What they say of several months must follow from what is shown of each. The same is tried on
the files of thin marts of other thresholds, in which much costs nothing. What is told across months and generations
(`/kpi/why`, `/kpi?since=`, comparisons) is looked at over a mart of three generations of the exports in `in` beside MART.
Quick is one month, ranges of all types, three thin marts, and the newest months across generations.
"""

import argparse
import itertools
import os
import sys

import apart
import thin_marts
from attack import COLUMNS, COSTED, COSTS, COUNTS, PERCENTS, Cube, found_out, hidden_alone
from served import Server, account

CLASSES = ["in_house_trips", "contracted_trips", "undetermined_trips"]
# Shares and averages: of what, of how much of it, and how much one of it is.
RATIOS = {
    "in_house_pct": (CLASSES[:1], CLASSES[:2], 100),
    "in_house_pct_low": (CLASSES[:1], CLASSES, 100),
    "in_house_pct_high": ([CLASSES[0], CLASSES[2]], CLASSES, 100),
    "cost_per_trip_cents": (["cost_cents"], COSTED, 1),
    "cost_per_mile_cents": (["cost_with_miles_cents"], ["costed_miles_hundredths"], 100),
}


def says_no_more(ratio, value, parts):
    """Whether a share or an average is that of sums of which all parts are shown; parts gives those of a column."""
    columns, wholes, unit = RATIOS[ratio]
    above, below = ([each for column in names for each in parts(column)] for names in (columns, wholes))
    if None in above + below or sum(below) == 0:
        return False
    return abs(value - unit * sum(above) / sum(below)) <= (0.0051 if ratio in PERCENTS else 0.51)


class Asked:
    """The numbers that one reader is shown, each by month, type and region; None stands for all."""

    def __init__(self, server, name, lists, quick):
        self._server, self._name = server, name
        self.months, self.types, self.regions = lists
        self.shown = {}
        # The types and regions of a month.
        self.listed = set()
        # Those that the file has a row of.
        self.rows = set()
        # How many shares and averages over several months were looked at, and how many are not shown.
        self.ratios = self.withheld = 0
        self.faults = []
        for month, kind, region in itertools.product(*([None, *values] for values in lists)):
            self._ask(month, month, kind, region)
        types = [None] if quick else [None, *self.types]
        for first, last in itertools.combinations(self.months, 2):
            for kind, region in itertools.product(types, [None, *self.regions]):
                self._ask(first, last, kind, region)
        for month, kind, region in itertools.product(self.months, types, [None, *self.regions]):
            self._ask(month, None, kind, region)
            self._ask(None, month, kind, region)
        for kind, region in itertools.product([None, *self.types], [None, *self.regions]):
            self._follow(kind, region)

    def _ask(self, first, last, kind, region):
        chosen = {"from": first, "to": last, "trip_type": kind, "region": region}
        query = "&".join(f"{name}={value}" for name, value in chosen.items() if value is not None)
        answer = self._server.ask(f"/kpi?{query}", name=self._name)
        if answer.status != 200:
            raise SystemExit(f"/kpi?{query}: {answer.status}")
        body = answer.json
        whole = first or self.months[0], last or self.months[-1]
        months = None if first is last is None else whole[0] if whole[0] == whole[1] else whole
        self._learn((months, kind, region), body["total"])
        for one in body["by_month"]:
            self._learn((one["month"], kind, region), one)
        for one in body["by_trip_type"]:
            self._learn((months, one["trip_type"], region), one)
            if region is None:
                self.listed.add((months, one["trip_type"], None))
        for one in body["by_region"]:
            self._learn((months, kind, one["region"]), one)
            if kind is None:
                self.listed.add((months, None, one["region"]))

    def _follow(self, kind, region):
        """The months of a type and region, and of all beside them, as arrays."""
        chosen = {"trip_type": kind, "region": region}
        query = "&".join(f"{name}={value}" for name, value in chosen.items() if value is not None)
        body = self._server.ask(f"/kpi/trends?{query}", name=self._name).json
        entries = [(kind, region, body["total"])]
        entries += [(kind, one["region"], one) for one in body["regions"]]
        entries += [(one["trip_type"], region, one) for one in body["trip_types"]]
        for own_kind, own_region, one in entries:
            for index, month in enumerate(body["months"]):
                sums = {name: values[index] for name, values in one.items() if isinstance(values, list)}
                self._learn((month, own_kind, own_region), sums)

    def _learn(self, key, sums):
        """Keeps every number that is shown in any answer: one form may not give what another hides."""
        known = self.shown.setdefault(key, {})
        for name, value in sums.items():
            if name not in [*COLUMNS, *RATIOS] or value is None:
                continue
            if known.setdefault(name, value) != value:
                self.faults.append(f"{key} {name}: {known[name]} and {value}")

    def read(self, cube):
        """Adds what the file says, which shows costs that an answer leaves out for other reasons."""
        self.rows = set(cube.shown)
        for key, sums in cube.shown.items():
            self._learn(key, sums)

    def _part(self, key, name):
        """What is shown of a month; a type or region without a row in the file has nothing in it."""
        missing = 0 if None in key[1:] and key not in self.rows else None
        return self.shown.get(key, {}).get(name, missing)

    def ranges_say_no_more(self):
        """Whether each sum over months is that of months that are all shown, and each share is of such sums: then it adds nothing."""
        for (months, kind, region), known in self.shown.items():
            if isinstance(months, str):
                continue
            first, last = months if months is not None else (self.months[0], self.months[-1])
            parts = [month for month in self.months if first <= month <= last]
            for name in COLUMNS:
                if name not in known:
                    continue
                values = [self._part((part, kind, region), name) for part in parts]
                if None in values or sum(values) != known[name]:
                    self.faults.append(f"{months} {kind} {region} {name}: {known[name]} and not {values}")
                    break
            for name in RATIOS:
                self.withheld += name not in known
                self.ratios += name in known
                if name in known and not says_no_more(
                    name, known[name], lambda column: [self._part((part, kind, region), column) for part in parts]
                ):
                    self.faults.append(f"{months} {kind} {region} {name}: {known[name]} is not that of what is shown")


def some_regions_say_no_more(server, viewer, regions):
    """What a viewer is shown who sees two regions, and totals over all: sums of what every viewer is shown, and nothing else."""
    faults, own = [], regions[:2]
    for name, national in [("attack-regional", []), ("attack-national", ["--national-totals"])]:
        account(server.mart, name, "--role", "viewer", *(part for region in own for part in ("--region", region)), *national)
        over, compared = [None] if national else own, 0

        def compare(month, kind, sums, over):
            nonlocal compared

            def parts(column):
                return [viewer.shown[month, kind, region].get(column) for region in over]

            for column in [*COUNTS, *COSTED, *COSTS, "loaded_miles_hundredths"]:
                found = parts(column)
                compared += sums[column] is not None
                if sums[column] is not None and (None in found or sum(found) != sums[column]):
                    faults.append(f"{name} {month} {kind} {over} {column}: {sums[column]} is shown, of {found}")
            for ratio in RATIOS:
                if sums[ratio] is not None and not says_no_more(ratio, sums[ratio], parts):
                    faults.append(f"{name} {month} {kind} {over} {ratio}: {sums[ratio]} is not that of what is shown")

        for month, kind in itertools.product([None, *viewer.months], [None, *viewer.types]):
            chosen = {"from": month, "to": month, "trip_type": kind}
            query = "&".join(f"{key}={value}" for key, value in chosen.items() if value is not None)
            answer = server.ask(f"/kpi?{query}", name=name)
            # What has no trip for them is no value of theirs.
            if answer.status == 400 and not national:
                continue
            if answer.status != 200:
                raise SystemExit(f"/kpi?{query}: {answer.status}")
            body = answer.json
            compare(month, kind, body["total"], over)
            for one in body["by_month"]:
                compare(one["month"], kind, one, over)
            for one in body["by_trip_type"]:
                compare(month, one["trip_type"], one, over)
            for one in body["by_region"]:
                compare(month, kind, one, [one["region"]])
                if one["region"] not in own:
                    faults.append(f"{name} {month} {kind}: {one['region']} is listed")
        if compared < 200:
            faults.append(f"{name}: {compared} numbers were compared")
    return faults


def shown_is_true(viewer, truth, threshold):
    """Every number that a viewer is shown is that of an analyst, and none of them is small."""
    faults = []
    for key, known in viewer.items():
        for name, value in known.items():
            # Where nothing is, a viewer may be shown a row all the same: that it is there says nothing.
            true = truth[key].get(name) if key in truth else 0
            if true != value:
                faults.append(f"{key} {name}: {value} is shown, {true} is true")
            if name in COUNTS + COSTED and 1 <= value < threshold:
                faults.append(f"{key} {name}: {value} is shown")
    return faults


def thin_marts_say_no_more(seeds):
    """The attack on the files of thin marts, and on what their small counts alone would hide."""
    faults, tried, control = [], 0, 0
    for mart in thin_marts.make(seeds):
        cube = Cube(mart)
        found, count = found_out(cube, cube.shown)
        tried += count
        faults += [f"{mart}: {name} is found out" for name in found]
        if not control:
            control = sum("_cents" in name for name in found_out(cube, hidden_alone(cube))[0])
    if not control:
        faults.append("the attack finds no cost where small counts and their costs alone are hidden")
    print(f"{tried} small counts and costs of thin marts; {control} costs found out in one where they alone are hidden")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mart")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    mart = options.mart
    account(mart, "attack-analyst", "--role", "analyst")
    cube = Cube(mart)
    with Server(mart) as server:
        lists = [
            [one["month"] for one in server.ask("/months").json["months"]],
            [one["trip_type"] for one in server.ask("/trip-types").json["trip_types"]],
            [one["region"] for one in server.ask("/regions").json["regions"]],
        ]
        viewer = Asked(server, "viewer", lists, options.quick)
        faults = shown_is_true(viewer.shown, Asked(server, "attack-analyst", lists, options.quick).shown, cube.threshold)
        viewer.read(cube)
        faults += some_regions_say_no_more(server, viewer, lists[2])
    viewer.ranges_say_no_more()
    cube.listed |= viewer.listed
    found, tried = found_out(cube, viewer.shown, cube.months[-1:] if options.quick else cube.months)
    faults += viewer.faults + [f"{name} is found out" for name in found] + thin_marts_say_no_more(3 if options.quick else thin_marts.SEEDS)
    faults += apart.faults_of(os.path.dirname(os.path.abspath(mart)) + "/in", options.quick)
    control = found_out(cube, hidden_alone(cube), cube.months[:1])[0]
    if not control:
        faults.append("the attack finds nothing out where small counts alone are hidden")
    if not viewer.ratios or not viewer.withheld:
        faults.append(f"{viewer.ratios} shares of several months are shown, {viewer.withheld} are not")
    for fault in faults[:40]:
        print(fault)
    print(f"{tried} small counts and costs, {viewer.ratios} shares of several months, {len(faults)} faults; "
          f"{len(control)} found out in one month where they alone are hidden")
    sys.exit(1 if faults or not tried else 0)


main()
