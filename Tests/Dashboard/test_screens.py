"""What each screen has and has not: settings, about, privacy, the kinds of screens, spacing, icons;
numbers without patients."""

import re

from application import READY, Case, flat, run, still

# What an answer about numbers never has: names of members that tell of one patient, trip or
# provider.
PERSONAL = re.compile(r"patient|npi|\bref\b|provider|icn|pickup|picked_up|birth|address|vehicle")
# Asks so many times, one after the other; how long each answer took in milliseconds, its body
# included.
ASK = """async ([paths, token]) => {
    const taken = [];
    for (const path of paths) {
        const begun = performance.now();
        const answer = await fetch(path, {cache: 'no-store', headers: {Authorization: 'Bearer ' + token}});
        if (!answer.ok) throw new Error(path + ' ' + answer.status);
        await answer.text();
        taken.push(performance.now() - begun);
    }
    return taken;
}"""
TOKEN = """async () => (await (await fetch('/token', {method: 'POST', body: new URLSearchParams({
    grant_type: 'refresh_token', client_id: 'triptych-dashboard', refresh_token_in: 'cookie'})})).json()).access_token"""
# Every inner and outer distance of what is seen, in pixels at letters of 16.
DISTANCES = """() => [...document.querySelectorAll('.bar, .bar *, .banners *, main, main *, nav, nav *, dialog, dialog *')]
    .filter(each => each.checkVisibility() && !each.closest('svg, select, input') && !each.matches('.unseen, main, .toasts'))
    .map(each => {
        const style = getComputedStyle(each);
        const names = ['rowGap', 'columnGap', 'paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft',
            'marginTop', 'marginBottom'];
        return [each.tagName + '.' + each.getAttribute('class'), names.map(name => style[name])
            .filter(each => each.endsWith('px')).map(parseFloat)];
    })"""


def members(value):
    """The names of all members of an answer."""
    if isinstance(value, dict):
        return set(value).union(*(members(each) for each in value.values()))
    return set().union(*(members(each) for each in value)) if isinstance(value, list) else set()


