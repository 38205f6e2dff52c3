"""Charts: their letters never lie on each other, and those of the same months read the same month."""

import re

from application import Case, flat, run
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


if __name__ == "__main__":
    run()
