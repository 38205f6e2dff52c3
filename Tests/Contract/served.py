"""A server over a mart, as its own process."""

import atexit
import base64
import hashlib
import http.client
import json
import os
import re
import secrets
import signal
import ssl
import subprocess
import threading
import urllib.parse


PASSWORD = "a long way to the river"
ISSUER = "https://triptych.test"
# How long a server may take to say that it listens, and to end; both take a second at most.
PATIENCE = 60
CLIENT = {"client_id": "triptych-dashboard", "redirect_uri": ISSUER + "/"}


def certify(folder, name="server"):
    """A certificate for this machine and its key, signed by itself: their paths."""
    paths = [f"{folder}/{name}.{kind}" for kind in ("pem", "key")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
         "-days", "2", "-out", paths[0], "-keyout", paths[1]],
        check=True, capture_output=True,
    )
    os.chmod(paths[1], 0o600)
    return paths


def account(mart, name, *options):
    """Adds an account beside a mart, where it is not there yet."""
    command = ["triptych-server", "user", "add", name, "--mart", mart, *options]
    ending = subprocess.run(command, input=PASSWORD, capture_output=True, text=True, timeout=PATIENCE)
    if ending.returncode != 0 and "already" not in ending.stderr:
        raise RuntimeError(ending.stderr)


def sign_in_fields(name, verifier, password=PASSWORD):
    """What the sign-in page sends."""
    mark = hashlib.sha256(verifier.encode()).digest()
    return {
        **CLIENT, "response_type": "code", "state": "a state",
        "code_challenge": base64.urlsafe_b64encode(mark).decode().rstrip("="),
        "code_challenge_method": "S256", "username": name, "password": password,
    }


class Server:
    """Runs `triptych-server serve` on a free port until the block is left.

    Whoever asks is somebody who may see what may be published, if nothing else is said.
    """

    def __init__(self, mart, options=(), certificate=None, before=None):
        """With a certificate, the paths of it and of its key, it is served over TLS; before is what its process does first."""
        self.mart, self._before = mart, before
        account(mart, "viewer", "--role", "viewer")
        self._tokens = {}
        self._trusted = None
        if certificate is not None:
            self._trusted = ssl.create_default_context(cafile=certificate[0])
            options = ["--certificate", certificate[0], "--certificate-key", certificate[1], *options]
        self._command = [
            "triptych-server", "serve", "--mart", mart, "--port", "0", "--issuer", ISSUER,
            # All tests come from one address.
            "--connections-per-address", "0", "--sign-ins-per-address", "0", *options,
        ]

    def __enter__(self):
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=self._before,
        )
        self.log, self.port, listening = [], None, threading.Event()
        self._said, self._more = [], threading.Condition()

        def hear():
            for line in self._process.stdout:
                with self._more:
                    self._said.append(line)
                    self._more.notify_all()

        def read():
            for line in self._process.stderr:
                self.log.append(line)
                found = re.search(r'port(?:=|": ")(\d+)', line)
                if found:
                    self.port = int(found[1])
                    listening.set()
            listening.set()

        # A test that ends early ends its server as well, and waits for nobody.
        atexit.register(self._process.kill)
        self._reader = threading.Thread(target=read, daemon=True)
        self._hearer = threading.Thread(target=hear, daemon=True)
        for thread in (self._reader, self._hearer):
            thread.start()
        heard = listening.wait(PATIENCE)
        if self.port is None:
            self.kill()
            what = "ended" if heard else f"did not say within {PATIENCE} s where it listens"
            raise RuntimeError(f"the server {what}: " + "".join(self.log))
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def number(self):
        """The number of its process."""
        return self._process.pid

    def said(self, words):
        """What it said to the person who started it, as soon as these words are there."""
        with self._more:
            self._more.wait_for(lambda: words in "".join(self._said), PATIENCE)
            return "".join(self._said)

    def stop(self):
        """Asks the server to end, and waits until it has; returns its status."""
        return self._end(signal.SIGTERM)

    def tell_to_stop(self):
        """Asks the server to end, and waits for nothing."""
        self._process.send_signal(signal.SIGTERM)

    def pause(self, goes_on=False):
        """Stops the server where it is, or lets it go on."""
        self._process.send_signal(signal.SIGCONT if goes_on else signal.SIGSTOP)

    def kill(self):
        """Ends the server without asking."""
        return self._end(signal.SIGKILL)

    def _end(self, by):
        if not self._process.stderr.closed:
            self._process.send_signal(by)
            self._reader.join(PATIENCE)
            if self._reader.is_alive():
                self._process.kill()
                raise RuntimeError(f"the server did not end within {PATIENCE} s: " + "".join(self.log))
            self._hearer.join(PATIENCE)
            self._process.stdout.close()
            self._process.stderr.close()
        atexit.unregister(self._process.kill)
        return self._process.wait(PATIENCE)

    def connection(self):
        """A connection of one's own."""
        if self._trusted is None:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=120, context=self._trusted)

    def ask(self, path, method="GET", headers=None, body=None, name="viewer"):
        """One request on a connection of its own, by somebody who has signed in; by nobody where name is None."""
        headers = dict(headers or {})
        if name is not None:
            headers["Authorization"] = "Bearer " + self.token(name)
        connection = self.connection()
        try:
            connection.request(method, path, body=body, headers=headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def send(self, path, fields, headers=None):
        """A form."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        return self.ask(path, "POST", headers, urllib.parse.urlencode(fields), name=None)

    def token(self, name="viewer"):
        """The access token of somebody; they sign in the first time."""
        if name not in self._tokens:
            self._tokens[name] = self.sign_in(name)["access_token"]
        return self._tokens[name]

    def code(self, name, verifier, password=PASSWORD):
        """The answer to somebody who signs in."""
        return self.send("/authorize", sign_in_fields(name, verifier, password))

    def sign_in(self, name, password=PASSWORD):
        """The tokens of somebody who signs in."""
        verifier = secrets.token_urlsafe(48)
        answer = self.code(name, verifier, password)
        if answer.status != 303:
            raise RuntimeError(f"{name} was not let in: {answer.status}")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["location"]).query)
        return self.send("/token", {
            **CLIENT, "grant_type": "authorization_code", "code": query["code"][0],
            "code_verifier": verifier,
        }).json


class Answer:
    """What came back."""

    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def media_type(self):
        return self.headers.get("content-type")

    @property
    def json(self):
        return json.loads(self.body)
