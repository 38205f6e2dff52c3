"""What the screens say is so: of several months, of some regions, of months that are hidden, empty or long ago."""

import re

from application import Case, flat, run


def month_name(month):
    """A month as it is read."""
    names = "January February March April May June July August September October November December".split()
    return f"{names[int(month[5:]) - 1]} {month[:4]}"


def changed(change):
    """What answers as the server does, but for a change of the body."""

    def answer(route):
        headers = {key: value for key, value in route.request.headers.items() if key != "if-none-match"}
        fetched = route.fetch(headers=headers)
        body = fetched.json()
        change(body)
        route.fulfill(status=fetched.status, json=body)

    return answer


class Told(Case):
    """Tests that change an answer on its way; what is kept would stand in for it."""

    options = {"settings": {"keepsView": False}}

    def shown(self, path, changes, waited=".basis"):
        """A tab of a path in which answers were changed: for each pattern of an address, what changes its body."""
        tab = self.account.tab()
        self.addCleanup(tab.close)
        for pattern, change in changes.items():
            tab.route(re.compile(pattern), changed(change))
        tab.goto(self.served.address + path)
        tab.wait_for_selector("main .screen:not([aria-busy]) " + waited)
        return tab


class Months(Told):
    def test_all_months_are_not_settled_and_have_no_monthly_worth(self):
        """Issue, items 2, 3: the sum of all months is no month; those among them that are open are named."""
        tab = self.open("/app/dashboard?month=all")
        answer = self.json(tab, "/kpi")
        self.assertGreater(len(answer["open_months"]), 0)
        words = flat(tab.inner_text(".sentence"))
        for month in answer["open_months"]:
            self.assertIn(month_name(month), words)
        self.assertRegex(words, "open")
        self.assertNotIn("settled", flat(tab.inner_text(".numbers")))
        self.assertEqual(tab.locator(".worth").count(), 0)
        tab = self.open("/app/dashboard?month=2026-05")
        self.assertIn("settled", flat(tab.inner_text(".numbers")))
        self.assertIn("trips a month", flat(tab.inner_text(".worth")))

    def test_few_trips_tell_no_share_and_have_no_change(self):
        """Below thirty trips: how many there are, in place of a comparison and a verdict."""
        few = "month=2026-07&region=08&trip_type=FW"
        tab = self.open("/app/dashboard?" + few)
        trips = self.json(tab, "/kpi?" + few)["total"]["trips"]
        self.assertTrue(1 < trips < 30)
        words = flat(tab.inner_text(".sentence"))
        self.assertTrue(words.endswith(f"), {trips} trips: too few to tell a share."), words)
        self.assertNotRegex(words, "goal|July 2025")
        self.assertEqual(tab.locator(".numbers .change").count(), 0)

    def test_a_point_of_some_thirty_trips_is_a_part_of_one(self):
        tab = self.open("/app/dashboard?month=2026-07&trip_type=FW")
        total = self.json(tab, "/kpi?month=2026-07&trip_type=FW")["total"]
        trips = (total["in_house_trips"] + total["contracted_trips"]) / 100
        self.assertLess(trips, 0.5)
        self.assertIn(f"about {trips:.1f} trips a month", flat(tab.inner_text(".worth")))

    def test_a_month_of_long_ago_is_in_its_chart(self):
        """Issue, item 2: heading and chart read the same month, also where the newest are two years later."""
        tab = self.open("/app/dashboard?month=2026-05")
        oldest = self.json(tab, "/kpi")["by_month"][0]["month"]
        newest = self.json(tab, "/kpi")["by_month"][-1]["month"]
        self.assertGreaterEqual(int(newest[:4]) * 12 + int(newest[5:]) - int(oldest[:4]) * 12 - int(oldest[5:]), 24)
        tab = self.open("/app/dashboard?month=" + oldest)
        tab.wait_for_selector(".basis, .bases, main .chart-card")
        self.assertEqual(flat(tab.inner_text("h1")), month_name(oldest))
        for card in tab.locator(".chart-card").all():
            self.assertIn(month_name(oldest), flat(card.locator(".readout").inner_text()))

    def test_hidden_months_are_not_taken_for_few(self):
        """Issue, items 1, 4: months at the beginning whose trips are hidden stay, up to the first that is known small."""

        def hide(body):
            for each in body["by_month"][:-10]:
                each.update(trips=None, in_house_pct=None, in_house_pct_low=None, in_house_pct_high=None)
                each["suppressed"] = True
            body["by_month"][-13]["trips"] = 3

        tab = self.shown("/app/dashboard?month=2026-05", {"/kpi$": hide})
        card = tab.locator(".chart-card").first
        card.get_by_role("button", name=re.compile("Table")).click()
        rows = [flat(each) for each in card.locator("tbody tr").all_inner_texts()]
        self.assertEqual(len(rows), 12)
        self.assertIn("Hidden", rows[-1])


