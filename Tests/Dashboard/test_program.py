"""The program itself: installed, kept on the device, renewed; its policy; the way it opens, moves and leaves."""

import json

from application import READY, Case, run, still


class Program(Case):
    options = {"service_workers": "allow"}

    def test_it_can_be_installed(self):
        """D8: a manifest with names, colours, icons and where it begins; icons that are there."""
        tab = self.open()
        address = tab.locator("link[rel=manifest]").get_attribute("href")
        manifest = json.loads(tab.evaluate("async address => await (await fetch(address)).text()", address))
        self.assertEqual(
            (manifest["start_url"], manifest["display"], manifest["background_color"]),
            ("/app/dashboard", "standalone", "#003366"),
        )
        for each in manifest["icons"]:
            self.assertEqual(tab.evaluate("async address => (await fetch(address)).status", each["src"]), 200)

    def test_its_policy_holds_and_nothing_breaks_it(self):
        """Issue, item 8: no inline script or style, no eval, Trusted Types; nothing on the console on any screen."""
        account = self.another("demo")
        self.addCleanup(account.close)
        account.context.add_init_script(
            """window.broken = [];
            document.addEventListener('securitypolicyviolation', each => window.broken.push(each.violatedDirective));"""
        )
        tab = account.sign_in("/app/dashboard?month=2026-05")
        policy = tab.evaluate("async () => (await fetch('/')).headers.get('Content-Security-Policy')")
        for part in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "require-trusted-types-for 'script'",
        ]:
            self.assertIn(part, policy)
        for word in ["unsafe-inline", "unsafe-eval", "data:", "*"]:
            self.assertNotIn(word, policy)
        tab.wait_for_selector(".basis")
        tab.click("text=See the trips")
        tab.locator(".row").first.click()
        tab.wait_for_selector(".secret")
        for name in ["Settings", "About", "Dashboard"]:
            tab.click(f"nav >> text={name}")
            tab.wait_for_selector(".row" if name == "Dashboard" else f"h1:text-is('{name}')")
        self.assertEqual(tab.evaluate("window.broken"), [])
        self.assertEqual(tab.faults, [])
        self.assertEqual(tab.evaluate("document.querySelectorAll('[style]').length"), 0)

    def test_an_older_program_gives_way(self):
        """Issue, bad cases: a kept program of before says that there is a newer one, which is there after a reload."""
        account = self.another("demo", service_workers="allow")
        self.addCleanup(account.close)
        tab = account.sign_in()
        tab.evaluate("""async () => {
            while (!await caches.match('/')) await new Promise(requestAnimationFrame);
            const cache = await caches.open('program'), kept = await cache.match('/');
            const old = (await kept.text()).replace(/data-version="[^"]*"/, 'data-version="0000000000"');
            await cache.put('/', new Response(old, {headers: kept.headers}));
        }""")
        tab.reload()
        self.assertEqual(tab.evaluate("document.documentElement.dataset.version"), "0000000000")
        tab.click(".toast >> text=Reload")
        tab.wait_for_function("() => document.documentElement.dataset.version !== '0000000000'")
        tab.wait_for_selector(READY)

    def test_the_name_of_a_screen_moves_into_the_bar(self):
        """R6: in the content at first, in the bar once it is scrolled away."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        self.assertTrue(tab.locator(".brand").is_visible())
        tab.evaluate("scrollTo(0, 900)")
        tab.wait_for_selector(".bar.scrolled")
        self.assertFalse(tab.locator(".brand").is_visible())
        self.assertTrue(tab.locator(".bar-title").is_visible())

    def test_the_last_of_a_screen_is_not_under_the_tabs(self):
        """R29: at the end of the scroll."""
        for path in ["/app/dashboard", "/app/settings", "/app/about"]:
            tab = self.open(path)
            still(tab)
            tab.evaluate("scrollTo(0, 1e6)")
            still(tab)
            bottom = tab.evaluate(
                "Math.max(...[...document.querySelectorAll('main *')].map(each => each.getBoundingClientRect().bottom))"
            )
            self.assertLessEqual(bottom, tab.locator("nav").bounding_box()["y"], path)

    def test_screens_appear_as_their_kind_does(self):
        """D48, D102, R7: tabs fade, what is pushed slides, within 300 ms."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        seen = """() => document.getAnimations().filter(each => each.effect.target.tagName === 'MAIN')
            .map(each => each.effect.getTiming().duration)"""
        tab.click("nav >> text=About")
        tab.wait_for_selector("main.enter-tab")
        tab.click("nav >> text=Dashboard")
        tab.wait_for_selector(".basis")
        tab.click("text=See the trips")
        tab.wait_for_selector("main.enter-push")
        for duration in tab.evaluate(seen):
            self.assertLessEqual(duration, 300)

    def test_the_way_back_leaves_only_when_it_is_meant(self):
        """D26: installed, at the first screen: a word at the first step back, and everything stays."""
        account = self.another("demo")
        self.addCleanup(account.close)
        account.sign_in().close()
        account.context.add_init_script(
            """const matches = window.matchMedia.bind(window);
            window.matchMedia = query => query.includes('standalone') ? {matches: true} : matches(query);"""
        )
        tab = account.open("/app/dashboard")
        tab.wait_for_selector(".basis")
        tab.locator("h1").click()
        tab.evaluate("() => history.back()")
        tab.wait_for_selector(".toast:has-text('Press back again to exit')")
        self.assertTrue(tab.locator(".numbers").is_visible())
        # It holds for three seconds; after that, back is asked again.
        tab.wait_for_function("() => !history.state.exit")

    def test_a_page_that_is_loaded_again_has_nothing_over_it(self):
        """D21: with a sheet open, the reload shows the screen, and the way back is the one before."""
        tab = self.open("/app/about")
        tab.click("nav >> text=Dashboard")
        tab.wait_for_selector(".basis")
        tab.click(".filter-button")
        tab.wait_for_selector("dialog[open]")
        tab.reload()
        tab.wait_for_selector(".basis")
        self.assertEqual(tab.locator("dialog").count(), 0)
        tab.click(".filter-button")
        tab.wait_for_selector("dialog[open]")
        tab.keyboard.press("Escape")
        tab.wait_for_selector("dialog", state="detached")
        self.assertTrue(tab.locator(".numbers").is_visible())

    def test_it_prints_as_a_statement(self):
        """Issue, item 4: numbers and charts without what is pressed."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.emulate_media(media="print")
        self.assertFalse(tab.locator("nav").is_visible())
        self.assertFalse(tab.locator(".filter-button").is_visible())
        for part in [".sentence", ".numbers", ".chart svg >> nth=0", ".ranks-card >> nth=0"]:
            self.assertTrue(tab.locator(part).is_visible(), part)
        self.assertGreater(len(tab.pdf()), 10_000)


if __name__ == "__main__":
    run()
