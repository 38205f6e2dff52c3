"""What is sent as SQL stays text: by sqlmap, and by words of our own at every parameter.

    python test_injection.py MART FOLDER
"""

import concurrent.futures
import hashlib
import os
import subprocess
import sys
import unittest
import urllib.parse

from served import CLIENT, Server, account

MART, FOLDER = None, None
WORDS = [
    "'", "\"", "' OR '1'='1", "' OR 1=1 --", "1; DROP TABLE trip", "') OR ('a'='a", "' UNION SELECT sql FROM sqlite_schema --",
    "'; ATTACH DATABASE '/tmp/x' AS x; --", "' AND randomblob(1000000000) --", "' || load_extension('x') || '", "%27%20OR%201=1",
    "08' --", "BLS\0' OR 1=1", "\\' OR 1=1 --", "' AND (SELECT count(*) FROM kpi_cube, kpi_cube, kpi_cube) > 0 --", "$1", "?1", ":a", "@a",
    "\u02bc OR 1=1", "\uff07 OR 1=1", "/**/OR/**/1=1", "08'/*", "PRAGMA writable_schema=1", "{{7*7}}",
]
SAID_BY_NONE = [b"sqlite", b"syntax error", b"SELECT", b"GRDB", b"no such", b"near \""]


def marks(folder):
    """What the files of a folder are, by their content."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                with open(path, "rb") as file:
                    found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


class Injection(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        account(MART, "injector", "--role", "analyst")
        cls.before = marks(MART)
        cls.server = Server(MART).__enter__()
        cls.bearer = "Bearer " + cls.server.token("injector")
        cls.ref = cls.server.ask("/trips?limit=1", name="injector").json["trips"][0]["ref"]

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_words_of_sql_are_values(self):
        questions = ["/kpi?month={}", "/kpi?trip_type={}", "/kpi?region={}", "/kpi?from={}", "/trips?region={}", "/trips?trip_type={}",
                     "/trips?cursor={}", "/trips?limit={}", "/trip/{}", "/runs/{}", "/kpi?{}=1"]
        for question in questions:
            for words in WORDS:
                path = question.format(urllib.parse.quote(words, safe=""))
                answer = self.server.ask(path, headers={"Authorization": self.bearer}, name=None)
                self.assertIn(answer.status, (400, 404), path)
                for said in SAID_BY_NONE:
                    self.assertNotIn(said, answer.body)
        for field in ["refresh_token", "client_id", "grant_type"]:
            for words in WORDS:
                answer = self.server.send("/token", {**CLIENT, "grant_type": "refresh_token", "refresh_token": "x", field: words})
                self.assertEqual(answer.status, 400)
        self.assertEqual(self.server.ask("/readyz", name=None).status, 200)

    def sqlmap(self, number, path, *options):
        """What sqlmap says at last."""
        command = [
            "sqlmap", "-u", f"http://127.0.0.1:{self.server.port}{path}", "--headers", "Authorization: " + self.bearer,
            "--batch", "--flush-session", "--output-dir", f"{FOLDER}/sqlmap-{number}", "--disable-coloring", "--technique", "BEUS",
            "--dbms", "sqlite", "--level", "3", "--risk", "2",
            "--ignore-code", "400,401,404", "--skip-waf", *options,
        ]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False).stdout

    @unittest.skipUnless("PROVE" in os.environ, "takes minutes: make prove")
    def test_sqlmap_finds_no_way_in(self):
        """D82: an attack by a program of others."""
        asked = [
            ("/kpi?month=2026-10&trip_type=BLS&region=08", "-p", "month,trip_type,region"),
            ("/trips?trip_type=BLS&region=08&limit=5", "-p", "trip_type,region,limit"),
            (f"/trip/{self.ref}*",),
            ("/token", "--data", "grant_type=refresh_token&client_id=triptych-dashboard&refresh_token=x", "-p", "refresh_token,client_id"),
        ]
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            said = list(threads.map(lambda one: self.sqlmap(one[0], *one[1]), enumerate(asked)))
        for (path, *_), words in zip(asked, said, strict=True):
            self.assertIn("do not appear to be injectable", words, f"{path}: {words[-2000:]}")
            self.assertNotIn("is vulnerable", words)

    def test_z_whatever_was_sent_the_files_are_what_they_were(self):
        # After the others, by its name.
        self.assertEqual(marks(MART), self.before)


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
