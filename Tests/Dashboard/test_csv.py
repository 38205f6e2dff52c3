"""CSV of what is shown: the rows of each chart and list, in a file with a name that says what it has.

python test_csv.py FOLDER
"""

import csv
import re

from application import Case, run

MONTH = "month=2026-05"


class Saved(Case):
    """Rows that were saved, against the answer they come from."""

    def saved(self, tab, place):
        """The name of the file that a button of a part saves, and its rows."""
        with tab.expect_download() as coming:
            place.get_by_role("button", name=re.compile("^CSV")).click()
        download = coming.value
        # The mark at the beginning is for spreadsheets.
        with open(download.path(), encoding="utf-8", newline="") as file:
            text = file.read()
        self.assertTrue(text.startswith("\ufeff"), text[:20])
        return download.suggested_filename, list(csv.DictReader(text[1:].splitlines(), strict=True))

    def card(self, tab, name):
        return tab.locator(".card", has=tab.locator(f"h2:text-matches('^{name}(,.*)?$')"))

    def test_the_table_of_a_chart_is_saved_as_rows(self):
        tab = self.open(f"/app/dashboard?{MONTH}")
        answer = self.json(tab, "/kpi")
        for name in ["In-house % by month", "Vendor cost by month", "Trips by month"]:
            card = self.card(tab, name).filter(has=tab.locator(".chart"))
            # It stands beside the table, not beside the picture.
            self.assertEqual(card.get_by_role("button", name=re.compile("^CSV")).count(), 0)
            card.get_by_role("button", name=re.compile("^Table")).click()
            file, rows = self.saved(tab, self.card(tab, name).filter(has=tab.locator("table")))
            self.assertEqual(file, "kpi-by-month.csv")
            self.assertEqual(
                [(row["month"], row["trips"], row["contracted_cost_cents"]) for row in rows],
                [
                    (each["month"], str(each["trips"]), str(each["contracted_cost_cents"] or ""))
                    for each in answer["by_month"]
                ],
            )
        self.assertEqual(tab.faults, [])

    def test_lists_are_saved_with_the_filter_and_the_month(self):
        tab = self.open(f"/app/dashboard?{MONTH}&trip_type=BLS")
        answer = self.json(tab, f"/kpi?{MONTH}&trip_type=BLS")
        for name, by, members in [("Regions", "region", "by_region"), ("Why trips count as they do", "basis", "by_basis")]:
            file, rows = self.saved(tab, self.card(tab, name))
            self.assertEqual(file, f"kpi-by-{by}-BLS-2026-05.csv")
            self.assertEqual(
                [(row[by], row["trips"]) for row in rows], [(each[by], str(each["trips"])) for each in answer[members]]
            )
            self.assertEqual({row["generation"] for row in rows}, {str(answer["generation"])})

    def test_parts_of_a_change_are_saved_and_sum_to_it(self):
        pair = "from=2025-05&to=2026-05"
        tab = self.open(f"/app/why?{pair}&by=region")
        answer = self.json(tab, f"/kpi/why?{pair}")
        card = self.card(tab, "Vendor cost")
        card.get_by_role("button", name=re.compile("^Table")).click()
        file, rows = self.saved(tab, card)
        self.assertEqual(file, "why-by-region-2025-05-2026-05.csv")
        self.assertEqual(sum(int(row["cents"]) for row in rows), answer["contracted_cost"]["change_cents"])
        self.assertEqual(sum(int(row["hundredths"]) for row in rows), answer["in_house"]["change_hundredths"])

    def test_a_list_of_trips_is_saved_whole(self):
        query = "?month=2026-05&trip_type=SCT"
        tab = self.open("/app/trips" + query)
        total = self.json(tab, "/trips" + query)["total"]
        # More than one page of the longest.
        self.assertGreater(total, 200)
        file, rows = self.saved(tab, tab.locator(".screen-head"))
        self.assertEqual(file, "trips-2026-05-SCT.csv")
        self.assertEqual((len(rows), len({row["ref"] for row in rows})), (total, total))
        self.assertEqual({(row["month"], row["trip_type"]) for row in rows}, {("2026-05", "SCT")})

    def test_past_runs_are_saved(self):
        account = self.another("demo-analyst")
        self.addCleanup(account.close)
        account.sign_in().close()
        tab = self.open("/app/runs", account)
        file, rows = self.saved(tab, self.card(tab, "Past runs"))
        self.assertEqual(file, "runs.csv")
        self.assertEqual([row["number"] for row in rows], [str(each["number"]) for each in self.json(tab, "/runs")["runs"]])

    def test_what_is_hidden_is_hidden_in_the_file(self):
        viewer = self.another("demo-viewer")
        self.addCleanup(viewer.close)
        viewer.sign_in().close()
        tab = self.open(f"/app/dashboard?{MONTH}&trip_type=SCT", viewer)
        answer = self.json(tab, f"/kpi?{MONTH}&trip_type=SCT")["by_region"]
        _, rows = self.saved(tab, self.card(tab, "Regions"))
        self.assertEqual([row["trips"] for row in rows], ["" if each["trips"] is None else str(each["trips"]) for each in answer])
        self.assertIn("true", [row["suppressed"] for row in rows])
        # Of bases there is nothing to save.
        self.assertEqual(self.card(tab, "Why trips count as they do").get_by_role("button").count(), 0)

    def test_nothing_is_saved_offline_and_a_fault_is_said(self):
        tab = self.open(f"/app/dashboard?{MONTH}")
        button = self.card(tab, "Regions").get_by_role("button", name=re.compile("^CSV"))
        tab.route("**/kpi?by=*", lambda route: route.fulfill(
            status=403, content_type="application/problem+json", body='{"code": "forbidden", "status": 403}'))
        button.click()
        tab.locator(".toast", has_text="Your role or region does not include this.").wait_for()
        tab.unroute("**/kpi?by=*")
        self.account.context.set_offline(True)
        self.addCleanup(self.account.context.set_offline, False)
        button.click()
        tab.locator(".toast", has_text="No connection").wait_for()


if __name__ == "__main__":
    run()
