"""A list of more than ten thousand trips, page after page, by scrolling and by its button."""

from application import Case, flat, run
from test_trips import long_tasks

GOAL = 10_000
# Scrolls until so many trips are there; how many are, and how many rows stand in the document then.
SCROLL = """async goal => {
    const shown = () => Number(document.querySelector('.list-foot p').textContent.match(/–([\\d,]+)/)[1].replaceAll(',', ''));
    for (let turn = 0; turn < 20000 && shown() < goal; turn += 1) {
        scrollBy(0, 900);
        await new Promise(requestAnimationFrame);
    }
    return {shown: shown(), rows: document.querySelectorAll('.row').length};
}"""


class LongList(Case):
    def test_ten_thousand_trips_scroll_smoothly_and_say_where_one_is(self):
        """Issue, bad cases; D49, R30: no task of 50 ms and more, few rows in the document, the
        place in words, the button to the end."""
        tab = self.open("/app/trips")
        total = self.json(tab, "/trips?limit=1")["total"]
        self.assertGreater(total, GOAL)
        self.chromium.start_tracing(page=tab, categories=["toplevel", "__metadata"])
        found = tab.evaluate(SCROLL, GOAL)
        long = long_tasks(self.chromium.stop_tracing())
        self.assertGreaterEqual(found["shown"], GOAL)
        self.assertLess(found["rows"], 600)
        self.assertEqual(long, [])
        before = found["shown"]
        foot = flat(tab.inner_text(".list-foot p"))
        self.assertRegex(foot, rf"^1–[\d,]+ of {total:,}$")
        button = tab.locator(".list-foot button")
        self.assertTrue(button.is_visible())
        # The last trip that is there knows its place and how many there are.
        last = tab.locator("[role=listitem]").last
        self.assertGreaterEqual(int(last.get_attribute("aria-posinset")), before)
        self.assertEqual(last.get_attribute("aria-setsize"), str(total))

    def test_a_page_that_comes_is_said_with_its_place(self):
        """Issue, bad cases: "51–100 of N" is read out, since not every reader tells the size of a
        set."""
        tab = self.open("/app/trips?month=2026-05")
        total = self.json(tab, "/trips?month=2026-05&limit=1")["total"]
        tab.evaluate(
            """() => {
            window.said = [];
            const place = [...document.querySelectorAll('[aria-live=polite]')];
            new MutationObserver(() => window.said.push(...place.map(each => each.textContent)))
                .observe(document.body, {subtree: true, childList: true, characterData: true});
            document.querySelector('.list-foot button').click(); }"""
        )
        tab.wait_for_function("text => window.said.some(each => each.includes(text))", arg=f"51–100 of {total:,}")


if __name__ == "__main__":
    run()
