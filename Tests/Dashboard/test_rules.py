"""Rules of the design documents that hold on every screen: what covers it, how it loads, letters of
twice the size, turning."""

import re

from application import READY, Case, run
from test_accessibility import CUT, RESIZE
from test_protection import HIDE, MINUTE

DIALOGS = "() => document.querySelectorAll('dialog').length"
# Phones and tablets on their side, and a tablet upright.
TURNED = [(568, 320), (812, 375), (1024, 768), (1366, 1024), (1024, 1366)]


class Covers(Case):
    def signed_in(self, path):
        """A tab of a user who has just signed in, whose clock can be moved."""
        account = self.another("demo", reduced_motion="reduce")
        self.addCleanup(account.close)
        tab = account.tab()
        tab.clock.install()
        tab.goto(account.address + path)
        account.fill(tab)
        return tab

    def test_a_question_who_is_there_takes_the_place_of_what_was_open(self):
        """R9, R31, R20: never a panel over a panel; an alert with its title as its name, and
        buttons with theirs."""
        tab = self.signed_in("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.click(".filter-button")
        tab.wait_for_selector("dialog[open]")
        tab.evaluate(HIDE, True)
        tab.clock.fast_forward(6 * MINUTE)
        tab.evaluate(HIDE, False)
        asked = tab.get_by_role("alertdialog", name="Re-authenticate to view protected data")
        asked.wait_for()
        self.assertEqual(tab.evaluate(DIALOGS), 1)
        for each in asked.get_by_role("button").all():
            self.assertGreater(len(each.inner_text().strip()), 3)
        asked.get_by_role("button", name="Not now").click()
        tab.wait_for_function("() => document.querySelectorAll('dialog').length === 0")
        tab.click(".filter-button")
        self.assertEqual(tab.evaluate(DIALOGS), 1)

    def test_the_bar_of_an_idle_session_takes_the_place_of_a_sheet_and_grows_urgent(self):
        """C13, D66: an alert that waits for a pause at first, and from ten seconds on does not."""
        tab = self.signed_in("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.click(".number >> nth=0")
        tab.wait_for_selector("dialog[open]")
        tab.clock.run_for(10 * MINUTE + 2_000)
        bar = tab.get_by_role("alertdialog", name=re.compile("Your session will expire in 30 seconds"))
        bar.wait_for()
        self.assertEqual((tab.evaluate(DIALOGS), bar.get_attribute("aria-live")), (0, "polite"))
        tab.clock.run_for(20_000)
        self.assertEqual(bar.get_attribute("aria-live"), "assertive")

    def test_sheets_hold_letters_of_twice_the_size(self):
        """R20, D98: at 320 px nothing is cut, the last button is reached by scrolling, and a
        question stays whole."""
        tab = self.signed_in("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.set_viewport_size({"width": 320, "height": 640})
        tab.evaluate(RESIZE, "200%")
        for opened in [".filter-button", ".number >> nth=1"]:
            tab.click(opened)
            tab.wait_for_selector("dialog[open]")
            self.assertEqual(tab.evaluate(CUT.replace("main *", "dialog *")), [], opened)
            last = tab.locator("dialog button").last
            last.scroll_into_view_if_needed()
            box = last.bounding_box()
            self.assertLessEqual(box["y"] + box["height"], 641, opened)
            self.assertLessEqual(box["x"] + box["width"], 320, opened)
            tab.keyboard.press("Escape")
            tab.wait_for_function("() => document.querySelectorAll('dialog').length === 0")


class Shapes(Case):
    options = {"reduced_motion": "no-preference"}

    def test_bones_pulse_and_stand_still_for_those_who_ask_for_it(self):
        """R22, D102: from 0.45 to 0.85 and back, 700 ms each way; not at all under reduced
        motion."""
        tab = self.account.tab()
        self.addCleanup(tab.close)
        tab.route(re.compile(r"//[^/]+/trips\?"), lambda route: None)
        tab.goto(self.served.address + "/app/trips?month=2026-05")
        tab.wait_for_selector("main .skeleton[role=status] .bone")
        moving = """() => document.querySelector('.skeleton[role=status] .bone').getAnimations().map(each => [
            each.effect.getTiming().duration, each.effect.getTiming().direction,
            ...each.effect.getKeyframes().map(frame => Number(frame.opacity))])"""
        self.assertEqual(tab.evaluate(moving), [[700, "alternate", 0.45, 0.85]])
        tab.emulate_media(reduced_motion="reduce")
        self.assertEqual(tab.evaluate(moving), [])

    def test_every_screen_can_be_turned(self):
        """D36: nothing scrolls sideways, the tabs stay, and the filter is applied, on a phone on
        its side as well."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        for width, height in TURNED:
            tab.set_viewport_size({"width": width, "height": height})
            self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), width)
            for each in tab.locator("nav .tab").all():
                box = each.bounding_box()
                self.assertLessEqual(box["y"] + box["height"], height + 0.5, (width, height))
            tab.click(".filter-button")
            tab.wait_for_selector("dialog[open]")
            tab.get_by_role("button", name="Apply", exact=True).click()
            tab.wait_for_function("() => document.querySelectorAll('dialog').length === 0")
            tab.wait_for_selector(READY)

    def test_fields_of_the_sign_in_have_their_names_above_and_a_ring(self):
        """R32, D9: name and password, 56 px high, each below its label; the focus is seen."""
        account = self.another("demo")
        self.addCleanup(account.close)
        tab = account.tab()
        tab.goto(account.address + "/app/dashboard")
        tab.wait_for_selector("#username")
        for name, label in [("username", "Name"), ("password", "Password")]:
            field = tab.get_by_label(label, exact=True)
            self.assertEqual(field.get_attribute("id"), name)
            box = field.bounding_box()
            above = tab.locator(f"label[for={name}]").bounding_box()
            self.assertGreaterEqual(box["height"], 56)
            self.assertLessEqual(above["y"] + above["height"], box["y"] + 1)
            field.focus()
            ring = field.evaluate(
                "each => [getComputedStyle(each).outlineStyle, parseFloat(getComputedStyle(each).outlineWidth)]"
            )
            self.assertNotEqual(ring[0], "none")
            self.assertGreaterEqual(ring[1], 2)


if __name__ == "__main__":
    run()
