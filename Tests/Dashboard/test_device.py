"""What differs between devices: density, the edges of the screen, what is kept on them, a clock
that is wrong."""

import struct
import time

from application import Case, flat, run

HOUR = 60 * 60_000
# The names of what the device keeps, and what of it can be read.
FOUND = """async () => {
    const read = asked => new Promise(give => { asked.onsuccess = () => give(asked.result); });
    const database = await read(indexedDB.open('triptych'));
    const store = database.transaction('kept').objectStore('kept');
    const [names, values] = [await read(store.getAllKeys()), await read(store.getAll())];
    database.close();
    return {names, text: values.filter(each => each.sealed).map(each => new TextDecoder().decode(each.sealed)).join(' ')};
}"""
# Waits until a view and the program are kept.
KEPT = """async name => {
    const read = asked => new Promise(give => { asked.onsuccess = () => give(asked.result); });
    for (;;) {
        await new Promise(requestAnimationFrame);
        if (!(await indexedDB.databases()).length || !await caches.match('/')) continue;
        const database = await read(indexedDB.open('triptych'));
        const names = await read(database.transaction('kept').objectStore('kept').getAllKeys());
        database.close();
        if (names.includes(name)) return;
    }
}"""


class Density(Case):
    def test_every_density_shows_the_same(self):
        """D39: from 1 to 4 pixels a point: the same layout, nothing but vectors, and as many pixels
        as the screen has."""
        layouts = set()
        for density in [1, 1.5, 2, 3, 4]:
            account = self.another("demo", device_scale_factor=density, reduced_motion="reduce")
            tab = account.sign_in("/app/dashboard?month=2026-05")
            tab.wait_for_selector(".basis")
            self.assertEqual(tab.evaluate("devicePixelRatio"), density)
            self.assertEqual(tab.locator("img, canvas, picture, video").count(), 0)
            self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 375)
            layouts.add(
                tuple(
                    round(tab.locator(part).first.bounding_box()[side])
                    for part in [".sentence", ".numbers", ".chart", "nav"]
                    for side in ("y", "width", "height")
                )
            )
            width, height = struct.unpack(">II", tab.screenshot()[16:24])
            self.assertAlmostEqual(width, 375 * density, delta=1)
            self.assertAlmostEqual(height, 812 * density, delta=1)
            account.close()
        self.assertEqual(len(layouts), 1, layouts)

    def test_bars_keep_clear_of_the_edges_of_the_screen(self):
        """D28, R29: what the system draws at the top, the bottom and the sides covers no text and
        nothing that is pressed."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        self.assertIn("viewport-fit=cover", tab.locator("meta[name=viewport]").get_attribute("content"))
        tools = self.account.context.new_cdp_session(tab)
        insets = {"top": 47, "bottom": 34, "left": 44, "right": 44}
        tools.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        tab.wait_for_function("() => getComputedStyle(document.querySelector('.tabs')).paddingBottom === '34px'")
        boxes = [each.bounding_box() for each in tab.locator(".tab, .bar > *:visible, .filter-button").all()]
        self.assertGreaterEqual(len(boxes), 5)
        for box in boxes:
            self.assertGreaterEqual(box["y"], 47)
            self.assertLessEqual(box["y"] + box["height"], 812 - 34)
            self.assertGreaterEqual(box["x"], 44)
            self.assertLessEqual(box["x"] + box["width"], 375 - 44)
        # The bars themselves reach the edges.
        self.assertEqual(tab.locator(".bar").bounding_box()["y"], 0)
        tabs = tab.locator(".tabs").bounding_box()
        self.assertEqual(tabs["y"] + tabs["height"], 812)


class Device(Case):
    def person(self):
        account = self.another("demo", service_workers="allow")
        self.addCleanup(account.close)
        return account

    def later(self, person, tab, milliseconds):
        """The same device, opened again without a network."""
        address = tab.url
        tab.close()
        person.context.set_offline(True)
        tab = person.tab()
        tab.clock.install(time=time.time() + milliseconds / 1000)
        tab.goto(address)
        return tab

    def test_the_last_list_is_there_without_a_network_for_a_day(self):
        """D70: the beginning of the list, sealed, of that filter alone; after a day it is
        deleted."""
        person = self.person()
        tab = person.sign_in("/app/trips?month=2026-05")
        tab.wait_for_selector(".row")
        before = [flat(each) for each in tab.locator(".row").all_inner_texts()[:20]]
        tab.evaluate(KEPT, "trips")
        found = tab.evaluate(FOUND)
        for word in ["provider", "ref", before[0].split(" ")[0]]:
            self.assertNotIn(word, found["text"])
        tab = self.later(person, tab, 2 * HOUR)
        tab.wait_for_selector(".row")
        self.assertEqual([flat(each) for each in tab.locator(".row").all_inner_texts()[:20]], before)
        tab.wait_for_selector(".banner-offline:has-text('2 h ago')")
        tab.locator(".row").first.click()
        tab.wait_for_selector(".toast:has-text('Needs a connection')")
        tab.goto(person.address + "/app/trips?month=2026-04")
        tab.wait_for_selector("main [role=alert]:has-text('No connection')")
        tab.goto(person.address + "/app/trips?month=2026-05")
        tab = self.later(person, tab, 25 * HOUR)
        tab.wait_for_selector("text=nothing is kept on this device")
        self.assertNotIn("trips", tab.evaluate(FOUND)["names"])

    def test_settings_stay_on_the_device_and_tell_of_no_patient(self):
        """D72: colours, language, region and what is kept, after a sign-out as well; nothing else
        is in plain text."""
        person = self.person()
        tab = person.sign_in("/app/settings")
        tab.get_by_label("My region").select_option("08")
        tab.get_by_label("Colors").select_option("dark")
        tab.goto(person.address + "/app/trips?month=2026-05")
        tab.locator(".row").first.click()
        tab.wait_for_selector(".secret")
        tab.goto(person.address + "/app/settings")
        kept = tab.evaluate("JSON.parse(localStorage.getItem('triptych-settings'))")
        self.assertEqual((kept["region"], kept["colours"]), ("08", "dark"))
        self.assertLessEqual(set(kept), {"region", "colours", "language", "keepsView", "seen"})
        self.assertLessEqual(set(tab.evaluate("Object.keys(localStorage)")), {"triptych-settings", "triptych-session"})
        tab.click("main >> text=Log out")
        tab.wait_for_selector("text=You are logged out")
        tab = person.sign_in("/app/settings")
        tab.wait_for_selector("#set-region option[value='08']:checked", state="attached")
        self.assertEqual(tab.evaluate("document.documentElement.dataset.colours"), "dark")

    def test_colors_are_those_of_the_device_unless_others_are_chosen(self):
        """D72: the ground behind everything, and what the browser draws itself."""
        tab = self.person().sign_in("/app/settings")
        light, dark = ("rgb(245, 245, 245)", "light"), ("rgb(0, 0, 0)", "dark")
        for device in ["light", "dark"]:
            tab.emulate_media(color_scheme=device)
            for chosen, expected in [("light", light), ("dark", dark), ("auto", dark if device == "dark" else light)]:
                with self.subTest(device=device, chosen=chosen):
                    tab.get_by_label("Colors").select_option(chosen)
                    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
                    # A colour of the system is what fields and bars are drawn with.
                    tab.evaluate("""document.querySelector('main').style.color = 'Canvas'""")
                    drawn = tab.evaluate("getComputedStyle(document.querySelector('main')).color")
                    self.assertEqual(ground, expected[0])
                    self.assertEqual("light" if drawn == "rgb(255, 255, 255)" else "dark", expected[1])

    def test_a_device_that_is_full_shows_everything_and_keeps_nothing(self):
        """Issue, bad cases: writing is refused in the middle of it; the kept view alone is missing."""
        person = self.person()
        person.context.add_init_script("""globalThis.refused = 0;
            const refuse = () => { refused += 1; throw new DOMException('full', 'QuotaExceededError'); };
            IDBObjectStore.prototype.put = refuse;
            Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {apply: (set, store, [name, text]) =>
                store === sessionStorage ? Reflect.apply(set, store, [name, text]) : refuse()});""")
        tab = person.sign_in("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.wait_for_function("() => refused > 0")
        tab.click("text=See the trips")
        tab.locator(".row").first.click()
        tab.wait_for_selector(".secret")
        self.assertEqual(tab.faults, [])
        person.context.set_offline(True)
        tab.go_back()
        tab.wait_for_selector(".row")
        tab.click("nav >> text=About")
        tab.wait_for_selector("h1:has-text('About')")
        self.assertEqual([each for each in tab.faults if "ERR_INTERNET" not in each], [])


class Clock(Case):
    def test_a_clock_that_is_wrong_by_a_day_ends_nothing(self):
        """Issue, bad cases: signed in, the numbers, a trip without a second sign-in, and the view
        that was kept."""
        for days in [1, -1]:
            account = self.another("demo", service_workers="allow")
            self.addCleanup(account.close)
            tab = account.tab()
            tab.clock.install(time=time.time() + days * 86_400)
            tab.goto(account.address + "/app/dashboard?month=2026-05")
            account.fill(tab)
            tab.wait_for_selector(".basis")
            tab.evaluate(KEPT, "dashboard")
            before = flat(tab.inner_text(".numbers"))
            tab.clock.run_for(30_000)
            self.assertEqual(tab.locator(".idle").count(), 0)
            tab.click("text=See the trips")
            tab.locator(".row").first.click()
            tab.wait_for_selector(".secret")
            self.assertEqual(tab.locator("dialog").count(), 0)
            self.assertEqual(tab.faults, [])
            tab.close()
            account.context.set_offline(True)
            tab = account.tab()
            tab.clock.install(time=time.time() + days * 86_400 + 3_600)
            tab.goto(account.address + "/app/dashboard?month=2026-05")
            tab.wait_for_selector(".banner-offline:has-text('1 h ago')")
            self.assertEqual(flat(tab.inner_text(".numbers")), before)

    def test_a_clock_that_jumps_while_the_application_is_open_asks_and_goes_on(self):
        """Issue, bad cases: put right by a day, it shows no number of a session that may be over,
        and a sign-in leads back."""
        account = self.another("demo")
        self.addCleanup(account.close)
        tab = account.tab()
        tab.clock.install(time=time.time() - 86_400)
        tab.goto(account.address + "/app/dashboard?month=2026-05")
        account.fill(tab)
        tab.wait_for_selector(".basis")
        tab.clock.fast_forward(86_400_000)
        tab.wait_for_selector(".welcome, dialog, .idle")
        self.assertTrue(
            tab.locator("text=/Your session (is over|will expire)|Re-authenticate|Locked/").first.is_visible()
        )
        tab.goto(account.address + "/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis, #username, .welcome")
        if tab.locator(".basis").count() == 0:
            account.fill(tab)
        tab.wait_for_selector(".basis")


if __name__ == "__main__":
    run()
