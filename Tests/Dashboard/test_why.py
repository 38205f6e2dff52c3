"""Why it moved: the parts are those of the API, they add up, and what has no part in them is said."""

import re

from application import Case, flat, run

PAIR = "from=2025-05&to=2026-05"
KINDS = {"in_house": {"rate": "rate", "mix": "mix"}, "contracted_cost": {"rate": "price and mix of trips", "mix": "volume"}}


def points(hundredths):
    """A change of the share as a row has it: the slow twin of the application's own."""
    sign = "−" if hundredths < 0 else "+" if hundredths > 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d} pt"


def dollars(cents):
    """A change of the cost as the table has it."""
    sign = "−" if cents < 0 else "+" if cents > 0 else ""
    return f"{sign}${abs(cents) / 100:,.2f}"


def number(text):
    """What a written number is in its smallest units, where it is written to the last digit."""
    digits = re.sub(r"[^\d]", "", text)
    return (-1 if "−" in text else 1) * int(digits)


class Why(Case):
    def shown(self, path, name):
        """A tab, its card of the share or of the cost, and that card as a table."""
        tab = self.open(path)
        card = tab.locator(".card", has=tab.locator(f"h2:text-matches('^{name}, ')"))
        card.get_by_role("button", name=re.compile("Table")).click()
        return (
            tab,
            card,
            [
                [flat(cell) for cell in row.locator("th, td").all_inner_texts()]
                for row in card.locator("tbody tr").all()
            ],
        )

    def test_the_parts_are_those_of_the_api_and_add_up(self):
        """Issue, item 3: by region and by trip type, of the share and of the cost, each row and the sum."""
        for by, key in [("region", "by_region"), ("trip_type", "by_trip_type")]:
            for measure, name, amount, written in [
                ("in_house", "In-house %", "hundredths", points),
                ("contracted_cost", "Vendor cost", "cents", dollars),
            ]:
                tab, _, rows = self.shown(f"/app/why?{PAIR}&by={by}", name)
                answer = self.json(tab, f"/kpi/why?{PAIR}")[measure]
                expected = [[each[by], KINDS[measure][each["kind"]], written(each[amount])] for each in answer[key]]
                self.assertGreater(len(expected), 1)
                self.assertEqual([row[1:] for row in rows[:-1]], [each[1:] for each in expected])
                labels = [each["label"] for each in answer[key]]
                for row, label in zip(rows, labels):
                    self.assertIn(label, row[0])
                self.assertEqual(sum(number(row[2]) for row in rows[:-1]), number(rows[-1][2]))
                self.assertEqual(rows[-1][2], written(answer["change_" + amount]))

    def test_what_is_filtered_is_not_taken_apart_by_itself(self):
        """One region has no parts by region, whatever the address asks; where one way is left, there is no choice."""
        for query, names in [("region=08&by=region", []), ("trip_type=BLS", []), ("", ["By region", "By trip type"])]:
            tab = self.open(f"/app/why?{PAIR}&{query}")
            buttons = tab.get_by_role("button", name=re.compile("^By "))
            self.assertEqual(buttons.all_inner_texts(), names)
            answer = self.json(tab, f"/kpi/why?{PAIR}&{query}".replace("&by=region", ""))["in_house"]
            words = flat(tab.inner_text("main"))
            self.assertIn(f"The upright line is May 2025: {answer['from_pct']:.2f}%.", words)
            parts = answer["by_trip_type" if "region" in query else "by_region"]
            self.assertIn(parts[0]["label"], words)

    def test_bars_lead_from_one_month_to_the_other_at_320_pixels(self):
        """Issue, items 3, 5: the largest parts and the rest as one; each bar begins where the one before it ends."""
        tab = self.open(f"/app/why?{PAIR}")
        tab.set_viewport_size({"width": 320, "height": 640})
        answer = self.json(tab, f"/kpi/why?{PAIR}")["in_house"]
        card = tab.locator(".card").first
        values = [flat(each) for each in card.locator(".fall-value").all_inner_texts()]
        self.assertEqual(values[0], f"{answer['from_pct']:.2f}%")
        self.assertEqual(values[-1], f"{answer['to_pct']:.2f}%")
        self.assertEqual(sum(number(each) for each in values[1:-1]), answer["change_hundredths"])
        self.assertLessEqual(len(values), 13)
        bars = [each.bounding_box() for each in card.locator(".fall rect").all()]
        ends = [number(each) for each in values[1:-1]]
        at = None
        for box, change in zip(bars, ends):
            begin, end = (box["x"], box["x"] + box["width"]) if change > 0 else (box["x"] + box["width"], box["x"])
            if at is not None:
                self.assertAlmostEqual(begin, at, delta=3)
            at = end
        self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320)

    def test_the_choice_is_in_the_address_and_stays(self):
        """Issue, item 3: by region or by trip type, against the year or the month before; after a reload as well."""
        tab = self.open("/app/why?month=2026-05")
        self.assertEqual(tab.get_by_role("button", name="By region").get_attribute("aria-pressed"), "true")
        tab.get_by_role("button", name="By trip type").click()
        tab.wait_for_url(re.compile("by=trip_type"))
        tab.get_by_role("button", name="Month before").click()
        tab.wait_for_url(re.compile("from=2026-04"))
        tab.wait_for_selector("text=From April 2026 to May 2026")
        tab.reload()
        tab.wait_for_selector("text=From April 2026 to May 2026")
        for name in ["By trip type", "Month before"]:
            self.assertEqual(tab.get_by_role("button", name=name).get_attribute("aria-pressed"), "true", name)
        self.assertIn("Basic life support", tab.inner_text(".falls >> nth=0"))

    def test_a_filter_goes_along(self):
        """Issue, item 3; D4: from the first screen to the question, and off again by its chip."""
        tab = self.open("/app/dashboard?month=2026-05&region=08")
        with tab.expect_request(re.compile(r"/kpi/why\?")) as asked:
            tab.click("text=Why did it move?")
        self.assertIn("region=08", asked.value.url)
        tab.wait_for_selector("main .screen:not([aria-busy]) .chip")
        answer = self.json(tab, f"/kpi/why?{PAIR}&region=08")["in_house"]
        self.assertIn(f"{answer['to_pct']:.2f}%", flat(tab.inner_text(".falls >> nth=0")))
        with tab.expect_request(re.compile(r"/kpi/why\?")) as asked:
            tab.click(".chip")
        self.assertNotIn("region", asked.value.url)
        tab.wait_for_selector("text=All regions")

    def test_what_has_no_part_in_it_is_said(self):
        """Issue, item 3: undetermined trips, contracted trips without a known cost, and how many."""
        tab = self.open(f"/app/why?{PAIR}")
        answer = self.json(tab, f"/kpi/why?{PAIR}")
        share, cost = [flat(each) for each in tab.locator("main .pair .card").all_inner_texts()]
        for text, counts, word in [
            (
                share,
                [answer["in_house"][side + "_undetermined_trips"] for side in ("from", "to")],
                "Undetermined trips",
            ),
            (
                cost,
                [answer["contracted_cost"][side + "_uncosted_trips"] for side in ("from", "to")],
                "without a known cost",
            ),
        ]:
            self.assertGreater(max(counts), 0)
            self.assertRegex(text, rf"{word}.*: {counts[0]:,} in May 2025, {counts[1]:,} in May 2026\.")

    def test_an_open_month_is_named_with_a_way_to_a_settled_one(self):
        """Issue, item 3: claims that are still to come look like a change, so the newest settled month comes first."""
        months = self.json(self.open("/app/about"), "/months")["months"]
        settled = [each["label"] for each in months if not each["month_open"]][-1]
        before = settled[:-4] + str(int(settled[-4:]) - 1)
        for path in ["/app/why", "/app/why?month=2026-10"]:
            tab = self.open(path)
            tab.wait_for_selector(f"text=From {before} to {settled}")
        notice = tab.locator("main .notice")
        self.assertIn(f"October 2026 is still open", flat(notice.inner_text()))
        # It is read before the numbers.
        self.assertTrue(tab.evaluate(
            "() => !!(document.querySelector('main .notice').compareDocumentPosition(document.querySelector('.pair')) & 4)"
        ))
        notice.get_by_role("button").click()
        tab.wait_for_selector("main .notice:has-text('October 2026 is open')")
        # How much of it cannot be known yet.
        self.assertIn(
            "Some or all of this change will go away; how much is not known.", flat(tab.inner_text("main .notice"))
        )
        tab.wait_for_selector("text=From October 2025 to October 2026")
        tab.click("main .notice button")
        tab.wait_for_selector(f"text=From {before} to {settled}")
        tab = self.open("/app/why?from=2026-09&to=2026-10")
        self.assertIn("September 2026 and October 2026 are open", flat(tab.inner_text("main .notice")))

    def test_months_that_are_not_there_say_so(self):
        """R24, D31: with a way out; the server's own text is not shown."""
        tab = self.open("/app/why?from=1999-01&to=2026-05")
        tab.wait_for_selector("main [role=alert]:has-text('One of the two months has no such trips')")
        self.assertEqual(tab.locator(".falls").count(), 0)
        tab.click("main >> text=Clear the filter")
        tab.wait_for_selector(".falls")

    def test_a_month_is_not_compared_with_itself_and_the_earlier_one_is_first(self):
        """R24, issue, item 3: another pair is asked for; two months the wrong way round are turned."""
        tab = self.open("/app/why?from=2026-05&to=2026-05")
        tab.wait_for_selector("main [role=alert]:has-text('Choose two different months')")
        self.assertEqual(tab.locator(".falls").count(), 0)
        tab.click("main >> text=Month before")
        tab.wait_for_selector("text=From April 2026 to May 2026")
        tab = self.open("/app/why?from=2026-05&to=2026-04")
        tab.wait_for_selector("text=From April 2026 to May 2026")


    def test_a_table_is_read_on_a_phone_without_scrolling(self):
        """Issue, items 3, 5: part, kind and change of every row stand within 320 pixels, and it stays a table."""
        tab, card, rows = self.shown(f"/app/why?{PAIR}", "Vendor cost")
        for width in [320, 375]:
            tab.set_viewport_size({"width": width, "height": 812})
            box = card.locator(".scroll")
            self.assertLessEqual(box.evaluate("each => each.scrollWidth - each.clientWidth"), 0, width)
            for cell in card.locator("tbody tr >> nth=0 >> th, td").all()[:3]:
                place = cell.bounding_box()
                self.assertLessEqual(place["x"] + place["width"], width)
            self.assertEqual(card.get_by_role("row").count(), len(rows) + 1)
            self.assertEqual(card.get_by_role("columnheader").all_inner_texts(), ["Part", "Kind", "Change"])

    def test_a_month_is_not_held_against_a_handful_of_trips(self):
        """The year before of July 2025 has too few trips to tell a share: it begins with the month before."""
        tab = self.open("/app/why?month=2025-07")
        trips = {each["month"]: each["trips"] for each in self.json(tab, "/kpi")["by_month"]}
        self.assertLess(trips["2024-07"], 30)
        tab.wait_for_selector("h2:text-matches('June 2025 to July 2025')")
        self.assertEqual(tab.locator("button[aria-pressed=true]").first.inner_text(), "Month before")

    def test_the_first_publication_says_that_nothing_came_before(self):
        """Of a later one whose causes are not saved, it says that; a command is shown to analysts alone."""
        analyst = self.another("demo-analyst")
        self.addCleanup(analyst.close)
        analyst.sign_in().close()
        for account in [self.account, analyst]:
            for number, expected in [(1, "This is the first publication"), (2, "An operator of the nightly job can still save it")]:
                words = published(account, self.served, number)
                self.assertIn(expected, words)
                self.assertEqual("triptych diff --save" in words, account is analyst and number == 2, words)

    def test_publications_before_the_last_one_that_were_not_seen_are_said(self):
        """A notice is of all since the reader last looked; the causes are of the last step."""
        end = {"trips": 1000, "in_house_pct": 41.8, "cost_cents": 100, "contracted_cost_cents": 100}
        late = {"kind": "late", "cause": "late trips", "trips": 3, "in_house_hundredths": 0, "cost_cents": 5, "contracted_cost_cents": 5}
        changes = {"from": {"generation": 8, "as_of": "2026-10-31T02:14:00-04:00", **end}, "to": end, "causes": [late]}
        expected = "You last saw data version 5. This is the step from data version 8 alone."
        for since, is_said in [("5", True), ("8", False), ("9", False), ("x", False), ("", False)]:
            words = published(self.account, self.served, 9, changes, since and "?since=" + since)
            self.assertEqual(expected in words, is_said, (since, words))


