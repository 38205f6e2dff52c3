"""What is printed: light whatever the screen is, whole, and as wide as the page."""

import re

from application import Case, run

# A page of US letters without its margins, at 96 dots an inch.
PAGE = {"width": 720, "height": 960}
# Every colour of what is seen: its letters, what lies behind it, and what is drawn.
COLOURS = """() => [...document.querySelectorAll('html, body, body *')].filter(
        each => each.checkVisibility() && !each.closest('.unseen, .sprite')).map(each => {
    const style = getComputedStyle(each);
    const light = colour => {
        const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
        return alpha === 0 ? null : (red * 299 + green * 587 + blue * 114) / 255000;
    };
    const hasText = [...each.childNodes].some(child => child.nodeType === 3 && child.data.trim());
    return {
        name: each.tagName.toLowerCase() + '.' + each.getAttribute('class'), behind: light(style.backgroundColor),
        letters: hasText ? light(each.closest('svg') ? style.fill : style.color) : null,
    };
})"""


class Paper(Case):
    def printed(self, path, settings, colours):
        """A tab as it is printed from a device of some colours."""
        account = self.another("demo", settings=settings)
        self.addCleanup(account.close)
        tab = account.sign_in(path)
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis, main .falls")
        tab.emulate_media(media="print", color_scheme=colours)
        tab.set_viewport_size(PAGE)
        return tab

    def test_paper_is_light_whatever_the_screen_is(self):
        """Issue, item 4: a dark device, and dark chosen in the settings; nothing dark behind, no light letters."""
        for settings, colours in [(None, "dark"), ({"colours": "dark"}, "light"), ({"colours": "dark"}, "dark")]:
            for path in ["/app/dashboard?month=2026-10", "/app/why?month=2026-05"]:
                tab = self.printed(path, settings, colours)
                for each in tab.evaluate(COLOURS):
                    self.assertTrue(each["behind"] is None or each["behind"] > 0.9, (path, settings, colours, each))
                    self.assertTrue(each["letters"] is None or each["letters"] < 0.6, (path, settings, colours, each))

    def test_every_region_and_type_is_printed(self):
        """Issue, item 4: all of them, without a press on "Show all"."""
        tab = self.printed("/app/dashboard?month=2026-05", None, "light")
        answer = self.json(tab, "/kpi?month=2026-05")
        for index, key in enumerate(["by_region", "by_trip_type"]):
            rows = tab.locator(".ranks-card").nth(index).locator(".rank")
            self.assertGreater(len(answer[key]), 8)
            self.assertEqual(len([each for each in rows.all() if each.is_visible()]), len(answer[key]))
        tab.emulate_media(media="screen")
        rows = tab.locator(".ranks-card").first.locator(".rank")
        self.assertEqual(len([each for each in rows.all() if each.is_visible()]), 6)

    def test_when_it_was_published_stands_there_once_and_nothing_is_to_be_pressed(self):
        """On paper with its offset; on the screen in the reader's own time zone. A heading is never alone at a foot."""
        tab = self.printed("/app/dashboard?month=2026-05", None, "light")
        paper = tab.inner_text("main")
        self.assertEqual(len(re.findall("published", paper)), 1, paper[:600])
        self.assertRegex(paper, r"published \d{4}-\d\d-\d\d \d\d:\d\d UTC")
        self.assertNotIn("Choose one", paper)
        heads = tab.locator("h2, .card-head")
        self.assertEqual(set(heads.evaluate_all("all => all.map(each => getComputedStyle(each).breakAfter)")), {"avoid"})
        tab.emulate_media(media="screen")
        words = tab.inner_text("main")
        self.assertRegex(words, r"published [^,]*, [^,]* E[SD]T, next expected [^,]*, [^,]* E[SD]T")
        self.assertIn("Choose one", words)

    def test_charts_are_as_wide_as_the_page(self):
        """Issue, item 4: those that were drawn on a phone as well, and not cut."""
        tab = self.printed("/app/dashboard?month=2026-05", None, "light")
        for card in tab.locator(".chart-card").all():
            box, chart = card.bounding_box(), card.locator("svg[role=img]").bounding_box()
            self.assertGreater(box["width"], 680)
            self.assertGreater(chart["width"], box["width"] - 48)
            place = card.locator(".chart").bounding_box()
            self.assertLessEqual(chart["height"], place["height"] + 1)

    def test_it_becomes_pages(self):
        """Issue, item 4: the report as PDF through the browser, with its charts as drawings."""
        tab = self.printed("/app/dashboard?month=2026-05", None, "dark")
        paper = tab.pdf(format="Letter")
        self.assertGreaterEqual(len(re.findall(rb"/Type\s*/Page\b", paper)), 2)
        self.assertNotIn(b"/Subtype /Image", paper)


if __name__ == "__main__":
    run()