class Goals(Told):
    def legend(self, goal):
        """The legend and the number of goal lines, where one goal holds in all months and one month has no trips."""

        def without(body):
            body["by_month"] = [each for each in body["by_month"] if each["month"] != "2026-01"]

        def trends(body):
            place = body["months"].index("2026-01")
            body["goal_pct"] = [50] * len(body["months"])
            for group in [body["total"], *body["regions"], *body["trip_types"]]:
                for each in group.values():
                    if isinstance(each, list):
                        del each[place]
            del body["goal_pct"][place], body["months"][place]

        changes = {"/kpi$": without, "/kpi/trends": trends, r"/kpi\?month=": lambda body: body.update(goal=goal)}
        tab = self.shown("/app/dashboard?month=2026-05", changes)
        card = tab.locator(".chart-card").first
        return flat(card.locator("figcaption").inner_text()), card.locator(".goal").count()

    def test_a_goal_is_one_across_a_month_without_trips_and_begins_where_it_was_declared(self):
        """Issue, item 2: the chart's first month is no beginning of a goal."""
        declared = {"in_house_pct": 50, "since": "2021-10", "verdict": "above"}
        words, lines = self.legend(declared)
        self.assertEqual((words.count("Goal"), lines), (1, 1))
        self.assertIn("Goal 50.0% since October 2021", words)
        words, lines = self.legend(None)
        self.assertEqual((words.count("Goal"), lines), (1, 1))
        self.assertNotIn("since", words)


class Kinds(Told):
    def rows(self, tab, index):
        """The rows of a chart's table."""
        card = tab.locator(".chart-card").nth(index)
        card.get_by_role("button", name=re.compile("Table")).click()
        return [flat(each) for each in card.locator("tbody tr").all_inner_texts()]

    def test_a_month_without_trips_is_neither_hidden_nor_unknown(self):
        """R25, issue, item 4: in the charts of the share, of cost and of trips."""

        def without(body):
            body["by_month"] = [each for each in body["by_month"] if each["month"] != "2026-01"]

        tab = self.shown("/app/dashboard?month=2026-05", {"/kpi$": without})
        for index in range(3):
            [row] = [each for each in self.rows(tab, index) if "Jan 2026" in each]
            self.assertIn("No trips", row)
            self.assertNotRegex(row, "(?i)hidden|known")

    def test_card_and_chart_agree_on_hidden_and_not_known(self):
        """R25, issue, item 4: a cost is hidden where its counts are, and not known where few of them have one."""
        for bought, priced, word in [(100, 10, "Not known"), (None, None, "Hidden"), (100, 90, "Hidden")]:

            def change(body, bought=bought, priced=priced):
                months = [each for each in body["by_month"] if each["month"] == "2026-05"]
                single = [body["total"]] if len(body["by_month"]) == 1 else []
                for each in [*months, *single]:
                    each.update(contracted_cost_cents=None, contracted_trips=bought, contracted_costed_trips=priced)
                    each["suppressed"] = True

            tab = self.shown("/app/dashboard?month=2026-05", {r"/kpi(\?|$)": change})
            self.assertEqual(flat(tab.locator(".number-value").nth(2).inner_text()), word)
            self.assertIn(word, flat(tab.locator(".chart-card").nth(1).locator(".readout").inner_text()))
            tab.close()

    def test_a_change_that_is_rounded_to_nothing_is_none_on_card_ranks_and_in_the_sentence(self):
        """Issue, item 4: neither an arrow nor 0.0 points more."""

        def near(body):
            body["comparison"]["in_house_pct"] = round(body["total"]["in_house_pct"] - 0.04, 2)

        def nearest(body):
            now = body["months"].index("2026-05")
            for each in body["regions"]:
                shares = each["in_house_pct"]
                shares[now - 12] = shares[now] and round(shares[now] + 0.04, 2)

        tab = self.shown("/app/dashboard?month=2026-05", {r"/kpi\?month=": near, "/kpi/trends": nearest})
        self.assertIn("unchanged from May 2025", flat(tab.inner_text(".sentence")))
        self.assertIn("= no change", flat(tab.locator(".number").nth(1).inner_text()))
        ranks = tab.locator(".ranks-card").first
        changes = [flat(each) for each in ranks.locator(".rank-change").all_text_contents() if each.strip()]
        self.assertGreater(len(changes), 5)
        for each in changes:
            self.assertIn("= no change 0.0 pt", each)

    def test_a_hidden_share_has_no_verdict(self):
        """Issue, items 2, 4: it is hidden how it stands to its goal; not that nothing is decided."""

        def hide(body):
            body["goal"] = {"in_house_pct": 50, "since": "2025-10", "verdict": "not_decided"}
            body["total"].update(in_house_pct=None, in_house_pct_low=None, in_house_pct_high=None, suppressed=True)

        tab = self.shown("/app/dashboard?month=2026-05", {r"/kpi\?month=": hide})
        words = flat(tab.inner_text(".sentence"))
        self.assertIn("the goal of 50.0% is hidden", words)
        self.assertNotRegex(words, "decided|above|below")


