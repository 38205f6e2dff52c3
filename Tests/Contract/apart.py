"""What a viewer is told across months and across generations: nothing that does not follow from
what is shown of each month.

`/kpi?since=` and the comparison at the same age set two generations side by side, whose difference
may be one trip; `/kpi/why` sets two months side by side. A mart of three generations is made, in
which an analyst is told such differences.
"""

import itertools
import shutil
import subprocess
from pathlib import Path

import why
from served import Server, account

ROOT = Path(__file__).resolve().parents[2]
# Trips that the last generation lacks.
WITHDRAWN = 3
# What the two sides of a change say of a month, and from which numbers of it that follows.
SIDES = {
    "in_house": {"pct": lambda sums: sums["in_house_pct"], "undetermined_trips": lambda sums: sums["undetermined_trips"]},
    "contracted_cost": {
        "cents": lambda sums: sums["contracted_cost_cents"],
        "uncosted_trips": lambda sums: sums["contracted_trips"] - sums["contracted_costed_trips"],
    },
}


def published(exports, folder):
    """Three generations of some exports: without the newest file, with it, and without a few trips
    of it; the mart."""
    staged, mart = Path(folder, "in"), Path(folder, "mart")
    files = sorted(Path(exports).glob("claims_*.csv"))
    shutil.copytree(exports, staged, ignore=lambda _, names: [files[-1].name] if files[-1].name in names else [])
    newest = staged / files[-1].name
    lines = files[-1].read_text(encoding="utf-8").splitlines(keepends=True)
    for content in [None, lines, lines[:-WITHDRAWN]]:
        if content is not None:
            newest.write_text("".join(content), encoding="utf-8")
        command = ["triptych", "run", ROOT / "pipelines/ambulance", "--mart", mart, "--input", staged]
        ending = subprocess.run([*command, "--reference", staged / "reference"], capture_output=True, text=True, timeout=600)
        if ending.returncode not in (0, 10):
            raise RuntimeError(ending.stdout + ending.stderr)
    return str(mart)


class Apart:
    """The questions, as a viewer and as an analyst."""

    def __init__(self, server, mart, lists, quick):
        self._server, self._quick = server, quick
        self.months, self.types, self.regions = lists
        self._cube = why.Cube(mart + "/kpi.sqlite")
        self.faults = []
        # How many numbers an analyst is told that a viewer is not; how many parts of changes a
        # viewer is told.
        self.told, self.aged, self.parts = 0, 0, 0
        # How many comparisons of settled months a viewer is told.
        self.compared = 0

    def _ask(self, path, name, **chosen):
        query = "&".join(f"{key}={value}" for key, value in chosen.items() if value is not None)
        answer = self._server.ask(f"{path}?{query}", name=name)
        if answer.status != 200:
            raise SystemExit(f"{path}?{query}: {answer.status}")
        return answer.json

    def generations(self):
        """Every filter against every earlier generation: a viewer is told no difference, and
        compares what is shown."""
        for month, kind, region in itertools.product(*([None, *values] for values in (self.months, self.types, self.regions))):
            chosen = {"month": month, "trip_type": kind, "region": region}
            for since in (2,) if self._quick else (1, 2):
                body = self._ask("/kpi", "viewer", **chosen, since=since)
                if body["since"] is not None:
                    self.faults.append(f"{chosen} since {since}: {body['since']}")
                self.told += self._ask("/kpi", "apart-analyst", **chosen, since=since)["since"] is not None
            self._compare(chosen, body["comparison"])
            other = self._ask("/kpi", "apart-analyst", **chosen)["comparison"]
            self.aged += other is not None and other["kind"] == "same_age"

    def _compare(self, chosen, found):
        if found is None:
            return
        if found["kind"] != "settled":
            self.faults.append(f"{chosen}: {found}")
            return
        self.compared += 1
        shown = self._ask("/kpi", "viewer", **{**chosen, "month": found["month"]})["total"]
        for name in set(found) & set(shown) - {"suppressed"}:
            if found[name] != shown[name]:
                self.faults.append(f"{chosen} {name}: {found[name]} beside {shown[name]}")

    def changes(self):
        """Every two months of every filter: values are those shown of each month, parts those of
        the published file."""
        pairs = itertools.pairwise(self.months) if self._quick else itertools.combinations(self.months, 2)
        sums = {}
        for pair, kind, region in itertools.product(list(pairs), [None, *self.types], [None, *self.regions]):
            chosen = {"trip_type": kind, "region": region}
            answer = self._server.ask(
                "/kpi/why?" + "&".join(f"{key}={value}" for key, value in {"from": pair[0], "to": pair[1], **chosen}.items() if value),
                name="viewer",
            )
            # One of the months has no such trips.
            if answer.status == 400:
                continue
            for month in pair:
                if (month, kind, region) not in sums:
                    sums[month, kind, region] = self._ask("/kpi", "viewer", month=month, **chosen)["total"]
            for measure, numbers in SIDES.items():
                found = answer.json[measure]
                for side, month in zip(("from", "to"), pair):
                    self._follows(found, side, numbers, sums[month, kind, region], (pair, kind, region, measure))
                self._are_published(found, measure, pair, kind or "all", region or "all")

    def _follows(self, found, side, numbers, shown, where):
        for name, follow in numbers.items():
            value = found[f"{side}_{name}"]
            try:
                expected = follow(shown)
            except TypeError:
                expected = None
            if value is not None and value != expected:
                self.faults.append(f"{where} {side}_{name}: {value} and not {expected}")

    def _are_published(self, found, measure, pair, kind, region):
        amount = "hundredths" if measure == "in_house" else "cents"
        for key in ["region", "trip_type"]:
            parts = found["by_" + key]
            expected = self._cube.parts(measure, key, pair, kind, region)
            given = None if parts is None else [(one[key], one["kind"], one[amount]) for one in parts]
            self.parts += len(given or [])
            if given != expected:
                self.faults.append(f"{pair} {kind} {region} {measure} {key}: {given} and not {expected}")


def faults_of(exports, quick):
    """The faults over a mart of three generations, with what was looked at."""
    mart = published(exports, "apart")
    account(mart, "apart-analyst", "--role", "analyst")
    with Server(mart) as server:
        lists = [
            [one["month"] for one in server.ask("/months").json["months"]],
            [one["trip_type"] for one in server.ask("/trip-types").json["trip_types"]],
            [one["region"] for one in server.ask("/regions").json["regions"]],
        ]
        if quick:
            lists[0] = lists[0][-3:]
        apart = Apart(server, mart, lists, quick)
        apart.generations()
        apart.changes()
    # The newest months are open.
    if not (apart.told and apart.aged and apart.parts and (quick or apart.compared)):
        apart.faults.append(
            f"an analyst is told {apart.told} differences, {apart.aged} at the same age; a viewer {apart.parts} parts, "
            f"{apart.compared} comparisons"
        )
    print(f"{apart.told} differences of generations and {apart.aged} months at the same age are for analysts alone; "
          f"{apart.parts} parts of changes follow from what is shown")
    return apart.faults
