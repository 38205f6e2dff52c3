"""What is protected: masked, shown for ten seconds with a reason, asked again who is there, locked when one is away."""

import re

from application import PASSWORD, Case, flat, run

MINUTE = 60_000
HIDE = """hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
    Object.defineProperty(document, 'visibilityState', {value: hidden ? 'hidden' : 'visible', configurable: true});
    document.dispatchEvent(new Event('visibilitychange')); }"""


class Protection(Case):
    def signed_in(self, path, name="demo", **options):
        """A tab of a user who has just signed in, whose clock can be moved."""
        account = self.another(name, **options)
        self.addCleanup(account.close)
        tab = account.tab()
        tab.clock.install()
        tab.goto(account.address + path)
        account.fill(tab)
        return account, tab

    def trip(self, tab):
        """Opens a trip that has a cost."""
        tab.click("text=See the trips")
        tab.wait_for_selector(".row")
        tab.locator(".row:has-text('Contracted')").first.click()
        tab.wait_for_selector(".secret")

    def reveal(self, tab, field):
        tab.get_by_role("button", name="Show " + field).click()
        tab.get_by_label("Billing").check()
        with tab.expect_response(re.compile("/reveal$")) as answer:
            tab.click("dialog >> button:text-is('Show')")
        tab.wait_for_selector("dialog", state="detached")
        return answer.value

    def test_a_field_is_shown_for_ten_seconds_and_no_longer(self):
        """D6, D58-D62: masked by the server, shown with a reason, hidden after ten seconds with a word."""
        _, tab = self.signed_in("/app/dashboard?month=2026-05")
        self.trip(tab)
        masked = [flat(each) for each in tab.locator(".secret-value").all_inner_texts()]
        self.assertEqual(
            {each for each in masked if each not in ("None", "Not known")}, {"•••••••• hidden"} if "hidden" in masked[0] else {"••••••••"}
        )
        value = str(self.reveal(tab, "patient ID").json()["value"])
        tab.wait_for_selector(f".secret >> text={value}")
        tab.clock.run_for(9_000)
        self.assertIn(value, tab.inner_text("main"))
        tab.clock.run_for(1_500)
        tab.wait_for_selector("text=Field auto-hidden for security")
        self.assertNotIn(value, tab.content())

    def test_one_field_at_a_time_and_none_behind_ones_back(self):
        """D60, D63: another field, the background and leaving the screen hide it at once."""
        _, tab = self.signed_in("/app/dashboard?month=2026-05")
        self.trip(tab)
        value = str(self.reveal(tab, "patient ID").json()["value"])
        tab.wait_for_selector(f".secret >> text={value}")
        self.reveal(tab, "cost")
        self.assertNotIn(value, tab.content())
        shown = tab.locator(".secret-value").nth(1).inner_text()
        self.assertRegex(shown, r"^\$[\d,]+\.\d\d$")
        tab.evaluate(HIDE, True)
        self.assertNotIn(shown, tab.content())
        self.assertTrue(tab.locator(".veil").is_visible())
        tab.evaluate(HIDE, False)
        self.assertFalse(tab.locator(".veil").is_visible())

    def test_nothing_of_a_trip_is_kept(self):
        """D71, D78: not in storage, databases, caches, history, title or address beyond its opaque name; nor on the console."""
        account, tab = self.signed_in("/app/dashboard?month=2026-05", service_workers="allow")
        self.trip(tab)
        value = str(self.reveal(tab, "patient ID").json()["value"])
        provider = tab.locator("dt:text-is('Provider') + dd").inner_text()
        found = tab.evaluate("""async () => JSON.stringify([
            Object.entries(localStorage), Object.entries(sessionStorage), history.state, document.title, location.href,
            await Promise.all((await caches.keys()).map(async name => (await (await caches.open(name)).keys()).map(each => each.url)))])""")
        for secret in [value, provider]:
            self.assertNotIn(secret, found)
        self.assertNotIn("/trip/", found.replace(tab.url, ""))
        self.assertNotIn("/kpi", found)
        self.assertEqual([each for each in tab.faults if value in each], [])

    def test_a_trip_after_five_minutes_asks_who_is_there(self):
        """D32, D53, D55, D57, D73, R31: after inactivity, before anything of the trip is asked for; the dialog has no way around it."""
        _, tab = self.signed_in("/app/trips?month=2026-05")
        tab.wait_for_selector(".row")
        tab.clock.run_for(5 * MINUTE + 5_000)
        asked = []
        tab.on(
            "request", lambda request: asked.append(request.url) if re.search(r"/trip/[^/]+$", request.url) else None
        )
        tab.locator(".row").first.click()
        tab.wait_for_selector("text=Re-authenticate to view protected data")
        self.assertEqual([each for each in asked if "/app/" not in each], [])
        tab.keyboard.press("Escape")
        self.assertTrue(tab.locator("dialog").is_visible())
        tab.click("text=Use password")
        tab.wait_for_selector("#username")
        tab.fill("#username", "demo")
        tab.fill("#password", PASSWORD)
        tab.click("button:text-is('Sign in')")
        tab.wait_for_selector(".secret")

    def test_coming_back_after_five_minutes_asks_on_any_screen(self):
        """D54, D57: the words of the UX document; where nothing protected is shown it may wait."""
        _, tab = self.signed_in("/")
        tab.evaluate(HIDE, True)
        tab.clock.fast_forward(6 * MINUTE)
        tab.evaluate(HIDE, False)
        tab.wait_for_selector("text=Re-authenticate to view protected data")
        tab.click("text=Not now")
        tab.wait_for_selector("dialog", state="detached")
        tab.click("text=See the trips")
        tab.locator(".row").first.click()
        tab.wait_for_selector("text=Re-authenticate to view protected data")

    def test_an_idle_session_warns_and_ends(self):
        """D66, C2, C13: a bar at ten minutes, which does not cover the screen; the end at ten and a half."""
        _, tab = self.signed_in("/")
        tab.wait_for_selector(".basis")
        tab.clock.run_for(10 * MINUTE + 2_000)
        tab.wait_for_selector("text=Your session will expire in 30 seconds")
        self.assertEqual(tab.locator("dialog").count(), 0)
        self.assertEqual([flat(each) for each in tab.locator(".idle button").all_inner_texts()], ["Log out", "Continue"])
        tab.clock.run_for(30_000)
        tab.wait_for_selector("text=Your session is over")
        self.assertEqual(tab.locator(".numbers").count(), 0)

    def test_going_on_asks_who_is_there(self):
        """D66: Continue is a re-authentication."""
        _, tab = self.signed_in("/")
        tab.clock.run_for(10 * MINUTE + 2_000)
        tab.click("text=Continue")
        tab.wait_for_selector("text=Re-authenticate to view protected data")
        tab.clock.run_for(40_000)
        self.assertEqual(tab.locator("text=Your session is over").count(), 0)

    def test_fifteen_minutes_in_the_background_lock(self):
        """D67: back to the sign-in, with nothing in memory."""
        _, tab = self.signed_in("/")
        tab.evaluate(HIDE, True)
        tab.clock.fast_forward(15 * MINUTE + 5_000)
        tab.evaluate(HIDE, False)
        tab.wait_for_selector("text=Locked after 15 minutes")
        self.assertEqual(tab.locator(".numbers").count(), 0)


