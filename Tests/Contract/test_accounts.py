"""Accounts as an operator has them: passwords typed at a terminal, the demo's accounts, a port that is taken.

    python test_accounts.py MART FOLDER
"""

import os
import pty
import re
import select
import socket
import subprocess
import sys
import unittest

from served import PASSWORD, Server, account

MART, FOLDER = None, None


def typed(command, lines):
    """Runs a command at a terminal, where each line is typed once it is asked for; what was shown, and the status."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    shown, waiting = b"", list(lines)
    while True:
        ready, _, _ = select.select([terminal], [], [], 60)
        if not ready:
            break
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break  # The other side has ended.
        if not part:
            break
        shown += part
        if waiting and shown.endswith(b": "):
            os.write(terminal, waiting.pop(0).encode() + b"\n")
    return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Accounts(unittest.TestCase):
    def add(self, name, *passwords):
        return typed(["triptych-server", "user", "add", name, "--mart", MART, "--role", "viewer"], passwords)

    def test_a_password_is_typed_twice_and_shown_never(self):
        shown, status = self.add("typist", PASSWORD, PASSWORD)
        self.assertEqual((status, PASSWORD in shown), (0, False), shown)
        self.assertIn("typist may sign in.", shown)
        with Server(MART) as server:
            self.assertIn("access_token", server.sign_in("typist"))

    def test_two_passwords_that_differ_add_nobody(self):
        shown, status = self.add("mistaken", PASSWORD, PASSWORD + "?")
        self.assertEqual(status, 65, shown)
        self.assertNotIn(PASSWORD, shown)
        again, status = self.add("mistaken", PASSWORD, PASSWORD)
        self.assertEqual(status, 0, again)

    def test_the_demo_lets_in_the_accounts_it_names_and_leaves_nothing(self):
        with Server(MART, ["--demo"]) as server:
            log = "".join(server.log)
            self.assertIn("demo accounts: ", log)
            password = re.search(r"password: (.+)", log)[1].strip()
            for name in re.search(r"demo accounts: ([^;]+)", log)[1].split(", "):
                token = server.sign_in(name, password)["access_token"]
                answer = server.ask("/kpi", headers={"Authorization": "Bearer " + token}, name=None)
                self.assertEqual(answer.status, 200 if name != "nobody" else 403)
            # The mart's own accounts are others.
            self.assertEqual(server.code("viewer", "v" * 43).status, 403)
            while_it_runs = folders()
        self.assertEqual(len(folders()), len(while_it_runs) - 1)

    def test_a_port_that_is_taken_is_said(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            ending = subprocess.run(
                ["triptych-server", "serve", "--mart", MART, "--port", port], capture_output=True, text=True, timeout=60,
            )
        self.assertEqual(ending.returncode, 74, ending.stderr)
        self.assertIn(f"cannot listen at 127.0.0.1:{port}", ending.stderr)

    def test_settings_that_do_not_go_together_are_said(self):
        said = {
            ("--mail-command", "true"): "go together", ("--mail-command", "true", "--mail-from", "x"): "no address",
            ("--certificate", "x"): "go together", ("--port", "0"): "needs --issuer", ("--port", "70000"): "between",
            ("--host", "0.0.0.0"): "without a certificate", ("--foreign-issuer", "x"): "go together", ("--log-format", "xml"): "xml",
            ("--redirect-uri", "http://elsewhere.test/"): "no address to send people back to",
        }
        for options, words in said.items():
            ending = subprocess.run(["triptych-server", "serve", "--mart", MART, *options], capture_output=True, text=True, timeout=60)
            self.assertEqual(ending.returncode, 78, options)
            self.assertIn(words, ending.stderr)


def folders():
    return [one for one in os.listdir("/tmp") if one.startswith("triptych-demo-")]


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    account(MART, "viewer", "--role", "viewer")
    unittest.main()
