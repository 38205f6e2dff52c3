"""The measures that a pipeline declares, on the first screen."""

import re

from application import flat, run
from published import MartCase, command
from test_truth import Told

HEADING = "h2:text-matches('^(Further measures|Otras medidas)')"
SECTION = f"section:has({HEADING})"
# The measures of an answer: each with its value, of how many of a thousand trips it is known, and what it read before.
DECLARED = [
    ({"name": "minutes", "label": "Transport minutes", "kind": "median", "unit": "min", "amount": "whole"}, 41.5, 990, 41.25),
    ({"name": "services", "label": "Services", "kind": "sum", "unit": "", "amount": "whole"}, 12345, 1000, 12500),
    ({"name": "night", "label": "At night", "kind": "count", "unit": "", "amount": "whole"}, 0, 1000, 0),
    ({"name": "off_cents", "label": "Write-off", "kind": "sum", "unit": "cents", "amount": "cents"}, -25050, 7, None),
    ({"name": "paid_cents", "label": "Paid", "kind": "mean", "unit": "", "amount": "cents"}, 185042, 1000, 180042),
    ({"name": "far_hundredths", "label": "Way", "kind": "median", "unit": "", "amount": "hundredths"}, 1250, 1000, 1275),
    ({"name": "none", "label": "شبكة الشمس ٢", "kind": "mean", "unit": "", "amount": "whole"}, None, 0, None),
]


def declared(trips=1000, before=1000):
    """What gives an answer these measures, for so many trips then and now."""

    def change(body):
        body["measures"] = [each for each, *_ in DECLARED]
        body["total"]["trips"] = trips
        body["total"]["measures"] = [
            {"name": each["name"], "value": value, "known_trips": known} for each, value, known, _ in DECLARED
        ]
        if body["comparison"]:
            body["comparison"]["trips"] = before
            body["comparison"]["measures"] = [
                {"name": each["name"], "value": then, "known_trips": known}
                for each, _, known, then in reversed(DECLARED)
                if then is not None
            ]

    return change


