"""The filter: every combination of it, as numbers, as words and as an address."""

import itertools
import re

from application import Case, flat, run, still

CHOICES = {"month": "2026-05", "trip_type": "BLS", "region": "08"}


class Filter(Case):
    def test_all_eight_combinations_are_those_of_the_api(self):
        """D4, D12: set or not, each of the three; the cards are the answer to the same question."""
        tab = self.open()
        for chosen in itertools.product([False, True], repeat=3):
            query = {name: value for (name, value), is_set in zip(CHOICES.items(), chosen) if is_set}
            asked = "&".join(f"{name}={value}" for name, value in {"month": "all", **query}.items())
            tab.goto(f"{self.served.address}/app/dashboard?{asked}")
            tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
            total = self.json(tab, "/kpi?" + asked)["total"]
            self.assertIn(f"{total['trips']:,}", flat(tab.locator(".number").first.inner_text()), asked)

    def test_the_panel_sets_and_clears_it(self):
        """D12, R9, R10, R12: labels above fields, Clear all above Apply, no question, and the address follows."""
        tab = self.open()
        tab.wait_for_selector(".basis")
        tab.click(".filter-button")
        months = [each["label"] for each in self.json(tab, "/months")["months"]]
        first, last = [re.sub(r"^(\w{3})\w* \d\d", r"\1 ’", each) for each in (months[0], months[-1])]
        every = tab.locator("#filter-month option").first.inner_text()
        self.assertEqual(flat(every), f"All months, {first}–{last}")
        for label, value in [("Month", "2026-05"), ("Trip type", "BLS"), ("Region", "08")]:
            tab.get_by_label(label, exact=True).select_option(value)
        clear, apply = [
            tab.get_by_role("button", name=name, exact=True).bounding_box() for name in ("Clear all", "Apply")
        ]
        self.assertLess(clear["y"], apply["y"])
        tab.click("dialog >> text=Apply")
        tab.wait_for_url(re.compile("month=2026-05.*trip_type=BLS.*region=08|region=08.*"))
        tab.wait_for_selector(".chip >> nth=1")
        self.assertEqual(tab.locator("dialog").count(), 0)
        button = tab.locator(".filter-button").get_attribute("aria-label")
        self.assertEqual(button, "Filter – May 2026, VISN 8 VA Sunshine Healthcare Network, Basic life support")
        tab.click(".filter-button")
        tab.click("dialog >> text=Clear all")
        tab.wait_for_selector(".chip", state="detached")

    def test_it_closes_by_key_by_the_way_back_and_beside_it(self):
        """D27, R9, R31: nothing is applied then, and one is where one was."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        ways = [
            lambda: tab.keyboard.press("Escape"),
            tab.go_back,
            lambda: tab.mouse.click(10, 10),
            lambda: tab.click("dialog >> [aria-label=Close]"),
        ]
        for close in ways:
            tab.click(".filter-button")
            tab.wait_for_selector("dialog[open]")
            close()
            tab.wait_for_selector("dialog", state="detached")
            tab.wait_for_function("() => !history.state.overlay")
            self.assertTrue(tab.url.endswith("month=2026-05"), tab.url)
            self.assertEqual(flat(tab.inner_text("h1")), "May 2026")

    def test_it_lies_below_on_a_phone_and_in_the_middle_elsewhere(self):
        """D24, D27: a bottom sheet below 768 px, a centred one from there on."""
        tab = self.open()
        tab.wait_for_selector(".basis")
        for width, height in [(375, 812), (768, 1024)]:
            tab.set_viewport_size({"width": width, "height": height})
            tab.click(".filter-button")
            still(tab)
            box = tab.locator("dialog").bounding_box()
            if width < 768:
                self.assertAlmostEqual(box["y"] + box["height"], height, delta=1)
                self.assertLessEqual(box["height"], 0.8 * height + 1)
            else:
                self.assertAlmostEqual(box["x"] + box["width"] / 2, width / 2, delta=2)
                self.assertAlmostEqual(box["y"] + box["height"] / 2, height / 2, delta=2)
            tab.keyboard.press("Escape")
            tab.wait_for_selector("dialog", state="detached")

    def test_a_month_that_is_not_here_is_named(self):
        """R24: the newest one is shown, and which one is not there is said."""
        for month, name in [("1999-01", "January 1999"), ("soon", "soon")]:
            tab = self.open("/app/dashboard?month=" + month)
            tab.wait_for_selector(f".toast:has-text('No data for {name}.')")
            tab.wait_for_selector(".numbers")


if __name__ == "__main__":
    run()
