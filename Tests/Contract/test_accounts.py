"""Accounts as an operator has them: passwords typed at a terminal, settings and where they stand, roles and
regions, the demo's accounts, a record that was changed.

    python test_accounts.py MART FOLDER
"""

import hashlib
import json
import os
import pty
import re
import select
import socket
import sqlite3
import subprocess
import sys
import time
import unittest
import urllib.parse

from contract import Contract
from served import PASSWORD, Server, account, sign_in_fields

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
            said = server.said("privacy_officer")
            self.assertIn("synthetic", said)
            password = re.search(r"password '(.+)'", said)[1]
            accounts = re.findall(r"^  (\S+) +(viewer|administrator|analyst|privacy_officer) ", said, re.MULTILINE)
            self.assertEqual(len(accounts), 4, said)
            for name, role in accounts:
                token = server.sign_in(name, password)["access_token"]
                headers = {"Authorization": "Bearer " + token}
                self.assertEqual(server.ask("/kpi", headers=headers, name=None).status, 200)
                self.assertEqual(server.ask("/runs", headers=headers, name=None).status, 200 if role == "analyst" else 403)
            # The page at which they sign in says the same.
            fields = sign_in_fields("demo", "v" * 43)
            del fields["username"], fields["password"]
            page = server.ask("/authorize?" + urllib.parse.urlencode(fields), name=None).body.decode()
            self.assertIn("This is a demo. Its trips are synthetic", page)
            for name, role in accounts:
                self.assertIn(f"<code>{name}</code> ({role})", page)
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

    def test_settings_that_do_not_go_together_are_said_with_the_flag(self):
        said = {
            ("--mail-command", "true"): "go together", ("--mail-command", "true", "--mail-from", "x"): "is not an e-mail address",
            ("--certificate", "x"): "go together", ("--port", "0"): "needs --issuer", ("--port", "70000"): "between",
            ("--host", "0.0.0.0"): "without a certificate", ("--foreign-issuer", "x"): "go together", ("--log-format", "xml"): "xml",
            ("--redirect-uri", "http://elsewhere.test/"): "is not an address to return to",
            ("--issuer", "kpi.test"): "is not an address for users", ("--issuer", "http://kpi.test"): "is not an address for users",
            ("--issuer", "https://kpi.test?a"): "is not an address for users", ("--foreign-audience", "x"): "has no effect without",
            ("--foreign-name-claim", "sub"): "has no effect without",
        }
        for options, words in said.items():
            status, text = ending("serve", "--mart", MART, *options)
            self.assertEqual(status, 78, options)
            self.assertIn(words, text)
            self.assertRegex(text, rf"triptych-server: {options[0]}|triptych-server: {options[-2]}")

    def test_a_setting_that_cannot_be_is_said_with_its_line_or_variable(self):
        path = os.path.join(FOLDER, "faulty.conf")
        for name, value in [("PORT", "x"), ("HOST", "0.0.0.0"), ("ISSUER", "kpi.test"), ("CERTIFICATE", "x"), ("MAIL_FROM", "x"),
                            ("REDIRECT_URIS", "https://a.test/ http://b.test/"), ("PASSKEYS", "always"), ("LOG_FORMAT", "xml"),
                            ("LOG_REQUESTS", "maybe"), ("SIGN_INS_PER_ADDRESS", "-1"), ("FOREIGN_AUDIENCE", "x"),
                            ("BREACHED_PASSWORDS", "/nowhere"), ("PASSWORD_WORDS", "/nowhere")]:
            with open(path, "w") as file:
                file.write(f"# One line before.\nTRIPTYCH_{name}={value}\n")
            status, text = ending("serve", "--mart", MART, "--config", path)
            self.assertEqual(status, 78, name)
            self.assertIn(f"triptych-server: {path} line 2, TRIPTYCH_{name}: ", text)
            status, text = ending("serve", "--mart", MART, env={**os.environ, "TRIPTYCH_" + name: value})
            self.assertEqual(status, 78, name)
            self.assertIn(f"triptych-server: TRIPTYCH_{name} of the environment: ", text)

    def test_every_command_takes_the_settings_of_the_server(self):
        path, identity = os.path.join(FOLDER, "whole.conf"), os.path.join(FOLDER, "of-settings")
        with open(path, "w") as file:
            file.write(f"TRIPTYCH_MART={MART}\nTRIPTYCH_IDENTITY={identity}\nTRIPTYCH_PORT=0\nTRIPTYCH_ISSUER=https://a.test\n")
        status, text = ending("user", "list", "--config", path)
        self.assertEqual(status, 65, text)
        self.assertIn(identity, text)
        self.assertFalse(os.path.exists(identity))
        status, text = ending("user", "add", "first", "--role", "viewer", "--config", path, input=PASSWORD)
        self.assertEqual((status, identity in text), (0, True), text)
        self.new_passwords_are_held_against_lists(path)
        for words in [["user", "list"], ["user", "roles", "first", "--role", "analyst"], ["user", "email", "first"],
                      ["user", "passkeys", "first"], ["user", "disable", "first"], ["user", "enable", "first"],
                      ["key", "rotate"], ["audit", "verify"], ["audit", "report"], ["serve", "--check"]]:
            status, text = ending(*words, "--config", path)
            self.assertEqual(status, 0, text)
        self.assertEqual(ending("user", "list", "--config", os.path.join(FOLDER, "nowhere.conf"))[0], 78)

    def new_passwords_are_held_against_lists(self, settings):
        """Lists named by a flag and by the server's settings; nothing of them or of a password is said."""
        stolen, words = os.path.join(FOLDER, "stolen.txt"), os.path.join(FOLDER, "words.txt")
        mark = hashlib.sha1(PASSWORD.encode()).hexdigest().upper()

        def tried(lines, *options):
            with open(stolen, "w") as file:
                file.write("".join(line + "\r\n" for line in lines))
            status, text = ending("user", "passwd", "first", "--config", settings, *options, input=PASSWORD)
            self.assertFalse(PASSWORD in text or mark in text, text)
            return status, text

        ends = ["0" * 40 + ":1", "F" * 40 + ":1"]
        flag = ["--breached-passwords", stolen]
        self.assertEqual(tried(ends, *flag)[0], 0)
        status, text = tried([ends[0], mark + ":7", ends[1]], *flag)
        self.assertEqual((status, "stolen elsewhere" in text), (65, True), text)
        status, text = tried([ends[0], mark[1:], ends[1]], *flag)
        self.assertEqual((status, f"{stolen} has no hash in the line that begins at byte 44" in text), (78, True), text)
        status, text = tried([mark[1:]], *flag)
        self.assertEqual((status, f"triptych-server: --breached-passwords: {stolen} has no hash" in text), (78, True), text)
        with open(words, "w") as file:
            file.write("# Ours\nlong way\nthe river\n")
        with open(settings, "a") as file:
            file.write(f"TRIPTYCH_PASSWORD_WORDS={words}\n")
        status, text = tried(ends)
        self.assertEqual((status, "it is made of" in text), (65, True), text)

    def test_a_list_that_cannot_be_read_is_the_servers_fault(self):
        """A password that is not looked up is not set, and whoever asks is told to try again, not to choose another."""
        stolen = os.path.join(FOLDER, "damaged.txt")
        with open(stolen, "w") as file:
            file.write("0" * 40 + "\n")
        account(MART, "changing", "--role", "viewer")
        with Server(MART, ["--breached-passwords", stolen]) as server:
            page = server.send("/account", {"username": "changing", "password": PASSWORD})
            ticket = re.search(rb'name="ticket" value="([^"]+)"', page.body)[1].decode()
            with open(stolen, "w") as file:
                file.write("no hash at all\n")
            answer = server.send("/account", {"ticket": ticket, "step": "set_password", "password": "another " + PASSWORD})
            self.assertEqual((answer.status, answer.headers.get("retry-after")), (503, "60"))
            self.assertIn(b"cannot be checked against the list of stolen passwords now", answer.body)
            contract = Contract(server.ask("/openapi.yaml").body.decode())
            self.assertEqual(contract.faults("/account", "POST", answer), [])
            # The one before is still the password.
            self.assertEqual(server.send("/account", {"username": "changing", "password": PASSWORD}).status, 200)

    def test_another_role_leaves_the_regions(self):
        with Server(MART) as server:
            first, second = [each["region"] for each in server.ask("/regions").json["regions"]][:2]
            account(MART, "bound", "--role", "administrator", "--region", first)

            def seen():
                return [each["region"] for each in server.ask("/regions", name="bound").json["regions"]]

            self.assertEqual(seen(), [first])
            status, text = ending("user", "roles", "bound", "--role", "viewer", "--mart", MART)
            self.assertEqual((status, text), (0, f"bound is viewer; regions: {first}; totals: own.\n"))
            status, text = ending("user", "roles", "bound", "--national-totals", "--mart", MART)
            self.assertEqual((status, text), (0, f"bound is viewer; regions: {first}; totals: national.\n"))
            status, text = ending("user", "roles", "bound", "--no-national-totals", "--region", second, "--mart", MART)
            self.assertEqual((status, text), (0, f"bound is viewer; regions: {second}; totals: own.\n"))
            # Within five seconds.
            deadline = time.monotonic() + 10
            while seen() != [second] and time.monotonic() < deadline:
                time.sleep(0.5)
            self.assertEqual(seen(), [second])
            # Whoever saw all regions saw their totals for that reason alone.
            ending("user", "roles", "bound", "--all-regions", "--mart", MART)
            status, text = ending("user", "roles", "bound", "--region", first, "--mart", MART)
            self.assertEqual((status, text), (0, f"bound is viewer; regions: {first}; totals: own.\n"))

    def test_what_may_be_over_the_next_time_ends_otherwise_than_what_somebody_must_mend(self):
        identity = os.path.join(FOLDER, "held")
        self.assertEqual(ending("user", "add", "one", "--role", "viewer", "--identity", identity, input=PASSWORD)[0], 0)
        serve = ["serve", "--mart", MART, "--identity", identity, "--port", "0", "--issuer", "https://a.test"]
        other = sqlite3.connect(os.path.join(identity, "accounts.sqlite"))
        other.execute("BEGIN EXCLUSIVE")
        status, text = ending(*serve)
        self.assertEqual(status, 74, text)
        other.close()
        os.chmod(identity, 0o755)
        status, text = ending(*serve)
        self.assertEqual(status, 78, text)
        self.assertIn("chmod go-rwx", text)
        # The last line too is one for programs where all are.
        status, text = ending(*serve, "--log-format", "json")
        last = json.loads(text.splitlines()[-1])
        self.assertEqual((status, last["level"], last["status"]), (78, "critical", "78"))
        self.assertIn("chmod go-rwx", last["message"])

    def test_what_a_killed_demo_left_the_next_one_removes(self):
        before = set(folders())
        with Server(MART, ["--demo"]) as server:
            server.kill()
        left = set(folders()) - before
        self.assertEqual(len(left), 1)
        with Server(MART, ["--demo"]):
            self.assertEqual(left & set(folders()), set())
            # One that runs keeps its own beside the next.
            running = set(folders())
            with Server(MART, ["--demo"]):
                self.assertEqual(running - set(folders()), set())

    def test_a_record_that_was_changed_is_set_aside_and_begun_anew(self):
        identity = os.path.join(FOLDER, "changed")
        place = ["--identity", identity]
        for name in ["one", "two", "three"]:
            self.assertEqual(ending("user", "add", name, "--role", "viewer", "--no-password", *place)[0], 0)
        self.assertEqual(ending("audit", "begin", *place)[0], 65)
        noted = ending("audit", "verify", *place)[1].split()[-1]
        for cut in ["1", noted[:-1], noted.split(":")[0], "x:" + noted.split(":")[1], noted + "x"]:
            status, text = ending("audit", "verify", "--noted", cut, *place)
            self.assertEqual(status, 2, cut)
            self.assertIn("is not a position", text)
        self.assertEqual(ending("audit", "verify", "--noted", noted, *place)[0], 0)
        status, text = ending("audit", "report", "--account", "four", *place)
        self.assertEqual((status, "'four'" in text), (65, True), text)
        self.assertIn(" one ", ending("audit", "report", "--account", "ONE", *place)[1])
        path = os.path.join(identity, "access-record")
        with open(path) as file:
            lines = file.readlines()
        lines[2] = lines[2].replace("two", "owt")
        with open(path, "w") as file:
            file.writelines(lines)
        self.assertEqual(ending("audit", "verify", *place)[0], 13)
        status, text = ending("audit", "begin", *place)
        self.assertEqual(status, 0, text)
        aside = re.search(r"access-record\.set-aside-\S+(?=;)", text)[0]
        with open(os.path.join(identity, aside)) as file:
            self.assertEqual(file.readlines(), lines)
        status, text = ending("audit", "verify", *place)
        self.assertEqual((status, text.startswith("1 entries")), (0, True), text)
        self.assertIn(aside, ending("audit", "report", *place)[1])


def ending(*words, input=None, env=None):
    """The status of a command and what it said."""
    command = ["triptych-server", *words]
    ended = subprocess.run(command, input=input, capture_output=True, text=True, timeout=60, env=env)
    return ended.returncode, ended.stdout + ended.stderr


def folders():
    return [one for one in os.listdir("/tmp") if one.startswith("triptych-demo-")]


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    account(MART, "viewer", "--role", "viewer")
    unittest.main()
