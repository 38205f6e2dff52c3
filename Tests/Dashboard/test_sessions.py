"""Signing in and out, links into the application, two tabs, and what is left on the device."""

import json
import re
from urllib.parse import urlsplit

from application import PASSWORD, READY, Case, flat, routes, run

LEFT = """async () => ({
    databases: (await indexedDB.databases()).length, caches: (await caches.keys()).length,
    session: Object.keys(sessionStorage).filter(each => each !== 'triptych-greeted'),
    local: Object.keys(localStorage).filter(each => each.startsWith('triptych-')).sort(), cookies: document.cookie})"""

# Sealing waits until the test lets it go on.
SLOW = """
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
    const gate = new Promise(open => { globalThis.goOn = open; });
    crypto.subtle.encrypt = async (...all) => {
        globalThis.isSealing = true;
        await gate;
        const sealed = await encrypt(...all);
        globalThis.isSealed = true;
        return sealed;
    };"""


class Sessions(Case):
    def fresh(self, name="demo"):
        account = self.another(name)
        self.addCleanup(account.close)
        return account

    def test_every_deep_link_asks_who_is_there_and_leads_on(self):
        """D31-D35: each address of the table asks for a sign-in, and for nothing before, and then shows its screen."""
        for route in routes():
            if route["screen"] in ("login", "trip", "runs"):
                continue
            account = self.fresh()
            tab, asked = account.tab(), []
            asks = re.compile(r"^/(kpi|trips?|months|regions|trip-types|me|runs)\b")
            tab.on("request", lambda request: asked.append(urlsplit(request.url).path))
            tab.goto(account.address + route["path"])
            tab.wait_for_selector("#username")
            self.assertEqual([each for each in asked if asks.match(each)], [])
            account.fill(tab)
            self.assertIn(route["path"], tab.url)

    def test_a_link_to_the_login_signs_no_user_out_by_itself(self):
        """D30, C11: it takes a press."""
        account = self.fresh()
        account.sign_in().close()
        tab = account.tab()
        tab.goto(account.address + "/app/login")
        tab.wait_for_selector("text=You are signed in")
        tab.click("text=To the dashboard")
        tab.wait_for_selector(".numbers")

    def test_a_link_with_what_is_not_there_says_so(self):
        """D31, issue, bad cases: an unknown month or region is left out, and the screen says which."""
        tab = self.open("/app/dashboard?month=1999-01")
        tab.wait_for_selector(".toast:has-text('month')")
        self.assertNotIn("1999", flat(tab.inner_text("h1")))
        tab = self.open("/app/dashboard?region=77")
        tab.wait_for_selector(".toast:has-text('region')")
        tab = self.open("/app/nowhere")
        self.assertIn("Nothing is here", tab.inner_text("main"))

    def test_signing_out_leaves_nothing_behind(self):
        """D45, D68: the key, the kept view and the session are gone, and the old token opens nothing."""
        account = self.fresh()
        tab = account.sign_in()
        tab.wait_for_selector(".basis")
        tab.click("nav >> text=Settings")
        tab.wait_for_selector(READY)
        tokens = []
        tab.on("request", lambda request: tokens.append(request.headers.get("authorization")))
        tab.click("nav >> text=Dashboard")
        tab.wait_for_selector(".numbers")
        tab.click("nav >> text=Settings")
        with tab.expect_response("**/revoke"):
            tab.click("button:has-text('Log out')")
        tab.wait_for_selector("text=You are logged out")
        tab.wait_for_function("async () => (await indexedDB.databases()).length === 0")
        left = tab.evaluate(LEFT)
        # Of the settings, which stay, the generation that was shown is one.
        self.assertLessEqual(set(left.pop("local")), {"triptych-session", "triptych-settings"})
        self.assertEqual(left, {"databases": 0, "caches": 0, "session": [], "cookies": ""})
        kept = tab.evaluate("[localStorage.getItem('triptych-session'), localStorage.getItem('triptych-settings')]")
        self.assertEqual(kept[0], "none")
        self.assertLessEqual(set(json.loads(kept[1] or "{}").get("seen", {})), {"account", "generation", "settled"})
        token = [each for each in tokens if each][-1]
        status = tab.evaluate(
            "async token => (await fetch('/months', {headers: {Authorization: token}})).status", token
        )
        self.assertEqual(status, 401)
        self.assertEqual([each for each in account.context.cookies() if "refresh" in each["name"]], [])

    def test_two_tabs_do_not_disagree(self):
        """Issue, item 6: what ends in one ends in the other."""
        account = self.fresh()
        one = account.sign_in()
        other = account.open("/app/dashboard")
        one.click("nav >> text=Settings")
        one.click("button:has-text('Log out')")
        other.wait_for_selector("text=You are logged out")
        self.assertEqual(other.locator(".numbers").count(), 0)

    def test_a_second_account_in_another_tab_stays_signed_in(self):
        """Issue, item 6: the first account's tab ends, and takes nothing of the second's along."""
        account = self.fresh()
        second = account.tab()
        second.goto(account.address + "/app/dashboard")
        second.wait_for_selector("#username")
        first = account.sign_in("/app/dashboard")
        first.wait_for_selector(".basis")
        before = first.evaluate("localStorage.getItem('triptych-session')").split()[1]
        account.name = "demo-viewer"
        account.fill(second)
        first.wait_for_selector("text=You are logged out")
        self.assertEqual(first.locator(".numbers").count(), 0)
        second.wait_for_selector(".numbers .number")
        second.reload()
        second.wait_for_selector(READY)
        second.wait_for_selector(".bar-account:has-text('demo-viewer')")
        self.assertNotEqual(second.evaluate("localStorage.getItem('triptych-session')").split()[1], before)
        second.wait_for_function("async () => (await indexedDB.databases()).length === 1")

    def test_what_was_being_sealed_is_not_kept_after_the_end(self):
        """D45, D68: a view whose sealing was under way when another tab signed out."""
        account = self.fresh()
        account.sign_in().close()
        tab = account.tab()
        tab.add_init_script(SLOW)
        tab.goto(account.address + "/app/dashboard")
        tab.wait_for_function("() => globalThis.isSealing")
        other = account.open("/app/settings")
        other.click("main >> text=Log out")
        tab.wait_for_selector("text=You are logged out")
        tab.wait_for_function("async () => (await indexedDB.databases()).length === 0")
        tab.evaluate(
            """async () => {
            globalThis.goOn();
            for (let turn = 0; turn < 60; turn += 1) await new Promise(requestAnimationFrame); }"""
        )
        self.assertTrue(tab.evaluate("globalThis.isSealed"))
        self.assertEqual(tab.evaluate("async () => (await indexedDB.databases()).length"), 0)

    def test_the_pages_of_the_api_and_the_dashboard_share_a_session(self):
        """Issue, item 6: who is signed in on one is signed in on the other, and signed out on both."""
        account = self.fresh()
        account.sign_in().close()
        api = account.tab()
        api.goto(account.address + "/api")
        api.wait_for_selector("#state:has-text('signed in as demo')")
        dashboard = account.open("/app/dashboard")
        api.click("#sign-out")
        dashboard.wait_for_selector("text=You are logged out")
        api.click("#sign-in")
        api.fill("#username", account.name)
        api.fill("#password", PASSWORD)
        api.click("button:text-is('Sign in')")
        api.wait_for_selector("#state:has-text('signed in as demo')")
        dashboard.goto(account.address + "/app/settings")
        dashboard.wait_for_selector(READY)
        dashboard.click("main >> text=Log out")
        api.wait_for_selector("#state:has-text('logged out')")
        api.reload()
        self.assertTrue(api.is_visible("#sign-in"))

    def test_a_session_that_ended_elsewhere_is_said_at_the_next_question(self):
        """D75, issue, bad cases: a token revoked meanwhile leads to the sign-in, with the reason and the way back."""
        account = self.fresh()
        tab = account.sign_in("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.evaluate(
            """fetch('/revoke', {method: 'POST', body: new URLSearchParams({
            client_id: 'triptych-dashboard', refresh_token_in: 'cookie'})})"""
        )
        tab.click(".rank >> nth=0")
        tab.wait_for_selector("text=Your session is over")
        account.fill(tab)
        self.assertIn("region=", tab.url)

    def test_the_account_page_marks_the_session_of_this_browser(self):
        """Issue, item 11: of all sessions of the account it is the one that ends here."""
        tab, elsewhere = self.fresh().sign_in(), self.fresh().sign_in()
        tab.goto(self.served.address + "/account")
        tab.fill("#username", "demo")
        tab.fill("#password", PASSWORD)
        tab.click("button[type=submit]:visible")
        tab.wait_for_selector("h2:text-is('Where you are signed in')")
        self.assertGreater(tab.locator("td[data-name=Application]").count(), 1)
        here = tab.locator("tr", has_text="(this session)")
        self.assertEqual(here.count(), 1)
        here.get_by_role("button", name="Log out").click()
        tab.wait_for_selector("text=You are logged out there.")
        self.assertEqual(here.count(), 0)
        tab.goto(self.served.address + "/app/settings")
        tab.wait_for_selector("#username, .welcome")
        elsewhere.reload()
        elsewhere.wait_for_selector(READY)

    def test_every_screen_is_two_taps_away(self):
        """D18, D19: from the dashboard, by what can be pressed."""
        found = {}
        for first in [None, "nav >> text=Settings", "nav >> text=About", "text=See the trips", "text=Why did it move?"]:
            tab = self.open()
            tab.wait_for_selector(".basis")
            if first:
                before = tab.url
                tab.click(first)
                tab.wait_for_url(lambda url: url != before)
                tab.wait_for_selector("main.main:not(:has(.basis)) " + READY.removeprefix("main "))
            found.setdefault(tab.evaluate("location.pathname"), first)
            for each in tab.eval_on_selector_all(
                "main a[href^='/app']", "all => all.map(each => each.getAttribute('href'))"
            ):
                found.setdefault(each, first)
            if tab.locator("main button:has-text('Privacy policy')").count():
                found.setdefault("/app/privacy", first)
        for route in routes():
            if route["screen"] in ("login", "runs"):
                continue
            pattern = re.compile("^" + re.sub(r"\{\w+\}", "[^/?]+", route["path"]))
            self.assertTrue(any(pattern.match(each) for each in found), (route["path"], found))

    def test_tabs_keep_their_place_and_the_way_back_is_the_way_one_came(self):
        """D20, D22, D25, R5: a tab shows where one was in it; back leads through the stack; the button above says where to."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.click("text=See the trips")
        tab.wait_for_selector(".row")
        self.assertIn("Dashboard", tab.inner_text(".bar-button"))
        tab.click("nav >> text=About")
        tab.wait_for_selector("h1:has-text('About')")
        tab.click("nav >> text=Dashboard")
        tab.wait_for_selector("h1:has-text('Trips')")
        tab.go_back()
        tab.wait_for_selector("h1:has-text('About')")
        tab.go_back()
        tab.wait_for_selector("h1:has-text('Trips')")
        tab.click(".bar-button")
        tab.wait_for_selector("h1:has-text('May 2026')")


if __name__ == "__main__":
    run()