def published(account, served, generation, changes=None, query=""):
    """What is said between the last two publications, by default where no causes are known."""
    tab = account.tab()

    def answer(route):
        body = route.fetch().json()
        route.fulfill(json={**body, "generation": generation, "changes": changes})

    tab.route("**/kpi/changes*", answer)
    tab.goto(served.address + "/app/why" + query)
    card = tab.locator(".card", has=tab.locator("h2:text-matches('^Between the last two publications')"))
    card.wait_for()
    words = flat(card.inner_text())
    tab.close()
    return words


class HiddenParts(Case):
    account_name = "demo-viewer"

    def test_causes_that_are_hidden_are_said_to_be(self):
        self.assertIn("Not shown to your role", published(self.account, self.served, 2))

    def test_hidden_changes_say_so_and_draw_nothing(self):
        """R25, issue, item 3: in a word, with what to do, and no empty chart."""
        path = "from=2025-05&to=2026-05&region=02&trip_type=RW"
        tab = self.open("/app/why?" + path)
        answer = self.json(tab, "/kpi/why?" + path)["in_house"]
        self.assertIsNone(answer["by_region"])
        card = tab.locator("main .card").first
        self.assertIn("Hidden", flat(card.inner_text()))
        self.assertIn("Take a filter away", flat(card.inner_text()))
        self.assertEqual(card.locator(".falls, .fall").count(), 0)
        self.assertNotRegex(flat(card.inner_text()), r"\d\d%|\$")

    def test_hidden_groups_stand_together_without_a_name(self):
        """Issue, item 3: what is hidden is one part, so that the sum stays whole."""
        tab = self.open(f"/app/why?{PAIR}&by=trip_type")
        parts = self.json(tab, "/kpi/why?" + PAIR)["in_house"]["by_trip_type"]
        nameless = [each for each in parts if each["trip_type"] is None]
        card = tab.locator("main .card").first
        card.get_by_role("button", name=re.compile("Table")).click()
        rows = card.locator("tbody tr:has-text('Groups with hidden numbers, together')")
        self.assertEqual(rows.count(), len(nameless))
        self.assertGreater(len(nameless), 0)


if __name__ == "__main__":
    run()
