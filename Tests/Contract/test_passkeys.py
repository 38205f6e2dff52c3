"""Passkeys and forgotten passwords, in a real browser with an authenticator of its own.

    python test_passkeys.py MART FOLDER
"""

import base64
import os
import re
import subprocess
import sys
import unittest

from browser import Browser, Mailer, local_server
from served import CLIENT, PASSWORD, account

MART, FOLDER = None, None
NEW_PASSWORD = "yet another way to the river"


class Passkeys(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        account(MART, "owner", "--role", "administrator", "--email", "owner@agency.test")
        for name in ["silent", "copied", "unsure", "lost"]:
            account(MART, name, "--role", "viewer")
        cls.mailer = Mailer(FOLDER)
        cls.server = local_server(MART, cls.mailer).__enter__()
        cls.browser = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.server.stop()

    def setUp(self):
        self.page = self.browser.page(self.server)

    def add(self, name="owner", password=PASSWORD):
        self.page.to_account(name, password)
        self.page.tab.click("text=Add a passkey")
        self.page.tab.wait_for_selector("text=The passkey is added.")

    def sees_where_they_are_signed_in_and_ends_it(self, *tokens):
        """On the page of an account that has these sessions and no others; one is ended first, then all."""
        tab, headers = self.page.tab, [{"Authorization": "Bearer " + each["access_token"]} for each in tokens]
        statuses = lambda: sorted(self.server.ask("/kpi", headers=each, name=None).status for each in headers)  # noqa: E731
        self.assertEqual(tab.locator("td[data-name=Application]").all_inner_texts(), [CLIENT["client_id"]] * len(tokens))
        tab.locator("button:text-is('Log out')").first.click()
        tab.wait_for_selector("text=You are logged out there.")
        self.assertEqual(tab.locator("button:text-is('Log out')").count(), len(tokens) - 1)
        self.assertEqual(statuses(), [200] * (len(tokens) - 1) + [401])
        tab.click("text=Log out everywhere")
        tab.wait_for_selector("text=You are logged out everywhere.")
        self.assertIn("Nowhere.", tab.inner_text("main"))
        self.assertEqual(statuses(), [401] * len(tokens))

    def test_a_passkey_is_added_used_and_removed(self):
        self.page.to_account("owner")
        self.assertEqual(self.page.tab.inner_text("h1"), "Your account")
        self.assertIn("You have none.", self.page.tab.inner_text("main"))
        self.assertNotIn("None can be added", self.page.tab.inner_text("main"))
        self.assertEqual(self.page.tab.get_attribute("text=Back to the dashboard", "href"), "/")
        self.page.tab.click("text=Add a passkey")
        self.page.tab.wait_for_selector("text=The passkey is added.")
        self.assertEqual(len(self.page.tab.query_selector_all("text=Remove")), 1)
        tokens = self.page.with_passkey()
        self.assertIsNotNone(tokens)
        answer = self.server.ask("/kpi", headers={"Authorization": "Bearer " + tokens["access_token"]}, name=None)
        self.assertEqual(answer.status, 200)
        other = self.page.with_passkey()
        self.page.to_account("owner")
        self.sees_where_they_are_signed_in_and_ends_it(tokens, other)
        # The same device again: the browser says that it has one.
        self.page.tab.click("text=Add a passkey")
        self.page.tab.wait_for_selector("text=This device has a passkey of yours already.")
        self.page.tab.click("text=Remove")
        self.page.tab.wait_for_selector("text=The passkey is removed")
        self.page.tab.click("text=Leave this page")
        self.page.tab.wait_for_selector("text=Sign in to look after your passkeys and your password.")
        self.assertIsNone(self.page.with_passkey())
        self.assertEqual(self.page.notice(), "The passkey was not accepted. Try again, or use your password.")
        self.assertFalse([fault for fault in self.page.faults if "403" not in fault], self.page.faults)

    def test_a_device_that_does_not_know_its_owner_signs_nothing(self):
        self.add("unsure")
        self.page.recognise(False)
        self.assertIsNone(self.page.with_passkey())
        self.assertEqual(self.page.notice(), "The passkey was not accepted. Try again, or use your password.")
        self.page.recognise(True)
        self.assertIsNotNone(self.page.with_passkey())

    def test_after_three_failures_in_a_row_a_password_is_asked_for(self):
        """D74: the server counts."""
        self.add("unsure")
        self.page.recognise(False)
        self.page.to_sign_in()
        for word in ["Try again, or use your password.", "Try again, or use your password.", "three times. Use your password."]:
            with self.page.tab.expect_navigation():
                self.page.tab.click("text=Sign in with a passkey")
            self.assertEqual(self.page.notice().split(" accepted", 1)[1].lstrip(". "), word)
        self.assertEqual(self.page.tab.query_selector_all("text=Sign in with a passkey"), [])
        self.assertEqual(len(self.page.tab.query_selector_all("text=Forgotten password")), 1)
        # The page itself begins anew, and so does the count.
        self.page.recognise(True)
        self.assertIsNotNone(self.page.with_passkey())

    def test_a_copy_of_a_device_is_noticed(self):
        self.add("copied")
        copy = self.page.passkeys()[0]
        for _ in range(3):
            self.assertIsNotNone(self.page.with_passkey())
        # The copy has signed less often than the device.
        self.page.forget()
        self.page.put(copy)
        self.assertIsNone(self.page.with_passkey())

    def test_a_lost_device_is_removed_by_a_command(self):
        self.add("lost")
        tokens = self.page.with_passkey()
        command = ["triptych-server", "user", "passkeys", "lost", "--mart", MART]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(lines[0].split(), ["Passkey", "Added", "Last", "used", "Where"])
        # An id may begin with what begins an option.
        unknown = subprocess.run([*command, "--remove", "-unknown"], capture_output=True, text=True, check=False)
        self.assertNotEqual(unknown.returncode, 0)
        self.assertNotIn("Usage:", unknown.stderr)
        for line in lines[1:]:
            subprocess.run([*command, "--remove", line.split()[0]], check=True, capture_output=True)
        self.assertIsNone(self.page.with_passkey())
        answer = self.server.send("/token", {
            "client_id": CLIENT["client_id"], "grant_type": "refresh_token",
            "refresh_token": tokens["refresh_token"],
        })
        self.assertEqual(answer.status, 400)

    def test_the_page_is_as_it_is_where_nothing_signs(self):
        """D73: without an authenticator the password is what counts."""
        self.page.to_sign_in()
        self.page.tab.fill("#username", "owner")
        self.page.tab.fill("#password", "not the password of anybody")
        self.page.tab.click("button:text-is('Sign in')")
        self.page.tab.wait_for_selector("text=Name or password is wrong.")
        self.assertEqual(self.page.tab.input_value("#username"), "owner")

    def test_a_forgotten_password_is_set_anew(self):
        """D74, C12: "Forgotten password" leads to an e-mail."""
        account(MART, "forgetful", "--role", "viewer", "--email", "forgetful@agency.test")
        tokens = self.server.sign_in("forgetful")
        self.page.to_sign_in()
        self.page.tab.click("text=Forgotten password")
        self.page.tab.fill("#username", "forgetful")
        self.page.tab.click("text=Send the e-mail")
        self.page.tab.wait_for_selector("text=Check your e-mail")
        head, body = self.mailer.email("forgetful@agency.test", self.server).split("\n\n", 1)
        self.assertIn("From: triptych@agency.test", head.splitlines())
        self.assertNotIn("forgetful", body)
        link = re.search(r"^http\S+$", body, re.M)[0]
        self.assertTrue(link.startswith(self.server.address + "/new-password?token="))
        self.page.tab.goto(link)
        self.page.tab.fill("#password", "short but long enough"[:5])
        self.assertFalse(self.page.tab.evaluate("document.forms[0].checkValidity()"))
        self.page.tab.fill("#password", "passwordpassword")
        self.page.tab.click("text=Set password")
        self.page.tab.wait_for_selector(".notice")
        self.assertTrue(self.page.notice().startswith("The password was not set: it "), self.page.notice())
        self.page.tab.fill("#password", NEW_PASSWORD)
        self.page.tab.click("text=Set password")
        self.page.tab.wait_for_selector("text=Your password is set")
        self.page.tab.click("text=Back to your account")
        self.page.tab.wait_for_selector("text=Sign in to look after your passkeys and your password.")
        self.assertIn("The password of your account was set.", self.mailer.email("forgetful@agency.test", self.server))
        self.assertEqual(self.server.code("forgetful", "v" * 43).status, 403)
        self.assertEqual(self.server.code("forgetful", "v" * 43, NEW_PASSWORD).status, 303)
        answer = self.server.send("/token", {
            **CLIENT, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"],
        })
        self.assertEqual(answer.status, 400)
        self.page.tab.goto(link)
        self.page.tab.wait_for_selector("text=This link is closed")
        self.add("forgetful", NEW_PASSWORD)
        self.assertIn("A passkey was added to your account.", self.mailer.email("forgetful@agency.test", self.server))
        self.page.tab.click("text=Remove")
        self.page.tab.wait_for_selector("text=The passkey is removed")
        self.assertIn("A passkey was removed from your account", self.mailer.email("forgetful@agency.test", self.server))
        self.page.tab.fill("#password", PASSWORD)
        self.page.tab.click("text=Set password")
        self.page.tab.wait_for_selector("text=Your password is set")
        email = self.mailer.email("forgetful@agency.test", self.server)
        self.assertIn("The password of your account was set.", email)
        self.assertIn(self.server.address + "/forgotten", email)
        self.assertNotIn("token=", email)

    def test_nobody_learns_who_has_an_account(self):
        answers = {}
        for name in ["silent", "nobody-at-all", "<script>", "owner\r\nBcc: x@y.test", "x" * 5000]:
            answer = self.server.send("/forgotten", {"username": name})
            answers[name] = (answer.status, answer.body, {k: v for k, v in answer.headers.items() if k != "date"})
        account(MART, "reachable", "--role", "viewer", "--email", "reachable@agency.test")
        answer = self.server.send("/forgotten", {"username": "reachable"})
        answers["reachable"] = (answer.status, answer.body, {k: v for k, v in answer.headers.items() if k != "date"})
        self.assertEqual(len({str(each) for each in answers.values()}), 1)
        self.assertEqual(answers["silent"][0], 200)
        # Names are looked up in their order: when this one's e-mail is there, the others have none.
        self.assertIn("/new-password?token=", self.mailer.email("reachable@agency.test", self.server))
        for address in ["silent", "nobody-at-all", "x@y.test"]:
            self.assertEqual(self.mailer.emails(address), [])

    def test_what_goes_wrong_is_a_page_to_a_browser_and_a_document_to_a_program(self):
        long = "x" * 20_000
        for path, fields, status in [
            ("/authorize?client_id=none", None, 400), ("/account?x=1", None, 400),
            ("/authorize", {"client_id": "none"}, 400), ("/account", {"username": long}, 413),
            ("/forgotten", {"username": long}, 413), ("/new-password", {"token": long}, 413),
        ]:
            for types, answered in [("text/html,*/*;q=0.8", "text/html"), ("*/*", "application/problem+json")]:
                headers = {"Accept": types}
                answer = self.server.send(path, fields, headers) if fields else self.server.ask(path, headers=headers, name=None)
                self.assertEqual(answer.status, status, path)
                self.assertTrue(answer.media_type.startswith(answered), (path, answer.media_type))
        answer = self.page.open("/account?x=1")
        self.assertEqual(answer.status, 400)
        self.assertEqual(self.page.tab.inner_text("h1"), "This link does not work")

    def test_forms_of_other_sites_are_refused(self):
        for path in ["/account", "/forgotten", "/new-password"]:
            for headers in [{"Origin": "https://elsewhere.test"}, {"Sec-Fetch-Site": "cross-site"}]:
                answer = self.server.send(path, {"username": "owner", "token": "x"}, headers)
                self.assertEqual(answer.status, 403)

    def test_a_forged_ticket_opens_nothing(self):
        for ticket in ["x", "A" * 64, base64.urlsafe_b64encode(bytes(48)).decode()]:
            for step in ["add_passkey", "remove_passkey", "set_password", "end_session", "end_sessions", "other"]:
                answer = self.server.send("/account", {"ticket": ticket, "step": step, "password": NEW_PASSWORD})
                self.assertEqual(answer.status, 403)
                self.assertIn(b"That took too long", answer.body)

    def test_the_log_and_the_record_name_no_secret(self):
        log = "".join(self.server.log)
        for word in ["agency.test", "token=", "owner", "forgetful", NEW_PASSWORD, "ticket"]:
            self.assertNotIn(word, log)
        with open(f"{MART}.identity/access-record") as file:
            record = file.read()
        self.assertIn("passkey_added", record)
        for word in ["agency.test", "token=", NEW_PASSWORD]:
            self.assertNotIn(word, record)

    def test_pages_stand_on_a_phone(self):
        for path in ["/account", "/forgotten"]:
            self.page.open(path)
            width = self.page.tab.evaluate("document.documentElement.scrollWidth")
            self.assertLessEqual(width, 390)

    def test_ways_in_are_changed_by_whoever_knows_the_password(self):
        """D56: a passkey alone changes no passkey and no password."""
        self.add("owner")
        self.page.open("/account")
        self.page.tab.wait_for_selector("h1")
        self.assertEqual(self.page.tab.query_selector_all("text=Sign in with a passkey"), [])
        # The form of the sign-in page, sent there: what a passkey signs opens no account.
        self.page.to_sign_in()
        self.page.tab.eval_on_selector("form[data-use=sign]", "form => { form.action = '/account' }")
        self.page.tab.click("text=Sign in with a passkey")
        self.page.tab.wait_for_url("**/account")
        self.assertNotEqual(self.page.tab.inner_text("h1"), "Your account")
        self.page.to_account("owner")
        self.assertEqual(self.page.tab.inner_text("h1"), "Your account")


class Required(unittest.TestCase):
    """A server where a password alone lets nobody in."""

    @classmethod
    def setUpClass(cls):
        account(MART, "newcomer", "--role", "viewer")
        folder = os.path.join(FOLDER, "required")
        os.makedirs(folder)
        cls.server = local_server(MART, Mailer(folder), "--passkeys", "required").__enter__()
        cls.browser = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.server.stop()

    def test_a_password_adds_the_first_passkey_and_opens_nothing_else(self):
        page = self.browser.page(self.server)
        for _ in range(2):
            answer = self.server.code("newcomer", "v" * 43)
            self.assertEqual(answer.status, 403)
            self.assertIn(b"A password alone is not enough here.", answer.body)
        # A wrong one tells no more than elsewhere.
        self.assertIn(b"Name or password is wrong.", self.server.code("newcomer", "v" * 43, "another long password").body)
        # Somebody else who knows the password keeps the page open.
        other = self.browser.page(self.server)
        other.to_account("newcomer")
        page.to_account("newcomer")
        page.tab.click("text=Add a passkey")
        page.tab.wait_for_selector("text=The passkey is added.")
        other.tab.click("text=Add a passkey")
        other.tab.wait_for_selector(".notice:not([hidden])")
        self.assertEqual(other.tab.query_selector_all("text=The passkey is added."), [])
        self.assertIsNone(other.with_passkey())
        self.assertIsNotNone(page.with_passkey())
        self.assertEqual(self.server.code("newcomer", "v" * 43).status, 403)
        # From now on a password does not reach the account either.
        page.to_account("newcomer")
        self.assertIn("A password alone is not enough here.", page.notice())
        self.assertEqual(page.tab.query_selector_all("text=Add a passkey"), [])
        page.account_with_passkey()
        self.assertEqual(page.tab.inner_text("h1"), "Your account")

    def test_what_cannot_be_is_refused_before_serving(self):
        for options in [["--issuer", "https://127.0.0.1"], ["--demo"], ["--passkeys", "always"]]:
            command = ["triptych-server", "serve", "--mart", MART, "--check", "--passkeys", "required", *options]
            ending = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(ending.returncode, 78, options)
            self.assertIn("passkeys", ending.stderr)


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
