"""A real browser before a server, with an authenticator of its own, and a mailer that keeps e-mails in a folder."""

import base64
import glob
import hashlib
import os
import re
import secrets
import socket
import stat
import urllib.parse

from playwright.sync_api import sync_playwright

from served import CLIENT, PASSWORD, Server

PATH = "/usr/bin/chromium"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Page:
    """A tab of a browser, whose authenticator is software and knows its owner."""

    def __init__(self, browser, server, width):
        self.server = server
        self.tab = browser.new_context(viewport={"width": width, "height": 844}).new_page()
        self.tab.set_default_timeout(60_000)
        self.faults = []
        self.tab.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        self._tools = self.tab.context.new_cdp_session(self.tab)
        self._tools.send("WebAuthn.enable")
        self.device = self.add_device()

    def add_device(self):
        return self._tools.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }})["authenticatorId"]

    def passkeys(self):
        return self._tools.send("WebAuthn.getCredentials", {"authenticatorId": self.device})["credentials"]

    def put(self, passkey):
        self._tools.send("WebAuthn.addCredential", {"authenticatorId": self.device, "credential": passkey})

    def forget(self):
        self._tools.send("WebAuthn.clearCredentials", {"authenticatorId": self.device})

    def recognise(self, is_recognised):
        self._tools.send("WebAuthn.setUserVerified", {
            "authenticatorId": self.device, "isUserVerified": is_recognised,
        })

    def open(self, path):
        return self.tab.goto(self.server.address + path)

    def notice(self):
        shown = [each for each in self.tab.query_selector_all(".notice") if each.is_visible()]
        return shown[0].inner_text() if shown else None

    def to_account(self, name, password=PASSWORD):
        self.open("/account")
        self.tab.fill("#username", name)
        self.tab.fill("#password", password)
        self.tab.click("button:text-is('Sign in')")
        self.tab.wait_for_selector("h1")

    def account_with_passkey(self):
        self.open("/account")
        self.tab.click("text=Sign in with a passkey")
        self.tab.wait_for_selector("h2, .notice:not([hidden])", state="attached")

    def to_sign_in(self):
        """Opens the page as an application would, and returns what the application keeps to itself."""
        verifier = secrets.token_urlsafe(48)
        mark = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        self.open("/authorize?" + urllib.parse.urlencode({
            "client_id": CLIENT["client_id"], "redirect_uri": self.server.address + "/api",
            "response_type": "code", "state": "a state", "code_challenge": mark,
            "code_challenge_method": "S256",
        }))
        return verifier

    def with_passkey(self):
        """Signs in by a passkey; the tokens, or None where the page stays."""
        verifier, asked = self.to_sign_in(), []
        note = lambda request: asked.extend(re.findall(r"[?&]code=([^&]+)", request.url))  # noqa: E731
        self.tab.on("request", note)
        self.tab.click("text=Sign in with a passkey")
        # The application's page, or a word on this one.
        self.tab.wait_for_selector("#state, .notice:not([hidden])", state="attached")
        self.tab.wait_for_load_state()
        self.tab.remove_listener("request", note)
        if not asked:
            return None
        answer = self.server.send("/token", {
            "client_id": CLIENT["client_id"], "redirect_uri": self.server.address + "/api",
            "grant_type": "authorization_code", "code": asked[0], "code_verifier": verifier,
        })
        return answer.json if answer.status == 200 else None


class Mailer:
    """A program that takes e-mails and puts them into a folder."""

    def __init__(self, folder):
        self.outbox = os.path.join(folder, "outbox")
        os.makedirs(self.outbox)
        self.path = os.path.join(folder, "mailer")
        with open(self.path, "w") as file:
            file.write(f'#!/bin/sh\ncat >"{self.outbox}/.$$" && mv "{self.outbox}/.$$" "{self.outbox}/$$.eml"\n')
        os.chmod(self.path, stat.S_IRWXU)

    def emails(self, address):
        """The e-mails to somebody, by path, in no order."""
        found = {}
        for path in glob.glob(self.outbox + "/*.eml"):
            with open(path) as file:
                text = file.read()
            if any(line.startswith("To: ") and address in line for line in text.splitlines()):
                found[path] = text
        return list(found.items())

    def email(self, address, server):
        """The e-mail to somebody, taken out; it is written after the answer, so that others are asked for meanwhile."""
        for _ in range(10_000):
            found = self.emails(address)
            if found:
                break
            server.ask("/healthz", name=None)
        [(path, text)] = found
        os.remove(path)
        return text


def local_server(mart, mailer, *options):
    """A server that browsers reach by a name, so that they make passkeys for it; it sends e-mails."""
    port = free_port()
    address = f"http://localhost:{port}"
    server = Server(mart, [
        "--port", str(port), "--host", "localhost", "--issuer", address,
        "--redirect-uri", CLIENT["redirect_uri"], "--mail-command", mailer.path + " -t", "--mail-from", "triptych@agency.test",
        *options,
    ])
    server.address = address
    return server


class Browser:
    """Chromium, until the block is left."""

    def __enter__(self):
        self._playing = sync_playwright().start()
        self._chromium = self._playing.chromium.launch(executable_path=PATH, args=["--no-sandbox"])
        return self

    def __exit__(self, *_):
        self._chromium.close()
        self._playing.stop()

    def page(self, server, width=390):
        """A tab of its own, of somebody who was never here."""
        return Page(self._chromium, server, width)
