"""The dashboard in a real browser before a real server: who is signed in, clocks that are moved, networks that are cut.

Tests are run by `python test_THEME.py FOLDER`. FOLDER/mart is a published mart of generated trips; where it is
missing, it is made of the exports in FOLDER/in. With DASHBOARD_ADDRESS, the application that is already served there
is used instead, and FOLDER may be left out. The trips are those of
`triptych generate --trips 260000 --months 25 --seed 18 --layout mixed --faults`.
"""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import unittest

from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = os.path.join(ROOT, "Sources/TripServer/Dashboard")
CHROMIUM = "/usr/bin/chromium"
PASSWORD = "synthetic trips only"
PHONE = {"width": 375, "height": 812}
# How long anything may take before a test gives up.
PATIENCE = 30_000
# A screen that has everything it asked for.
READY = "main .screen:not([aria-busy])"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Served:
    """The application: served where the environment says, else by a server of its own."""

    def __init__(self):
        self.address = os.environ.get("DASHBOARD_ADDRESS")
        self._process = None
        if self.address is None:
            self._start(sys.argv[-1])

    def _start(self, folder, options=("--demo",)):
        mart = folder + "/mart"
        if not os.path.exists(mart):
            published = subprocess.run(
                [
                    "triptych",
                    "run",
                    ROOT + "/pipelines/ambulance",
                    "--mart",
                    mart,
                    "--input",
                    folder + "/in",
                    "--reference",
                    folder + "/in/reference",
                ],
                capture_output=True,
                text=True,
            )
            assert published.returncode in (0, 10), published.stderr
        port = free_port()
        self.address = f"http://localhost:{port}"
        self._process = subprocess.Popen(
            [
                "triptych-server",
                "serve",
                *options,
                "--mart",
                mart,
                "--host",
                "localhost",
                "--port",
                str(port),
                "--issuer",
                self.address,
                "--connections-per-address",
                "0",
                "--sign-ins-per-address",
                "0",
            ],
            stderr=subprocess.PIPE,
            text=True,
        )
        heard, lines = threading.Event(), []

        def read():
            for line in self._process.stderr:
                lines.append(line)
                if "listening" in line:
                    heard.set()
            heard.set()

        threading.Thread(target=read, daemon=True).start()
        heard.wait(60)
        assert self._process.poll() is None, "".join(lines)

    def stop(self):
        if self._process:
            self._process.terminate()
            self._process.wait(60)


class Account:
    """A browser in which one account is signed in; each page of it is a tab."""

    def __init__(self, chromium, address, name, settings=None, **options):
        self.address, self.name = address, name
        options = {
            "viewport": PHONE,
            "locale": "en-US",
            "timezone_id": "America/New_York",
            "service_workers": "block",
            **options,
        }
        self.context = chromium.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        if settings:
            self.context.add_init_script(f"localStorage.setItem('triptych-settings', '{json.dumps(settings)}')")

    def sign_in(self, path="/"):
        """Opens a path as a user who is not signed in, and signs in on the server's page; the tab, once it is back."""
        tab = self.tab()
        tab.goto(self.address + path)
        self.fill(tab)
        return tab

    def fill(self, tab):
        """Fills in the server's page; the application's own screen before it is passed."""
        tab.wait_for_selector("#username, .welcome")
        if not tab.query_selector("#username"):
            tab.click(".welcome button")
        tab.fill("#username", self.name)
        tab.fill("#password", PASSWORD)
        tab.click("button:text-is('Sign in')")
        tab.wait_for_selector(READY)

    def tab(self):
        """A tab; what its console says of faults is kept."""
        tab = self.context.new_page()
        tab.faults = []
        tab.on("console", lambda line: tab.faults.append(line.text) if line.type == "error" else None)
        tab.on("pageerror", lambda fault: tab.faults.append(str(fault)))
        return tab

    def open(self, path):
        """A tab that shows a path, where a user is signed in."""
        tab = self.tab()
        tab.goto(self.address + path)
        tab.wait_for_selector(READY)
        return tab

    def close(self):
        self.context.close()


class Case(unittest.TestCase):
    """Tests of one theme; the account of the class is signed in once, and each test has a tab of its own."""

    account_name = "demo"
    options = {}

    @classmethod
    def setUpClass(cls):
        cls.served = cls.serve()
        cls.playing = sync_playwright().start()
        cls.chromium = cls.playing.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        cls.addClassCleanup(cls._end)
        cls.account = cls.another(cls.account_name, **cls.options)
        cls.account.sign_in().close()

    @classmethod
    def serve(cls):
        """What its tests look at."""
        return Served()

    @classmethod
    def _end(cls):
        cls.chromium.close()
        cls.playing.stop()
        cls.served.stop()

    @classmethod
    def another(cls, name, **options):
        """A browser of its own for an account, not signed in yet."""
        return Account(cls.chromium, cls.served.address, name, **options)

    def open(self, path="/", account=None):
        tab = (account or self.account).open(path)
        self.addCleanup(tab.close)
        return tab

    def json(self, tab, path):
        """What the API answers the account of a tab, asked beside the application."""
        token = tab.evaluate("""async () => (await (await fetch('/token', {method: 'POST', body: new URLSearchParams({
            grant_type: 'refresh_token', client_id: 'triptych-dashboard', refresh_token_in: 'cookie'
            })})).json()).access_token""")
        return tab.evaluate(
            """async ([path, token]) => await (await fetch(path, {headers: {Authorization: 'Bearer ' + token}})).json()""",
            [path, token],
        )


def still(tab):
    """Waits until nothing moves into its place any more, and what was asked of the browser is drawn."""
    tab.wait_for_function(
        """() => document.getAnimations().every(each => each.playState !== 'running'
            || each.effect.getTiming().iterations === Infinity)"""
    )
    tab.evaluate("() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))")


def flat(text):
    """A text with plain blanks, as it is read."""
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


def routes():
    """The table of routes, which the application reads as well."""
    with open(HOME + "/routes.json", encoding="utf-8") as file:
        return json.load(file)


def run():
    """Runs the tests of a file."""
    if "DASHBOARD_ADDRESS" not in os.environ and len(sys.argv) < 2:
        sys.exit(__doc__)
    arguments = [each for each in sys.argv[1:] if not os.path.isdir(each)]
    unittest.main(module="__main__", argv=[sys.argv[0], *arguments])
