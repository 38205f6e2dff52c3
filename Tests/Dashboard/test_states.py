"""Loading, failing, slow, gone, refused: each screen says which it is, and what to do; nothing is ever blank."""

import re

from application import Case, flat, run

SCREENS = {"/app/dashboard": "**/kpi**", "/app/trips": "**/trips?**", "/app/why?month=2026-05": "**/kpi**"}


def problem(status, code, **headers):
    return lambda route: route.fulfill(
        status=status,
        headers=headers,
        content_type="application/problem+json",
        body=f'{{"code": "{code}", "detail": "of 1234567890"}}',
    )


class States(Case):
    # What was kept would stand in for what fails.
    options = {"settings": {"keepsView": False}}

    def blank(self):
        tab = self.account.tab()
        self.addCleanup(tab.close)
        return tab

    def test_each_screen_loads_as_bones_of_its_shape(self):
        """D52, R21, R22: while an answer is on its way."""
        for path, question in SCREENS.items():
            tab, waiting, is_answered = self.blank(), [], []
            tab.route(question, lambda route: route.continue_() if is_answered else waiting.append(route))
            tab.goto(self.served.address + path)
            tab.wait_for_selector("main .skeleton[role=status] .bone")
            self.assertIn("Loading", tab.locator("main .skeleton").text_content())
            is_answered.append(True)
            for route in waiting:
                route.continue_()
            tab.wait_for_selector("main .screen:not([aria-busy])")

    def test_each_failure_has_its_words_and_a_way_to_try_again(self):
        """R24, D16, D77: a fault of the server, a server without data, too busy, no network; never the server's own text."""
        kinds = {
            "Unable to retrieve data, please try again.": problem(500, "internal"),
            "Nothing is published yet": problem(503, "nothing_served"),
            "The server is busy": problem(503, "too_busy", **{"Retry-After": "1"}),
            "No connection": lambda route: route.abort(),
        }
        for path, question in SCREENS.items():
            for words, answer in kinds.items():
                tab = self.blank()
                tab.route(question, answer)
                tab.goto(self.served.address + path)
                tab.wait_for_selector(f"main [role=alert]:has-text('{words}')")
                self.assertNotIn("1234567890", tab.inner_text("body"))
                tab.unroute(question)
                # Without a network it tries again by itself.
                if words != "No connection":
                    tab.click("main >> text=Retry")
                tab.wait_for_selector("main [role=alert]", state="detached")
                tab.wait_for_selector("main .screen:not([aria-busy])")
                tab.close()

    def test_what_was_loaded_stays_where_the_rest_fails(self):
        """C14, R26: the numbers stand, and the part that is missing says so, with a way to try again."""
        tab = self.blank()
        tab.route(re.compile(r"/kpi\?month="), problem(500, "internal"))
        tab.goto(self.served.address + "/app/dashboard")
        tab.wait_for_selector("main .part-state")
        self.assertTrue(tab.locator(".numbers").is_visible())
        tab.unroute_all()
        tab.click("main >> text=Retry")
        tab.wait_for_selector(".basis")
        self.assertEqual(tab.locator(".part-state").count(), 0)

    def test_a_slow_answer_is_given_up(self):
        """D51, C1: after eight seconds, with its own words."""
        tab = self.blank()
        tab.route("**/kpi**", lambda route: None)
        tab.goto(self.served.address + "/app/dashboard")
        tab.wait_for_selector("main [role=alert]:has-text('took too long')", timeout=40_000)

    def test_an_empty_month_names_itself_and_the_ways_out(self):
        """R25, D16: nothing of this kind happened, which is not the same as hidden."""
        tab = self.open("/app/dashboard?month=2024-01&region=08")
        tab.wait_for_selector("text=No trips in January 2024")
        tab.click("text=Newest month")
        tab.wait_for_selector(".numbers")

    def test_what_fails_beside_the_numbers_is_left_out(self):
        """R26: the lines beside regions, who is signed in, what the filter can be set to; the rest stands."""
        tab = self.blank()
        for path in ["**/kpi/trends**", "**/me", "**/months", "**/regions", "**/trip-types"]:
            tab.route(path, problem(500, "internal"))
        tab.goto(self.served.address + "/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        self.assertRegex(flat(tab.inner_text(".sentence")), "(than|unchanged from) May 2025")
        self.assertEqual(tab.locator(".sparkline").count(), 0)
        self.assertEqual(tab.locator("text=See the trips").count(), 1)
        self.assertEqual([each for each in tab.faults if "500" not in each], [])

    def test_without_a_comparison_an_open_month_says_so(self):
        """Issue, item 2: nothing of the same age was published yet."""
        tab = self.blank()

        def alone(route):
            answer = route.fetch()
            route.fulfill(response=answer, json={**answer.json(), "comparison": None})

        tab.route(re.compile(r"/kpi\?month="), alone)
        tab.goto(self.served.address + "/app/dashboard?month=2026-10")
        tab.wait_for_selector(".basis")
        self.assertIn("not comparable yet", flat(tab.inner_text(".sentence")))
        self.assertEqual(tab.locator(".change-month").count(), 0)

    def test_a_generation_between_two_answers_mixes_nothing(self):
        """Issue, item 9; D41: the view is asked for again until its answers are of one generation."""
        tab, turns = self.blank(), []

        def newer(route):
            answer = route.fetch(
                headers={name: value for name, value in route.request.headers.items() if name != "if-none-match"}
            )
            turns.append(route.request.url)
            generation = 1 if turns.count(route.request.url) == 1 and "month=" in route.request.url else 2
            route.fulfill(
                response=answer,
                json={**answer.json(), "generation": generation},
                headers={"content-type": "application/json"},
            )

        tab.route(re.compile(r"/kpi(/trends)?(\?|$)"), newer)
        tab.goto(self.served.address + "/app/dashboard?month=2026-05")
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        self.assertGreaterEqual(len(turns), 5, turns)
        tab.click(".number >> nth=0")
        self.assertIn("Data version 2", flat(tab.inner_text("dialog")))

    def test_storage_that_is_refused_or_full_is_no_fault(self):
        """Issue, bad cases: private windows; all but the offline view works."""
        account = self.another("demo")
        self.addCleanup(account.close)
        account.sign_in().close()
        account.context.add_init_script("""indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };
            Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };""")
        tab = account.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.click("nav >> text=Settings")
        tab.get_by_label("Colors").select_option("dark")
        tab.wait_for_selector(".toast:has-text('Saved')")
        self.assertEqual(tab.faults, [])


if __name__ == "__main__":
    run()
