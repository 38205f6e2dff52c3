"""Generations that are published, by `triptych run`, while the application is open."""

import os
import re
import time

from application import PATIENCE, READY, flat, run
from published import MartCase
from test_protection import HIDE


class Moves(MartCase):
    """A mart of which some exports have not arrived yet."""

    @staticmethod
    def edit(mart):
        names = sorted(name for name in os.listdir(mart.exports) if name.startswith("claims_"))
        mart.held = names[-4:]
        os.mkdir(mart.folder + "/held")
        for name in mart.held:
            os.rename(f"{mart.exports}/{name}", f"{mart.folder}/held/{name}")

    def arrive(self, tab):
        """The next export arrives and is published; returns when the server has moved on."""
        before = self.json(tab, "/months")["generation"]
        name = self.mart.held.pop(0)
        os.rename(f"{self.mart.folder}/held/{name}", f"{self.mart.exports}/{name}")
        self.mart.publish()
        deadline = time.monotonic() + PATIENCE / 1000
        while self.json(tab, "/months")["generation"] == before:
            self.assertLess(time.monotonic(), deadline, "the server does not move on")

    def range(self, tab):
        return flat(tab.inner_text(".list-foot p"))

    def more(self, tab):
        button = tab.locator(".list-foot button")
        button.focus()
        tab.keyboard.press("Enter")

    def test_a_list_stays_whole_while_generations_follow_and_begins_anew_when_its_own_is_gone(self):
        """Issue, bad cases; D5: after one publication it goes on as it was; after three its cursor
        is refused, and it starts again."""
        tab = self.open("/app/trips")
        tab.wait_for_selector(".row")
        total = self.json(tab, "/trips?limit=1")["total"]
        self.arrive(tab)
        now = self.json(tab, "/trips?limit=1")["total"]
        self.assertGreater(now, total)
        first = self.range(tab)
        before = tab.text_content(".list-foot p")
        self.more(tab)
        tab.wait_for_function(
            "before => document.querySelector('.list-foot p').textContent !== before", arg=before
        )
        self.assertNotEqual(self.range(tab), first)
        self.assertTrue(self.range(tab).endswith(f"of {total:,}"), self.range(tab))
        self.arrive(tab)
        self.arrive(tab)
        with tab.expect_response(lambda each: "cursor=" in each.url) as refused:
            self.more(tab)
        self.assertEqual(refused.value.status, 410)
        tab.wait_for_selector(".toast:has-text('begins anew')")
        newest = self.json(tab, "/trips?limit=1")["total"]
        tab.wait_for_function(
            "total => document.querySelector('.list-foot p').textContent.endsWith('of ' + total)", arg=f"{newest:,}"
        )
        self.assertTrue(tab.locator("[aria-posinset='1']").is_visible())
        self.assertLess(tab.evaluate("scrollY"), 300)

    def test_numbers_are_those_of_the_newest_generation_at_the_next_look(self):
        """Issue, item 9: published between two taps; sentence, cards and charts are of one
        generation."""
        tab = self.open("/app/dashboard")
        tab.wait_for_selector(".basis")
        before = tab.text_content(".sentence")
        self.arrive(tab)
        tab.click("nav >> text=About")
        tab.click("nav >> text=Dashboard")
        tab.wait_for_function(
            "before => ![undefined, before].includes(document.querySelector('.sentence')?.textContent)", arg=before
        )
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        answer = self.json(tab, "/kpi")
        newest = answer["by_month"][-1]["month"]
        total = self.json(tab, "/kpi?month=" + newest)["total"]
        self.assertEqual(flat(tab.locator(".number-value").first.inner_text()), f"{total['trips']:,}")
        tab.click(".number >> nth=0")
        self.assertIn(f"Data version {answer['generation']}", flat(tab.inner_text("dialog")))


