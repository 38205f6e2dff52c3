"""Without a network: the program starts and shows the last view with its age, for a day; nothing can be changed.

With a slow one, the last view of a session that is not over is there before anything has been answered.
"""

import time

from application import Case, flat, run

HOUR = 60 * 60_000
# What the device keeps of the numbers, as anybody with the device would find it, and whether the key is handed out.
FOUND = """async () => {
    const read = asked => new Promise(give => { asked.onsuccess = () => give(asked.result); });
    const database = await read(indexedDB.open('triptych'));
    const store = database.transaction('kept').objectStore('kept');
    const [names, values] = [await read(store.getAllKeys()), await read(store.getAll())];
    database.close();
    const key = values[names.indexOf('key')];
    let isGiven = true;
    try { await crypto.subtle.exportKey('raw', key); } catch { isGiven = false; }
    const sealed = values.filter(each => each.sealed).map(each => new TextDecoder().decode(each.sealed));
    return {names, algorithm: key?.algorithm, isGiven, text: sealed.join(' ')};
}"""


class Kept(Case):
    """A browser that has shown the first screen, and kept it."""

    options = {"service_workers": "allow"}

    def setUp(self):
        self.person = self.another("demo", service_workers="allow")
        self.addCleanup(self.person.close)

    def kept(self, path="/app/dashboard?month=2026-05"):
        """A tab whose view and program are kept."""
        tab = self.person.tab()
        tab.clock.install()
        tab.goto(self.person.address + path)
        self.person.fill(tab)
        tab.wait_for_selector(".basis")
        tab.evaluate("async () => { while (!await caches.match('/')) await new Promise(requestAnimationFrame); }")
        while "dashboard" not in tab.evaluate(FOUND)["names"]:
            tab.evaluate("() => new Promise(requestAnimationFrame)")
        return tab


class Offline(Kept):
    def later(self, tab, milliseconds):
        """The same device with the application closed, and opened again without a network."""
        address = tab.url
        tab.close()
        self.person.context.set_offline(True)
        tab = self.person.tab()
        tab.clock.install(time=time.time() + milliseconds / 1000)
        tab.goto(address)
        return tab

    def test_the_last_view_is_there_without_a_network(self):
        """D41, D43, D47, R26: with its age in words, every number as it was, and what needs a network saying so."""
        tab = self.kept()
        before = flat(tab.inner_text(".numbers"))
        tab = self.later(tab, 2 * HOUR)
        tab.wait_for_selector(".banner-offline:has-text('2 h ago')")
        tab.wait_for_selector(".basis")
        self.assertEqual(flat(tab.inner_text(".numbers")), before)
        tab.click(".filter-button")
        tab.wait_for_selector(".toast:has-text('Needs a connection')")
        self.assertEqual(tab.locator("dialog").count(), 0)

    def test_it_is_of_no_use_after_a_day(self):
        """D42: deleted, not hidden."""
        tab = self.later(self.kept(), 25 * HOUR)
        tab.wait_for_selector("text=nothing is kept on this device")
        self.assertNotIn("dashboard", tab.evaluate(FOUND)["names"])

    def test_a_clock_that_went_back_opens_nothing(self):
        """D42, issue, bad cases: a view from the future is no view."""
        tab = self.later(self.kept(), -24 * HOUR)
        tab.wait_for_selector("text=nothing is kept on this device")

    def test_what_is_kept_is_sealed(self):
        """D44, D69: AES-256-GCM under a key that is not handed out, and no number in plain text."""
        tab = self.kept()
        found = tab.evaluate(FOUND)
        self.assertEqual(
            (found["algorithm"]["name"], found["algorithm"]["length"], found["isGiven"]), ("AES-GCM", 256, False)
        )
        self.assertIn("dashboard", found["names"])
        for word in ["in_house", "trips", "region"]:
            self.assertNotIn(word, found["text"])

    def test_it_goes_on_by_itself_when_the_network_is_back(self):
        """R26: without a press."""
        tab = self.kept()
        self.person.context.set_offline(True)
        tab.reload()
        tab.wait_for_selector(".banner-offline")
        self.person.context.set_offline(False)
        tab.clock.run_for(60_000)
        tab.wait_for_selector(".banner-offline", state="detached")
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")

    def test_a_first_start_without_a_network_says_so(self):
        """Issue, bad cases: offline with nothing kept."""
        tab = self.kept()
        tab.click("nav >> text=Settings")
        tab.get_by_label("Keep the last view").uncheck()
        tab.evaluate(
            "async () => { while ((await indexedDB.databases()).length) await new Promise(requestAnimationFrame); }"
        )
        tab = self.later(tab, 0)
        tab.wait_for_selector("text=nothing is kept on this device")

    def test_leaving_without_a_network_is_asked_first(self):
        """R13, R16, R19: it deletes the only view there is; Stay changes nothing."""
        tab = self.kept()
        tab.click("nav >> text=Settings")
        tab.wait_for_selector("h1:has-text('Settings')")
        self.person.context.set_offline(True)
        tab.click("main >> text=Log out")
        tab.wait_for_selector("text=Log out while offline?")
        tab.click("dialog >> text=Stay")
        tab.wait_for_selector("dialog", state="detached")
        self.assertIn("dashboard", tab.evaluate(FOUND)["names"])
        tab.click("main >> text=Log out")
        tab.click("dialog >> button:text-is('Log out')")
        tab.wait_for_selector("text=You are logged out")
        self.assertEqual(tab.evaluate("async () => (await indexedDB.databases()).length"), 0)

    def leave(self, tab):
        """Logs out on the settings, without a network."""
        tab.click("main >> text=Log out")
        tab.click("dialog >> button:text-is('Log out')")
        tab.wait_for_selector("text=You are logged out")

    def test_leaving_without_a_network_is_final(self):
        """D45, D68: the server hears of it first when the network is back, and nothing renews the session."""
        tab, asked = self.kept(), []
        tab.click("nav >> text=Settings")
        tab.wait_for_selector("h1:has-text('Settings')")
        self.person.context.set_offline(True)
        self.leave(tab)
        self.assertEqual(tab.evaluate("localStorage.getItem('triptych-revoke')"), "due")
        tab.on("request", lambda request: asked.append(request.url.removeprefix(self.person.address)))
        with tab.expect_response("**/revoke"):
            self.person.context.set_offline(False)
        tab.wait_for_function("() => localStorage.getItem('triptych-revoke') === null")
        tab.clock.run_for(60_000)
        tab.go_back()
        tab.wait_for_url("**/app/dashboard**")
        tab.clock.run_for(60_000)
        self.assertEqual(tab.locator(".numbers .number").count(), 0)
        self.assertEqual((asked[0], "/token" in asked), ("/revoke", False))
        self.assertEqual(tab.evaluate("localStorage.getItem('triptych-session')"), "none")
        self.assertEqual([each for each in self.person.context.cookies() if "refresh" in each["name"]], [])

    def test_leaving_without_a_network_ends_every_tab(self):
        """Issue, item 6: also a tab that began without a network, and has no token."""
        tab = self.later(self.kept(), 0)
        tab.wait_for_selector(".numbers .number")
        other = self.person.tab()
        other.goto(self.person.address + "/app/settings")
        other.wait_for_selector("h1:has-text('Settings')")
        self.leave(other)
        tab.wait_for_selector("text=You are logged out")
        self.assertEqual(tab.locator(".numbers").count(), 0)