class Shown(Told):
    def rows(self, path, change, language="en"):
        tab = self.shown(path, {r"/kpi\?.*month=2026-05": change}, SECTION)
        return tab, [flat(row) for row in tab.locator(f"{SECTION} li").all_inner_texts()]

    def test_each_stands_with_its_unit_its_known_trips_and_its_change(self):
        """Issue, item 8: values as they are, in their units; what is known of some trips says so."""
        tab, rows = self.rows("/app/dashboard?month=2026-05", declared())
        self.assertEqual(flat(tab.inner_text(HEADING)), "Further measures, May 2026")
        versus = "vs May 2025, year before"
        self.assertEqual(
            rows,
            [
                f"Transport minutes 41.5 min known for 99% of trips ▲ 0.25 min up 0.25 min {versus}",
                f"Services 12,345 ▼ 155 down 155 {versus}",
                f"At night 0 = no change no change {versus}",
                "Write-off -$251 known for 0% of trips",
                f"Paid $1,850.42 ▲ $50.00 up $50.00 {versus}",
                f"Way 12.5 miles ▼ 0.3 miles down 0.3 miles {versus}",
                "شبكة الشمس ٢ Not known",
            ],
        )
        self.assertEqual(tab.faults, [])

    def test_of_few_trips_no_change_is_shown(self):
        for trips, before in [(29, 1000), (1000, 29)]:
            _, rows = self.rows("/app/dashboard?month=2026-05", declared(trips, before))
            self.assertNotRegex(" ".join(rows), "vs|▲|▼")
            self.assertIn("Services 12,345", rows)

    def test_it_is_no_wider_than_a_phone(self):
        tab, _ = self.rows("/app/dashboard?month=2026-05", declared())
        self.assertTrue(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    def test_without_declarations_there_is_no_section(self):
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        self.assertEqual(tab.locator(HEADING).count(), 0)


class BesideCauses(Told):
    """The same between two publications, where changed answers have causes, or none."""

    def rows(self, measures, causes):
        def change(body):
            end = {"trips": 1000, "in_house_pct": 41.8, "cost_cents": 100, "contracted_cost_cents": 100}
            origin = {"generation": 1, "as_of": body["as_of"]}
            body["changes"] = {"from": {**origin, **end}, "to": end, "causes": causes, "measures": measures}

        tab = self.shown("/app/why", {r"/kpi/changes": change}, "h2:text-matches('^Between the last two publications')")
        card = tab.locator(".card", has=tab.locator("h2:text-matches('^Between the last two publications')"))
        self.assertEqual(tab.faults, [])
        return card, [flat(row) for row in card.locator("li.measure").all_inner_texts()]

    @staticmethod
    def between(index, comparison, before, after):
        """A measure of those above, before and after."""
        declared, _, known, _ = DECLARED[index]
        change = after - before if comparison == "same" and None not in (before, after) else None
        knowns = {"before_known_trips": known, "after_known_trips": None if after is None else known}
        return {**declared, "comparison": comparison, "before": before, "after": after, "change": change, **knowns}

    def test_each_stands_with_its_change_or_why_there_is_none(self):
        """Issue 48, item 8: shown where a KPI is; what is declared otherwise is no change of the trips."""
        measures = [
            self.between(0, "same", 41.25, 41.5), self.between(1, "declared_since", None, 12345),
            self.between(2, "declared_otherwise", 7.5, 0), self.between(4, "same", 185042, 185042),
            self.between(5, "no_longer_declared", 1275, None),
        ]
        late = {"kind": "late", "cause": "late trips", "trips": 3, "in_house_hundredths": 0, "cost_cents": 5, "contracted_cost_cents": 5}
        card, rows = self.rows(measures, [late])
        self.assertEqual(flat(card.locator("h3").inner_text()), "Further measures")
        self.assertEqual(
            rows,
            [
                "Transport minutes 41.5 min known for 99% of trips ▲ 0.25 min up 0.25 min",
                "Services 12,345 declared since",
                "At night 0 declared otherwise",
                "Paid $1,850.42 = no change no change",
                "Way no longer declared",
            ],
        )
        # An edit of a measure moves no trip: what reads otherwise is shown alone.
        _, rows = self.rows(measures, [])
        self.assertEqual([row.split(" ")[0] for row in rows], ["Transport", "Services", "At", "Way"])

    def test_where_nothing_moved_there_is_no_list(self):
        card, rows = self.rows([self.between(4, "same", 185042, 185042)], [])
        self.assertEqual((rows, card.locator("h3").count()), ([], 0))


class Spanish(Shown):
    options = {"settings": {"keepsView": False, "language": "es"}}

    def test_each_stands_with_its_unit_its_known_trips_and_its_change(self):
        """R27: the section in Spanish."""
        tab, rows = self.rows("/app/dashboard?month=2026-05", declared())
        self.assertRegex(flat(tab.inner_text(HEADING)), "^Otras medidas, mayo de 2026$")
        self.assertRegex(rows[0], "^Transport minutes 41.5 min se conoce en el 99 ?% de los viajes ▲ 0.25 min")
        self.assertEqual(rows[-1], "شبكة الشمس ٢ Desconocido")


class Published(MartCase):
    """A pipeline with measures of its own, before accounts that see every number and one that does not."""

    accounts = {"reader": ["administrator"], "viewer": ["viewer"]}

    @staticmethod
    def edit(mart):
        mart.declare(
            [
                "paid: {mean: paid, label: Mean paid}",
                "way: {median: miles, label: Way}",
                "far: {count: \"miles_hundredths > 3000\", label: Far}",
            ]
        )

    def test_the_values_are_those_of_the_answer(self):
        """Issue, item 8: shown where the other numbers are, and compared where they are."""
        for month in ["2026-05", "2026-10", "all"]:
            tab = self.open("/app/dashboard?month=" + month)
            tab.wait_for_selector(SECTION)
            rows = [flat(row) for row in tab.locator(f"{SECTION} li").all_inner_texts()]
            answer = self.json(tab, "/kpi" + ("" if month == "all" else "?month=" + month))
            paid, way, far = [each["value"] for each in answer["total"]["measures"]]
            self.assertTrue(rows[0].startswith(f"Mean paid ${paid / 100:,.2f}"), rows)
            self.assertTrue(rows[1].startswith(f"Way {int(way / 10 + 0.5) / 10:.1f} miles"), rows)
            self.assertTrue(rows[2].startswith(f"Far {far:,}"), rows)
            comparison = answer["comparison"]
            if month == "2026-05":
                before = {each["name"]: each["value"] for each in comparison["measures"]}
                earlier = self.json(tab, "/kpi?month=" + comparison["month"])["total"]["measures"]
                self.assertEqual(before, {each["name"]: each["value"] for each in earlier})
                change = far - before["far"]
                arrow = "▲" if change > 0 else "▼" if change < 0 else "= no change"
                self.assertIn(arrow + (f" {abs(change):,}" if change else ""), rows[2])

    def test_a_viewer_has_no_such_section(self):
        viewer = self.another("viewer")
        self.addCleanup(viewer.close)
        tab = viewer.sign_in("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".hidden-note")
        self.assertEqual(tab.locator(HEADING).count(), 0)
        self.assertIsNone(re.search("Mean paid|Way", tab.inner_text("main")))


class TwoNights(Published):
    """The same after a second night, whose causes are saved."""

    @staticmethod
    def edit(mart):
        Published.edit(mart)
        mart.withhold("claims_20260503.csv")

    @staticmethod
    def later(mart):
        mart.deliver("claims_20260504.csv")
        mart.publish()
        command("triptych", "diff", "--save", "--mart", mart.folder + "/mart")

    def test_both_publications_stand_beside_the_causes(self):
        """Issue 48, item 8: shown wherever a KPI is."""
        for query in ["", "?region=08"]:
            tab = self.open("/app/why" + query)
            tab.wait_for_selector("li.measure")
            rows = [flat(row) for row in tab.locator("li.measure").all_inner_texts()]
            found = self.json(tab, "/kpi/changes" + query)["changes"]
            now = self.json(tab, "/kpi" + query)["total"]["measures"]
            self.assertEqual([each["after"] for each in found["measures"]], [each["value"] for each in now])
            far = found["measures"][2]
            self.assertTrue(rows[2].startswith(f"Far {far['after']:,} "), rows)
            by = far["after"] - far["before"]
            self.assertIn(f"▲ {by:,}" if by > 0 else f"▼ {-by:,}" if by else "= no change", rows[2])
            if not query:
                self.assertNotEqual([each["before"] for each in found["measures"]], [each["after"] for each in found["measures"]])

    def test_a_viewer_is_shown_no_measure_between_publications(self):
        viewer = self.another("viewer")
        self.addCleanup(viewer.close)
        viewer.sign_in().close()
        tab = self.open("/app/why", viewer)
        tab.wait_for_selector("h2:text-matches('^Between the last two publications')")
        self.assertEqual(tab.locator("li.measure").count(), 0)


if __name__ == "__main__":
    run()
