"""What moved the numbers between the last two publications: the causes of the API, as bars and as a table.

python test_changes.py FOLDER

FOLDER/moved is a mart of two generations, as of test_moved.py, with the causes saved.
"""

import os
import re
import subprocess
import sys

import application
import test_moved
from application import Case, Served, flat, run
from test_moved import CHANGED, UNCHANGED
from test_why import dollars, number, points


class SavedCauses(test_moved.TwoGenerations):
    """A server over the mart of two generations, whose causes are saved."""

    def _start(self, folder):
        super()._start(folder)
        saved = subprocess.run(
            ["triptych", "diff", "--save", "--mart", folder + "/moved/mart"], capture_output=True, text=True
        )
        assert saved.returncode == 0, saved.stderr


class Changes(Case):
    @classmethod
    def setUpClass(cls):
        application.Served = SavedCauses
        cls.addClassCleanup(setattr, application, "Served", Served)
        super().setUpClass()

    def setUp(self):
        tab = self.open()
        if not self.json(tab, "/kpi/changes").get("changes"):
            self.skipTest("the application that is served has another mart than this test's")

    def card(self, tab):
        card = tab.locator(".card", has=tab.locator("h2:text-matches('^Between the last two publications')"))
        card.wait_for()
        return card

    def test_the_causes_are_those_of_the_api_and_add_up(self):
        """Issue, item 3: between two generations the causes of `diff` make the same picture."""
        for query in ["", "?region=08", "?trip_type=BLS"]:
            tab = self.open("/app/why" + query)
            found = self.json(tab, "/kpi/changes" + query)["changes"]
            card = self.card(tab)
            self.assertIn(f"{found['to']['trips'] - found['from']['trips']:+,} trips".replace("-", "−"), flat(card.inner_text()))
            card.get_by_role("button", name=re.compile("^Table")).click()
            rows = [
                [flat(cell) for cell in row.locator("th, td").all_inner_texts()] for row in card.locator("tbody tr").all()
            ]
            self.assertGreater(len(rows), 1)
            expected = [
                [points(each["in_house_hundredths"]), dollars(each["contracted_cost_cents"]), dollars(each["cost_cents"])]
                for each in found["causes"]
            ]
            # What other trips cost has a column of its own where it moved.
            if all(each["cost_cents"] == each["contracted_cost_cents"] for each in found["causes"]):
                expected = [cells[:2] for cells in expected]
            self.assertEqual([row[2:] for row in rows[:-1]], expected)
            self.assertEqual(rows[0][0], "Late trips")
            for column in range(1, len(rows[0])):
                self.assertEqual(sum(number(row[column]) for row in rows[:-1]), number(rows[-1][column]), rows)
            self.assertEqual(tab.faults, [])

    def test_the_chosen_month_comes_first_and_all_months_by_a_press(self):
        """As the notice of what changed names it: of the month, with the filter; which one it is, the heading says."""
        for query, name in [("", ""), ("&region=08", "VISN 8"), ("&trip_type=BLS", "Basic life support")]:
            tab = self.open(f"/app/why?month={CHANGED}{query}")
            found = self.json(tab, f"/kpi/changes?month={CHANGED}{query}")["changes"]
            card = self.card(tab)
            moved = f"{found['to']['trips'] - found['from']['trips']:+,} trips".replace("-", "−")
            self.assertEqual(flat(card.locator("h2").inner_text()), "Between the last two publications, April 2026")
            self.assertIn(moved, flat(card.inner_text()))
            self.assertIn(name, flat(card.inner_text()))
            tab.set_viewport_size({"width": 320, "height": 640})
            self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320)
            card.get_by_role("button", name="All months", exact=True).click()
            whole = self.json(tab, f"/kpi/changes?{query.lstrip('&')}")["changes"]
            self.assertNotEqual(found["from"], whole["from"])
            card.locator("h2:text-is('Between the last two publications, all months')").wait_for()
            self.assertIn(f"{whole['from']['in_house_pct']:.2f}%", flat(card.locator(".falls").inner_text()))
            # The button that was pressed keeps the focus.
            self.assertEqual(tab.evaluate("document.activeElement.textContent"), "All months")
            card.get_by_role("button", name="April 2026", exact=True).click()
            card.locator("h2:text-is('Between the last two publications, April 2026')").wait_for()
            self.assertIn(moved, flat(card.inner_text()))
            self.assertEqual(tab.faults, [])

    def test_of_a_month_that_did_not_change_that_is_said(self):
        tab = self.open(f"/app/why?from=2025-06&to={UNCHANGED}")
        card = self.card(tab)
        self.assertEqual(flat(card.locator("h2").inner_text()), "Between the last two publications, June 2026")
        self.assertIn("Nothing of these trips has changed", flat(card.inner_text()))
        card.get_by_role("button", name="All months", exact=True).click()
        card.locator(".falls").wait_for()

    def test_no_choice_where_the_address_names_no_month_or_none_that_is_there(self):
        for query in ["", "?month=all", "?month=1999-01"]:
            card = self.card(self.open("/app/why" + query))
            self.assertEqual(flat(card.locator("h2").inner_text()), "Between the last two publications, all months")
            self.assertEqual(card.get_by_role("button", name="All months", exact=True).count(), 0)

    def test_the_chosen_month_is_in_spanish_as_well(self):
        account = self.another("demo", settings={"language": "es"})
        self.addCleanup(account.close)
        tab = account.sign_in(f"/app/why?month={CHANGED}")
        card = tab.locator(".card", has=tab.locator("h2:text-is('Entre las dos últimas publicaciones, abril de 2026')"))
        card.get_by_role("button", name="Todos los meses", exact=True).click()
        tab.wait_for_selector("h2:text-is('Entre las dos últimas publicaciones, todos los meses')")

    def test_the_command_for_every_trip_stands_in_the_card_of_analysts(self):
        """Who runs no commands is not told one."""
        analyst = self.another("demo-analyst")
        self.addCleanup(analyst.close)
        analyst.sign_in().close()
        self.assertIn("triptych diff 1 2", flat(self.card(self.open("/app/why", analyst)).inner_text()))
        self.assertNotIn("triptych", flat(self.card(self.open("/app/why")).inner_text()))

    def test_bars_lead_from_one_generation_to_the_other_at_320_pixels(self):
        tab = self.open("/app/why")
        tab.set_viewport_size({"width": 320, "height": 640})
        found = self.json(tab, "/kpi/changes")["changes"]
        values = [flat(each) for each in self.card(tab).locator(".fall-value").all_inner_texts()]
        ends = [re.sub(r" ?%", "", each) for each in (values[0], values[-1])]
        self.assertEqual(ends, [f"{found[each]['in_house_pct']:.2f}" for each in ("from", "to")])
        self.assertEqual(values[1:-1], [points(each["in_house_hundredths"]) for each in found["causes"]])
        self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320)

    def test_a_cost_of_other_trips_has_a_column_of_its_own_where_it_moved(self):
        tab = self.open("/app/why")

        def dearer(route):
            body = route.fetch().json()
            body["changes"]["causes"][0]["cost_cents"] -= 50000
            body["changes"]["to"]["cost_cents"] -= 50000
            route.fulfill(json=body)

        tab.route("**/kpi/changes*", dearer)
        tab.reload()
        found = self.json(tab, "/kpi/changes")["changes"]
        card = self.card(tab)
        card.get_by_role("button", name=re.compile("^Table")).click()
        self.assertEqual(card.get_by_role("columnheader").last.inner_text(), "Known cost of all")
        cells = card.locator("tbody tr td:last-child").all_inner_texts()
        causes = [each["cost_cents"] for each in found["causes"]]
        self.assertEqual(cells, [dollars(each) for each in [*causes, sum(causes)]])

    def test_the_notice_of_changed_months_names_the_causes(self):
        """Issue, item 2: what changed since the reader last looked, and why, in one place; where it is not saved, that."""
        account = self.another("demo")
        self.addCleanup(account.close)
        tab = account.sign_in()
        tab.wait_for_function("() => JSON.parse(localStorage.getItem('triptych-settings'))?.seen")
        tab.evaluate(
            """() => {
              const settings = JSON.parse(localStorage.getItem('triptych-settings'));
              localStorage.setItem('triptych-settings', JSON.stringify({...settings, seen: {...settings.seen, generation: 1}}));
            }"""
        )
        found = self.json(tab, "/kpi/changes")["changes"]["causes"]
        changed = [f"{each['trips']:+,} trips".replace("-", "−") if each["trips"] else "as many trips" for each in found]
        tab.reload()
        notice = tab.locator(".restated")
        notice.wait_for()
        words = flat(notice.inner_text())
        self.assertIn(f"late trips ({changed[[each['kind'] for each in found].index('late')]})", words)
        self.assertEqual(re.findall(r"\(([^()]* trips)\)", words.split("What moved all numbers: ")[1]), changed)
        self.assertEqual(notice.get_by_role("link", name="Why it moved").count(), 1)

        def unsaved(route):
            route.fulfill(json={**route.fetch().json(), "changes": None})

        tab.route("**/kpi/changes*", unsaved)
        tab.reload()
        notice.wait_for()
        self.assertIn("An operator of the nightly job can still save it", flat(notice.inner_text()))
        self.assertEqual(notice.get_by_role("link", name="Why it moved").count(), 0)

    def test_a_viewer_is_told_that_they_are_not_shown(self):
        viewer = self.another("demo-viewer")
        self.addCleanup(viewer.close)
        viewer.sign_in().close()
        tab = self.open("/app/why", viewer)
        words = flat(self.card(tab).inner_text())
        self.assertIn("Not shown to your role", words)
        self.assertNotRegex(words, r"\d+ trips|%|\$")


if __name__ == "__main__":
    if len(sys.argv) < 2 and "DASHBOARD_ADDRESS" not in os.environ:
        sys.exit(__doc__)
    run()
