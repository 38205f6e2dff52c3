"""Runs, for analysts: what a plan would change, publishing it, following it, calling it off."""

import re

from application import Case, flat, run


# The question about runs, not the screen's own address.
QUESTION = re.compile(r"//[^/]+/runs$")


class Runs(Case):
    account_name = "demo-analyst"

    def test_an_analyst_requests_a_run_and_calls_it_off(self):
        """C8, D1, R13, R14, R16, R36: asked as an alert, queued with a word, shown as waiting, called off; two taps away."""
        tab = self.open()
        tab.wait_for_selector(".basis")
        tab.click("nav >> text=Settings")
        tab.click("main >> text=Runs")
        tab.wait_for_selector("h2:has-text('Runs before')")
        tab.click("text=Classify as the folder is now")
        asked = tab.locator("dialog[role=alertdialog]")
        asked.wait_for()
        self.assertEqual(
            [flat(each) for each in asked.locator(".choices button").all_inner_texts()], ["Not now", "Publish"]
        )
        asked.locator("text=Not now").click()
        asked.wait_for(state="detached")
        self.assertEqual(tab.locator("text=Waiting").count(), 0)
        tab.click("text=Classify as the folder is now")
        with tab.expect_request(lambda request: request.url.endswith("/runs") and request.method == "POST") as sent:
            tab.click("dialog >> button:text-is('Publish')")
        self.assertRegex(sent.value.headers["idempotency-key"], r"^[0-9a-f-]{36}$")
        tab.wait_for_selector(".toast:has-text('Reclassification queued')")
        tab.locator("li:has-text('Waiting') button").first.click()
        tab.wait_for_selector("b:has-text('Called off')")

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
        tab.click("text=Classify as the folder is now")
        tab.click("dialog >> button:text-is('Publish')")
        tab.wait_for_selector(".toast:has-text('Twenty runs are waiting')")


class NoRuns(Case):
    def test_an_administrator_has_none(self):
        """R36, D1: by name and by address."""
        tab = self.open("/app/settings")
        self.assertEqual(tab.locator("main >> text=Runs").count(), 0)
        tab = self.open("/app/runs")
        tab.wait_for_selector("text=Your role or region does not include this.")


if __name__ == "__main__":
    run()
