"""Runs, for analysts: what a plan would change, publishing it, following it, calling it off."""

import re

from application import Case, flat, run


# The question about runs, not the screen's own address.
QUESTION = re.compile(r"//[^/]+/runs$")


class Runs(Case):
    account_name = "demo-analyst"

    def test_an_analyst_requests_a_run_and_calls_it_off(self):
        """C8, D1, D18, R13, R14, R16, R36: asked as an alert, queued with a word, shown as waiting, cancelled; one tap away."""
        tab = self.open()
        tab.click(".actions >> text=Runs")
        tab.wait_for_selector("h2:has-text('Past runs')")
        tab.click("button:text-is('Publish folder')")
        asked = tab.locator("dialog[role=alertdialog]")
        asked.wait_for()
        self.assertEqual(
            [flat(each) for each in asked.locator(".choices button").all_inner_texts()], ["Not now", "Publish"]
        )
        asked.locator("text=Not now").click()
        asked.wait_for(state="detached")
        self.assertEqual(tab.locator("text=Waiting").count(), 0)
        tab.click("button:text-is('Publish folder')")
        with tab.expect_request(lambda request: request.url.endswith("/runs") and request.method == "POST") as sent:
            tab.click("dialog >> button:text-is('Publish')")
        self.assertRegex(sent.value.headers["idempotency-key"], r"^[0-9a-f-]{36}$")
        tab.wait_for_selector(".toast:has-text('Reclassification queued')")
        tab.locator("li:has-text('Waiting') button").first.click()
        tab.wait_for_selector("b:has-text('Cancelled')")

    def test_a_run_is_followed_until_it_ends(self):
        """R23, issue, item 1: known progress as a bar, the outcome in a line, and no question after it."""
        states = [
            {
                "state": "running",
                "stage": {"name": "deciding", "done": 12, "total": 40},
                "summary": None,
                "generation": None,
            },
            {
                "state": "running",
                "stage": {"name": "writing", "done": 0, "total": None},
                "summary": None,
                "generation": None,
            },
            {"state": "published", "stage": None, "summary": "2,316 trips changed", "generation": 2},
        ]
        asked = []

        def answer(route):
            state = states[min(len(asked), len(states) - 1)]
            asked.append(state)
            route.fulfill(
                json={
                    "requests": [
                        {
                            "id": "4f0c9b1de2a3475895f0d1c2b3a49e81",
                            "plan": "5d20c1fe",
                            "requested_by": "demo-analyst",
                            "requested_at": "2026-11-20T14:03:11Z",
                            "running_since": None,
                            "ended_at": None,
                            "run": None,
                            "exit_code": None,
                            **state,
                        }
                    ],
                    "runs": [],
                }
            )

        tab = self.account.tab()
        self.addCleanup(tab.close)
        tab.clock.install()
        tab.route(QUESTION, answer)
        tab.goto(self.served.address + "/app/runs")
        tab.wait_for_selector("progress")
        self.assertEqual(tab.locator("progress").get_attribute("value"), "12")
        tab.wait_for_selector("text=deciding: 12 of 40")
        tab.clock.run_for(3_000)
        tab.wait_for_selector("text=writing")
        tab.clock.run_for(5_000)
        tab.wait_for_selector("text=2,316 trips changed")
        ended = len(asked)
        tab.clock.run_for(60_000)
        self.assertEqual(len(asked), ended)

    def test_a_press_that_was_not_answered_is_the_same_request_when_it_is_pressed_again(self):
        """Issue, item 1: what nothing answered may have arrived; what was refused is over, and the next press is another."""
        tab = self.open("/app/runs")
        keys, endings = [], [None, 429, 429]

        def answer(route):
            if route.request.method != "POST":
                return route.fallback()
            status = endings[len(keys)]
            keys.append(route.request.headers["idempotency-key"])
            if status is None:
                return route.abort()
            route.fulfill(status=status, content_type="application/problem+json", body='{"code": "queue_full"}')

        tab.route(QUESTION, answer)
        for said in ["No connection", "Twenty runs", "Twenty runs"]:
            tab.locator("#plan-folder:enabled").click()
            tab.click("dialog >> button:text-is('Publish')")
            tab.click(f".toast:has-text('{said}') >> [aria-label=Close]")
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[1], keys[2])

    def test_past_runs_and_requests_have_dates_with_their_year(self):
        """Issue, item 1: a run of last year is not one of this."""
        tab = self.open("/app/runs")
        tab.wait_for_selector("text=Synthetic data")
        started = tab.locator(".card", has=tab.locator("h2:text-is('Past runs')")).locator("li .caption").first
        year = self.json(tab, "/runs")["runs"][0]["started_at"][:4]
        self.assertRegex(flat(started.inner_text()), rf"^\w+ \d+, {year}, \d+:\d\d [AP]M$")

    def test_a_refusal_is_said_and_stays(self):
        """R24: twenty runs are waiting."""
        tab = self.open("/app/runs")
        tab.route(
            QUESTION,
            lambda route: (
                route.fulfill(status=429, content_type="application/problem+json", body='{"code": "queue_full"}')
                if route.request.method == "POST"
                else route.fallback()
            ),
        )
        tab.click("button:text-is('Publish folder')")
        tab.click("dialog >> button:text-is('Publish')")
        tab.wait_for_selector(".toast:has-text('Twenty runs are waiting')")


