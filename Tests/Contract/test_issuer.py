"""Tokens of another issuer: what they open, and what they do not.

    python test_issuer.py MART FOLDER
"""

import json
import os
import subprocess
import sys
import time
import unittest

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from contract import Contract
from served import PASSWORD, Server, account
from test_identity import text

MART, FOLDER = None, None
MAKER = "https://issuer.test/tenant"


class Issuer:
    """Another server's keys, and the tokens it makes."""

    def __init__(self, path):
        self.path = path
        self.keys = {}
        self.add("first")

    def add(self, name):
        self.keys[name] = ec.generate_private_key(ec.SECP256R1())
        self.publish()

    def remove(self, name):
        del self.keys[name]
        self.publish()

    def entry(self, name):
        point = self.keys[name].public_key().public_numbers()
        return {"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": name,
                "x": text(point.x.to_bytes(32, "big")), "y": text(point.y.to_bytes(32, "big"))}

    def publish(self):
        # Keys of other kinds are there as well, as issuers have them.
        others = [{"kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB"}, {"kty": "EC", "crv": "P-384", "kid": "p384"}]
        self.write(json.dumps({"keys": others + [self.entry(name) for name in self.keys]}))

    def write(self, words):
        with open(self.path + ".new", "w") as file:
            file.write(words)
        os.chmod(self.path + ".new", 0o644)
        os.replace(self.path + ".new", self.path)

    def claims(self, **other):
        now = int(time.time())
        claims = {"iss": MAKER, "aud": ["elsewhere", "triptych"], "sub": "employee", "client_id": "dashboard",
                  "iat": now, "nbf": now, "exp": now + 600, "auth_time": now - 5, "jti": "1", **other}
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, name="first", key=None, header=None, algorithm="ES256", **other):
        head = {"kid": name, "typ": "at+jwt", **(header or {})}
        return jwt.encode(self.claims(**other), key or self.keys[name], algorithm,
                          headers={k: v for k, v in head.items() if v is not None})