class Regions(Told):
    """An account that is bound to regions, as the API tells it."""

    def bound(self, regions, path, waited=".basis", is_national=False):
        def me(body):
            body.update(regions=regions, national_totals=is_national)

        def own(body):
            body["by_region"] = [each for each in body["by_region"] if each["region"] in regions]
            # A hidden part tells nothing of what the total is of.
            body["by_region"][0]["trips"] = None

        return self.shown(path, {"/me$": me, r"/kpi(\?|$)": own}, waited)

    def test_the_own_sum_has_the_names_of_its_regions(self):
        """Issue, items 2, 4: two by name, more as “Your regions”; nothing calls them all regions, or the nation."""
        tab = self.bound(["08", "10"], "/app/dashboard?month=2026-05")
        tab.wait_for_selector(".sentence:has-text('VISN 8 VA Sunshine Healthcare Network and VISN 10 VA')")
        tab = self.bound(["02", "08", "10"], "/app/dashboard?month=2026-05")
        tab.wait_for_selector(".sentence:has-text('May 2026 · Your regions:')")
        self.assertIn("gray: your regions together", flat(tab.inner_text("main")))
        # The goal alone is the nation's, which is said.
        words = flat(tab.inner_text("main")).replace("the goal is for the nation alone", "")
        self.assertNotRegex(words, "(?i)all regions|nation")
        self.assertIn("Your regions", tab.locator(".filter-button").get_attribute("aria-label"))
        tab.click(".filter-button")
        self.assertEqual(tab.locator("#filter-region option").first.inner_text(), "Your regions")
        tab.keyboard.press("Escape")
        tab.click(".number >> nth=1")
        self.assertIn("May 2026, Your regions", flat(tab.inner_text("dialog")))
        tab = self.bound(["02", "08", "10"], "/app/why?month=2026-05", ".whole")
        self.assertEqual(flat(tab.inner_text(".whole")), "Your regions, All trip types")

    def test_national_totals_are_of_all_regions_and_the_list_is_not(self):
        """Issue, item 2: who sees totals over all regions beside the trips of some reads which is which."""
        tab = self.bound(["02", "08", "10"], "/app/dashboard?month=2026-05", is_national=True)
        tab.wait_for_selector("text=gray: the nation")
        self.assertNotIn("Your regions", flat(tab.inner_text("main")))
        tab = self.bound(["02", "08", "10"], "/app/trips?month=2026-05", ".row", is_national=True)
        self.assertEqual(flat(tab.inner_text("h1")), "Trips of your regions, May 2026")
        self.assertIn("May 2026, Your regions", flat(tab.inner_text("main [role=status]")))
        tab = self.bound(["02", "08", "10"], "/app/trips?month=2026-05&region=08", ".row")
        self.assertEqual(flat(tab.inner_text("h1")), "Trips, May 2026")


if __name__ == "__main__":
    run()
