"""The server over HTTPS: TLS 1.3 alone, and a certificate that is renewed while it serves.

    python test_tls.py MART FOLDER
"""

import concurrent.futures
import contextlib
import datetime
import http.client
import ipaddress
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import unittest
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from served import ISSUER, Server, certify

MART = FOLDER = None


def certify_dated(name, start, end):
    """The same, good from so many seconds after now to so many."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.timezone.utc)
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number())
        .not_valid_before(now + datetime.timedelta(seconds=start))
        .not_valid_after(now + datetime.timedelta(seconds=end))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(identifier, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    texts = [certificate.public_bytes(serialization.Encoding.PEM), key.private_bytes(serialization.Encoding.PEM, *plain)]
    paths = [f"{FOLDER}/{name}.{kind}" for kind in ("pem", "key")]
    for path, text in zip(paths, texts):
        with open(path, "wb") as file:
            file.write(text)
    os.chmod(paths[1], 0o600)
    return paths


class TransportTest(unittest.TestCase):
    def setUp(self):
        self.first, self.second = certify(FOLDER, "first"), certify(FOLDER, "second")
        self.chain, self.key = f"{FOLDER}/server.pem", f"{FOLDER}/server.key"
        self.install(self.first)

    def install(self, paths):
        """Puts a certificate and its key in place, as those who renew them do: by rename."""
        for source, target in zip(paths, [self.chain, self.key]):
            shutil.copy2(source, target + ".new")
            os.rename(target + ".new", target)

    def server(self):
        return Server(MART, certificate=(self.chain, self.key))

    def connect(self, server, trusted, least=ssl.TLSVersion.TLSv1_3, most=ssl.TLSVersion.TLSv1_3):
        context = ssl.create_default_context(cafile=trusted)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version, context.maximum_version = least, most
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=10, context=context)
        self.addCleanup(connection.close)
        connection.connect()
        return connection

    def answer(self, connection, path="/readyz"):
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        return response

    def figures(self, server):
        with contextlib.closing(self.connect(server, self.first[0])) as connection:
            connection.request("GET", "/metrics")
            return connection.getresponse().read()

    def status(self, connection):
        return self.answer(connection).status

    def test_answers_come_over_tls_13(self):
        with self.server() as server:
            connection = self.connect(server, self.first[0])
            self.assertEqual(connection.sock.version(), "TLSv1.3")
            self.assertEqual(self.status(connection), 200)
            with self.assertRaises(ssl.SSLCertVerificationError):
                self.connect(server, self.second[0])

    def test_older_versions_are_refused(self):
        """D80: TLS 1.3 and nothing before it."""
        with self.server() as server:
            for version in [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2]:
                with self.assertRaises((ssl.SSLError, ConnectionResetError)):
                    self.connect(server, self.first[0], version, version)
            # They are counted, and said once a minute.
            self.until(lambda: re.search(rb"\ntriptych_failed_tls_handshakes_total 3\n", self.figures(server)))
            self.until(lambda: "a TLS handshake failed" in "".join(server.log))
            # Who leaves without a word failed at nothing.
            socket.create_connection(("127.0.0.1", server.port), timeout=10).close()
            self.assertIn(b"\ntriptych_failed_tls_handshakes_total 3\n", self.figures(server))
            self.assertEqual("".join(server.log).count("a TLS handshake failed"), 1)

    def test_browsers_are_told_to_stay_with_tls(self):
        with self.server() as server:
            connection = self.connect(server, self.first[0])
            # Also where the answer is a problem.
            for path in ["/readyz", "/", "/kpi", "/nowhere"]:
                kept = self.answer(connection, path).headers["Strict-Transport-Security"]
                self.assertEqual(kept, "max-age=63072000; includeSubDomains", path)
        with Server(MART) as plain:
            self.assertNotIn("Strict-Transport-Security", plain.ask("/readyz").headers)

    def test_plain_http_gets_no_answer(self):
        """D80, D87: HTTPS only."""
        with self.server() as server:
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
                connection.sendall(b"GET /kpi HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try:
                    answer = connection.recv(100)
                except ConnectionResetError:
                    answer = b""
            self.assertFalse(answer.startswith(b"HTTP"))

    def until(self, condition):
        """Waits for something that comes within a second; fails after ten."""
        end = time.monotonic() + 10
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def megabytes(self, server):
        """What the server holds in memory."""
        with open(f"/proc/{server.number}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))

    def test_what_a_crowd_took_goes_back_when_it_has_gone(self):
        with self.server() as server:
            # What is made for the first one stays.
            self.connect(server, self.first[0])
            quiet = self.megabytes(server)
            crowd = [self.connect(server, self.first[0]) for _ in range(600)]
            full = self.megabytes(server)
            self.assertGreater(full - quiet, 15)
            for one in crowd:
                one.close()
            self.until(lambda: self.megabytes(server) < quiet + (full - quiet) / 2)

    def test_who_says_nothing_is_ended(self):
        with self.server() as server:
            bare = socket.create_connection(("127.0.0.1", server.port))
            begun = socket.create_connection(("127.0.0.1", server.port))
            # A record of a handshake, of which the rest never comes.
            begun.sendall(b"\x16\x03\x01\x02\x00\x01")
            silent, kept, halved = (self.connect(server, self.first[0]) for _ in range(3))
            self.assertEqual(self.status(kept), 200)
            halved.sock.sendall(b"GET /readyz HTTP/1.1\r\nHost:")
            held = [bare, begun, silent.sock, kept.sock, halved.sock]
            with concurrent.futures.ThreadPoolExecutor(len(held)) as threads:
                ends = list(threads.map(self.ended, held))
            for text, seconds in ends:
                # Nothing, or a refusal: a TLS alert, or that the request took too long.
                self.assertTrue(text == b"" or text[:1] == b"\x15" or text.startswith(b"HTTP/1.1 408"), text)
                # Whoever is only slow has their time.
                self.assertTrue(20 < seconds < 45, ends)

    def ended(self, connection):
        """What comes until a connection is ended, in whatever way, and after how many seconds it is."""
        start, text = time.monotonic(), b""
        connection.settimeout(60)
        with connection, contextlib.suppress(ConnectionResetError, ssl.SSLError):
            while part := connection.recv(4096):
                text += part
        return text, time.monotonic() - start

    def is_served(self, server, trusted):
        try:
            connection = self.connect(server, trusted)
            with contextlib.closing(connection):
                return self.status(connection) == 200
        except ssl.SSLError:
            return False

    def test_a_renewed_certificate_is_taken_up(self):
        with self.server() as server:
            held = self.connect(server, self.first[0])
            self.assertEqual(self.status(held), 200)
            self.install(self.second)
            self.until(lambda: self.is_served(server, self.second[0]))
            # Who was connected before stays connected.
            self.assertEqual(self.status(held), 200)

    def test_a_renewal_that_cannot_be_used_leaves_the_one_before(self):
        with self.server() as server:
            for count, faulty in enumerate([(self.second[0], self.first[1]), (self.first[1],) * 2], 1):
                self.install(faulty)
                self.until(lambda: "".join(server.log).count("cannot be used") >= count)
                self.assertTrue(self.is_served(server, self.first[0]))
            self.install(self.second)
            self.until(lambda: self.is_served(server, self.second[0]))

    def test_a_renewal_past_its_date_leaves_the_one_before(self):
        with self.server() as server:
            self.install(certify_dated("past", -7200, -3600))
            self.until(lambda: "is past its date" in "".join(server.log))
            self.assertTrue(self.is_served(server, self.first[0]))

    def test_a_renewal_before_its_date_is_taken_up_when_that_comes(self):
        with self.server() as server:
            early = certify_dated("early", 7, 3600)
            self.install(early)
            self.until(lambda: "is before its date" in "".join(server.log))
            self.assertTrue(self.is_served(server, self.first[0]))
            self.until(lambda: self.is_served(server, early[0]))
            # That it has to wait is said once.
            self.assertEqual("".join(server.log).count("is before its date"), 1)

    def test_a_certificate_past_its_date_is_served_where_there_is_no_other_and_said(self):
        self.install(certify_dated("past", -7200, -3600))
        with self.server() as server:
            self.until(lambda: "the certificate is past its date" in "".join(server.log))
            self.install(self.first)
            self.until(lambda: self.is_served(server, self.first[0]))

    def test_what_is_wrong_at_the_start_is_said(self):
        os.chmod(self.key, 0o640)
        self.refuses("chmod 600", 78)
        self.install((self.second[0], self.first[1]))
        self.refuses("not the key of the certificate", 78)
        self.install((self.first[1], self.first[1]))
        self.refuses("cannot be read as a certificate", 78)
        self.install((self.first[0], self.first[0]))
        os.chmod(self.key, 0o600)
        self.refuses("cannot be read as a private key", 78)

    def refuses(self, words, status):
        command = ["triptych-server", "serve", "--mart", MART, "--port", "0", "--issuer", ISSUER,
                   "--certificate", self.chain, "--certificate-key", self.key]
        ending = subprocess.run(command, capture_output=True, text=True, timeout=30)
        self.assertEqual(ending.returncode, status)
        self.assertIn(words, ending.stderr)


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    # Versions that nobody should use any more are what is tried here.
    warnings.simplefilter("ignore", DeprecationWarning)
    unittest.main(verbosity=1, warnings="ignore")
