"""Values that are odd and true: names in all scripts, costs of nothing, of less than nothing, and
not known."""

from application import flat, run
from published import MartCase

# Labels in Greek, Arabic, Hebrew, Japanese, Devanagari, and with combining marks.
REGIONS = {
    "01": "Δίκτυο ασθενοφόρων 1",
    "02": "北部救急ネットワーク",
    "04": "Re\u0301seau e\u0301te\u0301 Z\u0324\u0308",
    "05": "एम्बुलेंस नेटवर्क ५",
    "08": "شبكة الشمس ٢",
    "10": "רשת הצפון 3",
}
VENDORS = ["Αμβουλάνς 1", "إسعاف الشمال ٢", "אמבולנס 3", "救急搬送4号", "Ambulance\u0301s Z\u0324\u0308 5", "एम्बुलेंस ६"]
ARABIC_TYPE = "دعم أساسي للحياة"
# Where words of a text stand: the left edge of each.
PLACES = """(node, words) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT), found = {};
    while (texts.nextNode()) {
        for (const word of words) {
            const at = texts.currentNode.data.indexOf(word);
            if (at < 0 || word in found) continue;
            const range = document.createRange();
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at + word.length);
            found[word] = range.getBoundingClientRect().left;
        }
    }
    return words.map(word => found[word]);
}"""