class Contents(Case):
    def test_the_first_screen_has_its_parts_and_nothing_of_a_patient(self):
        """D11, C4: cards, a line, bars, the filter; no answer that it shows, nor the list, has a
        patient or a cost of one."""
        tab = self.account.tab()
        self.addCleanup(tab.close)
        answers = []
        tab.on("response", lambda each: answers.append(each) if "/kpi" in each.url or "/trips?" in each.url else None)
        tab.goto(self.served.address + "/app/dashboard?month=2026-05")
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        for part, least in [(".number", 3), (".line-settled, .line", 1), (".bar-mark", 24), (".filter-button", 1)]:
            self.assertGreaterEqual(tab.locator(part).count(), least, part)
        tab.click("text=Why did it move?")
        tab.wait_for_selector(".falls")
        tab.go_back()
        tab.click("text=See the trips")
        tab.wait_for_selector(".row")
        found = {"kpi": set(), "trips": set()}
        for each in [answer for answer in answers if answer.status == 200]:
            found["kpi" if "/kpi" in each.url else "trips"] |= members(each.json())
        self.assertIn("in_house_pct", found["kpi"])
        self.assertEqual({each for each in found["kpi"] if PERSONAL.search(each)}, set())
        self.assertIn("provider", found["trips"])
        personal = {each for each in found["trips"] if PERSONAL.search(each)}
        self.assertEqual(personal - {"ref", "provider", "pickup_date"}, set())
        self.assertEqual({each for each in found["trips"] if "cost" in each}, set())

    def test_answers_come_soon(self):
        """D50, C1: 95 of 100 within 1.2 s, from the question to the last byte, over every filter
        and both lists."""
        tab = self.open("/app/settings")
        paths = ["/kpi", "/kpi/trends", "/kpi/why?from=2025-05&to=2026-05", "/trips?month=2026-05", "/trips", "/months"]
        paths += [
            f"/kpi?month={month}&region={region}" for month in ("2026-05", "2026-10") for region in ("08", "10", "02")
        ]
        paths += [f"/trips?region={region}&trip_type=BLS" for region in ("08", "10", "02")]
        taken = sorted(tab.evaluate(ASK, [paths * 8, tab.evaluate(TOKEN)]))
        self.assertGreaterEqual(len(taken), 100)
        self.assertLessEqual(taken[len(taken) * 95 // 100], 1200)

    def test_settings_lead_to_the_ways_in_to_the_policy_and_out(self):
        """D7, D15, R11: passkeys and password, the policy as a web view without tabs that is
        closed, the way out."""
        tab = self.open("/app/settings")
        self.assertEqual(tab.locator("main a:has-text('Passkeys and password')").get_attribute("href"), "/account")
        self.assertTrue(tab.locator("main button:has-text('Log out')").is_visible())
        tab.click("main >> text=Privacy policy")
        tab.wait_for_selector("h1:has-text('Privacy policy')")
        self.assertFalse(tab.locator("nav").is_visible())
        close = tab.locator(".bar button")
        self.assertEqual(flat(close.inner_text()), "Close")
        close.click()
        tab.wait_for_selector("h1:has-text('Settings')")
        self.assertTrue(tab.locator("nav").is_visible())
        tab.click("main >> text=Passkeys and password")
        tab.wait_for_url("**/account")
        tab.wait_for_selector("#password")

    def test_what_arrives_later_leaves_the_focus_where_it_is(self):
        """Issue, item 7: the regions come after a field of the settings was chosen by keyboard."""
        tab, waiting = self.account.tab(), []
        self.addCleanup(tab.close)
        tab.route("**/regions", lambda route: waiting.append(route))
        tab.goto(self.served.address + "/app/settings")
        tab.wait_for_selector(READY)
        tab.get_by_label("Colors").focus()
        while not waiting:
            tab.evaluate("() => new Promise(requestAnimationFrame)")
        for route in waiting:
            route.continue_()
        tab.wait_for_selector("#set-region option[value='08']", state="attached")
        self.assertEqual(tab.evaluate("document.activeElement.id"), "set-colours")

    def test_about_says_which_program_and_which_generation(self):
        """D17, C9: the version of the program, the generation, for whom it is, and the crisis
        line."""
        tab = self.open("/app/about")
        version = tab.evaluate("document.documentElement.dataset.version")
        generation = str(self.json(tab, "/months")["generation"])
        tab.wait_for_selector(f".facts dd:text-is('{generation}')")
        self.assertEqual([flat(each) for each in tab.locator(".facts dd").all_inner_texts()], [version, generation])
        self.assertRegex(version, r"^[0-9a-f]{8,}$|^dev$")
        words = flat(tab.inner_text("main"))
        self.assertIn("authorized staff of the U.S. Department of Veterans Affairs", words)
        # As the notice of what changed since one last looked has it.
        self.assertIn("a settled one changes only where trips come late, are corrected or edited", words)
        self.assertRegex(words, "988, then press 1")
        self.assertIn(
            "veteranscrisisline", tab.locator("main a:has-text('Veterans Crisis Line')").get_attribute("href")
        )

    def test_numbers_are_read_and_choices_are_made_elsewhere(self):
        """R3: no field to edit on the screens of a stack; one choice leads away or opens a
        sheet. The class of a list filters it, as the sheet does."""
        for path in [
            "/app/dashboard?month=2026-05",
            "/app/trips?month=2026-05",
            "/app/about",
            "/app/why?month=2026-05",
        ]:
            tab = self.open(path)
            fields = tab.locator("main input, main textarea, main [contenteditable], main select:not(#trip-class)")
            self.assertEqual(fields.count(), 0, path)

    def test_a_task_of_a_whole_screen_has_its_primary_action_and_no_close(self):
        """R8: the sign-in covers the tabs; Close stands only where nothing is to be done."""
        tab = self.open("/app/login")
        self.assertFalse(tab.locator("nav").is_visible())
        self.assertEqual(tab.locator(".bar button").count(), 0)
        self.assertEqual(tab.locator("main .button:not(.second)").all_inner_texts(), ["To the dashboard"])
        tab = self.open("/app/privacy")
        self.assertEqual(tab.locator(".bar button:has-text('Close')").count(), 1)
        self.assertEqual(tab.locator("main .button:not(.second)").count(), 0)

    def test_choices_of_a_filter_are_left_without_a_question(self):
        """R15: they are easily made again."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        for close in [lambda: tab.keyboard.press("Escape"), lambda: tab.click("dialog >> [aria-label=Close]")]:
            tab.click(".filter-button")
            tab.get_by_label("Region", exact=True).select_option("08")
            tab.get_by_label("Trip type", exact=True).select_option("BLS")
            close()
            tab.wait_for_function("() => document.querySelectorAll('dialog').length === 0")
            self.assertTrue(tab.url.endswith("month=2026-05"), tab.url)

    def test_a_question_offers_what_the_screen_does_not(self):
        """R17: leaving without a network asks with two answers, of which one goes on and one
        stays."""
        account = self.another("demo")
        self.addCleanup(account.close)
        tab = account.sign_in("/app/settings")
        account.context.set_offline(True)
        tab.click("main >> text=Log out")
        asked = tab.locator("dialog[role=alertdialog]")
        asked.wait_for()
        self.assertEqual(
            [flat(each) for each in asked.locator(".choices button").all_inner_texts()], ["Stay", "Log out"]
        )
        self.assertEqual(asked.locator("a, input, .text-button").count(), 0)

    def test_what_was_done_is_said_for_three_seconds(self):
        """R34: by a toast that is read out, and does not take the focus."""
        account = self.another("demo")
        self.addCleanup(account.close)
        account.sign_in().close()
        tab = account.tab()
        tab.clock.install()
        tab.goto(account.address + "/app/settings")
        tab.wait_for_selector("#set-region option[value='08']", state="attached")
        # From here on time passes by the test alone.
        tab.clock.pause_at(tab.evaluate("Date.now()") / 1000 + 5)
        tab.get_by_label("Colors").focus()
        tab.get_by_label("Colors").select_option("dark")
        toast = tab.locator("[role=status] .toast:has-text('Saved')")
        toast.wait_for()
        self.assertTrue(tab.evaluate("document.activeElement.matches('select')"))
        tab.clock.run_for(2_900)
        self.assertEqual(toast.count(), 1)
        tab.clock.run_for(200)
        self.assertEqual(toast.count(), 0)


class Looks(Case):
    def test_the_menu_stays_below_the_bar_while_one_scrolls(self):
        """R29: on a wide screen, at the top, in the middle and at the end of the screen."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.set_viewport_size({"width": 1366, "height": 768})
        for place in [0, 700, 1e6]:
            tab.evaluate("place => scrollTo(0, place)", place)
            still(tab)
            bar = tab.locator(".bar").bounding_box()
            self.assertEqual(bar["y"], 0)
            for link in tab.locator("nav a").all():
                box = link.bounding_box()
                self.assertGreaterEqual(box["y"], bar["height"], place)
                self.assertLessEqual(box["y"] + box["height"], 768, place)
            over = "() => !!document.elementFromPoint(60, 24).closest('.bar')"
            self.assertTrue(tab.evaluate(over), place)

    def test_distances_are_those_of_the_tokens(self):
        """D99: 4, 8, 16, 24 and 32 px, or the negative of one; rows of lists are 64 px high at
        least."""
        allowed = {0, 1, 4, 8, 16, 24, 32}
        paths = ["dashboard?month=2026-05", "trips?month=2026-05", "why?month=2026-05", "settings", "about", "privacy"]
        for path in paths:
            tab = self.open("/app/" + path)
            # Automatic margins are computed in pixels, and are no distances of the design.
            for name, found in tab.evaluate(DISTANCES):
                odd = {abs(each) for each in found} - allowed
                self.assertEqual(odd, set(), (path, name))
        tab = self.open("/app/trips?month=2026-05")
        self.assertGreaterEqual(min(each.bounding_box()["height"] for each in tab.locator(".row").all()[:20]), 64)

    def test_six_icons_have_their_meanings(self):
        """D100: dashboard, filter, eye, crossed eye, settings, about; lines of one width in the
        colour of their text."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        used = "each => each.querySelector('use').getAttribute('href')"
        for name in ["dashboard", "settings", "about"]:
            self.assertEqual(tab.locator(f"nav a[href*='{name}']").evaluate(used), "#i-" + name)
        self.assertEqual(tab.locator(".filter-button").evaluate(used), "#i-filter")
        drawn = tab.locator(".filter-button svg").evaluate(
            "each => { const style = getComputedStyle(each); return [style.fill, style.stroke, getComputedStyle(each.parentNode).color]; }"
        )
        self.assertEqual((drawn[0], drawn[1]), ("none", drawn[2]))
        account = self.another("demo")
        self.addCleanup(account.close)
        tab = account.sign_in("/app/trips?month=2026-05")
        tab.locator(".row:has-text('Contracted')").first.click()
        eye = tab.get_by_role("button", name="Show cost")
        self.assertEqual(eye.evaluate(used), "#i-eye")
        eye.click()
        tab.get_by_label("Billing").check()
        tab.click("dialog >> button:text-is('Show')")
        self.assertEqual(tab.get_by_role("button", name="Hide Cost").evaluate(used), "#i-eye-off")


if __name__ == "__main__":
    run()
