"""Who is let in, and by which tokens: every way around it that is known of is tried.

    python test_identity.py MART
"""

import base64
import concurrent.futures
import glob
import hashlib
import hmac
import json
import re
import secrets
import sqlite3
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from contract import Contract
from served import CLIENT, ISSUER, PASSWORD, Server, account

MART = None


def text(value):
    """Bytes or a value of JSON as base64url."""
    if not isinstance(value, bytes):
        value = json.dumps(value).encode()
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def octets(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class Forger:
    """Makes tokens with the server's own key, and with others."""

    def __init__(self, token):
        self.token = token
        self.header, self.claims = [json.loads(octets(part)) for part in token.split(".")[:2]]
        path = next(iter(glob.glob(f"{MART}.identity/signing-keys/*-{self.header['kid']}.pem")))
        with open(path, "rb") as file:
            self.key = serialization.load_pem_private_key(file.read(), None)

    def signed(self, header, claims, key=None):
        """ES256 over any header and claims, written out by hand: libraries refuse to make the worse ones."""
        parts = text(header) + "." + text(claims)
        signature = (key or self.key).sign(parts.encode(), ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(signature)
        return parts + "." + text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def saying(self, **claims):
        """The token with other claims; None takes one away."""
        merged = {k: v for k, v in {**self.claims, **claims}.items() if v is not None}
        return self.signed(self.header, merged)

    def headed(self, **fields):
        """The token with another header; None takes a field away."""
        merged = {k: v for k, v in {**self.header, **fields}.items() if v is not None}
        return self.signed(merged, self.claims)

    def hashed(self, secret):
        """HS256 with something that everybody has."""
        parts = text({**self.header, "alg": "HS256"}) + "." + text(self.claims)
        return parts + "." + text(hmac.new(secret, parts.encode(), hashlib.sha256).digest())

    def others(self, sid):
        """Every token that must open nothing, by what is wrong with it."""
        head, body, signature = self.token.split(".")
        now, other = int(time.time()), ec.generate_private_key(ec.SECP256R1())
        public = self.key.public_key()
        point = public.public_numbers()
        jwk = {"kty": "EC", "crv": "P-256", "x": text(point.x.to_bytes(32, "big")),
               "y": text(point.y.to_bytes(32, "big"))}
        mine = other.public_key().public_numbers()
        own_jwk = {**jwk, "x": text(mine.x.to_bytes(32, "big")), "y": text(mine.y.to_bytes(32, "big"))}
        pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        raw = octets(signature)
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        rsa_key = rsa.generate_private_key(65537, 2048)
        none = text({**self.header, "alg": "none"}) + "." + body
        yield "no algorithm", none + "."
        yield "no algorithm, in capitals", text({**self.header, "alg": "NONE"}) + "." + body + "."
        yield "no algorithm, with a signature", none + "." + signature
        yield "HMAC with the public key", self.hashed(pem)
        yield "HMAC with the JWK", self.hashed(json.dumps(jwk).encode())
        yield "HMAC with nothing", self.hashed(b"")
        yield "another key under our id", self.signed(self.header, self.claims, other)
        yield "another key under its own id", self.signed({**self.header, "kid": "other"}, self.claims, other)
        yield "no key id", self.headed(kid=None)
        yield "an empty key id", self.headed(kid="")
        yield "a path for a key id", self.headed(kid="../secret")
        yield "SQL for a key id", self.headed(kid="' OR 1=1 --")
        # A number beyond a library's integers ended the program once.
        for number in ["1", "1e19", "-1e19", "9223372036854775808", "1e400"]:
            kid = self.header["kid"]
            for header in ['{"alg":"ES256","typ":"at+jwt","kid":%s}' % number,
                           '{"alg":"ES256","typ":"at+jwt","kid":"%s","n":%s}' % (kid, number),
                           '{"alg":%s,"typ":"at+jwt","kid":"%s"}' % (number, kid)]:
                yield f"{number} in {header}", f"{text(header.encode())}.e30." + "A" * 86
        yield "RSA", jwt.encode(self.claims, rsa_key, "RS256", headers={"kid": self.header["kid"], "typ": "at+jwt"})
        yield "ES384", jwt.encode(self.claims, ec.generate_private_key(ec.SECP384R1()), "ES384",
                                  headers={"kid": self.header["kid"], "typ": "at+jwt"})
        yield "ES256 said to be ES384", self.headed(alg="ES384")
        yield "algorithm in small letters", self.headed(alg="es256")
        yield "the type of any token", self.headed(typ="JWT")
        yield "the type of an identity", self.headed(typ="id_token+jwt")
        yield "no type", self.headed(typ=None)
        yield "a critical extension", self.headed(crit=["exp"])
        yield "a key in the header", self.headed(jwk=jwk)
        yield "a key of its own in the header", self.signed({**self.header, "jwk": own_jwk}, self.claims, other)
        yield "an address for keys", self.headed(jku="https://elsewhere.test/jwks.json")
        yield "a certificate in the header", self.headed(x5c=["MIIB"])
        yield "an address for a certificate", self.headed(x5u="https://elsewhere.test/")
        yield "an unencoded payload", self.headed(b64=False)
        yield "a compressed payload", self.headed(zip="DEF")
        twice = '{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"%s"}' % self.header["kid"]
        yield "an algorithm twice", self.signed(twice.encode(), self.claims)
        yield "a list for a header", self.signed(["alg", "ES256"], self.claims)
        yield "expired", self.saying(exp=now - 1, iat=now - 600, nbf=now - 600)
        yield "never expires", self.saying(exp=None)
        yield "expires in a year", self.saying(exp=now + 365 * 86400)
        yield "expires as text", self.saying(exp=str(now + 600))
        yield "expires at infinity", self.signed(self.header, json.dumps({**self.claims, "exp": 1e999}).encode())
        yield "expires beyond 64 bits", self.saying(exp=2**70)
        yield "expires before it begins", self.saying(exp=-(2**62), iat=2**62)
        yield "not yet good", self.saying(nbf=now + 300)
        yield "made in the future", self.saying(iat=now + 300, nbf=now, exp=now + 600)
        yield "no beginning", self.saying(nbf=None)
        yield "no time of making", self.saying(iat=None)
        yield "another issuer", self.saying(iss="https://elsewhere.test")
        yield "the issuer with a slash", self.saying(iss=ISSUER + "/")
        yield "no issuer", self.saying(iss=None)
        yield "another audience", self.saying(aud="elsewhere")
        yield "many audiences", self.saying(aud=["triptych", "elsewhere"])
        yield "no audience", self.saying(aud=None)
        yield "somebody else", self.saying(sub="1000000")
        yield "nobody", self.saying(sub=None)
        yield "a number for somebody", self.saying(sub=1)
        yield "another client", self.saying(client_id="elsewhere")
        yield "no client", self.saying(client_id=None)
        yield "a session that there is not", self.saying(sid=secrets.token_urlsafe(16))
        yield "the session of somebody else", self.saying(sid=sid)
        yield "no session", self.saying(sid=None)
        yield "claims that are no object", self.signed(self.header, ["sub"])
        yield "claims that are no JSON", self.signed(self.header, b"\xff\xfe")
        yield "no signature", f"{head}.{body}."
        yield "zeros for a signature", f"{head}.{body}.{text(bytes(64))}"
        yield "a signature in DER", f"{head}.{body}.{text(der)}"
        yield "a signature cut short", f"{head}.{body}.{text(raw[:63])}"
        yield "a signature and more", f"{head}.{body}.{text(raw + b'0')}"
        for place in [0, 31, 32, 63]:
            flipped = bytearray(raw)
            flipped[place] ^= 1
            yield f"bit of byte {place} of the signature", f"{head}.{body}.{text(bytes(flipped))}"
        yield "claims of another token", f"{head}.{text({**self.claims, 'sub': '2'})}.{signature}"
        yield "padding", f"{head}.{body}.{signature}=="
        last = signature[-1]
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        twin = alphabet[alphabet.index(last) ^ 1]
        yield "another text of the same signature", f"{head}.{body}.{signature[:-1]}{twin}"
        yield "two parts", f"{head}.{body}"
        yield "four parts", f"{self.token}.{signature}"
        yield "five parts", ".".join([head, "", "", body, signature])
        yield "nothing but points", ".."
        yield "six thousand letters", "A" * 6000
        yield "no token at all", "token"


class TokenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        account(MART, "reader", "--role", "administrator")
        cls.server = Server(MART)
        cls.server.__enter__()
        cls.contract = Contract(cls.server.ask("/openapi.yaml", name=None).body.decode())
        cls.forger = Forger(cls.server.token("viewer"))

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def asked(self, authorization, path="/kpi"):
        headers = {} if authorization is None else {"Authorization": authorization}
        return self.server.ask(path, headers=headers, name=None)

    def refused(self, name, answer):
        self.assertEqual(answer.status, 401, name)
        self.assertTrue(answer.headers["www-authenticate"].startswith("Bearer "), name)
        self.assertEqual(self.contract.faults("/kpi", "GET", answer), [], name)
        return answer.body

    def test_what_is_forged_rightly_is_taken(self):
        """The forger can sign: what it is refused for is what is wrong with each."""
        now = int(time.time())
        for token in [self.forger.token, self.forger.saying(), self.forger.headed(), self.forger.headed(typ="AT+JWT"),
                      self.forger.saying(iat=now, nbf=now, exp=now + 600), self.forger.saying(extra=1)]:
            self.assertEqual(self.asked("Bearer " + token).status, 200)
        self.assertEqual(self.asked("bEaReR " + self.forger.token).status, 200)

    def test_no_other_token_is(self):
        """D75, D81: what is forged, damaged or expired gets the same 401."""
        sid = Forger(self.server.token("reader")).claims["sid"]
        cases = dict(self.forger.others(sid))
        self.assertGreaterEqual(len(cases), 70)
        said = {self.refused(name, self.asked("Bearer " + token)) for name, token in cases.items()}
        # Why is nobody's business.
        self.assertEqual(len(said), 1)
        self.assertEqual(self.asked("Bearer " + self.forger.token).status, 200)

    def test_nothing_else_is_a_token(self):
        tokens = self.server.sign_in("viewer")
        self.refused("nothing", self.asked(None))
        for value in ["", "Bearer", "Bearer ", "Bearer  " + self.forger.token, self.forger.token,
                      "Basic dmlld2VyOnZpZXdlcg==", "Basic " + self.forger.token, "DPoP " + self.forger.token,
                      "Bearer " + self.forger.token + ", Bearer x", "Bearer " + tokens["refresh_token"],
                      "Bearer " + self.forger.token + " x", "Bearer\t" + self.forger.token]:
            self.refused(value[:20], self.asked(value))
        self.refused("query", self.asked(None, "/kpi?access_token=" + self.forger.token))
        connection = self.server.connection()
        connection.putrequest("GET", "/kpi")
        for _ in range(2):
            connection.putheader("Authorization", "Bearer " + self.forger.token)
        connection.endheaders()
        self.assertEqual(connection.getresponse().status, 401)
        connection.close()

    def test_every_path_but_the_open_ones_wants_one(self):
        """D34, D75, D81: on each request."""
        open_paths = {"/", "/api", "/api/{page}", "/metrics", "/healthz", "/readyz", "/openapi.yaml", "/authorize", "/account",
                      "/forgotten", "/new-password", "/token", "/revoke",
                      "/.well-known/jwks.json", "/.well-known/oauth-authorization-server"}
        count = 0
        for path, method in self.contract.operations():
            if path not in open_paths:
                answer = self.server.ask(path.replace("{id}", "x"), method, name=None)
                self.assertEqual(answer.status, 401, path)
                self.assertEqual(self.contract.faults(path, method, answer), [])
                count += 1
        self.assertGreaterEqual(count, 6)

    def test_every_operation_is_for_the_roles_it_is_for(self):
        numbers = {"viewer", "analyst", "administrator", "privacy_officer"}
        allowed = {
            "/kpi": numbers, "/kpi/trends": numbers, "/kpi/why": numbers, "/kpi/changes": numbers, "/months": numbers, "/trip-types": numbers, "/regions": numbers,
            "/trips": {"analyst", "administrator"}, "/trip/{id}": {"analyst", "administrator"},
            "/trip/{id}/reveal": {"analyst", "administrator"},
            "/plans": {"analyst"}, "/runs": {"analyst"}, "/runs/{id}": {"analyst"}, "/runs/{id}/cancel": {"analyst"},
        }
        for role in numbers:
            account(self.server.mart, "matrix-" + role.replace("_", "-"), "--role", role)
        asked = [each for each in self.contract.operations(but=["sign-in", "account", "operation"])]
        # A route that somebody adds has its line here.
        self.assertEqual({path for path, _ in asked}, set(allowed))
        for path, method in asked:
            for role in numbers:
                form = {"Content-Type": "application/x-www-form-urlencoded", "Idempotency-Key": "matrix"} if method == "POST" else {}
                body = "field=cost&reason=billing" if path.endswith("reveal") else None
                answer = self.server.ask(
                    path.replace("{id}", "x"), method, form, body=body, name="matrix-" + role.replace("_", "-"))
                self.assertEqual(answer.status != 403, role in allowed[path], f"{role}: {method} {path} {answer.status}")
                self.assertEqual(self.contract.faults(path, method, answer), [])

    def test_the_keys_verify_our_tokens_elsewhere(self):
        keys = jwt.PyJWKSet.from_dict(self.server.ask("/.well-known/jwks.json", name=None).json)
        claims = jwt.decode(self.forger.token, keys[self.forger.header["kid"]].key, ["ES256"],
                            audience="triptych", issuer=ISSUER)
        self.assertEqual(claims["exp"] - claims["iat"], 600)
        self.assertEqual(self.forger.header["typ"], "at+jwt")

    def test_a_new_key_is_taken_up_and_old_tokens_stay_good(self):
        subprocess.run(["triptych-server", "key", "rotate", "--mart", MART], check=True, capture_output=True)
        end = time.monotonic() + 30
        while Forger(self.server.sign_in("viewer")["access_token"]).header["kid"] == self.forger.header["kid"]:
            self.assertLess(time.monotonic(), end)
        self.assertEqual(self.asked("Bearer " + self.forger.token).status, 200)

    def test_disabling_an_account_closes_it_within_seconds(self):
        account(MART, "leaver", "--role", "viewer")
        subprocess.run(["triptych-server", "user", "enable", "leaver", "--mart", MART], check=True, capture_output=True)
        tokens = self.server.sign_in("leaver")
        asked = lambda: self.asked("Bearer " + tokens["access_token"]).status
        self.assertEqual(asked(), 200)
        subprocess.run(["triptych-server", "user", "disable", "leaver", "--mart", MART], check=True, capture_output=True)
        end = time.monotonic() + 60
        while asked() == 200:
            self.assertLess(time.monotonic(), end)
        answer = self.server.send("/token", {**CLIENT, "grant_type": "refresh_token",
                                             "refresh_token": tokens["refresh_token"]})
        self.assertEqual((answer.status, answer.json), (400, {"error": "invalid_grant"}))


class SignInTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(MART)
        cls.server.__enter__()
        cls.contract = Contract(cls.server.ask("/openapi.yaml", name=None).body.decode())

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def question(self, **other):
        fields = {**CLIENT, "response_type": "code", "state": "s<>&\"' +%", "code_challenge": "A" * 43,
                  "code_challenge_method": "S256", **other}
        return {name: value for name, value in fields.items() if value is not None}

    def page(self, **other):
        return self.server.ask("/authorize?" + urllib.parse.urlencode(self.question(**other)), name=None)

    def test_the_page_shows_what_came_from_outside_as_text_alone(self):
        answer = self.page(state="\"><script>alert(1)</script>{{username}}")
        self.assertEqual(answer.status, 200)
        self.assertNotIn(b"<script>alert", answer.body)
        self.assertIn(b"&lt;script", answer.body)
        # One script, and the policy lets no other run.
        scripts = re.findall(rb"<script>(.*?)</script>", answer.body, re.S)
        self.assertEqual((len(scripts), answer.body.count(b"<script")), (1, 1))
        mark = base64.b64encode(hashlib.sha256(scripts[0]).digest()).decode()
        self.assertIn(f"script-src 'sha256-{mark}'", answer.headers["content-security-policy"].split("; "))
        self.assertEqual(answer.headers["cache-control"], "no-store")
        policy = answer.headers["content-security-policy"]
        for words in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self' " + ISSUER]:
            self.assertIn(words, policy)
        # What was typed comes back as text as well.
        for accent in ["", "\u0600", "\u0301", "\u200d"]:
            name = accent.join("\"><img src=x>") + accent
            answer = self.server.send("/authorize", self.question(username=name, password="x"))
            self.assertEqual(answer.status, 403)
            self.assertNotIn(b"<img", answer.body)
            if accent:
                self.assertNotIn((accent + "<" + accent + "i").encode(), answer.body)

    def test_nobody_is_sent_to_an_address_that_is_not_known(self):
        for address in [None, "", ISSUER, ISSUER + "/x", ISSUER + "/api/", ISSUER + "/?", ISSUER + "/#", "https://elsewhere.test/",
                        ISSUER + "@elsewhere.test/", "HTTPS://triptych.test/", "javascript:alert(1)"]:
            answer = self.page(redirect_uri=address)
            self.assertEqual((answer.status, answer.headers.get("location")), (400, None), address)
        for client in [None, "", "elsewhere", "triptych-dashboard "]:
            self.assertEqual(self.page(client_id=client).status, 400)

    def test_codes_go_to_the_dashboard_and_to_the_pages_of_the_contract(self):
        for address in [ISSUER + "/", ISSUER + "/api"]:
            answer = self.page(redirect_uri=address)
            self.assertEqual(answer.status, 200, address)

    def test_what_is_not_asked_for_rightly_goes_back_as_an_error(self):
        cases = [("invalid_request", {"code_challenge": None}), ("invalid_request", {"code_challenge": "A" * 42}),
                 ("invalid_request", {"code_challenge_method": "plain"}),
                 ("invalid_request", {"code_challenge_method": None}),
                 ("unsupported_response_type", {"response_type": "token"}),
                 ("unsupported_response_type", {"response_type": "code token"}),
                 ("invalid_request", {"response_type": None})]
        # Letters beyond ASCII are none of a state's (RFC 6749, A.5).
        answer = self.page(state="\u0600\"")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["location"]).query)
        self.assertEqual((answer.status, query["error"], query["state"]), (303, ["invalid_request"], ["\u0600\""]))
        for error, other in cases:
            answer = self.page(**other)
            self.assertEqual(answer.status, 303)
            parts = urllib.parse.urlsplit(answer.headers["location"])
            query = urllib.parse.parse_qs(parts.query, strict_parsing=True)
            self.assertEqual(query, {"error": [error], "state": ["s<>&\"' +%"], "iss": [ISSUER]})

    def test_a_code_goes_back_with_state_and_issuer(self):
        """C12: the built-in authorization server gives codes on its own page."""
        answer = self.server.code("viewer", secrets.token_urlsafe(48))
        self.assertEqual(answer.status, 303)
        self.assertTrue(answer.headers["location"].startswith(ISSUER + "/?code="))
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["location"]).query)
        self.assertEqual((query["state"], query["iss"]), (["a state"], [ISSUER]))

    def test_a_page_may_have_its_refresh_token_in_a_cookie(self):
        """D76: a page keeps no refresh token that a script could read."""
        name, verifier = "__Host-triptych-refresh", secrets.token_urlsafe(48)
        answer = self.server.code("viewer", verifier)
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["location"]).query)["code"][0]
        page = {"refresh_token_in": "cookie", "client_id": CLIENT["client_id"]}
        answer = self.server.send("/token", {**CLIENT, **page, "grant_type": "authorization_code", "code": code, "code_verifier": verifier})
        self.assertEqual(self.contract.faults("/token", "POST", answer), [])
        self.assertNotIn("refresh_token", answer.json)
        access = answer.json["access_token"]

        def kept(answer):
            first, *rest = answer.headers["set-cookie"].split("; ")
            self.assertEqual(rest, ["Path=/", rest[1], "Secure", "HttpOnly", "SameSite=Strict"])
            return first

        cookie = kept(answer)
        self.assertTrue(cookie.startswith(name + "=") and len(cookie) > len(name) + 20)
        fields = {**page, "grant_type": "refresh_token"}
        # Another site's request goes along with it, and gets nothing; neither does one without it, nor a form's own token.
        for headers in [{"Origin": "https://elsewhere.test"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]:
            self.assertEqual(self.server.send("/token", fields, {"Cookie": cookie, **headers}).status, 403)
        for headers in [{}, {"Cookie": name + "="}, {"Cookie": "other" + cookie}]:
            answer = self.server.send("/token", {**fields, "refresh_token": cookie.split("=", 1)[1]}, headers)
            self.assertEqual((answer.status, answer.json), (400, {"error": "invalid_request"}))
        answer = self.server.send("/token", fields, {"Cookie": f"a=b; {cookie}; c=d", "Origin": ISSUER})
        self.assertEqual(answer.status, 200)
        following = kept(answer)
        self.assertNotEqual(following, cookie)
        # The account's page marks the session of this browser, and no other; the token goes on.
        form = {"username": "viewer", "password": PASSWORD}
        for cookie, count in [(following, 1), (name + "=", 0), (f"{name}=x", 0), (None, 0)]:
            answer = self.server.send("/account", form, {"Cookie": cookie} if cookie else {})
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.body.count(b"(this session)"), count, cookie)
        # At its end it is taken back.
        answer = self.server.send("/revoke", page, {"Cookie": following})
        self.assertEqual((answer.status, kept(answer)), (200, name + "="))
        answer = self.server.send("/token", fields, {"Cookie": following})
        self.assertEqual((answer.status, answer.json, kept(answer)), (400, {"error": "invalid_grant"}, name + "="))
        self.assertEqual(self.server.ask("/kpi", headers={"Authorization": "Bearer " + access}, name=None).status, 401)

    def test_forms_of_other_sites_sign_nobody_in(self):
        for site in ["cross-site", "same-site", "none"]:
            fields = self.question(username="viewer", password=PASSWORD)
            answer = self.server.send("/authorize", fields, {"Sec-Fetch-Site": site})
            self.assertEqual(answer.status, 403)
            self.assertIn("problem", answer.media_type)

    def test_nothing_tells_whether_a_name_is_somebodys(self):
        def tried(name):
            answer = self.server.send("/authorize", self.question(username=name, password="wrong"))
            body = re.sub(rb'(data-challenge|name="challenge" value)="[^"]*"', b"", answer.body.replace(name.encode(), b"NAME"))
            headers = {k: v for k, v in answer.headers.items() if k not in ("date", "content-length")}
            # A whole second, and what is left of the one that runs.
            if headers.get("retry-after") in ("1", "2"):
                headers["retry-after"] = "soon"
            return answer.status, body, headers
        account(MART, "guessed", "--role", "viewer")
        subprocess.run(["triptych-server", "user", "passwd", "guessed", "--mart", MART], input=PASSWORD, text=True,
                       check=True, capture_output=True)
        outcomes = []
        for name in ["guessed", "strange" + secrets.token_hex(8)]:
            outcomes.append([])
            # As many at once as find a seat; then the others.
            for count in [8, 5]:
                with concurrent.futures.ThreadPoolExecutor(count) as threads:
                    outcomes[-1] += map(repr, threads.map(tried, [name] * count))
            outcomes[-1].sort()
        # Ten are looked at, the others find the name closed.
        self.assertEqual([said[1:4] for said in outcomes[0]], ["403"] * 10 + ["429"] * 3)
        self.assertEqual(*outcomes)

    def grant(self, **fields):
        answer = self.server.send("/token", {k: v for k, v in {**CLIENT, **fields}.items() if v is not None})
        self.assertEqual(answer.headers["cache-control"], "no-store")
        self.assertEqual(self.contract.faults("/token", "POST", answer), [])
        return answer

    def test_passwords_are_for_the_page_alone(self):
        answer = self.grant(grant_type="password", username="viewer", password=PASSWORD)
        self.assertEqual((answer.status, answer.json), (400, {"error": "unsupported_grant_type"}))

    def test_what_no_token_is_given_for(self):
        verifier = secrets.token_urlsafe(48)
        cases = [
            ("invalid_request", {}), ("unsupported_grant_type", {"grant_type": "client_credentials"}),
            ("unsupported_grant_type", {"grant_type": "urn:ietf:params:oauth:grant-type:device_code"}),
            ("invalid_request", {"grant_type": "authorization_code"}),
            ("invalid_request", {"grant_type": "refresh_token"}),
            ("invalid_grant", {"grant_type": "refresh_token", "refresh_token": "x"}),
            ("invalid_grant", {"grant_type": "authorization_code", "code": "x", "code_verifier": verifier}),
            ("invalid_client", {"grant_type": "refresh_token", "refresh_token": "x", "client_id": "elsewhere"}),
            ("invalid_request", {"grant_type": "refresh_token", "refresh_token": "x", "client_id": None}),
        ]
        for error, fields in cases:
            self.assertEqual(self.grant(**fields).json, {"error": error}, fields)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        for body in ["grant_type=refresh_token&grant_type=password", "grant_type=%", "grant_type=%ff", "a=%0"]:
            self.assertEqual(self.server.ask("/token", "POST", form, body, None).json, {"error": "invalid_request"})
        basic = {**form, "Authorization": "Basic eDp5"}
        self.assertEqual(self.server.ask("/token", "POST", basic, "a=b", None).json, {"error": "invalid_client"})
        answer = self.server.ask("/token", "POST", {"Content-Type": "application/json"}, "{}", None)
        self.assertEqual(answer.status, 415)
        self.assertEqual(self.server.ask("/token", "POST", form, "a=" + "b" * 20_000, None).status, 413)
        self.assertEqual(self.server.ask("/token", name=None).status, 405)

    def test_sessions_go_on_and_end(self):
        """D68, D76: rotation, and the end of a session at the server."""
        tokens = self.server.sign_in("viewer")
        following = self.grant(grant_type="refresh_token", refresh_token=tokens["refresh_token"]).json
        self.assertEqual(self.server.ask("/kpi", headers={"Authorization": "Bearer " + following["access_token"]},
                                         name=None).status, 200)
        self.assertEqual(self.server.send("/revoke", {**CLIENT, "token": following["refresh_token"]}).status, 200)
        for token in [tokens, following]:
            headers = {"Authorization": "Bearer " + token["access_token"]}
            self.assertEqual(self.server.ask("/kpi", headers=headers, name=None).status, 401)
            answer = self.grant(grant_type="refresh_token", refresh_token=token["refresh_token"])
            self.assertEqual(answer.json, {"error": "invalid_grant"})
        self.assertEqual(self.server.send("/revoke", {**CLIENT, "token": "x"}).status, 200)

    def test_eight_refreshes_at_once_lock_nobody_out(self):
        tokens, faults = self.server.sign_in("viewer"), []
        for _ in range(25):
            answers = []
            def refresh(token):
                answers.append(self.server.send("/token", {**CLIENT, "grant_type": "refresh_token",
                                                           "refresh_token": token}))
            threads = [threading.Thread(target=refresh, args=(tokens["refresh_token"],)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            faults += [answer for answer in answers if answer.status != 200]
            self.assertEqual(len({answer.json["refresh_token"] for answer in answers}), 1)
            tokens = answers[0].json
        self.assertEqual((faults, len(answers)), ([], 8))

    def test_secrets_are_stored_as_hashes_alone(self):
        tokens = self.server.sign_in("viewer")
        with open(f"{MART}.identity/accounts.sqlite", "rb") as file:
            stored = file.read()
        for secret in [PASSWORD, tokens["refresh_token"], tokens["access_token"]]:
            self.assertNotIn(secret.encode(), stored)
        rows = sqlite3.connect(f"file:{MART}.identity/accounts.sqlite?mode=ro", uri=True).execute(
            "SELECT password FROM account").fetchall()
        for (password,) in rows:
            self.assertTrue(password.startswith("$scrypt$ln=17,r=8,p=1$"))

    def test_the_log_names_no_account(self):
        self.server.code("viewer", secrets.token_urlsafe(48), "wrong in a way")
        log = "".join(self.server.log)
        for word in ["viewer", "wrong in a way", PASSWORD, ISSUER]:
            self.assertNotIn(word, log)
        self.assertIn("signed in", log)


if __name__ == "__main__":
    MART = sys.argv.pop(1)
    unittest.main(verbosity=1)
