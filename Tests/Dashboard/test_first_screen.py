"""The first screen: its sentence, its three numbers, its charts and its lists are those of the API, and are understood at once."""

import re

from application import Case, flat, run


def percent(value):
    """One decimal, half away from zero, of a percentage with two: the slow twin of the application's own."""
    hundredths = round(value * 100)
    tenths = (hundredths + 5) // 10
    return f"{tenths // 10}.{tenths % 10}"


class FirstScreen(Case):
    def test_the_cards_are_the_numbers_of_the_api_and_of_the_list(self):
        """D3, D85: trips, in-house % and cost equal /kpi; the total of the list is the same number."""
        tab = self.open("/app/dashboard?month=2026-05")
        total = self.json(tab, "/kpi?month=2026-05")["total"]
        trips, share, cost = [flat(each) for each in tab.locator(".number").all_inner_texts()]
        self.assertIn(f"{total['trips']:,}", trips)
        self.assertIn(percent(total["in_house_pct"]) + "%", share)
        self.assertIn(f"{percent(total['in_house_pct_low'])}–{percent(total['in_house_pct_high'])}%", share)
        self.assertEqual(self.json(tab, "/trips?month=2026-05&limit=1")["total"], total["trips"])
        known = total["contracted_costed_trips"] * 100 // total["contracted_trips"]
        self.assertIn(f"known for {known}% of contracted", cost)
        tab.click(".number >> nth=2")
        self.assertIn(f"${total['contracted_cost_cents'] / 100:,.2f}", flat(tab.inner_text("dialog")))

    def test_a_sentence_says_value_interval_comparison_and_state(self):
        """Issue, item 2; D108: one sentence of plain words, and the chart's description has it as well."""
        tab = self.open()
        words = flat(tab.inner_text(".sentence"))
        self.assertRegex(words, r"^\w+ \d{4}: \d+\.\d% in-house \(\d+\.\d–\d+\.\d\), .*\.$")
        self.assertRegex(words, r"open until \w+ \d+")
        self.assertIn(words, flat(tab.locator("svg[role=img] desc").first.text_content()))

    def test_all_that_answers_stands_above_the_tabs_of_a_phone(self):
        """Issue, item 2: at 375 x 812 the sentence, the cards and the line are seen without scrolling."""
        tab = self.open()
        tabs = tab.locator("nav").bounding_box()["y"]
        for part in [".sentence", ".numbers", ".chart-card >> nth=0 >> .chart"]:
            box = tab.locator(part).bounding_box()
            self.assertLessEqual(box["y"] + box["height"], tabs, part)

    def test_the_line_names_what_is_open(self):
        """Issue, items 2, 5: open months are dashed, hollow and named; at most four names of months and three lines at 320 px."""
        tab = self.open()
        self.assertGreater(tab.locator(".chart-card >> nth=0 >> .line-open").count(), 0)
        tab.set_viewport_size({"width": 320, "height": 640})
        chart = tab.locator(".chart-card >> nth=0 >> svg[role=img]")
        chart.wait_for()
        self.assertIn("open", chart.locator("text").all_text_contents())
        self.assertLessEqual(chart.locator(".grid-line").count(), 3)
        self.assertLessEqual(len([each for each in chart.locator("text").all_text_contents() if "’" in each]), 4)
        room = chart.bounding_box()
        for each in chart.locator("text").all():
            box = each.bounding_box()
            self.assertGreaterEqual(box["x"] + 0.5, room["x"], each.text_content())
            self.assertLessEqual(box["x"] + box["width"], room["x"] + room["width"] + 0.5, each.text_content())

    def test_a_month_is_read_by_tap_by_button_and_in_a_table(self):
        """D108, item 5: the readout above the chart follows a tap and the buttons; the table has the same numbers."""
        tab = self.open()
        card = tab.locator(".chart-card").first
        series = {each["month"]: each for each in self.json(tab, "/kpi")["by_month"]}
        before = flat(card.locator(".readout").inner_text())
        card.get_by_role("button", name="Earlier month").click()
        after = flat(card.locator(".readout").inner_text())
        self.assertNotEqual(before, after)
        chart = card.locator(".chart").bounding_box()
        tab.mouse.click(chart["x"] + 8, chart["y"] + chart["height"] / 2)
        first = flat(card.locator(".readout").inner_text())
        card.get_by_role("button", name=re.compile("Table")).click()
        rows = [flat(each) for each in card.locator("tbody tr").all_inner_texts()]
        self.assertEqual(len(rows), 24)
        newest = max(series)
        self.assertIn(percent(series[newest]["in_house_pct"]) + "%", rows[0])
        self.assertTrue(first.split("%")[0] in rows[-1], (first, rows[-1]))

    def test_regions_are_ranked_and_filter_everything(self):
        """Issue, item 2; D4: highest first; a tap filters sentence, cards and lists, and the address says so."""
        tab = self.open("/app/dashboard?month=2026-05")
        answer = self.json(tab, "/kpi?month=2026-05")
        ranked = sorted(
            (each for each in answer["by_region"] if each["region"] != "UNKNOWN"),
            key=lambda each: -each["in_house_pct"],
        )
        first = tab.locator(".ranks-card").first.locator(".rank").first
        self.assertIn(ranked[0]["label"], flat(first.inner_text()))
        first.click()
        tab.wait_for_url(re.compile("region=" + ranked[0]["region"]))
        tab.wait_for_selector(".chip")
        # Until the month's own answer is there, the sentence is of what is certain.
        tab.wait_for_selector(f".sentence:has-text('{ranked[0]['label']}')")
        self.assertIn(f"{ranked[0]['trips']:,}", flat(tab.locator(".number").first.inner_text()))
        tab.click(".chip")
        tab.wait_for_selector(".chip", state="detached")

    def test_a_month_is_compared_as_the_api_says(self):
        """Issue, item 2: an open month with what the earlier one read at the same age, a settled one with a settled one."""
        for month in ["2026-10", "2026-05"]:
            tab = self.open("/app/dashboard?month=" + month)
            before = self.json(tab, "/kpi?month=" + month)["comparison"]
            words = flat(tab.inner_text(".sentence"))
            if before is None:
                self.assertIn("not comparable yet", words)
                continue
            name = tab.evaluate(
                "month => new Date(month + '-15T12:00Z').toLocaleString('en-US', {month: 'long', year: 'numeric'})",
                before["month"],
            )
            self.assertIn(name + (" at the same age" if before["kind"] == "same_age" else ""), words)
            tab.click(".number >> nth=1")
            self.assertIn(
                name + (" as it read" if before["kind"] == "same_age" else " as it stands, settled: the same month a year before"),
                flat(tab.inner_text("dialog")),
            )

    def test_months_of_a_few_strays_are_no_beginning(self):
        """Issue, item 1: a believable month; exports begin with strays, whose share is chance."""
        tab = self.account.tab()
        self.addCleanup(tab.close)
        names = []

        def with_strays(route):
            answer = route.fetch()
            body = answer.json()
            names[:] = [each["month"] for each in body["by_month"]]
            for each in body["by_month"][:-20]:
                each["trips"] = 3
            route.fulfill(response=answer, json=body)

        tab.route(re.compile(r"/kpi$"), with_strays)
        tab.goto(self.served.address + "/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        card = tab.locator(".chart-card").first
        self.assertIn("few trips before", flat(card.inner_text()))
        card.get_by_role("button", name=re.compile("Table")).click()
        self.assertEqual(card.locator("tbody tr").count(), 20)

    def test_a_goal_has_its_line_and_its_verdict(self):
        """Issue, item 2: above, below, or plainly not decided; an open month has no verdict, whatever it reads."""
        for month in ["2026-10", "2026-05"]:
            tab = self.open("/app/dashboard?month=" + month)
            answer = self.json(tab, "/kpi?month=" + month)
            goal, words = answer["goal"], flat(tab.inner_text(".sentence"))
            expected = {
                "above": "above the goal of {}%",
                "below": "below the goal of {}%",
                "not_decided": "not decided against the goal of {}%, since undetermined trips could tip it",
            }[goal["verdict"]]
            if month in answer["open_months"]:
                expected = "goal of {}% not decided while open"
            self.assertIn(expected.format(percent(goal["in_house_pct"])), words)
            card = tab.locator(".chart-card").first
            self.assertGreater(card.locator(".goal").count(), 0)
            self.assertIn(f"Goal {percent(goal['in_house_pct'])}% since", flat(card.inner_text()))
            card.get_by_role("button", name=re.compile("Table")).click()
            goals = self.json(tab, "/kpi/trends")["goal_pct"]
            newest = flat(card.locator("tbody tr").first.locator("td").last.inner_text())
            self.assertEqual(newest, "–" if goals[-1] is None else percent(goals[-1]) + "%")

    def test_the_goal_of_the_nation_judges_no_part_of_it(self):
        """Neither a region nor a trip type has a goal of its own: one line says so, and none is shown."""
        for query in ["region=08", "trip_type=BLS"]:
            for month in ["2026-10", "2026-05"]:
                tab = self.open(f"/app/dashboard?month={month}&{query}")
                self.assertIsNotNone(self.json(tab, f"/kpi?month={month}&{query}")["goal"])
                tab.wait_for_selector(".basis")
                words = flat(tab.inner_text("main")).lower()
                self.assertEqual(words.count("goal"), 1, words)
                legend = flat(tab.locator(".chart-card").first.locator(".chart-foot .caption").inner_text())
                self.assertIn("the goal is for the nation alone", legend)
                self.assertEqual(tab.locator(".goal").count(), 0)

    def test_a_number_is_copied_with_where_it_comes_from(self):
        """Issue, item 4: filters, generation and data through go along."""
        self.account.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab = self.open("/app/dashboard?month=2026-05&region=08")
        tab.click(".number >> nth=1")
        tab.click("dialog >> text=Copy")
        tab.wait_for_selector(".toast")
        copied = flat(tab.evaluate("navigator.clipboard.readText()"))
        generation = self.json(tab, "/kpi?month=2026-05")["generation"]
        for part in ["May 2026", "VISN 8 VA Sunshine", f"data version {generation}", "Data through", "Synthetic"]:
            self.assertIn(part, copied)
        self.assertRegex(copied, r"Data through \w+ \d+, \d{4},")

    def test_paper_has_where_its_numbers_come_from(self):
        """Issue, item 4: generation, and days with their year; a screen has them behind each number."""
        tab = self.open("/app/dashboard?month=2026-05")
        line = tab.locator(".on-paper")
        self.assertFalse(line.is_visible())
        tab.emulate_media(media="print")
        self.assertTrue(line.is_visible())
        generation = self.json(tab, "/kpi?month=2026-05")["generation"]
        self.assertRegex(flat(line.inner_text()), rf"Data through \w+ \d+, \d{{4}}, data version {generation}, published \d{{4}}-")

    def test_every_screen_says_that_the_data_is_made_up(self):
        """Issue, item 11: synthetic on every screen, and who is signed in."""
        for path in ["/app/dashboard", "/app/trips", "/app/settings", "/app/about", "/app/privacy", "/app/why"]:
            tab = self.open(path)
            tab.wait_for_selector("text=Synthetic data")
            self.assertEqual(tab.faults, [], path)


class HiddenNumbers(Case):
    account_name = "demo-viewer"

    def test_hidden_is_not_empty_and_not_zero(self):
        """R25, issue, item 4: what is hidden says so, in word and reason; nothing reads 0."""
        tab = self.open("/app/dashboard?month=2026-05&region=02&trip_type=RW")
        self.assertTrue(self.json(tab, "/kpi?month=2026-05&region=02&trip_type=RW")["total"]["suppressed"])
        self.assertIn("hidden", flat(tab.inner_text(".sentence")))
        shown = [flat(each) for each in tab.locator(".number-value").all_inner_texts()]
        self.assertIn("Hidden", shown)
        self.assertNotIn("0", shown)
        tab.click(".number >> nth=1")
        self.assertIn("not shown to your role", tab.inner_text("dialog"))

    def test_what_a_role_may_not_see_is_not_offered(self):
        """R36: a viewer has no way to single trips, and no runs."""
        tab = self.open()
        self.assertEqual(tab.locator("text=See the trips").count(), 0)
        tab = self.open("/app/settings")
        self.assertEqual(tab.locator("text=Runs").count(), 0)


if __name__ == "__main__":
    run()
