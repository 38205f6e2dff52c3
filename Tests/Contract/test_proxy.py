"""The example of a reverse proxy, by the real nginx before a server.

    python test_proxy.py MART FOLDER
"""

import collections
import concurrent.futures
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import unittest
import urllib.parse

from served import ISSUER, PASSWORD, PATIENCE, Answer, Server, certify

MART, FOLDER = None, None
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../pipelines/serving/nginx.conf")
HERE, NEIGHBOUR = "127.0.0.1", "127.0.0.2"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def replaced(text, old, new):
    """The example with one of its values replaced."""
    if old not in text:
        raise RuntimeError(f"the example has no {old}")
    return text.replace(old, new)


class Proxy:
    """nginx with the example's configuration, at a port of this machine's own, before a server."""

    def __init__(self, server):
        self.server = server
        self.folder = os.path.abspath(os.path.join(FOLDER, f"proxy-{server.port}"))
        os.makedirs(self.folder)
        chain, key = certify(self.folder)
        self._trusted = ssl.create_default_context(cafile=chain)
        with socket.socket() as free:
            free.bind((HERE, 0))
            self.port = free.getsockname()[1]
        with open(EXAMPLE) as file:
            text = file.read()
        text = replaced(text, "listen 443 ", f"listen {HERE}:{self.port} ")
        text = replaced(text, "127.0.0.1:8080", f"127.0.0.1:{server.port}")
        text = replaced(text, "/etc/triptych/tls/chain.pem", chain)
        text = replaced(text, "/etc/triptych/tls/key.pem", key)
        paths = "".join(f"{kind}_temp_path {self.folder}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        self._configuration = f"{self.folder}/nginx.conf"
        with open(self._configuration, "w") as file:
            # As root the workers would be another account, which may not read the test's folder.
            user = "user root;\n" if os.geteuid() == 0 else ""
            file.write(f"{user}daemon off;\nworker_processes 2;\nworker_rlimit_nofile 4096;\n"
                       f"pid {self.folder}/pid;\nerror_log {self.folder}/errors;\n"
                       f"events {{ worker_connections 2048; }}\n"
                       f"http {{\naccess_log off;\n{paths}{text}}}\n")

    def __enter__(self):
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        command = [program, "-p", self.folder, "-c", self._configuration]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                socket.create_connection((HERE, self.port), timeout=PATIENCE).close()
                return self
            except ConnectionRefusedError:
                if self._process.poll() is not None:
                    break
        self._process.kill()
        with open(f"{self.folder}/errors") as file:
            raise RuntimeError("nginx did not start: " + file.read())

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(PATIENCE)

    def connection(self, address=HERE):
        """A connection through the proxy, from an address of this machine's own."""
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=PATIENCE, context=self._trusted, source_address=(address, 0))

    def ask(self, path, address=HERE, headers=None, fields=None):
        """One request through the proxy, on a connection of its own."""
        connection = self.connection(address)
        try:
            body = urllib.parse.urlencode(fields) if fields else None
            headers = {"Host": ISSUER.split("//")[1], **(FORM if fields else {}), **(headers or {})}
            connection.request("POST" if fields else "GET", path, body=body, headers=headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()


class ReverseProxy(unittest.TestCase):
    def serving(self, *options):
        """A server and the proxy before it, until the test ends."""
        server = self.enterContext(Server(MART, ["--trusted-proxy", HERE, *options]))
        return self.enterContext(Proxy(server))

    def is_problem(self, answer, status):
        self.assertEqual(answer.status, status)
        self.assertEqual(answer.media_type, "application/problem+json")
        self.assertEqual(answer.json["status"], status)
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
        self.assertEqual(answer.headers["cache-control"], "no-store")
        self.assertIn("strict-transport-security", answer.headers)

    def test_answers_come_through_it(self):
        proxy = self.serving()
        health = proxy.ask("/healthz")
        self.assertEqual((health.status, health.json["status"]), (200, "ok"))
        self.assertIn("max-age=63072000", health.headers["strict-transport-security"])
        self.assertEqual(health.headers["x-content-type-options"], "nosniff")
        self.assertNotRegex(health.headers["server"], r"\d")
        token = {"Authorization": "Bearer " + proxy.server.token()}
        self.assertIn("total", proxy.ask("/kpi", headers=token).json)
        self.assertEqual(proxy.ask("/kpi").status, 401)
        # The figures are no business of other machines, nor are hosts that are not the server's.
        self.assertEqual(proxy.ask("/metrics").status, 404)
        self.assertEqual(proxy.ask("/healthz", headers={"Host": "elsewhere.test"}).status, 421)

    def test_older_versions_of_tls_are_refused(self):
        proxy = self.serving()
        old = ssl.create_default_context()
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        with socket.create_connection((HERE, proxy.port), timeout=PATIENCE) as bare:
            with self.assertRaises(ssl.SSLError):
                old.wrap_socket(bare)
        connection = proxy.connection()
        connection.connect()
        self.assertEqual(connection.sock.version(), "TLSv1.3")
        connection.close()

    def test_limits_are_those_of_the_client_and_not_of_the_proxy(self):
        proxy = self.serving("--connections-per-address", "1", "--sign-ins-per-address", "2")
        names = [{"username": f"noname{number}", "password": PASSWORD} for number in range(4)]

        def statuses(address, headers=None):
            return [proxy.ask("/account", address, headers, fields).status for fields in names]

        # A client does not name itself: the proxy overwrites what it says.
        forged = [proxy.ask("/account", HERE, {"X-Forwarded-For": f"192.0.2.{number}"}, fields).status
                  for number, fields in enumerate(names)]
        self.assertEqual(forged[:2], [403, 403])
        self.assertIn(429, forged[2:])
        # Another client has its own share, and the proxy's connections are not limited as one client's.
        self.assertEqual(statuses(NEIGHBOUR)[:2], [403, 403])

        # Without the proxy, the header is read from the proxy's address alone.
        def direct(address, number):
            connection = http.client.HTTPConnection(HERE, proxy.server.port, timeout=PATIENCE, source_address=(address, 0))
            headers = {**FORM, "X-Forwarded-For": f"192.0.2.{100 + number}"}
            connection.request("POST", "/account", urllib.parse.urlencode(names[number]), headers)
            answer = Answer(connection.getresponse())
            connection.close()
            return answer.status

        self.assertIn(429, [direct("127.0.0.3", number) for number in range(4)])
        self.assertEqual([direct(HERE, number) for number in range(4)], [403] * 4)

    def test_requests_beyond_the_limit_of_an_address_are_told_so(self):
        proxy = self.serving()
        connection = proxy.connection()
        answers, began = [], time.monotonic()
        # At once, 200 may come beside those that a second brings: more than that is sent.
        for _ in range(2_000):
            connection.request("GET", "/healthz", headers={"Host": ISSUER.split("//")[1]})
            answers.append(Answer(connection.getresponse()))
            if answers[-1].status != 200:
                break
        self.is_problem(answers[-1], 429)
        allowed = 200 + 100 * (time.monotonic() - began) + 1
        self.assertTrue(200 < len(answers) <= allowed + 1, len(answers))
        self.assertEqual(proxy.ask("/healthz", NEIGHBOUR).status, 200)
        connection.close()

    def test_a_storm_of_new_connections_is_the_proxys(self):
        proxy = self.serving()
        with concurrent.futures.ThreadPoolExecutor(16) as threads:
            answers = list(threads.map(
                lambda number: proxy.ask("/healthz", f"127.0.1.{1 + number % 50}"), range(1_000)))
        found = collections.Counter(answer.status for answer in answers)
        self.assertTrue(set(found) <= {200, 429, 503}, found)
        self.assertGreater(found[200], 500)
        # Few connections reached the server: it saw no storm.
        folder = f"/proc/{proxy.server.number}/fd"
        sockets = 0
        for name in os.listdir(folder):
            try:
                sockets += os.readlink(f"{folder}/{name}").startswith("socket:")
            except FileNotFoundError:
                pass
        self.assertLess(sockets, 250)
        self.assertEqual(proxy.ask("/healthz", NEIGHBOUR).status, 200)
        print(f"{len(answers)} new connections: {dict(found)}, {sockets} of them open at the server")

    def test_slow_clients_wait_at_the_proxy(self):
        proxy = self.serving()
        slow = []
        for _ in range(50):
            one = proxy.connection()
            one.connect()
            one.sock.sendall(b"POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\na")
            slow.append(one)
        self.assertEqual(proxy.ask("/healthz").status, 200)
        folder = f"/proc/{proxy.server.number}/net/tcp"
        with open(folder) as file:
            # Established connections at the server's port.
            open_there = len(re.findall(rf":{proxy.server.port:04X} \S+ 01 ", file.read()))
        self.assertLess(open_there, 50)
        for one in slow:
            one.close()

    def test_a_server_that_is_away_is_told_as_busy(self):
        proxy = self.serving()
        self.assertEqual(proxy.ask("/healthz").status, 200)
        proxy.server.stop()
        self.is_problem(proxy.ask("/healthz"), 503)


if __name__ == "__main__":
    FOLDER = sys.argv.pop()
    MART = sys.argv.pop()
    unittest.main()