class LateTrips(MartCase):
    """A mart in which trips of a settled month come late."""

    @staticmethod
    def edit(mart):
        names = sorted(name for name in os.listdir(mart.exports) if name.startswith("claims_"))
        mart.late = names[-7]
        mart.withhold(mart.late)

    def test_new_data_is_told_once_with_its_day_and_a_way_to_what_changed(self):
        """On whatever screen it is learned, by eye and ear; the way leads to the notice, which has the focus."""
        tab = self.open("/app/dashboard?trip_type=BLS")
        tab.wait_for_function("() => JSON.parse(localStorage.getItem('triptych-settings'))?.seen")
        before = self.json(tab, "/months")["generation"]
        told = tab.locator(".toasts[role=status] .toast", has_text="New data")
        self.mart.deliver(self.mart.late.replace(".csv", "_late.csv"))
        self.mart.publish()
        deadline = time.monotonic() + PATIENCE / 1000
        while self.json(tab, "/months")["generation"] == before:
            self.assertLess(time.monotonic(), deadline, "the server does not move on")
        # Nothing was asked yet. Another screen than that of the numbers learns it.
        self.assertEqual(told.count(), 0)
        tab.click("nav >> text=About")
        told.wait_for()
        self.assertEqual(flat(told.locator("span").first.inner_text()), "New data, published November 1")
        tab.click("nav >> text=Dashboard")
        tab.wait_for_selector(READY + " .basis")
        tab.locator(".restated").wait_for()
        self.assertEqual(told.count(), 1)
        tab.evaluate("scrollTo(0, document.body.scrollHeight)")
        self.assertLess(tab.locator(".restated").bounding_box()["y"], 0)
        told.get_by_role("button", name="Show").click()
        self.assertEqual(told.count(), 0)
        box = tab.locator(".restated:focus").bounding_box()
        self.assertGreaterEqual(box["y"], tab.locator("header.bar").bounding_box()["height"])
        self.assertLess(box["y"], 400)
        # The same data is not told again.
        tab.click("nav >> text=About")
        tab.click("nav >> text=Dashboard")
        tab.wait_for_selector(READY + " .basis")
        self.assertEqual(told.count(), 0)
        self.assertEqual(tab.faults, [])

    def test_who_comes_back_to_any_screen_is_told(self):
        """The screen itself stays as it is under the reader's hand."""
        for path in ["settings", "why?trip_type=BLS", "trips", "dashboard"]:
            tab = self.open("/app/" + path)
            tab.wait_for_load_state("networkidle")

            def newer(route):
                # An answer of now, whether it was known or not.
                headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
                body = route.fetch(headers=headers).json()
                route.fulfill(json={**body, "generation": 50, "as_of": "2026-11-02T01:14:00-05:00"})

            tab.route(re.compile("/(kpi|months)"), newer)
            for is_hidden in [True, False]:
                tab.evaluate(HIDE, is_hidden)
            tab.locator(".toast", has_text="New data, published November 2").wait_for()
            self.assertIn(path, tab.url)
            tab.unroute_all(behavior="ignoreErrors")

    def test_a_kept_view_that_is_replaced_says_so_in_spanish_as_well(self):
        """What stood there at the start was of the data before."""
        account = self.another("reader", settings={"language": "es"})
        self.addCleanup(account.close)
        tab = account.sign_in("/app/dashboard?trip_type=BLS")
        tab.wait_for_selector(READY + " .basis")

        def newer(route):
            body = route.fetch().json()
            route.fulfill(json={**body, "generation": body["generation"] + 1, "as_of": "2026-11-02T01:14:00-05:00"})

        tab.route(re.compile("/(kpi|months)"), newer)
        tab.reload()
        told = tab.locator(".toast", has_text="Datos nuevos, publicados el 2 de noviembre")
        told.wait_for()
        # From another screen it leads to the numbers, with their filter.
        tab.click("nav >> text=Acerca de")
        tab.wait_for_url(re.compile("/app/about"))
        told.get_by_role("button", name="Mostrar").click()
        tab.wait_for_url(re.compile(r"/app/dashboard\?trip_type=BLS$"))
        self.assertEqual(told.count(), 0)
        self.assertEqual(tab.evaluate("document.activeElement.tagName"), "H1")
        tab.unroute_all(behavior="ignoreErrors")


if __name__ == "__main__":
    run()
