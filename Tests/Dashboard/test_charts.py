"""Charts: their letters never lie on each other, and those of the same months read the same month."""

import re

from application import Case, flat, run
from test_accessibility import RESIZE
from test_truth import changed

# The texts of each chart that overlap another one, by more than a rounded pixel.
OVERLAPS = """() => [...document.querySelectorAll('.chart svg')].flatMap(chart => {
    const boxes = [...chart.querySelectorAll('text')].map(each => ({text: each.textContent, box: each.getBoundingClientRect()}));
    const room = chart.getBoundingClientRect();
    const found = boxes.filter(({box}) => box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 1
        || box.bottom > room.bottom + 1).map(({text}) => [text, 'outside']);
    boxes.forEach((one, index) => boxes.slice(index + 1).forEach(other => {
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (wide > 1 && high > 1) found.push([one.text, other.text]);
    }));
    return found;
})"""

# How many lines each cell has.
LINES = """cells => cells.map(each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return new Set([...range.getClientRects()].map(line => line.top)).size;
})"""


def shares(values):
    """What changes the series to some shares, in turn, the newest last."""

    def change(body):
        for index, each in enumerate(reversed(body["by_month"])):
            value = values[index % len(values)]
            each.update(in_house_pct=value, in_house_pct_low=value, in_house_pct_high=value)

    return change


def costs(values):
    """What changes the series to some costs and trips."""

    def change(body):
        for index, each in enumerate(reversed(body["by_month"])):
            each["contracted_cost_cents"] = values[index % len(values)]
            each["trips"] = abs(values[index % len(values)]) // 100

    return change


