"""Since you last looked: which settled months have changed since the generation that was on this screen before."""

import re

from axe_playwright_python.sync_playwright import Axe

from application import Case, flat, run
from test_accessibility import RULES


def causes(route):
    """Answers what moved the numbers since the generation before."""
    body = route.fetch().json()
    end = {"trips": 1000, "in_house_pct": 41.8, "cost_cents": 100, "contracted_cost_cents": 100}
    moved = {"in_house_hundredths": 0, "cost_cents": 5, "contracted_cost_cents": 5}
    body["changes"] = {
        "from": {"generation": body["generation"] - 1, "as_of": "2026-10-31T02:14:00-04:00", **end},
        "to": end,
        "causes": [
            {"kind": "rules", "cause": "rules.yaml:12: BLS-7 added", "trips": -1, **moved},
            {"kind": "corrected", "cause": "corrected trips", "trips": 0, **moved},
            {"kind": "late", "cause": "late trips", "trips": 1465, **moved},
        ],
    }
    route.fulfill(json=body)


class Restated(Case):
    def test_what_was_restated_since_one_last_looked(self):
        """Issue, item 2: settled months that read otherwise than in the generation shown before, until they are marked as seen."""
        account = self.another("demo")
        self.addCleanup(account.close)
        tab = account.sign_in("/app/dashboard?month=2026-05")
        tab.wait_for_function("() => JSON.parse(localStorage.getItem('triptych-settings'))?.seen")
        self.assertEqual(tab.locator("text=Since you last looked").count(), 0)
        answer = self.json(tab, "/kpi?month=2026-05")
        seen = tab.evaluate("JSON.parse(localStorage.getItem('triptych-settings')).seen")
        self.assertEqual(seen["generation"], answer["generation"])
        self.assertNotIn(seen["settled"], answer["open_months"])
        asked = []

        def restated(route):
            # The answer of now, as if another generation had been shown before.
            asked.append(route.request.url)
            body = route.fetch(url=re.sub(r"&since=\d+", "", route.request.url)).json()
            change = {"trips": 0, "in_house_pct": 0, "cost_cents": 0, "contracted_cost_cents": 0}
            if "month=2026-05" in route.request.url:
                change.update(trips=4, in_house_pct=-0.21, cost_cents=391500, contracted_cost_cents=391500)
            body["since"] = {"generation": 1, "as_of": "2026-11-19T02:14:03-05:00", "suppressed": False, **change}
            route.fulfill(json=body)

        tab.route(re.compile("[?&]since="), restated)
        tab.route("**/kpi/changes*", causes)
        tab.evaluate(
            """seen => localStorage.setItem('triptych-settings',
            JSON.stringify({seen: {...seen, generation: seen.generation - 1}}))""",
            seen,
        )
        tab.reload()
        notice = tab.locator(".notice:has-text('Since you last looked')")
        notice.wait_for()
        now = round(answer["total"]["in_house_pct"] * 100)
        words = flat(notice.inner_text())
        self.assertIn("(data published November 19), 1 settled month has changed: May 2026: ", words)
        self.assertIn(
            f"{(now + 21) / 100:.2f}% to {now / 100:.2f}% in-house, 4 more trips, $3,915 more vendor cost", words
        )
        self.assertIn(
            "What moved all numbers: rules.yaml:12: BLS-7 added (−1 trip), corrected trips (as many trips), late trips (+1,465 trips).",
            words,
        )
        self.assertEqual(notice.get_by_role("button", name="Show all").count(), 0)
        self.assertTrue(all(f"since={seen['generation'] - 1}" in each for each in asked), asked)
        self.assertTrue(notice.locator("a").first.get_attribute("href").endswith("/app/dashboard?month=2026-05"))
        # Who runs no commands is led to the causes in the application itself.
        self.assertNotIn("triptych diff", flat(notice.inner_text()))
        notice.get_by_role("link", name="Why it moved").click()
        tab.wait_for_url(re.compile(rf"/app/why\?month=2026-05&since={seen['generation'] - 1}$"))
        tab.wait_for_selector("h2:text-matches('^Between the last two publications')")
        tab.go_back()
        notice.wait_for()
        notice.locator("text=Mark as seen").click()
        notice.wait_for(state="detached")
        self.assertEqual(
            tab.evaluate("JSON.parse(localStorage.getItem('triptych-settings')).seen.generation"), answer["generation"]
        )
        asked.clear()
        tab.reload()
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        self.assertEqual(asked, [])

    def test_the_notice_says_of_what_it_is_and_shows_all_months(self):
        """A filter does not narrow it, which is said; of many months the newest are named, the others by a press."""
        changes = {
            # Older than the twelve that are asked for one by one.
            "2025-01": {"trips": -1},
            "2025-03": {"contracted_cost_cents": -45},
            "2026-02": {"cost_cents": 120000},
            "2026-05": {"trips": 1, "in_house_pct": 0.5},
        }
        expected = [
            "May 2026: {before}% to {now}% in-house, 1 more trip",
            "February 2026: $1,200 more known cost of all trips",
            "March 2025: $0.45 less vendor cost",
            "January 2025: 1 fewer trip",
        ]
        tab = self.open_restated("en", "/app/dashboard?month=2026-05&region=08", changes)
        notice = tab.locator(".restated")
        words = flat(notice.locator("p").first.inner_text())
        self.assertIn("4 settled months have changed (all regions and trip types, not your filter):", words)
        self.assertTrue(all("region" not in each for each in self.asked), self.asked)
        share = round(self.json(tab, "/kpi?month=2026-05")["total"]["in_house_pct"] * 100)
        expected[0] = expected[0].format(before=f"{(share - 50) / 100:.2f}", now=f"{share / 100:.2f}")
        self.assertEqual([flat(each) for each in notice.locator("li").all_inner_texts()], expected[:2])
        notice.get_by_role("button", name="Show all 4").click()
        self.assertEqual([flat(each) for each in notice.locator("li").all_inner_texts()], expected)
        self.assertEqual(tab.evaluate("document.activeElement.textContent"), "March 2025")
        self.assertEqual(
            [each.get_attribute("href") for each in notice.locator("li a").all()],
            [f"/app/dashboard?month={month}" for month in sorted(changes, reverse=True)],
        )
        found = Axe().run(tab, options=RULES).response["violations"]
        self.assertEqual([(each["id"], [node["target"] for node in each["nodes"]]) for each in found], [])
        tab.set_viewport_size({"width": 320, "height": 640})
        self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 320)
        # The filter goes along to the causes, and the month of the screen, which is one of them; else the newest of them.
        href = notice.get_by_role("link", name="Why it moved").get_attribute("href")
        self.assertRegex(href, r"^/app/why\?month=2026-05&region=08&since=\d+$")
        tab = self.open_restated("en", "/app/dashboard?month=2026-08", {"2026-05": {"trips": 1}, "2026-02": {"trips": 1}})
        href = tab.locator(".restated").get_by_role("link", name="Why it moved").get_attribute("href")
        self.assertRegex(href, r"^/app/why\?month=2026-05&since=\d+$")

    def test_the_notice_is_in_spanish_as_well(self):
        tab = self.open_restated("es", "/app/dashboard?trip_type=BLS", {"2026-05": {"trips": -2, "contracted_cost_cents": 9900}})
        notice = tab.locator(".restated")
        self.assertIn(
            "cambió 1 mes cerrado (todas las regiones y tipos de viaje, no su filtro):", flat(notice.inner_text())
        )
        self.assertEqual(
            flat(notice.locator("li").inner_text()), "Mayo de 2026: 2 viajes menos, $99 más de costo externo"
        )
        self.assertIn("Qué movió todas las cifras: ", flat(notice.inner_text()))

    def open_restated(self, language, path, changes):
        """A tab of a reader who saw the generation before, from which some months differ; `asked` has what was asked."""
        account = self.another("demo")
        self.addCleanup(account.close)
        tab = account.sign_in(path)
        tab.wait_for_function("() => JSON.parse(localStorage.getItem('triptych-settings'))?.seen")
        self.asked = []

        def restated(route):
            self.asked.append(route.request.url)
            body = route.fetch(url=re.sub(r"&since=\d+", "", route.request.url)).json()
            [(name, month)] = re.findall(r"(month|to)=(\d{4}-\d{2})", route.request.url)
            change = {"trips": 0, "in_house_pct": 0, "cost_cents": 0, "contracted_cost_cents": 0}
            if name == "month":
                change.update(changes.get(month, {}))
            elif min(changes) <= month:
                change.update(trips=-1)
            body["since"] = {"generation": 1, "as_of": "2026-10-31T02:14:03-05:00", "suppressed": False, **change}
            route.fulfill(json=body)

        tab.route(re.compile(r"/kpi\?.*since="), restated)
        tab.route("**/kpi/changes*", causes)
        tab.evaluate(
            """language => {
              const { seen } = JSON.parse(localStorage.getItem('triptych-settings'));
              const before = { ...seen, generation: seen.generation - 1 };
              localStorage.setItem('triptych-settings', JSON.stringify({ language, seen: before }));
            }""",
            language,
        )
        tab.reload()
        tab.locator(".restated").wait_for()
        return tab


if __name__ == "__main__":
    run()
