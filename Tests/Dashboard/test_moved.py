"""A link whose generation is no longer the newest: what has changed since is said, to those who may know.

python test_moved.py FOLDER

FOLDER/moved is a mart of two generations, the second with trips that came late; where it is missing, it is made.
"""

import os
import re
import subprocess
import sys

import application
from application import ROOT, Case, Served, flat, run

# The month of which trips came late, and one that stayed as it was.
CHANGED, UNCHANGED = "2026-04", "2026-06"


def publish(folder):
    """Publishes a generation without the last tenth of a file, then one with it."""
    environment = {**os.environ, "TRIPTYCH_NOW": "2026-11-01T06:14:00Z"}

    def command(*words):
        ended = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        assert ended.returncode in (0, 10), ended.stderr

    os.makedirs(folder)
    command("triptych", "generate", "--out", "in", "--trips", "20000", "--months", "14", "--seed", "18", "--layout", "mixed")
    night = ["triptych", "run", ROOT + "/pipelines/ambulance", "--mart", "mart", "--input", "in", "--reference", "in/reference"]
    path = folder + "/in/claims_20260503.csv"
    with open(path, newline="") as file:
        lines = file.read().splitlines(keepends=True)
    end = len(lines) * 9 // 10
    with open(path, "w", newline="") as file:
        file.writelines(lines[:end])
    command(*night)
    with open(folder + "/in/claims_20260504.csv", "w", newline="") as file:
        file.writelines(lines[:1] + lines[end:])
    environment["TRIPTYCH_NOW"] = "2026-11-02T06:14:00Z"
    command(*night)


class TwoGenerations(Served):
    """A server over the mart of two generations."""

    def _start(self, folder):
        folder += "/moved"
        if not os.path.exists(folder):
            publish(folder)
        super()._start(folder)


class Moved(Case):
    @classmethod
    def setUpClass(cls):
        application.Served = TwoGenerations
        cls.addClassCleanup(setattr, application, "Served", Served)
        super().setUpClass()

    def setUp(self):
        tab = self.open()
        if self.json(tab, "/kpi")["generation"] != 2:
            self.skipTest("the application that is served has another mart than this test's")

    def notice(self, tab):
        """What is said of the link."""
        return flat(tab.locator(".lead .notice", has_text="link").inner_text())

    def test_what_has_changed_since_the_link_was_made_is_said(self):
        """Issue, item 2: "has changed since, by …"."""
        tab = self.open(f"/app/dashboard?month={CHANGED}&generation=1")
        answer = self.json(tab, f"/kpi?month={CHANGED}&since=1")
        since, total = answer["since"], answer["total"]
        self.assertGreater(since["trips"], 50)
        words = self.notice(tab)
        now, by = (round(100 * each["in_house_pct"]) for each in (total, since))
        before = f"{(now - by) // 100}.{(now - by) % 100:02d}"
        self.assertRegex(words, rf"in-house was {re.escape(before)} ?%, now {total['in_house_pct']:.2f} ?%")
        self.assertIn(f"+{since['trips']} trips", words)
        self.assertIn(f"vendor cost +${since['contracted_cost_cents'] / 100:,.2f}", words)
        self.assertIn("November 1", words)
        self.assertEqual(tab.faults, [])

    def test_the_way_leads_to_the_card_of_the_causes(self):
        """Issue, item 2: for analysts as well; filter and month go along, and the reader begins at the card."""
        analyst = self.another("demo-analyst")
        self.addCleanup(analyst.close)
        analyst.sign_in().close()
        for account in [self.account, analyst]:
            tab = self.open(f"/app/dashboard?month={CHANGED}&region=08&generation=1", account)
            # Who runs no commands is not told one, and who does has it in the card.
            self.assertNotIn("triptych diff", self.notice(tab))
            tab.locator(".lead .notice").get_by_role("link", name="Why it moved").click()
            tab.wait_for_url(re.compile(rf"/app/why\?month={CHANGED}&region=08&since=1$"))
            tab.wait_for_function("() => document.activeElement.tagName === 'H2'")
            words = flat(tab.evaluate("document.activeElement.textContent"))
            self.assertTrue(words.startswith("Between the last two publications"), words)
            box = tab.locator("h2:focus").bounding_box()
            self.assertGreaterEqual(box["y"], tab.locator("header.bar").bounding_box()["height"])
            self.assertLess(box["y"], 812 - 200)
            # What one came for has been seen: another choice begins at the top.
            tab.get_by_role("button", name="Month before").click()
            tab.wait_for_url(re.compile("from=2026-03"))
            self.assertNotIn("since=", tab.url)

    def test_that_nothing_has_changed_is_said_too(self):
        tab = self.open(f"/app/dashboard?month={UNCHANGED}&generation=1")
        self.assertEqual(self.json(tab, f"/kpi?month={UNCHANGED}&since=1")["since"]["trips"], 0)
        self.assertIn("have not changed since", self.notice(tab))

    def test_nothing_is_said_of_the_generation_that_is_shown_or_of_none(self):
        for generation in ["2", "", "x", "0", "1e9"]:
            tab = self.open(f"/app/dashboard?month={CHANGED}" + (generation and "&generation=" + generation))
            tab.locator(".actions").last.wait_for()
            tab.wait_for_load_state("networkidle")
            self.assertEqual(tab.locator(".lead .notice", has_text="link").count(), 0, generation)

    def test_a_generation_that_is_not_there_is_named(self):
        tab = self.open(f"/app/dashboard?month={CHANGED}&generation=7")
        self.assertIn("The link was made from data version 7; data version 2 is shown", self.notice(tab))

    def test_a_viewer_learns_that_it_moved_and_not_by_how_much(self):
        """The difference of two generations may be a single trip."""
        viewer = self.another("demo-viewer")
        self.addCleanup(viewer.close)
        viewer.sign_in().close()
        tab = self.open(f"/app/dashboard?month={CHANGED}&generation=1", viewer)
        words = self.notice(tab)
        self.assertIn("data version 1", words)
        self.assertNotRegex(words, r"\d+ trips|%|\$")

    def test_a_link_that_is_shared_names_the_generation_and_another_filter_leaves_it(self):
        account = self.another("demo", permissions=["clipboard-read", "clipboard-write"])
        self.addCleanup(account.close)
        account.sign_in().close()
        tab = account.tab()
        # A browser without a sheet to share by copies the link.
        tab.add_init_script("Object.defineProperty(navigator, 'share', {value: undefined})")
        tab.goto(f"{self.served.address}/app/dashboard?month={CHANGED}&generation=1")
        tab.get_by_role("button", name="Share link").click()
        tab.locator(".toast").wait_for()
        self.assertEqual(
            tab.evaluate("navigator.clipboard.readText()"),
            f"{self.served.address}/app/dashboard?month={CHANGED}&generation=2",
        )
        tab.locator(".rank").first.click()
        tab.wait_for_url(re.compile("region="))
        self.assertNotIn("generation", tab.url)


if __name__ == "__main__":
    if len(sys.argv) < 2 and "DASHBOARD_ADDRESS" not in os.environ:
        sys.exit(__doc__)
    run()