class Names(MartCase):
    @staticmethod
    def edit(mart):
        def region(row):
            row["name"] = REGIONS.get(row["region"], row["name"])

        def kind(row):
            row["label"] = ARABIC_TYPE if row["trip_type"] == "BLS" else row["label"]

        def vendor(row):
            name = "name" if "name" in row else "provider_name"
            number = "npi" if "npi" in row else "provider_npi"
            if row[name].startswith("Vendor") and row[number]:
                row[name] = VENDORS[int(row[number]) % len(VENDORS)]

        mart.edit("reference/visns.csv", region)
        mart.edit("reference/trip_types.csv", kind)
        mart.edit("reference/providers.csv", vendor)
        mart.edit("claims_*.csv", vendor)

    def test_names_of_regions_are_whole_in_every_script(self):
        """Issue, bad cases: in the ranking, the filter, its chip, the heading of a list and the
        question why."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.locator(".ranks-card >> nth=0 >> .text-button:has-text('Show all')").click()
        shown = tab.locator(".ranks-card").first.inner_text()
        tab.click(".filter-button")
        options = tab.locator("#filter-region").text_content()
        tab.keyboard.press("Escape")
        for code, label in REGIONS.items():
            self.assertIn(label, shown)
            self.assertIn(label, options)
            tab = self.open(f"/app/dashboard?month=2026-05&region={code}")
            tab.set_viewport_size({"width": 320, "height": 640})
            for place in [".chip", ".sentence"]:
                self.assertIn(label, tab.locator(place).first.inner_text())
            self.assertIn(label, tab.locator(".filter-button").get_attribute("aria-label"))
            self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320)
            self.assertEqual(tab.faults, [])
            tab.close()
        tab = self.open("/app/why?month=2026-05")
        card = tab.locator("main .card").first
        card.get_by_role("button", name="Table").click()
        self.assertIn(REGIONS["08"], card.locator("tbody").inner_text() + tab.locator("main").inner_text())

    def test_a_name_from_right_to_left_leaves_the_numbers_beside_it_in_place(self):
        """Issue, bad cases: month, name, share are seen in that order, and so are count, month and
        name above a list."""
        for region in ["08", "10"]:
            tab = self.open(f"/app/dashboard?month=2026-05&region={region}")
            tab.set_viewport_size({"width": 1366, "height": 768})
            label = REGIONS[region]
            words = flat(tab.inner_text(".sentence"))
            share = words.split("% in-house")[0].rsplit(" ", 1)[1]
            month, name, value, rest = tab.locator(".sentence").evaluate(
                PLACES, ["May 2026", label[:4], share, "in-house"]
            )
            self.assertLess(month, name, words)
            self.assertLess(name, value, words)
            self.assertLess(value, rest, words)
            tab = self.open(f"/app/trips?month=2026-05&region={region}&trip_type=BLS")
            tab.set_viewport_size({"width": 1366, "height": 768})
            heading = tab.locator("main p[role=status]")
            month, name, kind = heading.evaluate(PLACES, ["May 2026", label[:4], ARABIC_TYPE[:4]])
            self.assertLess(month, name)
            self.assertLess(name, kind)

    def test_names_of_vendors_are_whole_in_every_script(self):
        """Issue, bad cases: in the list, each in its own direction, and on the trip's own
        screen."""
        tab = self.open("/app/trips?month=2026-05")
        tab.set_viewport_size({"width": 320, "height": 640})
        tab.get_by_role("button", name="Load more").scroll_into_view_if_needed()
        tab.wait_for_function("() => document.querySelectorAll('.row').length > 50")
        names = {each: tab.locator(f".row-main:text-is('{each}')").first for each in VENDORS}
        for name, found in names.items():
            self.assertGreater(found.count(), 0, name)
            direction = found.evaluate("each => getComputedStyle(each).direction")
            self.assertEqual(direction, "rtl" if name in VENDORS[1:3] else "ltr", name)
        self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320)
        names[VENDORS[1]].click()
        tab.wait_for_selector(f".detail dd:text-is('{VENDORS[1]}')")


class Costs(MartCase):
    """Regions 08, 10 and 01, whose trips cost nothing, less than nothing, and what is not known."""

    PAID = {"08": "0.00", "10": "-50.00", "01": ""}

    @staticmethod
    def edit(mart):
        def paid(row):
            row["paid_amount"] = Costs.PAID.get(row["visn"], row["paid_amount"])

        mart.edit("claims_*.csv", paid)

    def words(self, cents):
        return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"

    def test_nothing_and_less_than_nothing_are_values_and_unknown_is_none(self):
        """Issue, bad cases; R25: on the card, behind it, in the chart, its table and beside the
        basis."""
        for region in ["08", "10", "01"]:
            query = f"month=2026-05&region={region}"
            tab = self.open("/app/dashboard?" + query)
            tab.wait_for_selector(".basis")
            total = self.json(tab, "/kpi?" + query)["total"]
            cents = total["contracted_cost_cents"]
            self.assertEqual(cents, {"08": 0, "10": -5000 * total["contracted_trips"], "01": None}[region])
            short = flat(tab.locator(".number-value").nth(2).inner_text())
            expected = "Not known" if cents is None else self.words(cents)
            self.assertEqual(short, expected.removesuffix(".00"))
            chart = tab.locator(".chart-card").nth(1)
            self.assertIn(expected, flat(chart.locator(".readout").inner_text()))
            chart.get_by_role("button", name="Table").click()
            self.assertIn(expected, flat(chart.locator("tbody tr:has-text('May 2026')").inner_text()))
            basis = flat(tab.locator(".basis:has-text('Contracted')").first.inner_text())
            self.assertRegex(basis, {"08": r"\$0$", "10": r"-\$[\d,]+$", "01": "(?i)not known$"}[region])
            tab.click(".number >> nth=2")
            self.assertIn(expected, flat(tab.inner_text("dialog")))
            self.assertNotRegex(flat(tab.inner_text("body")), "NaN|Infinity|undefined|null")
            self.assertEqual(tab.faults, [])

    def test_bars_below_nothing_hang_from_their_line(self):
        """Issue, bad cases: and those of nothing are thin, but there."""
        for region in ["08", "10"]:
            tab = self.open(f"/app/dashboard?month=2026-05&region={region}")
            tab.wait_for_selector(".basis")
            chart = tab.locator(".chart-card").nth(1)
            chart.scroll_into_view_if_needed()
            chart.locator(".bar-mark").first.wait_for()
            line = chart.locator(".axis").first.bounding_box()["y"]
            room = chart.locator("svg[role=img]").bounding_box()
            bars = [each.bounding_box() for each in chart.locator(".bar-mark").all()]
            texts = chart.locator(".axis-text").all_text_contents()
            self.assertEqual(len(texts), len(set(texts)), texts)
            months = self.json(tab, "/kpi?region=" + region)["by_month"]
            self.assertEqual(len(bars), len(months))
            for bar, cents in zip(bars, [each["contracted_cost_cents"] for each in months]):
                self.assertGreaterEqual(bar["height"], 1)
                self.assertLessEqual(bar["y"] + bar["height"], room["y"] + room["height"])
                # Half of a line's width belongs to each side of it.
                if cents < 0:
                    self.assertGreaterEqual(bar["y"] + 1.5, line)
                    self.assertGreater(bar["height"], 4)
                else:
                    self.assertLessEqual(bar["y"] + bar["height"], line + 2 if cents else line + 3)
            self.assertTrue(region == "08" or min(each["contracted_cost_cents"] for each in months) < 0)

    def test_the_question_why_has_parts_of_them(self):
        """Issue, bad cases: a change from nothing to nothing, one below nothing, and one that is
        not known."""
        for region in ["08", "10", "01"]:
            query = f"from=2026-04&to=2026-05&region={region}"
            tab = self.open("/app/why?" + query)
            answer = self.json(tab, "/kpi/why?" + query)["contracted_cost"]
            card = tab.locator("main .card").nth(1)
            words = flat(card.inner_text())
            if region == "01":
                self.assertIsNone(answer["to_cents"])
                self.assertIn("Fewer than 80% of these trips have a known cost", words)
                self.assertEqual(card.locator(".fall").count(), 0)
            elif answer["change_cents"]:
                card.get_by_role("button", name="Table").click()
                last = flat(card.locator("tbody tr").last.inner_text())
                sign = "−" if answer["change_cents"] < 0 else "+"
                self.assertIn(f"{sign}${abs(answer['change_cents']) / 100:,.2f}", last)
            else:
                self.assertEqual((region, answer["from_cents"], answer["to_cents"]), ("08", 0, 0))
                self.assertIn("no change of the cost", words)
            self.assertNotRegex(flat(tab.inner_text("main")), "NaN|Infinity|undefined|null")
            self.assertEqual(tab.faults, [])

    def test_a_trip_says_what_it_cost(self):
        """Issue, bad cases: nothing and less than nothing once they are shown; what is not known
        says so, and has no eye."""
        for region, words in {"08": "$0.00", "10": "-$50.00", "01": "Not known"}.items():
            account = self.another("reader")
            tab = account.sign_in(f"/app/trips?month=2026-05&region={region}")
            tab.locator(".row").first.click()
            tab.wait_for_selector(".secret")
            secret = tab.locator(".secret").nth(1)
            if region != "01":
                tab.get_by_role("button", name="Show cost").click()
                tab.get_by_label("Billing").check()
                tab.click("dialog >> button:text-is('Show')")
                tab.wait_for_selector(f".secret >> text={words}")
            else:
                self.assertEqual(secret.locator("button").count(), 0)
                self.assertIn(words, flat(secret.inner_text()))
            account.close()


if __name__ == "__main__":
    run()
