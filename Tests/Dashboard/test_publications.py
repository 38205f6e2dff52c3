"""Generations that are published, by `triptych run`, while the application is open."""

import os
import time

from application import PATIENCE, flat, run
from published import MartCase


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


if __name__ == "__main__":
    run()