class AtOnce(Kept):
    def opened(self, milliseconds=0):
        """A tab that is opened so much later, whose question for a token waits; the tab, what it showed, and the question."""
        tab, waiting = self.kept("/app/dashboard"), []
        shown = flat(tab.inner_text(".numbers"))
        tab.close()
        tab = self.person.tab()
        tab.clock.install(time=time.time() + milliseconds / 1000)
        tab.route("**/token", lambda route: waiting.append(route))
        tab.goto(self.person.address + "/app/dashboard")
        return tab, shown, waiting

    def answered(self, waiting, **answer):
        for route in waiting:
            route.fulfill(**answer) if answer else route.continue_()

    def test_the_last_view_is_there_before_anything_is_answered(self):
        """D47, D52: all of it, as it was; marked as busy until the answers have come."""
        tab, shown, waiting = self.opened()
        tab.wait_for_selector(".basis")
        self.assertEqual(flat(tab.inner_text(".numbers")), shown)
        self.assertEqual(tab.locator("main .screen[aria-busy]").count(), 1)
        self.answered(waiting)
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
        self.assertEqual(flat(tab.inner_text(".numbers")), shown)
        self.assertEqual(tab.faults, [])

    def test_a_session_that_may_be_over_shows_nothing_before(self):
        """D34, D45: more than ten minutes after its last token, bones stand there until the server has answered."""
        tab, shown, waiting = self.opened(11 * 60_000)
        tab.wait_for_function("() => document.querySelector('.bar-account, .bone')")
        tab.evaluate(
            "async () => { for (let turn = 0; turn < 60; turn += 1) await new Promise(requestAnimationFrame); }"
        )
        self.assertEqual(tab.locator(".numbers .number").count(), 0)
        self.answered(waiting)
        tab.wait_for_selector("main .screen:not([aria-busy]) .basis")

    def test_a_session_that_was_ended_takes_the_view_along(self):
        """D45, D68: ended elsewhere a moment ago: the view goes, and nothing of it is kept."""
        tab, shown, waiting = self.opened()
        tab.wait_for_selector(".number")
        self.answered(waiting, status=400, json={"error": "invalid_grant"})
        tab.wait_for_selector("#username, .welcome")
        self.assertEqual(tab.locator(".numbers").count(), 0)
        tab.wait_for_function("async () => (await indexedDB.databases()).length === 0")

    def test_another_accounts_view_is_not_shown(self):
        """Issue, item 6: who signed in last is who it is kept for."""
        self.kept("/app/dashboard").close()
        self.person.context.add_init_script(
            "localStorage.setItem('triptych-session', localStorage.getItem('triptych-session').replace(/ .*/, ' 999'))"
        )
        tab, waiting = self.person.tab(), []
        tab.route("**/token", lambda route: waiting.append(route))
        tab.goto(self.person.address + "/app/dashboard")
        tab.wait_for_selector("main .skeleton[role=status]")
        tab.evaluate(
            "async () => { for (let turn = 0; turn < 60; turn += 1) await new Promise(requestAnimationFrame); }"
        )
        self.assertEqual(tab.locator(".numbers .number").count(), 0)


if __name__ == "__main__":
    run()
