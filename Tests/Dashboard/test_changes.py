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
                [points(each["in_house_hundredths"]), dollars(each["contracted_cost_cents"])] for each in found["causes"]
            ]
            self.assertEqual([row[2:] for row in rows[:-1]], expected)
            self.assertEqual(rows[0][0], "Late trips")
            for column in [1, 2, 3]:
                self.assertEqual(sum(number(row[column]) for row in rows[:-1]), number(rows[-1][column]), rows)
            self.assertEqual(tab.faults, [])

    def test_bars_lead_from_one_generation_to_the_other_at_320_pixels(self):
        tab = self.open("/app/why")
        tab.set_viewport_size({"width": 320, "height": 640})
        found = self.json(tab, "/kpi/changes")["changes"]
        values = [flat(each) for each in self.card(tab).locator(".fall-value").all_inner_texts()]
        ends = [re.sub(r" ?%", "", each) for each in (values[0], values[-1])]
        self.assertEqual(ends, [f"{found[each]['in_house_pct']:.2f}" for each in ("from", "to")])
        self.assertEqual(values[1:-1], [points(each["in_house_hundredths"]) for each in found["causes"]])
        self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320)

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
