"""The measures that a pipeline declares, in `/kpi`, `/kpi/trends` and at both ends of `/kpi/changes`, against plain counts.

    python test_measures.py PIPELINE FOLDER

A copy of PIPELINE, whose columns are those below, declares measures; two nights are published into FOLDER, the second with
trips that came late and with other declarations, and the causes are saved. The programs are those on the path.
"""

import csv
import io
import itertools
import math
import os
import random
import shutil
import subprocess
import sys
import unittest
from fractions import Fraction

from contract import Contract
from served import Server, account

PIPELINE = FOLDER = None
AS_CSV = {"Accept": "text/csv"}
HEADER = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner,Minutes"
# Names of accounts, and the regions whose every number each may see; None for one that may not.
CALLERS = {
    "counter": (["--role", "administrator"], {"08", "10", "12"}),
    "bound": (["--role", "administrator", "--region", "08", "--region", "12"], {"08", "12"}),
    "viewer": (["--role", "viewer"], None),
    "national": (["--role", "administrator", "--region", "08", "--national-totals"], None),
}
FILTERS = ["", "region=08", "trip_type=BLS", "month=2026-05", "from=2026-05&to=2026-06&region=12", "month=2031-01"]
# The declarations of each night: how a name is written, and its kind, amount and what it reads of a trip.
SAME = {
    "minutes": ("{median: minutes, unit: min}", "median", "whole", lambda trip: trip["minutes"]),
    "paid": ("{mean: cost}", "mean", "cents", lambda trip: trip["cents"]),
    "middle": ("{median: cost}", "median", "cents", lambda trip: trip["cents"]),
    "own": ("{count: \"owner = 'VA'\"}", "count", "whole", lambda trip: trip["owner"] == "VA"),
}
NIGHTS = [
    {**SAME, "gone": ("{sum: minutes}", "sum", "whole", lambda trip: trip["minutes"]),
     "turned": ("{sum: minutes}", "sum", "whole", lambda trip: trip["minutes"])},
    {**SAME, "turned": ("{mean: minutes}", "mean", "whole", lambda trip: trip["minutes"]),
     "fresh": ("{count: \"minutes > 20\"}", "count", "whole", lambda trip: (trip["minutes"] or 0) > 20)},
]
ENDS = ["before", "after", "change", "before_known_trips", "after_known_trips"]


def generated(count, seed):
    """Made trips: unevenly over regions, some without minutes."""
    dice = random.Random(seed)
    for index in range(count):
        yield {
            "id": f"SYN-{seed}-{index}", "month": dice.choice(["2026-05", "2026-06", "2026-07"]),
            "region": dice.choices(["08", "10", "12"], [12, 6, 1])[0], "kind": dice.choice(["BLS", "BLS", "ALS1"]),
            "cents": dice.randrange(100, 99999), "owner": dice.choice(["VA", "Vendor"]),
            "minutes": None if dice.random() < 0.1 else dice.randrange(5, 60),
        }


def row(trip):
    day = f"{int(trip['month'][5:])}/{1 + trip['cents'] % 28}/2026 10:00"
    minutes = "" if trip["minutes"] is None else trip["minutes"]
    return (f"{trip['id']},{day},{trip['region']},{trip['kind']},{trip['cents'] // 100}.{trip['cents'] % 100:02d},"
            f"{trip['owner']},{minutes}")


def called(*words):
    """Runs one of the programs."""
    ending = subprocess.run(words, capture_output=True, text=True)
    if ending.returncode not in (0, 10):
        sys.exit(f"{words}: {ending.stdout}{ending.stderr}")


def publish(number, trips):
    """Publishes a night with its declarations."""
    path = FOLDER + "/pipeline/pipeline.yaml"
    shutil.copyfile(PIPELINE + "/pipeline.yaml", path)
    with open(path) as file:
        text = file.read()
    assert text.count("\nfields:") == 1, path
    with open(path, "w") as file:
        head, tail = text.split("\nfields:")
        line, tail = tail.split("\n", 1)
        file.write(f"{head}\nfields:{line}\n  minutes: {{from: Minutes, type: integer}}\n{tail}\nkpis:\n  measures:\n")
        file.writelines(f"    {name}: {how}\n" for name, (how, *_) in NIGHTS[number].items())
    with open(f"{FOLDER}/in/trips_{number}.csv", "w") as file:
        file.write("\n".join([HEADER, *map(row, trips)]) + "\n")
    called("triptych", "run", FOLDER + "/pipeline", "--mart", FOLDER + "/mart", "--input", FOLDER + "/in", "--apply-changes")


def shown(name, kind, amount):
    """The name of its column, and in how many parts of one its value is written."""
    ending = "_cents" if amount == "cents" and kind != "count" else ""
    return name + ending, 100 if amount == "whole" and kind in ("mean", "median") else 1


