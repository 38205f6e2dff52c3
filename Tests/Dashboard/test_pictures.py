"""Pictures of the screens, as a reader sees them: written into the folder that DASHBOARD_PICTURES names.

The same tests show that no picture is blank and that none says more than it should: what is protected is masked in all of them.
"""

import os
import re
import unittest

from application import Case, flat, run, still

FOLDER = os.environ.get("DASHBOARD_PICTURES")
PHONE, TABLET, DESK = (375, 812), (768, 1024), (1366, 768)
SCREENS = {
    "dashboard": "/app/dashboard?month=2026-10",
    "dashboard-settled": "/app/dashboard?month=2026-05",
    "dashboard-region": "/app/dashboard?month=2026-05&region=08",
    "why": "/app/why?from=2025-05&to=2026-05",
    "trips": "/app/trips?month=2026-05",
    "settings": "/app/settings",
    "about": "/app/about",
    "privacy": "/app/privacy",
    "nothing-here": "/app/nowhere",
}


class Pictures(Case):
    options = {"reduced_motion": "reduce"}

    def take(self, tab, name):
        self.assertGreater(len(flat(tab.inner_text("main"))), 20, name)
        picture = tab.screenshot()
        # A picture of one colour is a few kilobytes.
        self.assertGreater(len(picture), 8_000, name)
        if FOLDER:
            os.makedirs(FOLDER, exist_ok=True)
            with open(f"{FOLDER}/{name}.png", "wb") as file:
                file.write(picture)

    def test_every_screen_at_three_sizes(self):
        """Issue, items 9, 10: a phone, a tablet, a desk; the phone in dark as well."""
        for name, path in SCREENS.items():
            tab = self.open(path)
            for kind, (width, height) in {"phone": PHONE, "tablet": TABLET, "desk": DESK}.items():
                tab.set_viewport_size({"width": width, "height": height})
                still(tab)
                self.take(tab, f"{name}-{kind}")
            tab.emulate_media(color_scheme="dark")
            tab.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            still(tab)
            self.take(tab, f"{name}-dark")

    def test_what_opens_on_the_first_screen(self):
        """D12, issue, item 4: the filter, a number with where it comes from, a chart as a table."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        for name, opened in {"filter": ".filter-button", "number": ".number >> nth=1"}.items():
            tab.click(opened)
            still(tab)
            self.take(tab, name)
            tab.keyboard.press("Escape")
            tab.wait_for_selector("dialog", state="detached")
        tab.locator(".chart-card").first.get_by_role("button", name=re.compile("Table")).click()
        self.take(tab, "table")

    def test_a_trip_is_masked(self):
        """D14, D58: as it opens, and while the reason is asked for."""
        account = self.another("demo", **self.options)
        self.addCleanup(account.close)
        tab = account.sign_in("/app/trips?month=2026-05")
        tab.locator(".row:has-text('Contracted')").first.click()
        tab.wait_for_selector(".secret")
        self.assertEqual(tab.locator(".secret-value:has-text('••••••••')").count(), 3)
        self.take(tab, "trip")
        tab.get_by_role("button", name="Show cost").click()
        still(tab)
        self.take(tab, "reason")


if __name__ == "__main__":
    run()
