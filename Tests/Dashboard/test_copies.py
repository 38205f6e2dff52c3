"""Numbers that are taken along: by a long press, by the menu of a keyboard, by the button of their section, and as a link."""

import re

from application import Case, flat, run

# A finger that lies on the middle of an element for some time.
HOLD = """async ([each, time]) => {
    const box = each.getBoundingClientRect();
    const at = {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerType: 'touch', bubbles: true, cancelable: true};
    each.dispatchEvent(new PointerEvent('pointerdown', at));
    const begun = performance.now();
    while (performance.now() - begun < time) await new Promise(requestAnimationFrame);
    each.dispatchEvent(new PointerEvent('pointerup', at));
    each.dispatchEvent(new MouseEvent('click', at));
}"""


class Copies(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.account.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def copied(self, tab, act):
        """What stands in the clipboard after something was done."""
        tab.evaluate("navigator.clipboard.writeText('nothing')")
        act()
        tab.wait_for_function("() => navigator.clipboard.readText().then(text => text !== 'nothing')")
        return flat(tab.evaluate("navigator.clipboard.readText()"))

    def has_origin(self, tab, text):
        generation = self.json(tab, "/kpi?month=2026-05")["generation"]
        self.assertRegex(text, rf"Data through \w+ \d+, \d{{4}}, data version {generation}, published .* Synthetic data\.$")

    def test_a_row_is_copied_by_the_menu_key_and_by_a_long_press(self):
        """Issue, item 4: with filters, data through and data version; a long press does not filter as well."""
        tab = self.open("/app/dashboard?month=2026-05")
        row = tab.locator(".ranks-card").first.locator(".rank").first
        name = flat(row.locator(".rank-name").inner_text())
        row.focus()
        text = self.copied(tab, lambda: tab.keyboard.press("Shift+F10"))
        self.assertTrue(text.startswith("In-house %, May 2026, " + name), text)
        self.assertRegex(text, r": \d+\.\d\d%, [+−]\d+\.\d\d points? against May 2025\.")
        self.has_origin(tab, text)
        held = self.copied(tab, lambda: row.evaluate("(each, time) => (" + HOLD + ")([each, time])", 600))
        self.assertEqual(held, text)
        self.assertNotIn("region=", tab.url)
        row.evaluate("(each, time) => (" + HOLD + ")([each, time])", 50)
        tab.wait_for_url(re.compile("region="))

    def test_each_section_has_a_button_that_copies(self):
        """Issue, item 4; D103: by keyboard: the chosen month of a chart, any row of a list."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        for index, start in enumerate(["In-house %, April 2026", "Vendor cost, April 2026", "Trips, April 2026"]):
            card = tab.locator(".chart-card").nth(index)
            if index == 0:
                card.get_by_role("button", name="Earlier month").click()
            button = card.get_by_role("button", name=re.compile("^Copy: "))
            text = self.copied(tab, lambda button=button: button.press("Enter"))
            self.assertTrue(text.startswith(start), text)
            self.has_origin(tab, text)
        card = tab.locator(".ranks-card").nth(1)
        card.get_by_role("button", name=re.compile("^Copy: ")).press("Enter")
        rows = tab.locator("dialog .row")
        self.assertEqual(rows.count(), len(self.json(tab, "/kpi?month=2026-05")["by_trip_type"]))
        name = flat(rows.nth(1).locator(".row-main").inner_text())
        text = self.copied(tab, lambda: rows.nth(1).press("Enter"))
        self.assertIn(f"May 2026, {name}: ", text)
        self.has_origin(tab, text)

    def test_a_readout_is_copied_by_its_menu(self):
        """Issue, item 4: to the last digit, of the month that is read."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        card = tab.locator(".chart-card").nth(1)
        text = self.copied(tab, lambda: card.locator(".readout").click(button="right"))
        cents = self.json(tab, "/kpi?month=2026-05")["total"]["contracted_cost_cents"]
        self.assertIn(f"May 2026: ${cents / 100:,.2f}.", text)

    def test_the_parts_of_a_change_are_copied(self):
        """Issue, items 3, 4: a part with its months, and the sum."""
        tab = self.open("/app/why?from=2025-05&to=2026-05")
        card = tab.locator("main .card").first
        card.get_by_role("button", name=re.compile("^Copy: ")).click()
        part = tab.locator("dialog .row").first
        name = flat(part.locator(".row-main").inner_text())
        text = self.copied(tab, part.click)
        self.assertTrue(text.startswith(f"In-house %, {name}, May 2025 to May 2026, All regions: "), text)
        self.has_origin(tab, text)
        card.get_by_role("button", name=re.compile("Table")).click()
        cell = card.locator("tbody tr").last.locator(".copyable")
        text = self.copied(tab, lambda: cell.click(button="right"))
        self.assertIn(f"Sum, May 2025 to May 2026, All regions: {flat(cell.inner_text())}.", text)

    def test_a_link_that_was_copied_says_so(self):
        """Issue, item 4; R14: where the browser has no sheet of its own for sharing."""
        tab = self.open("/app/dashboard?month=2026-05&region=08")
        tab.wait_for_selector(".basis")
        tab.evaluate("Object.defineProperty(navigator, 'share', {value: undefined})")
        text = self.copied(tab, lambda: tab.click("text=Share link"))
        self.assertEqual(text, self.served.address + "/app/dashboard?month=2026-05&region=08&generation=1")
        tab.wait_for_selector(".toast:has-text('Link copied')")


if __name__ == "__main__":
    run()
