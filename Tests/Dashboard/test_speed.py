"""How fast it is with a processor four times slower and a line of the fourth generation: the best of five, since others use the machine.

    python test_speed.py FOLDER

It is part of `make prove`: a busy machine says nothing about the application.
"""

import unittest

from application import PHONE, READY, Case, run

# 9 Mbit/s down, 1.5 Mbit/s up, 60 ms there and back.
LINE = {"offline": False, "latency": 60, "downloadThroughput": 9e6 / 8, "uploadThroughput": 1.5e6 / 8}
TURNS = 5
# Notes when the first number is painted.
SEE = """new MutationObserver((_, observer) => {
    const shown = document.querySelector('.number-value');
    if (!shown || !/\\d/.test(shown.textContent)) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.seenAt = performance.now(); });
}).observe(document, {subtree: true, childList: true});"""
# Notes the longest time from a press to what is painted of it.
PRESS = """window.longest = 0;
new PerformanceObserver(list => { for (const each of list.getEntries()) window.longest = Math.max(window.longest, each.duration); })
    .observe({type: 'event', durationThreshold: 16, buffered: true});"""


class Speed(Case):
    options = {"service_workers": "allow"}

    def slow(self, context, is_cold):
        tab = context.new_page()
        tab.add_init_script(SEE + PRESS)
        tools = context.new_cdp_session(tab)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", LINE)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        if is_cold:
            tools.send("Network.clearBrowserCache")
        return tab

    def seen(self, context, is_cold):
        tab = self.slow(context, is_cold)
        tab.goto(self.served.address + "/app/dashboard")
        tab.wait_for_function("() => window.seenAt")
        found = tab.evaluate("window.seenAt")
        # A tab that is closed before its next token has arrived would lose the session.
        tab.wait_for_selector(READY)
        tab.close()
        return found

    def test_the_first_number_is_there_soon(self):
        """D46: at most 1.5 s with nothing kept."""
        account = self.another("demo")
        self.addCleanup(account.close)
        account.sign_in().close()
        self.assertLessEqual(min(self.seen(account.context, True) for _ in range(TURNS)), 1_500)

    def test_it_is_there_sooner_the_next_time(self):
        """D47: at most 0.8 s with the program kept on the device."""
        account = self.another("demo", service_workers="allow")
        self.addCleanup(account.close)
        tab = account.sign_in()
        tab.evaluate("async () => { while (!await caches.match('/')) await new Promise(requestAnimationFrame); }")
        tab.close()
        self.assertLessEqual(min(self.seen(account.context, False) for _ in range(TURNS)), 800)

    def test_a_press_is_answered_at_once(self):
        """Issue, item 8; D48: at most 100 ms from a press to what is painted of it."""
        found = []
        for _ in range(TURNS):
            tab = self.slow(self.account.context, False)
            tab.set_viewport_size(PHONE)
            tab.goto(self.served.address + "/app/dashboard?month=2026-05")
            tab.wait_for_selector("main .screen:not([aria-busy]) .basis")
            tab.wait_for_timeout(500)
            tab.evaluate("window.longest = 0")
            tab.click(".filter-button")
            tab.keyboard.press("Escape")
            tab.locator(".chart-card").first.get_by_role("button", name="Earlier month").click()
            tab.click(".number >> nth=0")
            tab.keyboard.press("Escape")
            tab.wait_for_timeout(500)
            found.append(tab.evaluate("window.longest"))
            tab.close()
        self.assertLessEqual(min(found), 100, found)


if __name__ == "__main__":
    run()