def counted(declared, trips):
    """What a measure reads of some trips, in parts of one, and of how many trips it is known."""
    name, (_, kind, amount, read) = declared
    values = sorted(int(value) for value in map(read, trips) if value is not None)
    if not values:
        return None, 0
    parts = shown(name, kind, amount)[1]
    exact = {
        "count": Fraction(sum(values)), "sum": Fraction(sum(values)), "mean": Fraction(sum(values), len(values)),
        "median": Fraction(values[(len(values) - 1) // 2] + values[len(values) // 2], 2),
    }[kind]
    # A half goes up.
    return math.floor(exact * parts + Fraction(1, 2)), len(values)


def cell(value):
    return "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


class MeasuresTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name in ["in", "pipeline"]:
            os.makedirs(f"{FOLDER}/{name}")
        first, late = list(generated(900, 1)), list(generated(120, 2))
        publish(0, first)
        publish(1, late)
        called("triptych", "diff", "--save", "--mart", FOLDER + "/mart")
        cls.trips = [first, first + late]
        for name, (options, _) in CALLERS.items():
            account(FOLDER + "/mart", name, *options)
        cls.server = Server(FOLDER + "/mart")
        cls.server.__enter__()
        cls.contract = Contract(cls.server.ask("/openapi.yaml").body.decode())

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def answer(self, path, query, name, headers=None):
        """A promised answer."""
        answer = self.server.ask(path + (query and "?" + query), headers=headers, name=name)
        self.assertEqual((answer.status, self.contract.faults(path, "GET", answer)), (200, []), f"{name} {path} {query}")
        return answer

    def rows(self, query, name):
        """The rows of `/kpi/changes` as CSV."""
        text = self.answer("/kpi/changes", query, name, AS_CSV).body.decode()
        return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))

    def asked(self):
        """Each caller who sees every number, and each filter of trips they may see; with the trips of both nights."""
        for (name, (_, regions)), query in itertools.product(CALLERS.items(), FILTERS):
            if regions is None:
                continue
            filters = dict(part.split("=") for part in query.split("&") if part)
            months = filters.get("month", filters.get("from", "2026-01")), filters.get("month", filters.get("to", "2030-12"))
            yield name, query, [
                [trip for trip in trips
                 if months[0] <= trip["month"] <= months[1] and trip["region"] in regions
                 and filters.get("region", trip["region"]) == trip["region"]
                 and filters.get("trip_type", trip["kind"]) == trip["kind"]]
                for trips in self.trips
            ]

    def test_both_ends_are_what_is_counted(self):
        moved = 0
        for name, query, trips in self.asked():
            where = f"{name} {query}"
            found = self.answer("/kpi/changes", query, name).json["changes"]
            self.assertEqual([found[end]["trips"] for end in ("from", "to")], [len(each) for each in trips], where)
            measures = {one["name"]: one for one in found["measures"]}
            names = [shown(each, kind, amount)[0] for each, (_, kind, amount, _) in NIGHTS[1].items()]
            self.assertEqual(list(measures), [*names, "gone"], where)
            for each in {**NIGHTS[0], **NIGHTS[1]}:
                states = [night.get(each) for night in NIGHTS]
                _, kind, amount, _ = states[1] or states[0]
                one = measures[shown(each, kind, amount)[0]]
                self.assertEqual((one["kind"], one["amount"]), (kind, amount), where)
                for number, end in enumerate(("before", "after")):
                    known = one[end + "_known_trips"]
                    if states[number] is None:
                        self.assertEqual((one[end], known), (None, None), where)
                        continue
                    value, count = counted((each, states[number]), trips[number])
                    parts = shown(each, *states[number][1:3])[1]
                    self.assertEqual(
                        (None if one[end] is None else round(one[end] * parts), known), (value, count), f"{where} {each}")
                expected = {"gone": "no_longer_declared", "turned": "declared_otherwise", "fresh": "declared_since"}
                self.assertEqual(one["comparison"], expected.get(each, "same"), where)
                is_compared = one["comparison"] == "same" and None not in (one["before"], one["after"])
                self.assertEqual(one["change"] is not None, is_compared, where)
                if is_compared:
                    self.assertAlmostEqual(one["change"], one["after"] - one["before"], places=6, msg=where)
                    moved += one["change"] != 0
        self.assertGreater(moved, 20)

    def test_the_later_end_is_the_answer_of_today(self):
        for name, query, _ in self.asked():
            now = self.answer("/kpi", query, name).json["total"]["measures"]
            found = self.answer("/kpi/changes", query, name).json["changes"]["measures"]
            self.assertEqual(
                [[one["name"], one["value"], one["known_trips"]] for one in now],
                [[one["name"], one["after"], one["after_known_trips"]] for one in found if one["name"] != "gone"],
            )

    def test_each_basis_has_its_own(self):
        columns = [name for each, (_, kind, amount, _) in NIGHTS[1].items() for name in [
            shown(each, kind, amount)[0], *([] if kind == "count" else [each + "_known_trips"])]]
        seen = 0
        for name, query, trips in self.asked():
            found = self.answer("/kpi", query, name).json["by_basis"]
            text = self.answer("/kpi", (query and query + "&") + "by=basis", name, AS_CSV).body.decode()
            rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
            for entry, row in zip(found, rows, strict=True):
                owner = {"va_fleet": "VA", "contract": "Vendor"}[entry["basis"]]
                expected = [
                    counted(declared, [trip for trip in trips[1] if trip["owner"] == owner]) for declared in NIGHTS[1].items()]
                values = [(one["value"], one["known_trips"]) for one in entry["measures"]]
                parts = [shown(each, kind, amount)[1] for each, (_, kind, amount, _) in NIGHTS[1].items()]
                given = [(value and round(value * part), known) for (value, known), part in zip(values, parts, strict=True)]
                self.assertEqual(given, expected, f"{name} {query} {owner}")
                shown_values = [value for pair, (_, kind, _, _) in zip(values, NIGHTS[1].values(), strict=True)
                                for value in (pair[:1] if kind == "count" else pair)]
                self.assertEqual([row[column] for column in columns], [cell(value) for value in shown_values])
                seen += 1
        self.assertGreater(seen, 15)

    def test_trends_have_each_month_of_every_group(self):
        for name, (_, regions) in CALLERS.items():
            if regions is None:
                continue
            trends = self.answer("/kpi/trends", "", name).json
            entries = [({}, trends["total"])]
            entries += [({"region": one["region"]}, one) for one in trends["regions"]]
            entries += [({"kind": one["trip_type"]}, one) for one in trends["trip_types"]]
            self.assertEqual(len(entries), 1 + len(regions) + 2)
            for (key, entry), (index, month) in itertools.product(entries, enumerate(trends["months"])):
                wanted = {**key, "month": month}
                trips = [
                    trip for trip in self.trips[1]
                    if trip["region"] in regions and all(trip[part] == value for part, value in wanted.items())
                ]
                for declared, measure in zip(NIGHTS[1].items(), entry["measures"], strict=True):
                    column, parts = shown(declared[0], *declared[1][1:3])
                    value = measure["values"][index]
                    self.assertEqual(
                        (measure["name"], None if value is None else round(value * parts), measure["known_trips"][index]),
                        (column, *counted(declared, trips)), f"{name} {wanted}",
                    )

    def test_rows_of_csv_are_the_members_of_json(self):
        for name, query, _ in self.asked():
            found = self.answer("/kpi/changes", query, name).json["changes"]
            rows = self.rows(query, name)
            causes, measures = rows[:len(found["causes"])], rows[len(found["causes"]):]
            numbers = ["trips", "in_house_hundredths", "cost_cents", "contracted_cost_cents"]
            for given, one in zip(causes, found["causes"], strict=True):
                self.assertEqual([given[key] for key in ["kind", *numbers]], [cell(one[key]) for key in ["kind", *numbers]])
                self.assertEqual({given[key] for key in ["comparison", *ENDS]}, {""})
            for given, one in zip(measures, found["measures"], strict=True):
                self.assertEqual([given["kind"], given["cause"]], ["measure", one["name"]])
                # They add nothing to the causes.
                self.assertEqual({given[key] for key in numbers}, {""})
                self.assertEqual([given[key] for key in ["comparison", *ENDS]], [cell(one[key]) for key in ["comparison", *ENDS]])

    def test_others_get_none(self):
        """A condition may be any subset of the trips: an account that does not see every number gets none."""
        for name in ["viewer", "national"]:
            for query in FILTERS[:2]:
                changes = self.answer("/kpi/changes", query, name)
                rows = self.answer("/kpi/changes", query, name, AS_CSV)
                self.assertIsNone(changes.json["changes"])
                numbers = self.answer("/kpi", query, name)
                # Of a region of one's own that is named `/kpi` has every number.
                trends = self.answer("/kpi/trends", query if query.startswith("region") else "", name)
                for answer in [changes, rows, trends] + ([numbers] if name == "viewer" or not query else []):
                    for word in ["measure", "comparison,before", "fresh", "_known_trips"]:
                        self.assertNotIn(word, answer.body.decode(), f"{name} {query}")


if __name__ == "__main__":
    FOLDER, PIPELINE = sys.argv.pop(2), sys.argv.pop(1)
    unittest.main(verbosity=1)