class ForeignTokens(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        account(MART, "employee", "--role", "administrator")
        account(MART, "other", "--role", "viewer")
        account(MART, "leaver", "--role", "viewer", "--no-password")
        cls.issuer = Issuer(os.path.join(FOLDER, "issuer.json"))
        cls.server = Server(MART, [
            "--foreign-issuer", MAKER, "--foreign-keys", cls.issuer.path,
        ]).__enter__()
        cls.contract = Contract(cls.server.ask("/openapi.yaml", name=None).body)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def ask(self, token, path="/kpi"):
        return self.server.ask(path, headers={"Authorization": "Bearer " + token}, name=None)

    def asking_until(self, token, status):
        """Asks again until an answer has a status; what another process changes is noticed within seconds."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if self.ask(token).status == status:
                return
        self.fail(f"{status} never came")

    def test_a_token_opens_what_the_account_may_see(self):
        answer = self.ask(self.issuer.token())
        self.assertEqual(answer.status, 200)
        self.assertEqual(self.contract.faults("/kpi", "GET", answer), [])
        self.assertEqual(self.ask(self.issuer.token(), "/trips").status, 200)
        self.assertEqual(self.ask(self.issuer.token(sub="other"), "/trips").status, 403)
        for form in ["triptych", ["triptych"]]:
            self.assertEqual(self.ask(self.issuer.token(aud=form)).status, 200)
        self.assertEqual(self.ask(self.issuer.token(header={"typ": "application/at+jwt"})).status, 200)

    def others(self):
        now = int(time.time())
        issuer, stranger = self.issuer, ec.generate_private_key(ec.SECP256R1())
        yield "another key", issuer.token(key=stranger)
        yield "a key that is not there", issuer.token(key=stranger, header={"kid": "none"})
        yield "no key", issuer.token(header={"kid": None})
        yield "RSA", issuer.token(key=rsa.generate_private_key(65537, 2048), header={"kid": "rsa"}, algorithm="RS256")
        yield "HMAC", issuer.token(key=json.dumps(issuer.entry("first")), algorithm="HS256")
        yield "no signature", jwt.encode(issuer.claims(), None, "none", headers={"kid": "first", "typ": "at+jwt"})
        yield "an identity's token", issuer.token(header={"typ": "JWT"})
        yield "a critical extension", issuer.token(header={"crit": ["x"], "x": 1})
        yield "its own key", issuer.token(header={"jwk": issuer.entry("first")})
        yield "an address of keys", issuer.token(header={"jku": "https://elsewhere.test/"})
        for name, value in [
            ("iss", "https://issuer.test/other"), ("iss", MAKER + "/"), ("iss", None), ("aud", "elsewhere"),
            ("aud", []), ("aud", None), ("sub", "nobody"), ("sub", ""), ("sub", "Employee"), ("sub", None), ("sub", 1),
            ("client_id", None), ("exp", now - 1), ("exp", None), ("exp", now + 3600), ("iat", now + 3600),
            ("iat", None), ("nbf", now + 300), ("auth_time", None), ("auth_time", now + 300), ("auth_time", 0),
            ("auth_time", now - 12 * 3600 - 1), ("auth_time", str(now)), ("exp", 2**70), ("exp", str(now + 600)),
        ]:
            yield f"{name} {value}", issuer.token(**{name: value})

    def test_everything_else_opens_nothing_and_says_the_same(self):
        answers = set()
        for what, token in self.others():
            answer = self.ask(token)
            self.assertEqual(answer.status, 401, what)
            answers.add((answer.body, answer.headers["www-authenticate"]))
        self.assertEqual(len(answers), 1)

    def test_our_own_tokens_are_no_use(self):
        with Server(MART) as other:
            token = other.sign_in("other")["access_token"]
        self.assertEqual(self.ask(token).status, 401)

    def test_nobody_signs_in_here(self):
        for path in ["/authorize", "/account", "/forgotten", "/new-password", "/.well-known/jwks.json"]:
            self.assertEqual(self.server.ask(path, name=None).status, 404)
        for path in ["/authorize", "/token", "/account"]:
            self.assertEqual(self.server.send(path, {"username": "other", "password": PASSWORD}).status, 404)

    def until_said(self, words, change):
        """Changes the file, and asks until the server has said so; the keys before stay in force all the while."""
        before, until = "".join(self.server.log).count(words), time.monotonic() + 30
        change()
        while "".join(self.server.log).count(words) == before:
            self.assertLess(time.monotonic(), until, words)
            self.assertEqual(self.ask(self.issuer.token("second")).status, 200)

    def test_keys_come_and_go_with_their_file(self):
        self.issuer.add("second")
        self.asking_until(self.issuer.token("second"), 200)
        old = self.issuer.token("first")
        self.assertEqual(self.ask(old).status, 200)
        self.issuer.remove("first")
        self.asking_until(old, 401)
        # A file that is none changes nothing, and is said.
        for words in ["", "{}", '{"keys": [{"kty": "RSA"}]}', "[" * 100_000]:
            self.until_said("cannot be read", lambda words=words: self.issuer.write(words))
            self.until_said("were read again", self.issuer.publish)
        # One that has no keys withdraws those before.
        self.issuer.write('{"keys": []}')
        self.asking_until(self.issuer.token("second"), 401)
        self.issuer.publish()
        self.asking_until(self.issuer.token("second"), 200)
        self.issuer.add("first")
        self.asking_until(self.issuer.token("first"), 200)

    def test_a_session_ends_where_it_is_revoked_for_all_its_tokens(self):
        now = int(time.time())
        first = self.issuer.token(auth_time=now - 60)
        self.assertEqual(self.ask(first).status, 200)
        answer = self.server.send("/revoke", {"token": first, "client_id": "elsewhere"})
        self.assertEqual((answer.status, self.ask(first).status), (200, 200))
        answer = self.server.send("/revoke", {"token": first, "client_id": "dashboard"})
        self.assertEqual((answer.status, self.ask(first).status), (200, 401))
        self.assertEqual(self.ask(self.issuer.token(auth_time=now - 60, jti="2")).status, 401)
        self.assertEqual(self.ask(self.issuer.token(auth_time=now - 59)).status, 200)

    def test_who_is_disabled_here_is_out(self):
        token = self.issuer.token(sub="leaver")
        self.assertEqual(self.ask(token).status, 200)
        subprocess.run(["triptych-server", "user", "disable", "leaver", "--mart", MART], check=True, capture_output=True)
        self.asking_until(token, 401)
        self.assertEqual(self.ask(self.issuer.token(sub="leaver", auth_time=int(time.time()))).status, 401)

    def test_what_is_masked_needs_a_young_sign_in(self):
        now = int(time.time())
        trip = self.ask(self.issuer.token(), "/trips?limit=1").json["trips"][0]["ref"]
        fields = "field=patient_id&reason=care_coordination"
        statuses = []
        for age in [301, 60]:
            token = self.issuer.token(auth_time=now - age)
            headers = {"Authorization": "Bearer " + token, "Content-Type": "application/x-www-form-urlencoded"}
            statuses.append(self.server.ask(f"/trip/{trip}/reveal", "POST", headers, fields, name=None).status)
        self.assertEqual(statuses, [401, 200])

    def test_it_is_refused_what_cannot_be(self):
        def checked(*options):
            command = ["triptych-server", "serve", "--check", "--mart", MART, *options]
            return subprocess.run(command, capture_output=True, text=True)
        keys = ["--foreign-keys", self.issuer.path]
        for options in [["--foreign-issuer", MAKER], keys, ["--foreign-issuer", "issuer.test", *keys],
                        ["--foreign-issuer", MAKER, *keys, "--foreign-name-claim", "name"],
                        ["--foreign-issuer", MAKER, "--foreign-keys", "/dev/null"],
                        ["--foreign-issuer", MAKER, "--foreign-keys", "nowhere.json"],
                        ["--foreign-issuer", MAKER, *keys, "--demo"]]:
            ending = checked(*options)
            self.assertEqual(ending.returncode, 78, (options, ending.stderr))
            self.assertTrue(ending.stderr.startswith("triptych-server: "), ending.stderr)
        ending = checked("--foreign-issuer", MAKER, *keys)
        self.assertEqual(ending.returncode, 0, ending.stderr)
        self.assertIn(MAKER, ending.stdout)


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