class Plans(Case):
    account_name = "demo-analyst"

    def plan(self, **more):
        return {
            "id": "5d20c1fe",
            "made_at": "2026-11-20T09:12:44-05:00",
            "made_by": "analyst",
            "generation": 418,
            "is_current": True,
            "edits": ["rules.yaml: rule vendor-npi changed"],
            "trips_changed": 2316,
            "in_house_pct_now": 57.31,
            "in_house_pct_planned": 56.02,
            "trips_now": 128022,
            "trips_planned": 128010,
            "contracted_cost_cents_now": 541227300,
            "contracted_cost_cents_planned": 563910455,
            **more,
        }

    def shown(self, *plans, unreadable=0):
        tab = self.account.tab()
        self.addCleanup(tab.close)
        tab.route("**/plans", lambda route: route.fulfill(json={"plans": list(plans), "unreadable": unreadable}))
        tab.goto(self.served.address + "/app/runs")
        tab.wait_for_selector("main .screen:not([aria-busy])")
        return tab

    def test_saved_plans_are_those_of_the_server(self):
        """Issue, item 1: each by its name, or a word where there is none."""
        tab = self.open("/app/runs")
        plans = self.json(tab, "/plans")["plans"]
        self.assertEqual(
            [flat(each) for each in tab.locator(".plan h3").all_inner_texts()],
            ["Plan " + each["id"] for each in plans],
        )
        self.assertEqual(tab.locator("text=/No plan is saved.*triptych plan/").count(), 0 if plans else 1)

    def test_a_plan_shows_what_it_changes_before_it_is_published(self):
        """Issue, item 1; R13: trips, percent and dollars, on the card and in the question; the plan is named in the request."""
        tab = self.shown(self.plan())
        card = flat(tab.inner_text(".plan >> nth=0"))
        for part in [
            "Made Nov 20, 2026",
            "by analyst",
            "rule vendor-npi changed",
            "2,316",
            "−12",
            "128,022 → 128,010",
            "−1.29 points",
            "57.31% → 56.02%",
            "+$226,831.55",
            "$5,412,273.00 → $5,639,104.55",
        ]:
            self.assertIn(part, card)
        tab.click(".plan >> nth=0 >> text=Publish")
        asked = flat(tab.inner_text("dialog[role=alertdialog]"))
        for part in ["2,316 trips change", "−1.29 points", "+$226,831.55"]:
            self.assertIn(part, asked)
        tab.route(
            QUESTION,
            lambda route: (
                route.fulfill(status=429, content_type="application/problem+json", body='{"code": "queue_full"}')
                if route.request.method == "POST"
                else route.fallback()
            ),
        )
        with tab.expect_request(lambda request: request.method == "POST" and request.url.endswith("/runs")) as sent:
            tab.click("dialog >> button:text-is('Publish')")
        self.assertEqual(sent.value.post_data, "plan=5d20c1fe")

    def test_a_plan_of_another_generation_cannot_be_published(self):
        """R33, D43: the button is disabled, and the reason stands beside it and is read with it."""
        tab = self.shown(self.plan(is_current=False, generation=409))
        button = tab.locator("#plan-5d20c1fe")
        self.assertTrue(button.is_disabled())
        reason = tab.locator("#" + button.get_attribute("aria-describedby"))
        self.assertIn("data version 409, which is no longer served", flat(reason.inner_text()))

    def test_what_is_not_known_of_a_plan_says_so(self):
        """R25: not known is not 0, and a plan of another generation has no numbers of now."""
        tab = self.shown(self.plan(in_house_pct_planned=None))
        self.assertIn("In-house % Not known", flat(tab.inner_text(".plan >> nth=0")))
        past = {name: None for name in ["trips_now", "in_house_pct_now", "contracted_cost_cents_now"]}
        tab = self.shown(self.plan(is_current=False, generation=409, **past))
        card = flat(tab.inner_text(".plan >> nth=0"))
        for part in ["128,010 planned", "56.02% planned", "$5,639,104.55 planned"]:
            self.assertIn(part, card)
        self.assertNotIn("→", card)

    def test_plans_that_cannot_be_read_are_counted(self):
        """R26: what is there is shown, and what is not is said."""
        tab = self.shown(self.plan(), unreadable=2)
        tab.wait_for_selector("text=2 saved plans cannot be read.")
        self.assertEqual(tab.locator(".plan h3").count(), 1)


class NoRuns(Case):
    def test_an_administrator_has_none(self):
        """R36, D1: by name and by address."""
        tab = self.open("/app/settings")
        self.assertEqual(tab.locator("main >> text=Runs").count(), 0)
        tab = self.open("/app/runs")
        tab.wait_for_selector("text=Your role or region does not include this.")


if __name__ == "__main__":
    run()
