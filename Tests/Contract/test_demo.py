"""The demo serves generated trips and no others: its accounts' password stands in the manual.

    python test_demo.py FOLDER

FOLDER/in has generated exports with their reference files.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

from served import ISSUER, PASSWORD, Server, account

DEMO_PASSWORD = "synthetic trips only"
ROLES = ["demo", "demo-viewer", "demo-analyst", "demo-privacy"]
QUESTIONS = ["/kpi", "/trips?limit=5", "/months", "/trip-types", "/regions"]
# Who may ask for runs, and what they ask.
ASKER, RUNS = "demo-analyst", [("GET", "/runs"), ("POST", "/runs"), ("GET", "/runs/a"), ("POST", "/runs/a/cancel")]
FOLDER = None


def names(folder):
    """All files below a folder."""
    return sorted(os.path.join(place, name) for place, _, found in os.walk(folder) for name in found)


class Demo(Server):
    """A server with the demo's accounts."""

    def __init__(self, mart):
        super().__init__(mart, ["--demo"])

    def sign_in(self, name, password=DEMO_PASSWORD):
        return super().sign_in(name, password)


class DemoTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        generated, real = f"{FOLDER}/in", f"{FOLDER}/unmarked"
        shutil.copytree(generated, real)
        os.remove(real + "/generated.json")
        for name in os.listdir(real):
            if name.endswith(".csv"):
                with open(f"{real}/{name}", encoding="utf-8") as file:
                    text = file.read()
                # What marks a trip as a generated one.
                with open(f"{real}/{name}", "w", encoding="utf-8") as file:
                    file.write(re.sub("^SYN-", "TRP-", text, flags=re.MULTILINE))
        cls.marts = {}
        for kind, exports in {"generated": generated, "unmarked": real}.items():
            cls.marts[kind] = f"{FOLDER}/mart-{kind}"
            command = ["triptych", "run", os.path.join(os.environ["ROOT"], "pipelines/ambulance"), "--mart", cls.marts[kind],
                       "--input", exports, "--reference", exports + "/reference"]
            ending = subprocess.run(command, capture_output=True, text=True)
            assert ending.returncode in (0, 10), ending.stderr

    def check(self, kind, *options):
        command = ["triptych-server", "serve", "--check", "--port", "0", "--issuer", ISSUER, "--mart", self.marts[kind], *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_generated_trips_are_shown_to_everybody_of_the_demo(self):
        with Demo(self.marts["generated"]) as server:
            self.assertEqual(server.ask("/readyz", name=None).status, 200)
            for name in ROLES:
                self.assertEqual(server.ask("/kpi", name=name).status, 200)
            self.assertEqual(server.ask("/runs", name=ASKER).status, 200)
        self.assertEqual(self.check("generated", "--demo").returncode, 0)

    def test_no_other_trips_are_shown_to_anybody(self):
        account(self.marts["unmarked"], "looking", "--role", "administrator")
        with Server(self.marts["unmarked"]) as server:
            ref = server.ask("/trips?limit=1", name="looking").json["trips"][0]["ref"]
            self.assertEqual({server.ask(question, name="looking").status for question in QUESTIONS}, {200})
        before = names(self.marts["unmarked"])
        with Demo(self.marts["unmarked"]) as server:
            self.assertEqual(server.ask("/readyz", name=None).status, 503)
            for question in [*QUESTIONS, "/trip/" + ref]:
                answers = [server.ask(question, name=name) for name in ROLES]
                # The first may see everything, and not everybody may ask for trips.
                self.assertEqual(answers[0].json["code"], "nothing_served", question)
                self.assertLessEqual({answer.status for answer in answers}, {403, 503}, question)
            revealed = server.ask(f"/trip/{ref}/reveal", "POST", {"Content-Type": "application/x-www-form-urlencoded"},
                                  b"field=cost&reason=billing", name="demo")
            self.assertEqual(revealed.status, 503)
            for method, path in RUNS:
                answer = server.ask(path, method, {"Idempotency-Key": "a key"}, name=ASKER)
                self.assertEqual((answer.status, answer.json["code"]), (503, "nothing_served"), path)
            self.assertEqual(names(self.marts["unmarked"]), before)
            # No account of the mart is one of the demo.
            with self.assertRaisesRegex(RuntimeError, "not let in"):
                server.sign_in("looking", PASSWORD)
            server.stop()
            self.assertIn("the trips are not generated ones", "".join(server.log))

    def test_it_says_beforehand_that_it_would_show_none(self):
        ending = self.check("unmarked", "--demo")
        self.assertEqual(ending.returncode, 78)
        self.assertIn("its trips are not generated ones", ending.stdout)
        self.assertEqual(self.check("unmarked").returncode, 0)


if __name__ == "__main__":
    FOLDER = sys.argv.pop()
    unittest.main()