class Passkeys(Case):
    account_name = "demo-analyst"

    def setUp(self):
        self.person = self.another("demo-analyst")
        self.addCleanup(self.person.close)
        self.tab = self.person.tab()
        self.tools = self.person.context.new_cdp_session(self.tab)
        self.tools.send("WebAuthn.enable")
        self.device = self.tools.send(
            "WebAuthn.addVirtualAuthenticator",
            {
                "options": {
                    "protocol": "ctap2",
                    "transport": "internal",
                    "hasResidentKey": True,
                    "hasUserVerification": True,
                    "isUserVerified": True,
                    "automaticPresenceSimulation": True,
                }
            },
        )["authenticatorId"]
        self.tab.goto(self.person.address + "/account")
        self.tab.fill("#username", "demo-analyst")
        self.tab.fill("#password", PASSWORD)
        self.tab.click("button:text-is('Sign in')")
        self.tab.click("text=Add a passkey")
        self.tab.wait_for_selector("text=The passkey is added.")
        self.tab.goto(self.person.address + "/app/trips?month=2026-05")
        self.person.fill(self.tab)
        self.tab.wait_for_selector(".row")

    def leave_and_open_a_trip(self):
        self.tab.evaluate(HIDE, True)
        self.tab.evaluate(HIDE, False)
        self.tab.locator(".row").first.click()
        self.tab.wait_for_selector("text=Re-authenticate to view protected data")

    def test_a_passkey_is_enough_and_the_page_stays(self):
        """D2, D9, D10, D53: the device knows its owner; the screen goes on where it was."""
        self.leave_and_open_a_trip()
        self.tab.evaluate("window.isSamePage = true")
        self.tab.click("text=Use passkey")
        self.tab.wait_for_selector(".secret")
        self.assertTrue(self.tab.evaluate("window.isSamePage"))

    def test_three_failed_passkeys_leave_the_password(self):
        """D55, D74: the server counts as well."""
        self.tools.send("WebAuthn.setUserVerified", {"authenticatorId": self.device, "isUserVerified": False})
        self.leave_and_open_a_trip()
        for number in range(1, 4):
            self.tab.click("text=Use passkey")
            self.tab.wait_for_selector(f"text={number} of 3 tries" if number < 3 else "text=Three passkeys failed")
        self.assertEqual(self.tab.locator("text=Use passkey").count(), 0)
        self.assertEqual(self.tab.locator("text=Use password").count(), 1)


if __name__ == "__main__":
    run()
