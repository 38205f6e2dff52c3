"""What an account may not see: regions of others, numbers that are all hidden, anything once it is
closed."""

import re
import time

from application import PATIENCE, READY, flat, run
from published import MartCase

# Keeps the words of every toast, which are gone after three seconds.
SAID = """globalThis.said = [];
    new MutationObserver(list => list.forEach(({addedNodes}) => addedNodes.forEach(each => {
        if (each.matches?.('.toast')) said.push(each.textContent);
    }))).observe(document, {subtree: true, childList: true});"""


class Bound(MartCase):
    """An account of one region, beside one of all."""

    accounts = {"reader": ["administrator"], "own": ["administrator", "08"]}
    account_name = "own"

    def words(self, path, code):
        """What a screen shows and says at a link to a region that it does not have, without its
        number."""
        tab = self.account.tab()
        self.addCleanup(tab.close)
        asked = []
        tab.on(
            "response",
            lambda each: (
                asked.append(each.status) if f"region={code}" in each.url and "/app/" not in each.url else None
            ),
        )
        tab.add_init_script(SAID)
        tab.goto(self.served.address + path + code)
        tab.wait_for_function("() => said.length || document.querySelector('main [role=alert]')")
        said = [flat(each) for each in tab.evaluate("said")]
        tab.wait_for_selector("main .screen:not([aria-busy]) :is(.number, .falls), main [role=alert]")
        self.assertNotIn("Ohio", tab.content())
        self.assertLessEqual(set(asked), {400})
        # A chip has the code that was asked for.
        return flat(tab.inner_text("main")).replace(f"Filter VISN {code}", "Filter N"), re.sub(
            rf"\b(VISN )?{code}\b", "N", " ".join(said)
        )

    def test_a_link_to_a_region_of_others_is_one_to_a_region_that_is_not_there(self):
        """Issue, bad cases; D31: the same words on every screen, no number, and no name."""
        for path in [
            "/app/dashboard?month=2026-05&region=",
            "/app/trips?month=2026-05&region=",
            "/app/why?month=2026-05&region=",
        ]:
            self.assertEqual(self.words(path, "10"), self.words(path, "77"), path)

    def test_a_link_to_a_trip_of_others_is_one_to_a_trip_that_is_not_there(self):
        """D77, issue, bad cases: the same words; the account that may see it does."""
        reader = self.another("reader")
        self.addCleanup(reader.close)
        tab = reader.sign_in("/app/trips?month=2026-05&region=10")
        path = tab.locator(".row").first.get_attribute("href").split("?")[0]
        said = set()
        for each in [path, "/app/trip/" + "A" * len(path.rsplit("/", 1)[1])]:
            tab = self.account.tab()
            self.addCleanup(tab.close)
            tab.goto(self.served.address + each)
            tab.wait_for_selector("main [role=alert]")
            said.add(flat(tab.inner_text("main")))
        self.assertEqual(len(said), 1, said)
        tab = reader.open(path)
        tab.wait_for_selector(".secret, dialog")

    def test_nothing_of_others_is_on_its_own_screens(self):
        """Issue, bad cases: the sum is that of its region, and lists, filter and settings name no
        other."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        self.assertIn("VISN 8 VA Sunshine", flat(tab.inner_text(".sentence")))
        reader = self.another("reader")
        self.addCleanup(reader.close)
        total = self.json(reader.sign_in(), "/kpi?month=2026-05&region=08")["total"]
        self.assertEqual(flat(tab.locator(".number-value").first.inner_text()), f"{total['trips']:,}")
        tab.click(".filter-button")
        self.assertLessEqual(tab.locator("#filter-region option").count(), 2)
        for path in ["/app/dashboard?month=2026-05", "/app/settings", "/app/why?month=2026-05"]:
            self.assertNotRegex(self.open(path).content(), "Ohio|Sierra Pacific|MidSouth")


class AllHidden(MartCase):
    """So few trips that a viewer sees no number of a region."""

    sizes = {"trips": 120, "months": 6}
    accounts = {"viewer": ["viewer"]}
    account_name = "viewer"

    def test_a_view_of_which_all_is_hidden_says_so_everywhere(self):
        """Issue, bad cases; R25: sentence, cards, charts, lists and parts; no zero, no empty
        drawing, no fault."""
        path = "month=2026-05&region=08"
        tab = self.open("/app/dashboard?" + path)
        tab.wait_for_selector("main .screen:not([aria-busy])")
        total = self.json(tab, "/kpi?" + path)["total"]
        self.assertTrue(total["suppressed"])
        self.assertIsNone(total["trips"])
        self.assertIn("hidden", flat(tab.inner_text(".sentence")))
        self.assertEqual([flat(each) for each in tab.locator(".number-value").all_inner_texts()], ["Hidden"] * 3)
        months = self.json(tab, "/kpi?region=08")["by_month"]
        self.assertEqual({each["trips"] for each in months} | {each["in_house_pct"] for each in months}, {None})
        share, cost, trips = tab.locator(".chart-card").all()
        for card in [share, trips]:
            self.assertIn("Nothing to draw", flat(card.inner_text()))
            self.assertEqual(card.locator("svg[role=img] > *:not(title, desc)").count(), 0)
        # That a month had no vendor's trip is shown, and gives no patient away.
        self.assertEqual(
            cost.locator(".bar-mark").count(), sum(each["contracted_cost_cents"] is not None for each in months)
        )
        self.assertIn("would give away a small count", flat(tab.inner_text("main")))
        for row in tab.locator(".rank").all():
            self.assertNotRegex(flat(row.inner_text()), r"\d %")
        self.assertNotRegex(flat(tab.inner_text("main")), r"\$0|\b0 trips|No trips|NaN|null")
        self.assertEqual(tab.faults, [])
        tab = self.open("/app/why?from=2026-05&to=2026-06&region=08")
        for card in tab.locator("main .card").all()[:2]:
            self.assertIn("Hidden", flat(card.inner_text()))
            self.assertEqual(card.locator(".fall").count(), 0)


class Closed(MartCase):
    accounts = {"reader": ["administrator"], "leaving": ["administrator"]}

    def test_an_account_that_is_closed_while_it_looks_sees_nothing_more(self):
        """Issue, bad cases; D45, D75: the operator disables it; at the next question the session is
        over, and its cookie opens nothing."""
        account = self.another("leaving", service_workers="allow")
        self.addCleanup(account.close)
        tab = account.sign_in("/app/trips?month=2026-05")
        tab.wait_for_selector(".row")
        self.mart.user("disable", "leaving")
        deadline = time.monotonic() + PATIENCE / 1000
        while tab.locator("text=Your session is over").count() == 0:
            self.assertLess(time.monotonic(), deadline, "the session goes on")
            tab.evaluate("document.querySelector('[aria-label=Refresh]')?.click()")
            tab.wait_for_load_state("networkidle")
            tab.evaluate("() => new Promise(requestAnimationFrame)")
        self.assertEqual(tab.locator(".row").count(), 0)
        tab.wait_for_function("async () => (await indexedDB.databases()).length === 0")
        tab.goto(account.address + "/app/dashboard")
        tab.wait_for_selector("#username, .welcome")
        self.assertEqual(tab.locator(".numbers .number").count(), 0)
        self.assertEqual(self.account.open("/app/dashboard").locator(READY).count(), 1)


if __name__ == "__main__":
    run()