class Charts(Case):
    options = {"settings": {"keepsView": False}}

    def test_letters_never_lie_on_each_other(self):
        """Issue, item 5: shares of 0, of 100, near the goal and apart; costs of zero and below zero; 320 to 1366 pixels."""
        for change in [
            None,
            shares([0]),
            shares([0, 0.2]),
            shares([0, 3, 12]),
            shares([100]),
            shares([99.9, 100, 98]),
            shares([55, 54.9, 55.1]),
            shares([52, 20, 80]),
            costs([0]),
            costs([-500_000, 90_000_000]),
            costs([100, 200, 300]),
        ]:
            tab = self.account.tab()
            if change:
                tab.route(re.compile(r"/kpi$"), changed(change))
            tab.goto(self.served.address + "/app/dashboard?month=2026-10" + ("" if change else "&region=08&trip_type=RW"))
            tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
            for width in [320, 375, 768, 1366]:
                tab.set_viewport_size({"width": width, "height": 812})
                tab.wait_for_function(
                    "() => [...document.querySelectorAll('.chart')].every("
                    "each => Math.abs(each.clientWidth - each.querySelector('svg').viewBox.baseVal.width) < 1)"
                )
                self.assertEqual(tab.evaluate(OVERLAPS), [], (change and change.__qualname__, width))
            tab.close()

    def test_a_step_moves_the_readout_of_every_chart(self):
        """Issue, item 5: by a button or by a tap, in any of them; the one that was pressed is read out alone."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        cards = tab.locator(".chart-card")
        cards.nth(1).get_by_role("button", name="Earlier month").click()
        for index in range(3):
            tab.wait_for_function(
                "index => document.querySelectorAll('.readout')[index].textContent.includes('April 2026')", arg=index
            )
        spoken = [each.get_attribute("aria-live") for each in tab.locator(".readout").all()]
        self.assertEqual(spoken, ["off", "polite", "off"])
        cards.nth(2).locator(".chart").click(position={"x": 8, "y": 60})
        first = flat(cards.nth(2).locator(".reading-month").inner_text())
        self.assertNotEqual(first, "April 2026")
        for index in range(2):
            tab.wait_for_function(
                "([index, month]) => document.querySelectorAll('.reading-month')[index].textContent === month",
                arg=[index, first],
            )
        answer = {each["month"]: each for each in self.json(tab, "/kpi")["by_month"]}
        oldest = sorted(answer)[-24]
        self.assertIn(f"{answer[oldest]['trips']:,}", flat(cards.nth(2).locator(".readout").inner_text()))

    def test_the_ways_below_lead_to_the_month_that_is_read(self):
        """Issue, item 3: and name it, where it is another than the screen's."""
        tab = self.open("/app/dashboard?month=2026-09&region=08")
        tab.wait_for_selector(".basis")
        cards, ways = tab.locator(".chart-card"), tab.locator(".actions").first
        self.assertEqual(ways.locator("a").all_inner_texts(), ["Why did it move?", "See the trips"])
        for _ in range(5):
            cards.first.get_by_role("button", name="Earlier month").click()
        april = ["Why did April 2026 move?", "See the trips of April 2026"]
        ways.locator(f"a:text-is('{april[0]}')").wait_for()
        self.assertEqual(ways.locator("a").all_inner_texts(), april)
        # Any of the charts; back at the month of the screen, the ways are its own again.
        cards.nth(2).get_by_role("button", name="Later month").click()
        ways.locator("a:text-is('Why did May 2026 move?')").wait_for()
        for _ in range(4):
            cards.nth(1).get_by_role("button", name="Later month").click()
        ways.locator("a:text-is('Why did it move?')").wait_for()
        for _ in range(5):
            cards.first.get_by_role("button", name="Earlier month").click()
        ways.locator(f"a:text-is('{april[0]}')").click()
        tab.wait_for_selector("main .screen:not([aria-busy]) >> text=From April 2025 to April 2026")
        tab.go_back()
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        for _ in range(5):
            cards.first.get_by_role("button", name="Earlier month").click()
        ways.locator(f"a:text-is('{april[1]}')").click()
        total = self.json(tab, "/kpi?month=2026-04&region=08")["total"]["trips"]
        tab.wait_for_selector(f"main p[role=status]:has-text('{total:,} trips')")
        self.assertEqual(flat(tab.inner_text("h1")), "Trips, April 2026")

    def test_of_all_months_the_ways_below_say_so_until_one_is_picked(self):
        tab = self.open("/app/dashboard?month=all")
        tab.wait_for_selector(".basis")
        ways = tab.locator(".actions").first
        self.assertEqual(ways.locator("a").all_inner_texts(), ["See the trips of all months"])
        self.assertTrue(ways.locator("a").get_attribute("href").endswith("/app/trips?month=all"))
        tab.locator(".chart-card").first.get_by_role("button", name="Earlier month").click()
        ways.locator("a:text-is('Why did September 2026 move?')").wait_for()
        self.assertTrue(ways.locator("a").nth(1).get_attribute("href").endswith("/app/trips?month=2026-09"))

    def test_a_table_of_months_fits_a_phone_and_cuts_no_number(self):
        """Issue, item 5: in both languages; where it cannot fit, a shadow shows that it goes on."""
        for language, name in [("en", "Table"), ("es", "Tabla")]:
            account = self.another("demo", settings={"language": language, "keepsView": False})
            self.addCleanup(account.close)
            tab = account.sign_in("/app/dashboard?month=2026-10")
            tab.wait_for_selector(".basis")
            for index, columns in enumerate([4, 2, 2]):
                card = tab.locator(".chart-card").nth(index)
                card.get_by_role("button", name=re.compile(name)).click()
                box = card.locator(".scroll")
                self.assertEqual(card.locator("tbody tr").first.locator("th, td").count(), columns)
                for width in [320, 375]:
                    tab.set_viewport_size({"width": width, "height": 812})
                    self.assertLessEqual(box.evaluate("each => each.scrollWidth - each.clientWidth"), 0, (width, index))
                # Each number stands on one line.
                self.assertEqual(set(card.locator("td").evaluate_all(LINES)), {1}, (language, index))
            tab.evaluate(RESIZE, "200%")
            tab.set_viewport_size({"width": 320, "height": 812})
            box = tab.locator(".chart-card").first.locator(".scroll")
            self.assertGreater(box.evaluate("each => each.scrollWidth - each.clientWidth"), 0)
            self.assertEqual(
                box.evaluate("each => getComputedStyle(each).backgroundAttachment"), "local, local, scroll, scroll"
            )


if __name__ == "__main__":
    run()
