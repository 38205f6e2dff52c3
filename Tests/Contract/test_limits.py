"""What one address may have of the server, and what slow clients cost the others.

    python test_limits.py MART
"""

import http.client
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse

from served import PASSWORD, Answer, Server

MART = None
NEIGHBOUR = "127.0.0.2"


def asked(server, address, path="/healthz", fields=None):
    """One request from an address of this machine's own; None where the connection is not served."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20, source_address=(address, 0))
    try:
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if fields else {}
        body = urllib.parse.urlencode(fields) if fields else None
        connection.request("POST" if fields else "GET", path, body=body, headers=headers)
        return Answer(connection.getresponse())
    except (ConnectionError, http.client.BadStatusLine):
        return None
    finally:
        connection.close()


class Limits(unittest.TestCase):
    def answer(self, connection):
        """One whole answer, which ends with the end of its line."""
        text = b""
        while not text.endswith(b"}\n"):
            part = connection.recv(4096)
            if not part:
                raise ConnectionResetError
            text += part
        return text

    def ask(self, connection):
        """Whether a connection that is held is answered."""
        try:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return self.answer(connection).startswith(b"HTTP/1.1 200")
        except ConnectionError:
            return False

    def test_one_address_has_some_connections_and_its_silent_ones_make_room(self):
        with Server(MART, ["--connections-per-address", "8"]) as server:
            silent = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(8)]
            held = []
            for _ in range(8):
                one = socket.create_connection(("127.0.0.1", server.port), timeout=20)
                self.assertTrue(self.ask(one))
                held.append(one)
                # An answer is here before the server's thread has noted it. Each thread has a connection to turn to after that.
                for _ in range(os.cpu_count()):
                    self.assertEqual(asked(server, NEIGHBOUR).status, 200)
            # The silent ones are gone, and whoever asks takes the place of the one that asked longest ago.
            for one in silent:
                self.assertEqual(one.recv(1), b"")
            self.assertEqual(asked(server, "127.0.0.1").status, 200)
            self.assertEqual([self.ask(one) for one in held], [False] + [True] * 7)
            for one in [*silent, *held]:
                one.close()

    def test_the_server_ends_beside_readers_that_take_nothing(self):
        """Without an account, by asking again and again and reading nothing."""
        with Server(MART) as server:
            asked_often = b"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n" * 400
            stuck = []
            for _ in range(5):
                one = socket.socket()
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                one.settimeout(60)
                one.connect(("127.0.0.1", server.port))
                one.sendall(asked_often)
                stuck.append(one)
            began = time.monotonic()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.monotonic() - began, 10)
            for one in stuck:
                one.close()

    def test_passwords_of_one_address_come_at_their_pace(self):
        fields = {"username": "nobody", "password": PASSWORD}
        # Names of their own, since one name has its own pace.
        others = [{**fields, "username": f"nobody{number}"} for number in range(4)]
        # Two a minute, so that a password may take half of one on a busy machine.
        with Server(MART, ["--sign-ins-per-address", "2"]) as server:
            answers = [asked(server, "127.0.0.1", "/account", each) for each in others]
            self.assertEqual([each.status for each in answers][:2], [403] * 2)
            slowed = [each for each in answers[2:] if each.status == 429]
            self.assertTrue(slowed)
            self.assertTrue(1 <= int(slowed[0].headers["retry-after"]) <= 60)
            self.assertIn(b"Wait a moment", slowed[0].body)
            # A neighbour's are its own, and so is what needs no password.
            self.assertEqual(asked(server, NEIGHBOUR, "/account", fields).status, 403)
            self.assertEqual(asked(server, "127.0.0.1", "/account").status, 200)
            self.assertEqual(asked(server, "127.0.0.1").status, 200)
            # The log says it once, and of nobody.
            log = "".join(server.log)
            self.assertEqual(log.count("somebody is slowed down"), 1)
            self.assertNotIn("nobody1", log)

    def test_many_who_come_at_once_find_a_place(self):
        with Server(MART, ["--connections-per-address", "0"]) as server:
            # As where it is busy with others: nobody is taken in, and who comes waits in the system's queue.
            server.pause()
            there, waiting = ("127.0.0.1", server.port), {}
            try:
                for _ in range(600):
                    one = socket.socket()
                    one.setblocking(False)
                    one.connect_ex(there)
                    waiting[one.fileno()] = one
                poll = select.poll()
                for number in waiting:
                    poll.register(number, select.POLLOUT)
                placed, ends = set(), time.monotonic() + 0.5
                # Who finds no place tries again after a second.
                while len(placed) < len(waiting) and time.monotonic() < ends:
                    placed |= {number for number, _ in poll.poll(100)}
            finally:
                server.pause(goes_on=True)
            self.assertEqual(len(placed), 600)
            for one in waiting.values():
                one.setblocking(True)
                self.assertTrue(self.ask(one))
                one.close()

    def test_who_left_is_turned_away_and_nobody_else(self):
        with Server(MART, ["--connections-per-address", "0"]) as server:
            server.pause()
            try:
                for _ in range(900):
                    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as one:
                        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            finally:
                server.pause(goes_on=True)
            # Whoever comes behind them waits for nobody: at once, or where the machine is busy and they waited too long, when they try again.
            for refusals in range(4):
                answer = asked(server, "127.0.0.1")
                if answer is not None:
                    break
            self.assertEqual(answer and answer.status, 200)
            figures = asked(server, "127.0.0.1", "/metrics").body
            turned_away = re.search(rb"\ntriptych_turned_away_connections_total (\d+)\n", figures)
            # The first of them were taken in before it was known that they had left: by turns of 64, of 128 or more, and some of the
            # next where those who answer are behind.
            self.assertTrue(600 <= int(turned_away[1]) <= 900 + refusals, turned_away)
        # Once it has ended, all of its log is there.
        self.assertEqual("".join(server.log).count("connections are turned away"), 1)

    def slowed(self, *mode):
        """Lets slowhttptest loose, and asks meanwhile; every answer's seconds."""
        # Where a form is read, a body is waited for; elsewhere it is refused at once.
        path = "/token" if "-B" in mode else "/openapi.yaml"
        with Server(MART, ["--connections-per-address", "200"]) as server:
            server.token("viewer")
            command = ["slowhttptest", "-c", "500", "-r", "200", "-l", "12", "-i", "3", "-p", "3", *mode,
                       "-u", f"http://127.0.0.1:{server.port}{path}"]
            attack = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.addCleanup(attack.kill)
            taken = []
            while attack.poll() is None:
                began = time.monotonic()
                answer = asked(server, NEIGHBOUR)
                taken.append(time.monotonic() - began)
                self.assertEqual(answer.status, 200)
            said = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", attack.communicate()[0])
            self.assertEqual(attack.returncode, 0, said)
            # All of them came: the server keeps 200 of one address, its probe's among them, and ended the others.
            counts = zip(re.findall(r"connected: *(\d+)", said), re.findall(r"closed: *(\d+)", said))
            self.assertEqual(max(int(held) + int(closed) for held, closed in counts), 500, said)
            self.assertEqual(asked(server, NEIGHBOUR).status, 200)
            self.assertEqual(server.stop(), 0)
        return taken

    def test_slow_clients_keep_nobody_else_waiting(self):
        self.assertIsNotNone(shutil.which("slowhttptest"))
        # Heads that never end, bodies that come a byte at a time, answers that are read as slowly.
        modes = [["-H"], ["-B"], ["-X", "-w", "1", "-y", "2", "-z", "1", "-k", "10"]]
        found = []
        threads = [threading.Thread(target=lambda mode=mode: found.append(self.slowed(*mode))) for mode in modes]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(len(found), 3)
        taken = sorted(seconds for each in found for seconds in each)
        self.assertGreater(len(taken), 100)
        print(f"{len(taken)} answers beside slow clients, the slowest after {taken[-1]:.2f} s")
        # Nobody waits for a slow client's time limit, 30 s, or a good part of it.
        self.assertLess(taken[-1], 10)


if __name__ == "__main__":
    MART = sys.argv.pop()
    unittest.main()
