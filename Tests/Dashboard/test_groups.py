"""Regions and trip types: value, change and rank are of one settled month, by share or by change, and few trips are marked."""

import re

from application import Case, flat, run
from test_truth import changed, month_name


def hundredths(percent):
    return round(percent * 100)


def points(change):
    """A change of a share as a row has it: one decimal, half away from zero, without a sign."""
    return f"{(abs(change) + 5) // 10 / 10:.1f} pt"


class Groups(Case):
    options = {"settings": {"keepsView": False}}

    def rows(self, tab, index=0):
        """The rows of a list, all of them, as they are read."""
        card = tab.locator(".ranks-card").nth(index)
        more = card.locator("button:has-text('Show all')")
        if more.count():
            more.click()
        return [flat(each) for each in card.locator(".rank").all_inner_texts()]

    def test_an_open_month_leaves_the_ranks_to_the_newest_settled_one(self):
        """Issue, item 2: value, change and rank of one month, which the heading names."""
        tab = self.open("/app/dashboard?month=2026-10")
        settled = [each["month"] for each in self.json(tab, "/kpi")["by_month"] if not each["month_open"]][-1]
        before = f"{int(settled[:4]) - 1}{settled[4:]}"
        for index, (title, key, code, rest) in enumerate(
            [("Regions", "by_region", "region", "UNKNOWN"), ("Trip types", "by_trip_type", "trip_type", "OTHER")]
        ):
            card = tab.locator(".ranks-card").nth(index)
            self.assertEqual(flat(card.locator("h2").inner_text()), f"{title}, {month_name(settled)}")
            now = self.json(tab, "/kpi?month=" + settled)[key]
            old = {each[code]: each for each in self.json(tab, "/kpi?month=" + before)[key]}
            ranked = sorted((each for each in now if each[code] != rest), key=lambda each: -each["in_house_pct"])
            rows = self.rows(tab, index)
            self.assertEqual(len(rows), len(now))
            for number, (row, each) in enumerate(zip(rows, ranked), 1):
                self.assertTrue(row.startswith(f"{number} ") or each["in_house_pct"] in
                    [other["in_house_pct"] for other in ranked if other is not each], row)
                self.assertIn(each["label"], row)
                self.assertIn(f"{each['trips']:,} trip", row)
                if each[code] in old:
                    change = hundredths(each["in_house_pct"]) - hundredths(old[each[code]]["in_house_pct"])
                    self.assertIn(("▲ " if change > 0 else "▼ " if change < 0 else "= ") , row)
                    self.assertIn(points(change), row)
            self.assertIn("October 2026 is still open", flat(card.inner_text()))

    def test_a_settled_month_is_ranked_itself(self):
        """Issue, item 2: the month that is shown, where it is settled."""
        tab = self.open("/app/dashboard?month=2026-05")
        self.assertEqual(flat(tab.locator(".ranks-card h2").first.inner_text()), "Regions, May 2026")
        self.assertNotIn("still open", flat(tab.locator(".ranks-card").first.inner_text()))

    def test_trip_types_have_a_price_of_their_month_and_regions_none(self):
        """Issue, item 10: what a trip costs by type: known costs by the trips that have one, of the month in the heading."""
        for month, path in [("2026-05", "2026-05"), (None, "2026-10"), ("", "all")]:
            tab = self.open("/app/dashboard?month=" + path)
            if month is None:
                month = [each["month"] for each in self.json(tab, "/kpi")["by_month"] if not each["month_open"]][-1]
            rows = self.rows(tab, 1)
            types = self.json(tab, "/kpi?month=" + (month or "all"))["by_trip_type"]
            self.assertEqual(len(rows), len(types))
            for each in types:
                [row] = [row for row in rows if re.search(rf"(^|\d ){re.escape(each['label'])} \d", row)]
                price = each["cost_per_trip_cents"]
                words = "price not known" if price is None else f"${(price + 50) // 100:,} a trip"
                self.assertIn(words, row)
            self.assertNotIn(" a trip", " ".join(self.rows(tab, 0)))

    def test_whose_costs_make_a_price_is_said(self):
        """Issue, item 10: how much of the known costs vendors were paid; nothing of it where a sum is hidden."""
        for month in ["2026-05", "2026-10", "all"]:
            tab = self.open("/app/dashboard?month=" + month)
            if month == "2026-10":
                month = [each["month"] for each in self.json(tab, "/kpi")["by_month"] if not each["month_open"]][-1]
            total = self.json(tab, "/kpi?month=" + month)["total"]
            share = total["contracted_cost_cents"] * 100 // total["cost_cents"]
            self.assertIn(
                f"Price: known costs ÷ trips that have one. {share}% of these costs are vendors’.",
                flat(tab.locator(".ranks-card").nth(1).locator("p.caption").inner_text()),
            )
        tab = self.account.tab()
        self.addCleanup(tab.close)
        hidden = changed(lambda body: body["total"].update(contracted_cost_cents=None))
        tab.route(re.compile(r"/kpi\?month="), hidden)
        tab.goto(self.served.address + "/app/dashboard?month=2026-05")
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        words = flat(tab.locator(".ranks-card").nth(1).locator("p.caption").inner_text())
        self.assertIn("Price: known costs ÷ trips that have one.", words)
        self.assertNotIn("of these costs", words)

    def test_a_price_that_is_hidden_or_not_known_is_said_to_be(self):
        """R25: neither is 0, and they are not the same."""
        prices = [(None, 0), (None, None), (None, 12345), (0, 0), (-4900, -9800), (123456, 99)]
        words = ["price not known", "price hidden", "price hidden", "$0 a trip", "-$49 a trip", "$1,235 a trip"]

        def shown(body):
            for entry, (price, cost) in zip(body["by_trip_type"], prices):
                entry.update(cost_per_trip_cents=price, cost_cents=cost)

        def followed(body):
            at = body["months"].index("2026-07")
            for entry, (price, cost) in zip(body["trip_types"], prices):
                entry["cost_per_trip_cents"][at], entry["cost_cents"][at] = price, cost

        # Of the month that is shown, and of the newest settled one in the place of an open one.
        for month, pattern, change in [("2026-05", r"/kpi\?month=", shown), ("2026-10", "/kpi/trends", followed)]:
            tab = self.account.tab()
            self.addCleanup(tab.close)
            tab.route(re.compile(pattern), changed(change))
            tab.goto(f"{self.served.address}/app/dashboard?month={month}")
            tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
            labels = [each["label"] for each in self.json(tab, "/kpi?month=2026-07")["by_trip_type"]]
            rows = self.rows(tab, 1)
            for label, word in zip(labels, words):
                [row] = [each for each in rows if re.search(rf"(^|\d ){re.escape(label)} \d", each)]
                self.assertIn(word, row)

    def test_which_region_changed_most(self):
        """Issue, item 10: sorted by change, the largest either way comes first; changes of few trips come last."""
        tab = self.open("/app/dashboard?month=2026-05")
        card = tab.locator(".ranks-card").first
        sort = card.get_by_role("button", name="Change", exact=True)
        self.assertEqual(sort.get_attribute("aria-pressed"), "false")
        sort.click()
        self.assertEqual(sort.get_attribute("aria-pressed"), "true")
        now, old = [
            {each["region"]: each for each in self.json(tab, "/kpi?month=" + month)["by_region"]}
            for month in ["2026-05", "2025-05"]
        ]
        changes = {
            region: abs(hundredths(each["in_house_pct"]) - hundredths(old[region]["in_house_pct"]))
            for region, each in now.items()
            if region in old and region != "UNKNOWN" and min(each["trips"], old[region]["trips"]) >= 30
        }
        most = sorted(changes, key=lambda region: -changes[region])
        rows = self.rows(tab)
        for row, region in zip(rows, most):
            self.assertIn(points(changes[region]), row)
        self.assertIn(now[most[0]]["label"], rows[0])
        self.assertTrue(rows[0].startswith("1 "), rows[0])

    def test_few_trips_are_marked_and_not_ranked_by_change(self):
        """Issue, item 2: under 30 trips in one of the two months, a change says little; 30 are enough."""

        def few(body):
            now, before = [body["months"].index(month) for month in ["2026-05", "2025-05"]]
            first, second = body["regions"][0], body["regions"][1]
            for each, trips in [(first, 29), (second, 30)]:
                each["trips"][before] = trips
                each["in_house_pct"][now], each["in_house_pct"][before] = 99.0, 1.0
            body["chosen"] = None

        tab = self.account.tab()
        self.addCleanup(tab.close)
        tab.route(re.compile("/kpi/trends"), changed(few))
        tab.goto(self.served.address + "/app/dashboard?month=2026-05")
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        labels = [each["label"] for each in self.json(tab, "/kpi/trends")["regions"][:2]]
        card = tab.locator(".ranks-card").first
        card.get_by_role("button", name="Change", exact=True).click()
        rows = self.rows(tab)
        [marked] = [each for each in rows if labels[0] in each]
        self.assertIn("few trips", marked)
        self.assertNotRegex(marked, r"^\d+ ")
        self.assertIn(labels[1], rows[0])
        self.assertNotIn("few trips", rows[0])
        self.assertGreater(rows.index(marked), len(rows) - 4)
        self.assertIn("under 30", flat(card.locator(".caption").first.inner_text()))

    def test_the_own_region_stays_first_in_either_order(self):
        """Issue, item 2: pinned, whatever its share or its change."""
        account = self.another("demo", settings={"region": "09"})
        self.addCleanup(account.close)
        tab = account.sign_in("/app/dashboard?month=2026-10")
        tab.wait_for_selector(".basis")
        card = tab.locator(".ranks-card").first
        for name in ["In-house %", "Change"]:
            card.get_by_role("button", name=name, exact=True).click()
            first = flat(card.locator(".rank").first.inner_text())
            self.assertRegex(first, "VISN 9 .*yours")


if __name__ == "__main__":
    run()
